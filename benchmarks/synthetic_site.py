"""A site of as many pages as one likes, made when asked for."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import tamis
from tamis.page.table import Page

_WORDS = [
    "".join(random.Random(number).choices("aeioulnrstmdkpgbv", k=2 + number % 9))
    for number in range(20_000)
]
# The n-th word is as frequent as 1/n, as in any language.
_FREQUENCIES = np.cumsum(1 / np.arange(1, len(_WORDS) + 1)).tolist()


class SyntheticSite(Sequence[Page]):
    """Pages of one site, made when asked for; `made` counts the seconds that this took."""

    def __init__(self, pages: int) -> None:
        self.pages, self.made = pages, 0.0

    def __len__(self) -> int:
        return self.pages

    def __getitem__(self, number: Any) -> Any:
        start = time.process_time()
        if number >= self.pages:
            raise IndexError(number)
        html = synthetic_page(number)
        self.made += time.process_time() - start
        return tamis.parse(html)


def synthetic_page(number: int) -> str:
    """An article with a menu, boxes that change now and then, teasers, comments and a footer."""
    chance = random.Random(number)

    def text(words: int) -> str:
        return " ".join(chance.choices(_WORDS, cum_weights=_FREQUENCIES, k=words))

    section = number % 12
    menu = "".join(
        f"<li class='{'here' if entry == section else 'there'}'><a href='/{entry}'>"
        f"Section {_WORDS[entry]}</a></li>"
        for entry in range(12)
    )
    chance.seed(number // 50)
    popular = "".join(
        f"<div class='popular'><a href='/p{name}'>{text(9)}</a></div>" for name in "abcdef"
    )
    chance.seed(-1 - number)
    teasers = "".join(f"<div class='teaser'><p>{text(18)}</p></div>" for _ in range(8))
    article = "".join(f"<p>{text(chance.randrange(20, 90))}.</p>" for _ in range(12))
    comments = "".join(
        f"<div class='comment'><div class='by'>Written by {text(1)} {hours} hours ago</div>"
        f"<p>{text(25)}</p><div class='reply'>Reply to this comment</div></div>"
        for hours in range(chance.randrange(6))
    )
    return (
        f"<!doctype html><title>{text(6)}</title><body><div id=cookies><p>We use cookies to make"
        f" this site work. <a href=/c>Read what they are for</a></p></div><div class=menu>"
        f"<ul>{menu}</ul></div><div class=crumbs>You are here: home, {_WORDS[section]}</div>"
        f"<article><h1>{text(8)}</h1><div class=date>Published on day {number % 365} of"
        f" the year</div>{article}</article><div class=share>Shared {chance.randrange(999)} times"
        f" by readers of this page</div>{comments}{popular}{teasers}<div class=letter><p>Subscribe"
        f" to our letter and have the news of the week in your mail.</p></div><div class=footer>"
        f"<p>All rights reserved, number {number % 7} of the house rules applies.</p></div>"
    )
