"""The loader, the parser and the transformer in LangChain itself."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from tests.integrations.examples import ROOT, examples, run_example

pytest.importorskip("langchain_core", reason="needs tamis[langchain]: make integrations")

from langchain_core.documents import Document
from langchain_core.documents.base import Blob

import tamis
from tamis.integrations.langchain import TamisLoader, TamisParser, TamisTransformer

NEWS = ROOT / "examples" / "news.html"
THAI = ROOT / "examples" / "thai.html"


def test_the_loader_gives_pages_with_their_metadata() -> None:
    news, thai = TamisLoader([NEWS, str(THAI)]).load()
    assert news.page_content == tamis.extract(NEWS).markdown
    assert news.metadata["source"] == str(NEWS)
    assert news.metadata["author"] == "Clementine Rook"
    assert thai.metadata["language"] == "th"
    assert TamisLoader(NEWS, format="text").load()[0].page_content == tamis.extract(NEWS).text


def test_chunks_have_their_headings_and_their_place_in_the_source() -> None:
    chunks = TamisLoader(NEWS, max_tokens=120, overlap=20).load()
    expected = tamis.extract(NEWS).chunks(120, 20)
    assert [chunk.page_content for chunk in chunks] == [chunk.text for chunk in expected]
    source = NEWS.read_bytes()
    for document, chunk in zip(chunks, expected, strict=True):
        assert document.metadata["headings"] == " > ".join(chunk.headings)
        assert source[document.metadata["start"] : document.metadata["end"]]
        assert all(isinstance(value, str | int) for value in document.metadata.values())


def test_what_cannot_be_read_is_raised_or_logged(caplog: pytest.LogCaptureFixture) -> None:
    sources = ["none.html", "http://127.0.0.1:9/", NEWS]
    with pytest.raises(tamis.InputError):
        TamisLoader(sources).load()
    with pytest.raises(tamis.FetchError, match="not a public address"):
        TamisLoader(sources[1]).load()
    with caplog.at_level(logging.WARNING):
        assert len(TamisLoader(sources, continue_on_failure=True).load()) == 1
    assert "none.html: left out" in caplog.text


def test_loader_and_transformer_can_be_awaited() -> None:
    assert asyncio.run(TamisLoader(NEWS).aload()) == TamisLoader(NEWS).load()
    pages = [Document(NEWS.read_text("utf-8"))]
    transformer = TamisTransformer(max_tokens=120)
    awaited = asyncio.run(transformer.atransform_documents(pages))
    assert awaited == transformer.transform_documents(pages)


def test_the_loader_reads_a_page_when_it_is_asked_for() -> None:
    pages = TamisLoader([NEWS, "none.html"]).lazy_load()
    assert next(pages).metadata["source"] == str(NEWS)
    with pytest.raises(tamis.InputError, match="no such file"):
        next(pages)


def test_blobs_are_parsed_whatever_they_are() -> None:
    latin = "<html><body><p>Über den Wolken, schrieb er, müsse die Freiheit grenzenlos sein.</html>"
    blobs = [
        Blob.from_path(str(NEWS)),
        Blob.from_data(latin.encode("latin-1"), metadata={"source": "https://a.example/w"}),
        Blob.from_data(latin),
    ]
    news, wolken, text = (TamisParser().parse(blob)[0] for blob in blobs)
    assert news.metadata["source"] == str(NEWS)
    assert wolken.page_content.startswith("Über den Wolken")
    assert wolken.metadata["source"] == wolken.metadata["url"] == "https://a.example/w"
    assert text.page_content == wolken.page_content


def test_documents_are_transformed_and_keep_what_they_had() -> None:
    html = '<p>A tamis is a <a href="/sieve">sieve</a> with a fine mesh, and cooks use it daily.'
    document = Document(html, id="7", metadata={"url": "https://a.example/t", "title": "Mine"})
    (made,) = TamisTransformer().transform_documents([document])
    assert "[sieve](https://a.example/sieve)" in made.page_content
    assert (made.id, made.metadata["title"]) == ("7", "Mine")
    assert document.page_content == html
    assert TamisTransformer().transform_documents([Document("")]) == []


def test_wrong_choices_are_said() -> None:
    with pytest.raises(tamis.OptionsError, match="did you mean 'focus'"):
        TamisParser(focuss="recall")  # type: ignore[call-arg]
    with pytest.raises(tamis.OptionsError, match="max_tokens cuts Markdown"):
        TamisTransformer(format="text", max_tokens=10)


@examples("langchain")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
