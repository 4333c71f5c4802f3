"""Made-up pages whose readers want something else than the shipped weights give."""

from __future__ import annotations

import numpy as np

from tamis.labels.datasets import Example

WORDS = (
    "harbour ferry winter captain sound people bridge morning village storm river market boat"
    " letter school garden engine island summer window"
).split()


def prose(random: np.random.Generator, count: int) -> str:
    return " ".join(random.choice(WORDS, count)).capitalize() + "."


def timetable(number: int, sites: int = 6) -> Example:
    """An article with a log of short entries beside it; the readers want the log alone."""
    random = np.random.default_rng(number)
    article = "".join(f"<p>{prose(random, 40)}</p>" for _ in range(4))
    log = [prose(random, 6) for _ in range(12)]
    entries = "".join(f"<li class=entry>{entry}</li>" for entry in log)
    menu = "".join(f"<li><a href=/{n}>{random.choice(WORDS)}</a></li>" for n in range(9))
    html = (
        f"<html><head><title>Harbour {number}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<article><h1>Harbour day {number}</h1>{article}</article>"
        f"<aside class=log><ul>{entries}</ul></aside><footer>Imprint and terms</footer>"
        "<script>track()</script></body></html>"
    )
    gold = "\n".join(log)
    site = f"harbour{number % sites}.example"
    return Example(id=f"day {number}", dataset="harbour", html=html, text=gold, site=site)
