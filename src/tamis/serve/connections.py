"""The connections of all clients, and which are closed when one client has too many."""

from __future__ import annotations

from typing import Protocol

from tamis.serve.clients import may_take


class Connection(Protocol):
    """What the server knows about a connection."""

    @property
    def waits_for_client(self) -> bool:
        """Whether the next step is the client's: to send something, or to read."""

    def cut(self) -> None:
        """Close it at once."""


class Connections:
    """So many at a time. Of a client that opens too many, the one that idles longest is closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = 0
        self._of: dict[str, dict[Connection, None]] = {}
        """By client; the one that was used last is the last."""

    def add(self, client: str, connection: Connection) -> None:
        """Count a connection, and make room for it."""
        own = self._of.get(client, {})
        is_one_too_many = not may_take(len(own), self.count, self._most)
        self._of.setdefault(client, own)[connection] = None
        self.count += 1
        if is_one_too_many:
            idle = next((each for each in own if each.waits_for_client), connection)
            self.remove(client, idle)
            idle.cut()

    def touch(self, client: str, connection: Connection) -> None:
        """Note that a connection was used."""
        own = self._of.get(client, {})
        if connection in own:
            del own[connection]
            own[connection] = None

    def remove(self, client: str, connection: Connection) -> None:
        """Forget a connection."""
        own = self._of.get(client, {})
        if connection in own:
            del own[connection]
            self.count -= 1
        if not own:
            self._of.pop(client, None)
