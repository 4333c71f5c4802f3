"""The code blocks of a page of the documentation, and what the page says of each.

A block is fenced, or indented by four spaces, as in plain Markdown. The line before it may say

- `<!-- not run: REASON -->`: why no test runs it;
- "Save this as `make_crawl.py`:": that a reader puts it into a file of that name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

INDENTED = "indented"
"""The kind of a block without a fence."""

_FENCE = re.compile(r"( *)(`{3,}|~{3,}) *([^\s`]*)")
_NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")
_SAVE = re.compile(r"[Ss]ave (?:this|it) as `([^`]+)`")
_ITEM = re.compile(r" *(?:[-*+]|\d+[.)]) ")


@dataclass(frozen=True)
class Block:
    """A block of code: what it is in, what it says, and where a reader finds it."""

    kind: str
    """What follows the fence: `sh`, `console`, `python`, `text` ...; or `INDENTED`."""
    text: str
    """The lines, without the fence and without its indentation; ends with a line break."""
    line: int
    """The number of its first line of code in the page."""
    not_run: str | None = None
    file_name: str | None = None


def blocks(path: Path) -> list[Block]:
    """The blocks of a page, from top to bottom."""
    lines = path.read_text("utf-8").splitlines()
    found: list[Block] = []
    before = ""  # the last line that is not empty
    in_list = False  # what is indented in an item of a list is no code
    at = 0
    while at < len(lines):
        line, start = lines[at], at
        fence = _FENCE.match(line)
        if fence:
            start = at = at + 1
            while at < len(lines) and not lines[at].strip().startswith(fence[2]):
                at += 1
            found.append(_block(fence[3], lines[start:at], start, before))
        elif line.startswith("    ") and not in_list and not (at and lines[at - 1].strip()):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            at -= 1
            found.append(_block(INDENTED, lines[start : at + 1], start, before))
        elif line.strip() and not line.startswith(" "):
            in_list = bool(_ITEM.match(line))
        before = lines[min(at, len(lines) - 1)].strip() or before
        at += 1
    return found


def _block(kind: str, lines: list[str], start: int, before: str) -> Block:
    text = dedent("\n".join(lines)).rstrip("\n") + "\n"
    not_run, saved = _NOT_RUN.search(before), _SAVE.search(before)
    return Block(
        kind, text, start + 1, not_run[1] if not_run else None, saved[1] if saved else None
    )
