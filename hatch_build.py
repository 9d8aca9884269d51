"""The README as an index of packages shows it: without the pictures and links that lead to files beside it."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r'<img src="(?!https?:)[^>]*>\n*')
LINK = re.compile(r"\[([^]]*)\]\((?!https?:|#)[^)]*\)")


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Set the text of the package's page."""
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": LINK.sub(r"\1", PICTURE.sub("", text))}
