"""Executors on a cluster: dask.distributed, the extra ``cluster``."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any

from ..errors import Unusable

LOCAL = "local"
PATIENCE = "20s"
HEARD = 5.0
"""Seconds within which a scheduler must respond at its address."""
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(\d{1,5})/?\Z")


class NoCluster(Unusable):
    """A cluster cannot be reached, or a package that it needs is not installed."""


def check(scheduler: str) -> None:
    """Raise NoCluster for an invalid address, if nothing responds there, or if dask.distributed is not installed."""
    if find_spec("distributed") is None:
        raise NoCluster("a cluster needs dask.distributed: pip install 'sudoku-models[cluster]'")
    if scheduler == LOCAL:
        return
    match = _ADDRESS.match(scheduler)
    if not match or not 0 < int(match[2]) < 65536:
        raise NoCluster(f"{scheduler!r} is not a scheduler: {LOCAL}, or an address such as tcp://host:8786 is expected")
    try:
        socket.create_connection((match[1].strip("[]"), int(match[2])), HEARD).close()
    except OSError as error:
        raise NoCluster(f"the scheduler {scheduler} cannot be reached: {error}") from error


@contextmanager
def executor(scheduler: str = LOCAL, parallel: int = 1) -> Iterator[Executor]:
    """Return an executor on a scheduler (``tcp://host:port``), or on a new local cluster of ``parallel`` processes."""
    check(scheduler)
    import distributed

    where: dict[str, Any] = {"address": scheduler, "timeout": PATIENCE}
    if scheduler == LOCAL:
        where = {"n_workers": parallel, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    module: Any = distributed
    try:
        client = module.Client(**where, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"the scheduler {scheduler} cannot be reached: {error}") from error
    try:
        yield client.get_executor(pure=False)
    finally:
        with suppress(Exception):  # the scheduler may be gone, and then there is nothing to close
            client.close()


def workers(executor: Executor) -> int | None:
    """Return the present number of workers of a cluster, 0 if its scheduler is gone; None for any other executor."""
    client: Any = getattr(executor, "_client", None)
    if client is None:
        return None
    if client.status != "running":
        return 0
    try:
        return len(client.sync(client.scheduler.ncores, callback_timeout=HEARD))
    except Exception:  # whatever the cluster's own library raises without a response
        return 0
