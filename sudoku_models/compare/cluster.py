"""Executors on a cluster: dask.distributed, the extra ``cluster``."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from ..errors import Unusable

LOCAL = "local"
PATIENCE = "20s"


class NoCluster(Unusable):
    """A cluster cannot be reached, or what it takes is not installed."""


@contextmanager
def executor(scheduler: str = LOCAL, parallel: int = 1) -> Iterator[Executor]:
    """Give an executor on a scheduler (``tcp://host:port``), or on a cluster of ``parallel`` processes made here."""
    try:
        import distributed
    except ImportError as error:
        raise NoCluster("a cluster needs dask.distributed: pip install 'sudoku-models[cluster]'") from error
    where: dict[str, Any] = {"address": scheduler, "timeout": PATIENCE}
    if scheduler == LOCAL:
        where = {"n_workers": parallel, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    module: Any = distributed
    try:
        client = module.Client(**where, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"the scheduler {scheduler} cannot be reached: {error}") from error
    with client:
        yield client.get_executor(pure=False)
