"""Certificates: claims about a puzzle or a model, with proofs that others can check.

``certify`` makes one, ``check`` checks one (and states its formula again with an encoder of its own, ``plain``),
``save`` and ``load`` keep them in a folder or a zip file.
"""

from .certificate import Certificate, Claim, Statement
from .certify import ClaimFalse, certificate_of, certify
from .check import Verification, check
from .files import load, save
from .formula import TooLarge
from .judging import Judgement, ProvedCheck, judgement_of, proved_cross_check

__all__ = [
    "Certificate",
    "Claim",
    "ClaimFalse",
    "Judgement",
    "ProvedCheck",
    "Statement",
    "TooLarge",
    "Verification",
    "certificate_of",
    "certify",
    "check",
    "judgement_of",
    "load",
    "proved_cross_check",
    "save",
]
