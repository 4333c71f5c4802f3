"""Small git repositories in the layouts of the real ones. Every page is invented."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

TEXT = "A tamis is a drum sieve, and its mesh is of silk.\n\nCooks press soft fruit through it."
NAVIGATION = "<nav><a href=/>Home</a></nav>"
PAGE = f"<title>Tamis</title>{NAVIGATION}<p>{TEXT}</p><footer>Imprint</footer>"
THAI = "<meta charset=tis-620><p>ตะแกรงร่อนแป้ง</p>".encode("tis-620")


def put(path: Path, content: str | bytes | object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, str | bytes):
        content = json.dumps(content)
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=Cook", "-c", "user.email=cook@example.org"]
    command = ["git", *settings, "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(folder: Path) -> str:
    """Make a repository of a folder, or commit what is new in it; the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Add pages")
    return git(folder, "rev-parse", "HEAD")


def wcxb(root: Path) -> None:
    gold = {"title": "Tamis", "main_content": TEXT, "with": ["silk"], "without": ["Imprint"]}
    row = {"file_id": "0001", "url": "https://sieves.example/", "ground_truth": gold}
    put(root / "README.md", "# Benchmark")
    put(root / "dev/ground-truth/0001.json", row)
    put(root / "dev/html/0001.html.gz", PAGE)
    put(root / "test/ground-truth/0002.json", row)


def scrapinghub(root: Path) -> None:
    put(root / "ground-truth.json", {"ab12": {"articleBody": TEXT, "url": "https://a.example/1"}})
    put(root / "html/ab12.html.gz", PAGE)


def news2023(root: Path) -> None:
    row = {"articleBody": TEXT, "authors": "Ann Cook", "date": "2023-12-01", "title": "Tamis"}
    put(root / "articles.json", {"0f": {**row, "id": 1, "url": "https://news.example/tamis"}})
    put(root / "html/0f.html", PAGE)


def readability(root: Path) -> None:
    for name in ("001", "tamis-1"):
        folder = root / "test/test-pages" / name
        put(folder / "source.html", PAGE)
        put(folder / "expected.html", f"<div><p>{TEXT}<b>!</b></p><ul><li>one<li>two</ul></div>")
        put(folder / "expected-metadata.json", {"title": "Tamis", "byline": None})


def trafilatura(root: Path) -> None:
    row = {"file": "a.example.tamis.html", "with": ["drum sieve"], "without": ["Imprint"]}
    more = {"title": "Tamis", "author": "", "date": "2022-01-21"}
    put(root / "tests/evaldata.json", {"https://a.example/tamis": row | more})
    put(root / "tests/eval/a.example.tamis.html", PAGE)


def dragnet(root: Path) -> None:
    gold = f"{TEXT}\n\n!@#$%^&*()  COMMENTS\n\nNice sieve!"
    for archive, name, content in (
        ("dragnet_HTML.tar.gz", "HTML/T1.html", PAGE),
        ("dragnet_Corrected.tar.gz", "Corrected/T1.html.corrected.txt", gold),
    ):
        data = content.encode()
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        with tarfile.open(root / archive, "w:gz") as tar:
            tar.addfile(entry, io.BytesIO(data))
    put(root / "training.txt", "T1\n")
    put(root / "test.txt", "T2\n")


def cleaneval(root: Path) -> None:
    put(root / "cleaneval-final/input/103.html", f'<text id="http://a.example/">{PAGE}</text>')
    put(root / "cleaneval-final/GoldStandard/103.txt", f"URL: http://a.example/\n\n<p>{TEXT}")


def l3s_gn1(root: Path) -> None:
    folder = root / "L3S-GN1-20100130203947-00001"
    name = "01ccc7c5-a1d1-46e1-a5f7-43310df16575.html"
    put(folder / "original" / name, PAGE)
    put(folder / "annotated" / name, f"{NAVIGATION}<span class=x-nc-sel2>{TEXT}</span>")


def big9(root: Path) -> None:
    page = f"<a href=http://web.archive.org/web/2005/http://www.cnn.com/>Home</a>{PAGE}"
    for year in ("05", "17"):
        put(root / f"Extraction/big5-{year}/html/sieve (1).htm", page)
        put(root / f"Extraction/big5-{year}/gold/sieve (1).txt", TEXT)


def defuddle(root: Path) -> None:
    for name in ("callouts--obsidian-publish-callouts", "not-in-our-half"):
        put(root / f"tests/fixtures/{name}.html", PAGE)
        put(root / f"tests/expected/{name}.md", f'```json\n{{"title": "Tamis"}}\n```\n\n{TEXT}\n')


def newspaper(root: Path) -> None:
    put(root / "tests/data/html/thai_article.html", THAI)
    put(root / "tests/data/txt/thai_article.txt", "ตะแกรงร่อนแป้ง")
    put(root / "tests/data/html/time_001.html", PAGE)
    put(root / "tests/data/metadata/time_001.json", {"url": "https://t.example/1", "text": TEXT})
    put(root / "tests/data/html/no_gold.html", PAGE)


def fundus(root: Path) -> None:
    folder = root / "tests/resources/parser/test_data"
    summary, paragraph = TEXT.split("\n\n")
    section = {"headline": ["Cooks"], "paragraphs": [paragraph]}
    row = {
        "authors": ["Ann Cook", "Bo Baker"],
        "title": "Tamis",
        "publishing_date": "2024-11-22 06:57",
    }
    body = {"summary": [summary], "sections": [section]}
    put(folder / "at/ORF.json", {"V1": row | {"body": body}})
    put(folder / "at/ORF_2024_11_22.html.gz", PAGE)
    put(folder / "at/meta.info", {"ORF_2024_11_22.html.gz": {"url": "https://orf.example/1"}})
    put(folder / "us/meta.info", {})


def recipe_scrapers(root: Path) -> None:
    folder = root / "tests/test_data"
    steps = ["Press the fruit through the sieve.", "Only in the data of the page."]
    shown = f"<h1>Jelly</h1><ul><li>500 g of\n<b>quinces</b><li>salt</ul><p>{steps[0]}"
    for name in ("15gram.be/fifteengram", "addapinch.com/addapinch_1"):
        put(folder / f"{name}.testhtml", f"{NAVIGATION}{shown}<footer>Imprint</footer>")
        row = {"canonical_url": f"https://{name}", "title": "Jelly", "author": "Ann Cook"}
        row |= {"ingredients": ["500 g of quinces", "salt"], "instructions_list": steps}
        put(folder / f"{name}.json", row)
    put(folder / "LICENSE.md", "MIT")


WRITERS: dict[str, Callable[[Path], None]] = {
    "wcxb-dev": wcxb,
    "news2023": news2023,
    "scrapinghub": scrapinghub,
    "readability": readability,
    "trafilatura-eval": trafilatura,
    "dragnet": dragnet,
    "cleaneval-final": cleaneval,
    "l3s-gn1": l3s_gn1,
    "big9": big9,
    "structure": defuddle,
    "languages": newspaper,
    "world-news": fundus,
    "recipes": recipe_scrapers,
}
