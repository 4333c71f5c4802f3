"""Pages that show nothing, with an article in their scripts."""

from __future__ import annotations

import json
from typing import Any

from tamis.page.reader import parse
from tamis.page.table import Page

SENTENCES = [
    f"The ferry {name} crosses the {river} at noon, and {nobody} on board looks at the {water}."
    for name in ("Anna", "Berta", "Clara")
    for river, nobody, water in (
        (f"{name} river", "not even the old dog", "herons by the lock"),
        (f"bay of {name}", "only a child in yellow boots", "seals on the sandbank"),
        (f"mouth of the {name}", "hardly anybody", "grey buildings of the yard"),
        (f"lake below {name}", "every last one of us", "snow that lies on the hills"),
    )
]


def shell(script: str, title: str = "The ferry across the river | Harbour News") -> Page:
    return parse(
        f"<title>{title}</title><nav><a href=/>Home</a></nav><div id=root>Loading ...</div>"
        f"<footer>© Harbour News</footer>{script}"
    )


def ld(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def state(value: Any, start: str = '<script id="__NEXT_DATA__" type="application/json">') -> str:
    return f"{start}{json.dumps(value)}</script>"
