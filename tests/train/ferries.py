"""Made-up pages to learn from."""

from __future__ import annotations

import numpy as np

from tamis.labels.datasets import Example


def made_up(number: int) -> Example:
    """A page of a site of three, different each time, with a menu, an article and a footer."""
    random = np.random.default_rng(number)
    sentence = "On day {} the ferry carried {} people across the sound, and the wind was mild."
    paragraphs = [
        sentence.format(*random.integers(1, 99, 2)) * int(random.integers(1, 4))
        for _ in range(random.integers(3, 8))
    ]
    links = "".join(
        f"<li class='menu item'><a href=/{link}>Page {link}</a>"
        for link in random.integers(1, 99, 12)
    )
    article = "".join(f"<p class=story>{paragraph}</p>" for paragraph in paragraphs)
    html = (
        f"<ul id=nav>{links}</ul><div><h1>Ferry news {number}</h1>{article}</div>"
        "<div class=footer>All rights reserved</div>"
    )
    gold = "\n".join((f"Ferry news {number}", *paragraphs))
    return Example(
        id=str(number), dataset="made-up", html=html, text=gold, site=f"site{number % 7}"
    )
