"""Contestants that misbehave, and a small data set, for all tests of the evaluation."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis.bench.contestants import Contestant

# A module on the path, since the process of a worker imports its contestant by name.
_FAKES = """
import os, re, time, urllib.request

def everything():
    return lambda page: re.sub("<[^>]*>", " ", page if isinstance(page, str) else page.decode())

def fragile():
    keep = everything()
    def extract(page):
        if "CRASH" in page: os.abort()
        if "LEAVE" in page: os._exit(3)
        if "HANG" in page: time.sleep(60)
        if "RAISE" in page: raise ValueError("no article: " + "x" * 1000)
        if "QUIT" in page: raise SystemExit(1)
        if "MEMORY" in page: return "x" * 40_000_000_000
        if "FETCH" in page: urllib.request.urlopen("http://127.0.0.1:9/list")
        if "NOTHING" in page: return None
        if "SURROGATE" in page: return "sieve \\ud800"
        if "PRINT" in page: print("noise"); os.write(1, b"noise"); os.write(2, b"noise")
        return keep(page)
    return extract

def broken():
    raise ImportError("no module named 'sieve'")

def counting(folder):
    keep = everything()
    def extract(page):
        with open(os.path.join(folder, "calls"), "a") as file: file.write("x")
        return keep(page)
    return extract
"""

STORIES = (
    "The water rose over night, and in the morning the road to the town was gone.",
    "Grain is dear this winter, so bakers mix barley into their wheat loaves.",
    "A young cousin from Bergen wants to learn how such wheels are repaired.",
    "Tourists asked for photographs, then left without buying any flour at all.",
    "Lightning struck twice in July; both times an old oak caught the blow.",
    "Next year twelve schools will visit us, which pleases Mrs Dahl enormously.",
)

Fake = Callable[..., Contestant]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Make a contestant of one of the functions above."""
    folder = tmp_path / "fakes"
    folder.mkdir()
    (folder / "fake_extractors.py").write_text(textwrap.dedent(_FAKES))
    monkeypatch.syspath_prepend(str(folder))

    def make(name: str, *arguments: str, version: str = "1") -> Contestant:
        return Contestant(f"{name} {version}", f"fake_extractors:{name}", arguments, version)

    return make


@pytest.fixture
def small_set(tmp_path: Path) -> Path:
    """Six invented pages: with gold text, with snippets only, of two page types."""
    rows: list[dict[str, object]] = [
        {
            "id": str(i),
            "dataset": "small",
            "html": f"<nav>Home</nav><p>Sieve {i} is made of silk, and of horsehair.</p>",
            "text": f"Sieve {i} is made of silk, and of horsehair.",
            "page_type": "article" if i % 2 else "product",
        }
        for i in range(5)
    ]
    rows.append({"id": "s", "dataset": "small", "html": "<p>Silk</p>", "with": ["silk"]})
    path = tmp_path / "small.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def site_set(tmp_path: Path) -> Path:
    """Two sites of six pages each, with a menu and a footer of their own, and a page alone."""
    rows: list[dict[str, object]] = [
        {
            "id": f"{site}{i}",
            "html": f"<ul><li>Everything about {site} on one page</ul><p>{story}</p>"
            f"<p>All rights are reserved by the people of {site}</p>",
            "text": story,
            "site": f"{site}.example",
        }
        for site in ("mill", "ferry")
        for i, story in enumerate(STORIES)
    ]
    rows.append({"id": "alone", "html": "<p>Alone", "text": "Alone", "url": "https://alone.org/"})
    path = tmp_path / "mill.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
