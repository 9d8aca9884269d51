"""Several backends in turn, in this process: each continues where the previous one gave up.

Written ``relay:(native:patience=100000)|(cp-sat)``. Solutions that were already yielded are not repeated. A member is
passed over if it does not accept the model or lacks a feature that the request needs. The record names the member that
finished, and its notes list those that gave up or were passed over. If members give up by the amount of work, not by a
clock, the same request always has the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from ..errors import BackendMissing, Unsupported
from ..model import Constraint
from .combined_backends import ALONE, Begun, Combined, Members
from .contract import Capabilities, Ending, Feature, Reason, Search
from .guard import Guard
from .record import Record
from .registry import Selection

NAME = "relay"


class Relay(Combined):
    """A backend made of others that work one after another.

    It declares what its first member declares, and that it observes a time limit, since each member does so by
    itself or in a process that can be killed. It proves if one of the members chosen so far does.
    """

    name = NAME

    def capabilities_with(self, options: Members) -> Capabilities:
        """Return what the first member can do; all kinds are accepted, since each member lowers the model itself."""
        members = [options.first.capabilities] if isinstance(options, Begun) else [m.capabilities for m in options]
        features = set(members[0].features) - ALONE | {Feature.TIME_LIMIT} if members else set()
        features |= {Feature.PROVE for member in members if Feature.PROVE in member.features}
        return Capabilities(
            frozenset(Constraint.kinds.values()),
            frozenset(features),
            requires=tuple(chain.from_iterable(member.requires for member in members)),
            conflicts=tuple(chain.from_iterable(member.conflicts for member in members)),
        )


BACKEND = Relay()


def search(selection: Selection, guard: Guard, record: Record, begin: Callable[[Selection], Search]) -> Search:
    """Let the members search in turn; ``begin`` starts one, whose solutions the guard compares with earlier ones.

    If no member accepts the model, raises what the last member raises.
    """
    ending, refused = None, None
    for member in selection.options:
        if ending is not None and not guard.remembers_all:
            break
        guard.selection = member
        record.backend, record.options = member.backend.name, member.changed
        try:
            ending = yield from begin(member)
        except (Unsupported, BackendMissing) as error:
            refused = error
            record.notes.append(f"{member} was passed over: {error}")
            continue
        if ending.reason is not Reason.GAVE_UP or not guard.wanted:
            return ending
        record.notes.append(f"{member} gave up")
    if ending is None and refused is not None:
        raise refused
    return ending or Ending(Reason.GAVE_UP)
