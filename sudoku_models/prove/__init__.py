"""Certificates: claims about a puzzle or a model, with proofs that others can check.

``certify`` makes one, ``check`` checks one (and states its formula again with a separate encoder, ``plain``),
``save`` and ``load`` keep them in a folder or a zip file. ``certify_many``, ``check_many``, ``save_many``
and ``load_many`` do the same for puzzles of one shape, in a fraction of the time and space.
"""

from typing import TYPE_CHECKING, Any

from ..lazy import imported
from .certificate import Certificate
from .certificate_check import Verification, check
from .certify import ClaimFalse, certificate_of, certify
from .drat import check_drat, parse_drat
from .files import load, save
from .formula import TooLarge
from .judging import PATIENCE, Judgement, ProvedCheck, judgement_of, proved_cross_check
from .statement import Claim, Statement

if TYPE_CHECKING:
    from .many_certificates import Certificates, certify_many
    from .many_check import Verifications, check_many
    from .many_files import load_many, save_many

_HOMES = {
    "Certificates": "many_certificates",
    "Verifications": "many_check",
    "certify_many": "many_certificates",
    "check_many": "many_check",
    "load_many": "many_files",
    "save_many": "many_files",
}

__all__ = [
    "PATIENCE",
    "Certificate",
    "Certificates",
    "Claim",
    "ClaimFalse",
    "Judgement",
    "ProvedCheck",
    "Statement",
    "TooLarge",
    "Verification",
    "Verifications",
    "certificate_of",
    "certify",
    "certify_many",
    "check",
    "check_drat",
    "check_many",
    "judgement_of",
    "load",
    "load_many",
    "parse_drat",
    "proved_cross_check",
    "save",
    "save_many",
]


def __getattr__(name: str) -> Any:
    """Import what needs numpy when it is first asked for."""
    return imported(__name__, _HOMES, name)
