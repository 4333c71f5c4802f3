"""What the readers of docs have at hand: the files that the pages talk about, and their hosts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from tests.corpus.crawls import write_warc
from tests.servers import serving
from tests.site.pages import PROMOTION, article
from tests.train.harbour import timetable

import tamis
from tamis.labels import datasets
from tamis.project.database import Database

ROOT = Path(__file__).parents[2]
SITE = "https://example.org"
SERVICE = "localhost:8765"


class _Site(BaseHTTPRequestHandler):
    """A small newspaper in the place of https://example.org."""

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        body = article(len(self.path)).encode()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serving(_Site) as address:
        yield address


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """The host of a `tamis serve` that may read the site."""
    command = "serve --port 0 --workers 1 --allow-private --no-browser".split()
    with subprocess.Popen(
        [sys.executable, "-m", "tamis", *command], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        listening = process.stderr.readline()
        assert "listening on http://" in listening, listening
        yield listening.strip().rpartition("/")[2]
        process.terminate()


@pytest.fixture(scope="session")
def at_hand(tmp_path_factory: pytest.TempPathFactory, site: str) -> Path:
    """A folder with all files that the pages talk about and do not make."""
    folder = tmp_path_factory.mktemp("at-hand")
    shutil.copytree(ROOT / "examples", folder / "examples")
    names = "article page new story notes saved/river saved/sea mirror/2024/lake".split()
    names += [f"{name}/{number}" for name in ("pages", "example.org") for number in range(4)]
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        missed = f"{PROMOTION} This is a sentence that is missing."
        (folder / f"{name}.html").write_text(article(number, promotion=missed), "utf-8")
    shutil.copy(ROOT / "tests" / "pages" / "listing-en" / "source.html", folder / "front.html")
    papers = [
        (f"https://paper{number % 2}.example/{number}", article(number)) for number in range(8)
    ]
    write_warc(folder / "crawl" / "1.warc", papers)
    write_warc(folder / "crawl.warc.gz", papers)
    (folder / "addresses.txt").write_text("".join(f"{site}/{n}\n" for n in ("a", "story")))
    labelled = "".join(datasets.json_line(timetable(number)) for number in range(12))
    (folder / "my.jsonl").write_text(labelled, "utf-8")
    for name in ("request.json", "pages.jsonl"):
        (folder / name).write_text(json.dumps({"html": "<p>A tamis is a sieve."}) + "\n")
    Database(folder / "mine").close()  # what `tamis serve --project mine/` makes
    tamis.Site().fit(sorted((folder / "pages").glob("*.html"))).save(folder / "example.org.npz")
    return folder


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory, at_hand: Path) -> Path:
    """A folder with the rows of a corpus run in each format."""
    folder = tmp_path_factory.mktemp("rows")
    for format in ("parquet", "jsonl.zst", "wet"):
        run = tmp_path_factory.mktemp(format)
        tamis.extract_corpus(at_hand / "crawl", run, format=format, workers=1)
        for part in run.glob("part-*"):
            part.rename(folder / part.name)
    return folder
