"""What a notebook has between the widget's two sides: messages of Jupyter's protocol, here kept in a list."""

from __future__ import annotations

from typing import Any

from comm.base_comm import BaseComm

from sudoku_models.widget import SudokuWidget


class Wire(BaseComm):  # type: ignore[misc]
    """The kernel's end of a widget's comm. ``published`` holds what it sent; ``receive`` gets what a page sends."""

    def __init__(self, widget: SudokuWidget) -> None:
        self.published: list[dict[str, Any]] = []
        super().__init__(target_name="jupyter.widget")
        widget.comm = self

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        """Keep what would go to the page; called from the threads of watched searches too."""
        if msg_type == "comm_msg":
            self.published.append(data)

    def receive(self, data: dict[str, Any]) -> None:
        """Hand on a message as the kernel does."""
        self.handle_msg({"content": {"comm_id": self.comm_id, "data": data}, "buffers": []})

    def update(self, **state: Any) -> None:
        """Receive new values of traits."""
        self.receive({"method": "update", "state": state, "buffer_paths": []})

    def ask(self, **content: Any) -> None:
        """Receive a message of the page's own."""
        self.receive({"method": "custom", "content": content})

    def taken(self) -> list[dict[str, Any]]:
        """Return the values of traits that were sent since this was asked last, message by message."""
        count = len(self.published)
        news, self.published[:count] = self.published[:count], []
        return [message["state"] for message in news if message["method"] == "update"]

    def known(self) -> dict[str, Any]:
        """Return the last value of each trait that was sent since."""
        return {name: value for state in self.taken() for name, value in state.items()}
