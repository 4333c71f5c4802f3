"""One headline for all who ask, and the block where it stands."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.describe.metadata import describe
from tamis.describe.regions import KIND, regions
from tamis.page.headline import headline
from tamis.page.read import parse

STORY = "<p>" + "The river rose in the night, and the lower town stood under water. " * 4 + "</p>"


@pytest.mark.parametrize(
    ("head", "body", "shown"),
    [
        ("<title>Floods in May | Harbour</title>", "<h1>Floods in May</h1>", "Floods in May"),
        ("<title>Floods in May | Harbour</title>", "<h1>Harbour</h1><h4>Floods in May</h4>", None),
        (
            "<title>A flood in the town in May - News</title>",
            "<h1>News</h1><p>A flood in the town in May</p>",
            "A flood in the town in May",
        ),
        ("<title>Floods</title>", "<h1>Water in the lower town</h1>", "Water in the lower town"),
        ("", "<h1>Harbour</h1><h1>Floods in May</h1>", ""),
    ],
)
def test_metadata_and_kinds_agree_about_the_headline(
    head: str, body: str, shown: str | None
) -> None:
    page = parse(head + body + STORY)
    block = headline(page).block
    assert (page.block_text(block) if block >= 0 else "") == (
        "Floods in May" if shown is None else shown
    )
    kept = page.blocks.words > 20
    titles = np.flatnonzero(regions(page, kept) == KIND["title"]).tolist()
    assert titles == ([block] if block >= 0 else [])
    assert describe(page).title == headline(page).title


def test_the_host_of_the_address_is_no_part_of_the_headline() -> None:
    page = parse("<title>Floods in May - harbour.example</title>" + STORY)
    assert headline(page, "https://www.harbour.example/a").title == "Floods in May"
