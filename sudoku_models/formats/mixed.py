"""Lines of another format in a file of lines: constraint strings and links among lines of cells, and the reverse."""

from __future__ import annotations

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .options import Options


def in_another_format(text: str, options: Options, own: str | None = None) -> Puzzle | FormatError | None:
    """Read a line that its file's format ``own`` (lines of cells) cannot read, if its format may be mixed in.

    Return None if it looks like no such format, or if the user chose how to read the file.
    """
    if not options.is_plain:
        return None
    from .catalogue import FORMATS, LINE
    from .reading import parse_with
    from .recognise import kinds_of

    own = own or LINE
    name = next((kind for kind in kinds_of(text, options) or () if FORMATS[kind].mixes), own)
    if name == own:
        return None
    try:
        return parse_with(text, Options(name))
    except FormatError as error:
        return error
