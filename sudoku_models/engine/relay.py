"""Several backends in turn, in this process: each goes on where the one before gave up.

Written ``relay:(native:patience=100000)|(cp-sat)``. Solutions that were given already are not given again. A member
that does not take the model, or lacks a feature that is asked for, is passed over. The record names the member that
came to the end, and its notes say which gave up or were passed over. When members give up by what they have done, and
not by a clock, the same request has the same answers each time.
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

    It declares what its first member declares, and that it keeps to a limit of time, since each member does so by
    itself or in a process that can be killed. It proves where one of them does, of those that are chosen yet.
    """

    name = NAME

    def capabilities_with(self, options: Members) -> Capabilities:
        """What the first member can do; all kinds are taken, since each member brings its own lowering."""
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

    Raises what the last member raises when none takes the model.
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
