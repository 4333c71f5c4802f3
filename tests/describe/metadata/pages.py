"""Pages with metadata, and what is read of them."""

from __future__ import annotations

from tamis.describe.metadata.record import Metadata, describe_page
from tamis.page.reader import parse

TEXT = (
    "<p>The river rose in the night, and by morning the lower town stood under water. The people"
    " of the valley had seen this before, but never in May, and never so fast.</p>"
) * 4


def page(head: str, body: str = "", lang: str = "en") -> str:
    return f"<html lang={lang}><head>{head}</head><body>{body}{TEXT}</body></html>"


def read(html: str, url: str | None = None) -> Metadata:
    return describe_page(parse(html), url)
