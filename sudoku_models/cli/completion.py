"""Completion of commands and options by the shell: what it offers for a word, and the scripts that ask for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from .codes import UsageError
from .parser import ASKED, HOMES, OPTIONS, command_named
from .terminal import say

# The scripts set _SUDOKU_MODELS_COMPLETE; COMP_WORDS then holds the words, and COMP_CWORD the number of the word.
BASH = """\
_sudoku_models_completion() {
    local IFS=$'\\n'
    COMPREPLY=($(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _SUDOKU_MODELS_COMPLETE=complete_bash $1))
}
complete -o default -F _sudoku_models_completion sudoku-models
"""
ZSH = """\
#compdef sudoku-models
_sudoku_models_completion() {
    local -a found
    found=("${(@f)$(env COMP_WORDS="${(F)words}" COMP_CWORD=$((CURRENT - 1)) \\
        _SUDOKU_MODELS_COMPLETE=complete_zsh sudoku-models)}")
    if [[ -n "${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _sudoku_models_completion sudoku-models
"""
FISH = """\
complete --command sudoku-models --arguments "(env COMP_WORDS=(commandline -cp | string collect) \\
COMP_CWORD=(count (commandline -opc)) _SUDOKU_MODELS_COMPLETE=complete_fish sudoku-models)"
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
FILES = {
    "bash": Path(".bash_completions", "sudoku-models.sh"),
    "zsh": Path(".zfunc", "_sudoku-models"),
    "fish": Path(".config", "fish", "completions", "sudoku-models.fish"),
}
STARTED = {
    "bash": (".bashrc", "source '{path}'\n"),
    "zsh": (".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit\n"),
}
"""The file that a shell reads when it starts, and the lines in it that load the script; fish finds it by itself."""


def offered() -> Iterator[str]:
    """Yield what may stand in the place of the word that a shell asks for."""
    words, at = os.environ.get("COMP_WORDS", "").split(), int(os.environ.get("COMP_CWORD", "0"))
    begun = words[at] if at < len(words) else ""
    yield from (one for one in _possible(words[1:at]) if one.startswith(begun))


def _possible(before: Sequence[str]) -> Iterator[str]:
    """Yield what may follow some words; nothing where a file or another value is expected."""
    if not before:
        yield from HOMES
        yield from (flag for one in OPTIONS for flag in one.flags)
        yield from ASKED
    elif before[0] in HOMES:
        parameters = command_named(before[0]).parameters
        asking = next((one for one in parameters if before[-1] in one.flags and one.kind is not bool), None)
        if asking is not None:
            yield from asking.choices
            return
        yield from (flag for one in parameters for flag in one.flags if flag.startswith("--"))
        yield "--help"


def install() -> None:
    """Write the script for the user's shell, and load it when the shell starts."""
    shell = shell_of_user()
    path = Path.home() / FILES[shell]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCRIPTS[shell], encoding="utf-8")
    if shell in STARTED:
        name, line = STARTED[shell]
        start, line = Path.home() / name, line.format(path=path)
        text = start.read_text(encoding="utf-8") if start.exists() else ""
        if line not in text:
            start.write_text(f"{text.rstrip()}\n{line}".lstrip(), encoding="utf-8")
    say(f"{shell} completes the words of sudoku-models once you have started it again: {path}")


def shell_of_user() -> str:
    """Return the name of the user's shell; raise UsageError for one that is not known."""
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SCRIPTS:
        raise UsageError(f"the shell {name!r} is not known: set SHELL to the path of bash, zsh or fish")
    return name
