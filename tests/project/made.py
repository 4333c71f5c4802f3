"""Made-up pages for projects, and what somebody changes on them."""

from __future__ import annotations

import time
from typing import Any

from tamis.options import Options
from tamis.project import labels, pages, transfer
from tamis.project.database import Database, ReadPage

Kinds = dict[int, str | None]


def article(topic: str, *paragraphs: str) -> str:
    """A page with a menu, an article and a footer."""
    own = "".join(f"<p>{text}</p>" for text in paragraphs) or (
        f"<p>Of {topic} much has been written, and most of it by people who have never stood in the"
        " rain to look at it. This is the account of somebody who has, for eleven years.</p>"
        f"<p>Whoever wants to know {topic} must get up early, take a good coat and a thermos flask,"
        " and wait; after an hour the fog lifts, and then it is worth every cold finger.</p>"
    )
    return (
        f"<!doctype html><html lang=en><head><title>{topic.title()} - The Field</title></head>"
        "<body>"
        "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/about>About us</a></nav>"
        f"<article><h1>{topic.title()}</h1>{own}</article>"
        "<footer>Imprint, privacy, 2026 The Field</footer></body></html>"
    )


def read_page(html: str) -> ReadPage:
    return transfer.read_page(html.encode(), None, "text/html; charset=utf-8", Options())


def added(database: Database, topic: str, url: str | None = None) -> int:
    """The number of a page that was added."""
    return pages.add_page(database, read_page(article(topic)), topic, url)[1]


def save(
    database: Database, page: int, by: str, kinds: Kinds, version: int, **more: Any
) -> labels.Saved:
    """Save some labels as a client does, with the proposal where one is needed."""
    stored = pages.get_page(database, page)
    change = labels.Change(version, stored.hash, by, kinds, **more)
    proposal = read_page(stored.source.decode()).proposal
    return labels.save_labels(database, page, change, time.time(), proposal)
