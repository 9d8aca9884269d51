"""From a model to the network of the kernel: each constraint is stated, then more is derived from several together."""

from .network_arrays import Network, network_of

__all__ = ["Network", "network_of"]
