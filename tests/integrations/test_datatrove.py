"""The extractor in pipelines of datatrove, over WARC files, by its own executor."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.archives import gzip_member, http, record
from tests.integrations.examples import examples, run_example

pytest.importorskip("datatrove", reason="needs tamis[datatrove]: make integrations")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.extractors.base import ExtractorSandbox
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter

import tamis
from tamis.integrations.datatrove import TamisExtractor


def run(folder: Path, extractor: TamisExtractor, tasks: int = 1) -> dict[str, dict[str, Any]]:
    """The documents that a pipeline over the WARC files of a folder writes, by their ids."""
    LocalPipelineExecutor(
        [
            WarcReader(str(folder / "crawl")),
            extractor,
            JsonlWriter(str(folder / "texts"), compression="gzip"),
        ],
        tasks=tasks,
        logging_dir=str(folder / "logs"),
    ).run()
    written = {}
    for path in sorted((folder / "texts").glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            document = json.loads(line)
            written[document["id"]] = document
    return written


HTML = "WARC-Identified-Payload-Type: text/html\r\n"


def write_warcs(folder: Path, pages: dict[str, bytes], files: int = 1) -> None:
    (folder / "crawl").mkdir()
    for number in range(files):
        records = [
            gzip_member(
                record(name, http(page), headers="WARC-Identified-Payload-Type: text/html\r\n")
            )
            for name, page in list(pages.items())[number::files]
        ]
        (folder / "crawl" / f"{number}.warc.gz").write_bytes(b"".join(records))


def test_the_texts_of_a_pipeline_are_those_of_tamis(
    tmp_path: Path, sources: dict[str, bytes]
) -> None:
    pages = {name: page for name, page in sources.items() if page.isascii() or b"utf-8" in page}
    write_warcs(tmp_path, pages, files=2)
    written = run(tmp_path, TamisExtractor(), tasks=2)
    texts = {f"<urn:uuid:{name}>": tamis.extract(page).text for name, page in pages.items()}
    assert {name: document["text"] for name, document in written.items()} == {
        name: text for name, text in texts.items() if text
    }


def test_markdown_has_absolute_links_and_documents_get_metadata(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "examples" / "news.html").read_bytes()
    write_warcs(tmp_path, {"news": page})
    (document,) = run(tmp_path, TamisExtractor("markdown", metadata=True)).values()
    assert "## Four tries and a lot of smoke" in document["text"]
    metadata = document["metadata"]
    assert metadata["title"] == "The village that learned to bake by moonlight"
    assert metadata["author"] == "Clementine Rook"
    assert metadata["page_type"] == "article"
    assert metadata["date"] == "2025-06-08T07:00:00+01:00"


def test_what_is_no_page_is_dropped_and_counted_by_its_reason() -> None:
    extractor = TamisExtractor(max_nodes=50)
    documents = [
        Document(text="", id="empty"),
        Document(text="<p>A tamis is a sieve with a fine mesh of horsehair or steel.", id="a"),
        Document(text="<i>" * 100, id="deep"),
        Document(text="https://a.example/", id="address"),
        Document(text="<p>Flour and purees are rubbed through it by cooks.", id="b"),
    ]
    assert [document.id for document in extractor.run(iter(documents))] == ["a", "b"]
    counts = {name: stat.total for name, stat in extractor.stats.stats.items()}
    assert counts["total"] == 5
    assert counts["dropped"] == 1
    assert counts["clean_error"] == 2
    assert counts["clean_error: TooManyNodesError"] == 1


def test_it_can_be_pickled_and_works_in_the_process_of_datatrove_itself() -> None:
    copy = pickle.loads(pickle.dumps(TamisExtractor(focus="recall")))
    assert copy.options.focus == "recall"
    with ExtractorSandbox(timeout=300, warmup_text="") as sandbox:
        text = sandbox.process_document("<p>A tamis is a sieve.", copy.extract)
    assert text == "A tamis is a sieve."


def test_the_time_limit_of_datatrove_is_that_of_the_call() -> None:
    assert TamisExtractor(timeout=3).options.max_seconds == 3
    slow = Document(text="<p>word " * 300_000, id="slow")
    extractor = TamisExtractor(timeout=1e-4)
    assert list(extractor.run(iter([slow]))) == []
    assert extractor.stats.stats["timeout"].total == 1


@examples("datatrove")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
