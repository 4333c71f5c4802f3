"""Data sets written as their authors publish them, to compare what is read of their layouts."""

from __future__ import annotations

import gzip
import json
import lzma
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from public_sets import path_of, table
from public_sets.making import hashes_of, make
from tamis.labels import datasets

Row = dict[str, Any]


def put(path: Path, content: str | bytes) -> None:
    """Write a file, packed if its name says so, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    path.write_bytes(gzip.compress(data, 1) if path.suffix == ".gz" else data)


def wcxb(folder: Path, rows: Iterable[Row]) -> None:
    """One JSON file per page."""
    for row in rows:
        gold = {key: row.get(key) for key in ("title", "author", "with", "without")}
        gold |= {"main_content": row["text"], "publish_date": row.get("date")}
        kind = {"page_type": {"primary": row["page_type"]}}
        page = {"url": row.get("url"), "file_id": row["id"], "_internal": kind}
        put(folder / f"ground-truth/{row['id']}.json", json.dumps(page | {"ground_truth": gold}))
        put(folder / f"html/{row['id']}.html.gz", row["html"])


def scrapinghub(folder: Path, rows: Iterable[Row]) -> None:
    """One file of gold."""
    gold = {}
    for row in rows:
        gold[row["id"]] = {"articleBody": row["text"], "url": row["url"]}
        put(folder / f"html/{row['id']}.html.gz", row["html"])
    put(folder / "ground-truth.json", json.dumps(gold))


def news2023(folder: Path, rows: Iterable[Row]) -> None:
    """One file of gold."""
    gold = {}
    for row in rows:
        gold[row["id"]] = {"articleBody": row["text"], **{key: row.get(key) for key in ("url",)}}
        put(folder / f"html/{row['id']}.html", row["html"])
    put(folder / "articles.json", json.dumps(gold))


def readability(folder: Path, rows: Iterable[Row]) -> None:
    """A folder per page."""
    for row in rows:
        put(folder / row["id"] / "source.html", row["html"])
        put(folder / row["id"] / "expected.html", row["expected_html"])
        metadata = {"title": row.get("title"), "byline": row.get("author")}
        put(folder / row["id"] / "expected-metadata.json", json.dumps(metadata))


def trafilatura(folder: Path, rows: Iterable[Row]) -> None:
    """One file of snippets."""
    gold = {}
    for row in rows:
        name = f"{row['id']}.html"
        gold[row["url"]] = {"file": name, "with": row["with"], "without": row["without"]}
        put(folder / "eval" / name, row["html"])
    put(folder / "evaldata.json", json.dumps(gold))


def dragnet(folder: Path, rows: Iterable[Row]) -> None:
    """Two archives."""
    for row in rows:
        put(folder / f"HTML/{row['id']}.html", row["html"])
        comments = f"\n!@#$%^&*()  COMMENTS\n{row['comments']}" if row.get("comments") else ""
        put(folder / f"Corrected/{row['id']}.html.corrected.txt", row["text"] + comments)
    for name in ("HTML", "Corrected"):
        with tarfile.open(folder / f"dragnet_{name}.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(folder / name, name)
        subprocess.run(["rm", "-r", folder / name], check=True)


def cleaneval(folder: Path, rows: Iterable[Row]) -> None:
    """Pages and gold apart."""
    for row in rows:
        put(folder / f"input/{row['id']}.html", row["html"])
        put(folder / f"GoldStandard/{row['id']}.txt", f"URL: {row['url']}\n\n{row['text']}")


def l3s_gn1(folder: Path, rows: Iterable[Row]) -> None:
    """The page twice."""
    for row in rows:
        put(folder / f"original/{row['id']}.html", row["html"])
        put(folder / f"annotated/{row['id']}.html", row["annotated"])


def big9(folder: Path, rows: Iterable[Row]) -> None:
    """A folder per year."""
    for row in rows:
        year, _, name = row["id"].partition("/")
        put(folder / year / "html" / f"{name}.htm", row["html"])
        put(folder / year / "gold" / f"{name}.txt", row["text"])


def defuddle(folder: Path, rows: Iterable[Row]) -> None:
    """Pages and Markdown apart."""
    for row in rows:
        head = json.dumps({"title": row.get("title")})
        put(folder / f"fixtures/{row['id']}.html", row["html"])
        expected = f"```json\n{head}\n```\n\n{row['expected_markdown']}"
        put(folder / f"expected/{row['id']}.md", expected)


def newspaper(folder: Path, rows: Iterable[Row]) -> None:
    """Pages, text and metadata apart."""
    for row in rows:
        put(folder / f"html/{row['id']}.html", row["html"])
        put(folder / f"txt/{row['id']}.txt", row["text"])
        put(folder / f"metadata/{row['id']}.json", json.dumps({"url": row.get("url")}))


def fundus(folder: Path, rows: Iterable[Row]) -> None:
    """A folder per country, an expected output per publisher and version."""
    expected: dict[Path, list[Row]] = {}
    metadata: dict[Path, Row] = {folder / "at/meta.info": {}, folder / "us/meta.info": {}}
    for row in rows:
        page = folder / f"{row['id']}.html.gz"
        put(page, row["html"])
        metadata.setdefault(page.with_name("meta.info"), {})[page.name] = {"url": row["url"]}
        body = {"summary": row["text"].split("\n"), "sections": []}
        named = page.with_name(f"{row['id'].split('/')[1].rsplit('_', 3)[0]}.json")
        expected.setdefault(named, []).append({"title": row["title"], "body": body})
    for path, versions in expected.items():
        put(path, json.dumps({f"V{number}": row for number, row in enumerate(versions, 1)}))
    for path, known in metadata.items():
        put(path, json.dumps(known))


def recipe_scrapers(folder: Path, rows: Iterable[Row]) -> None:
    """A folder per site; what is expected beside each page."""
    for row in rows:
        put(folder / f"{row['id']}.testhtml", row["html"])
        steps, ingredients = row["with"][row["ingredients"] :], row["with"][: row["ingredients"]]
        expected = {"canonical_url": row["url"], "ingredients": ingredients}
        put(folder / f"{row['id']}.json", json.dumps(expected | {"instructions_list": steps}))


WRITERS: dict[str, Callable[[Path, Iterable[Row]], None]] = {
    "wcxb-dev": wcxb,
    "news2023": news2023,
    "scrapinghub": scrapinghub,
    "readability": readability,
    "trafilatura-eval": trafilatura,
    "dragnet": dragnet,
    "cleaneval-dev": cleaneval,
    "cleaneval-final": cleaneval,
    "l3s-gn1": l3s_gn1,
    "big9": big9,
    "structure": defuddle,
    "languages": newspaper,
    "world-news": fundus,
    "recipes": recipe_scrapers,
}


def commit_all(folder: Path) -> None:
    """Make a repository of a folder."""
    settings = ["-c", "user.name=tamis", "-c", "user.email=tamis@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*settings, "commit", "-q", "-m", "All pages"]):
        subprocess.run(["git", "-C", folder, *words], check=True)


def compare(folder: Path, names: Iterable[str]) -> bool:
    """Write, make and compare each set, and print a line for it; whether all are the same."""
    same = True
    print("| set | pages | hashes of the set | hashes of what was made |\n|---|---:|---|---|")
    for name in names:
        source, path = table()[name], path_of(folder, name)
        direct = hashes_of(datasets.read(path))
        # The gold of the set itself may differ; what was made of it may not.
        with tempfile.TemporaryDirectory() as temporary:
            clone = Path(temporary) / "clone"
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                WRITERS[name](clone / source.folder, map(json.loads, lines))
            commit_all(clone)
            made = make(source, Path(temporary) / "data", origin=str(clone), commit="HEAD")
        cells = [
            f"pages {made_of.pages == known.pages}, gold {made_of.gold == known.gold}"
            for made_of in (direct, made.hashes)
            if (known := source.hashes) is not None
        ]
        same &= bool(made.matches)
        print(f"| {name} | {made.pages:,} | {cells[0]} | {cells[1]} |", flush=True)
        for error in made.left_out[:3]:
            print(f"  left out: {error}")
    return same
