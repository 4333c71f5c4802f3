"""Pages that have nothing to extract, to learn from: refusals, errors, empty frames, login walls.

Written for training. Real ones are rare in the data sets, and half of the empty gold there is empty
by mistake.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

_DATA: dict[str, list[str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def refusal(random: Random) -> str:
    """A page of some kind that refuses, fails or only shows its frame."""
    links = "".join(
        f'<li><a href="/{number}">{random.choice(_DATA["links"])}</a></li>'
        for number in range(random.choice((0, 4, 8, 20, 40)))
    )
    title = random.choice(_DATA["titles"])
    body = random.choice(_DATA["frames"]).format(
        title=title,
        first=random.choice(_DATA["messages"]),
        second=random.choice(_DATA["messages"] + _DATA["small_print"]),
        third=random.choice(_DATA["messages"]),
        small=random.choice(_DATA["small_print"]),
        links=links,
    )
    # Frames come with their scripts and styles, which distinguishes them from a fragment of a page.
    script = "var a=0;" * random.choice((100, 400, 1000, 4000))
    style = "p{margin:0}" * random.choice((0, 50, 500))
    return (
        f"<!doctype html><html><head><title>{title}</title><style>{style}</style>"
        f"<script>{script}</script></head>{body}</html>"
    )
