"""The second encoder: it states a problem in clauses again, for ``check``, and shares nothing with the first.

What both have in common is the description in ``docs/certificates.md`` of which clauses each constraint has, and in
which order. An error in one of them makes two different formulas, and the certificate is refused.
"""

from .claims import Restated, of_claim, of_model, restated
from .clauses import PlainClauses, Unstatable

__all__ = ["PlainClauses", "Restated", "Unstatable", "of_claim", "of_model", "restated"]
