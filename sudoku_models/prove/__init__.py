"""Certificates: claims about a puzzle or a model, with proofs that others can check.

``certify`` makes one, ``check`` checks one (and states its formula again from the model), ``save`` and ``load`` keep
them in a folder or a zip file. ``certify_many``, ``check_many``, ``save_many`` and ``load_many`` do the same for
puzzles of one shape, in a fraction of the time and space.

Each name is imported on first use: ``check`` loads no engine, and nothing else of what ``certify`` uses.
"""

from typing import TYPE_CHECKING

from ..lazy import on_first_use

if TYPE_CHECKING:
    from .certificate import Certificate, Claim, Statement
    from .certificate_check import Verification, check
    from .certifying import ClaimFalse, certificate_of, certify, certify_many
    from .drat import check_drat, parse_drat
    from .files import load, save
    from .formula import TooLarge
    from .judging import PATIENCE, Judgement, ProvedCheck, judgement_of, proved_cross_check
    from .many_certificates import Certificates, Verifications, check_many, load_many, save_many

__all__ = [
    "PATIENCE", "Certificate", "Certificates", "Claim", "ClaimFalse", "Judgement", "ProvedCheck", "Statement",
    "TooLarge", "Verification", "Verifications", "certificate_of", "certify", "certify_many", "check", "check_drat",
    "check_many", "judgement_of", "load", "load_many", "parse_drat", "proved_cross_check", "save", "save_many",
]  # fmt: skip

__getattr__, __dir__ = on_first_use(__name__, __all__, {
    "certificate": "Certificate Claim Statement",
    "certificate_check": "Verification check",
    "certifying": "ClaimFalse certificate_of certify certify_many",
    "drat": "check_drat parse_drat",
    "files": "load save",
    "formula": "TooLarge",
    "judging": "PATIENCE Judgement ProvedCheck judgement_of proved_cross_check",
    "many_certificates": "Certificates Verifications check_many load_many save_many",
})  # fmt: skip
