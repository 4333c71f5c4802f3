"""The converter in pipelines of Haystack itself."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.integrations.examples import ROOT, examples, run_example

pytest.importorskip("haystack", reason="needs tamis[haystack]: make integrations")

from haystack import Pipeline
from haystack.components.writers import DocumentWriter
from haystack.core.errors import DeserializationError
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore

import tamis
from tamis.integrations.haystack import TamisToDocument

NEWS = ROOT / "examples" / "news.html"


def test_files_and_streams_become_documents() -> None:
    stream = ByteStream(NEWS.read_bytes(), meta={"url": "https://a.example/news", "title": "Mine"})
    file, page = TamisToDocument().run([NEWS, stream], meta={"crawl": 7})["documents"]
    assert file.content == tamis.extract(NEWS).markdown
    assert file.meta["file_path"] == "news.html"
    assert file.meta["author"] == "Clementine Rook"
    assert page.content == tamis.extract(NEWS, url="https://a.example/news").markdown
    assert (page.meta["title"], page.meta["crawl"]) == ("Mine", 7)
    (text,) = TamisToDocument("text", options={"focus": "recall"}).run([str(NEWS)])["documents"]
    assert text.content == tamis.extract(NEWS, focus="recall").text


def test_chunks_have_their_headings_and_places() -> None:
    documents = TamisToDocument(max_tokens=120, store_full_path=True).run([NEWS])["documents"]
    chunks = tamis.extract(NEWS).chunks(120)
    assert [document.content for document in documents] == [chunk.text for chunk in chunks]
    assert [document.meta["end"] for document in documents] == [chunk.end for chunk in chunks]
    assert documents[-1].meta["headings"] == " > ".join(chunks[-1].headings)
    assert documents[0].meta["file_path"] == str(NEWS)


def test_what_cannot_be_read_is_logged_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    sources = ["none.html", ByteStream(b"%PDF-1.7", meta={"url": "https://a.example/p"}), NEWS]
    with caplog.at_level(logging.WARNING):
        assert len(TamisToDocument().run([*sources, ByteStream(b"")])["documents"]) == 1
    assert "none.html: cannot be read" in caplog.text
    assert "https://a.example/p: is left out" in caplog.text


def test_a_pipeline_is_stored_with_it_and_runs_when_it_is_back() -> None:
    pipeline = Pipeline()
    options = {"links": False}
    pipeline.add_component("converter", TamisToDocument(max_tokens=200, options=options))
    pipeline.add_component("writer", DocumentWriter(InMemoryDocumentStore()))
    pipeline.connect("converter.documents", "writer.documents")
    stored = pipeline.dumps()
    with pytest.raises(DeserializationError, match="allowlist"):
        Pipeline.loads(stored)
    restored = Pipeline.loads(stored, allowed_modules=["tamis.integrations.haystack"])
    assert restored.get_component("converter").to_dict() == (
        pipeline.get_component("converter").to_dict()
    )
    written = restored.run({"converter": {"sources": [str(NEWS)]}})["writer"]["documents_written"]
    assert written == len(tamis.extract(NEWS, links=False).chunks(200))


def test_a_stored_pipeline_says_nothing_of_code_to_run() -> None:
    data = TamisToDocument().to_dict()
    data["init_parameters"]["options"] = {"method": "os:PathLike"}
    with pytest.raises(tamis.MethodError, match="give a name"):
        TamisToDocument.from_dict(data)


def test_wrong_options_are_said_at_once() -> None:
    with pytest.raises(tamis.OptionsError, match="did you mean 'focus'"):
        TamisToDocument(options={"focuss": "recall"})


@examples("haystack")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
