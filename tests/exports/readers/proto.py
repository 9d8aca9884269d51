"""CP-SAT's protocol buffers, read by Google's own library and enumerated by CP-SAT."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf import text_format
from ortools.sat import cp_model_pb2
from ortools.sat.python import cp_model

from .maps import Found


def of_text(text: str) -> cp_model_pb2.CpModelProto:
    return text_format.Parse(text, cp_model_pb2.CpModelProto())


def of_bytes(data: bytes) -> cp_model_pb2.CpModelProto:
    proto = cp_model_pb2.CpModelProto()
    proto.ParseFromString(data)
    return proto


def solutions(proto: cp_model_pb2.CpModelProto, names: Sequence[str]) -> Found:
    model, found = _model(proto), []
    places = {variable.name: i for i, variable in enumerate(proto.variables)}

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            values = self.response_proto.solution
            found.append(tuple(values[places[name]] for name in names))

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = not proto.HasField("objective")
    solver.solve(model, Listener())
    return found


def _model(proto: cp_model_pb2.CpModelProto) -> cp_model.CpModel:
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text_format.MessageToString(proto))
    return model
