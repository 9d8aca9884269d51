"""Read a model from a file with its text."""

from __future__ import annotations

from pathlib import Path

from ..model import Model, TextError
from .codes import UsageError


def model_in(path: Path) -> Model:
    """Return the model whose text is in a file; raise UsageError if it cannot be read."""
    try:
        return Model.parse(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"--model {path}: cannot be read: {error.strerror}") from error
    except (TextError, ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"--model {path}: {str(error)[:500]}") from error
