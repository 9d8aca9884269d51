"""Pages for players and setters: one HTML file on which to solve a puzzle, and a local page on which to set one."""

from .contents import solving_page
from .setting import SettingPage

__all__ = ["SettingPage", "solving_page"]
