"""What the documents of all adapters have in common."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.errors import OptionsError
from tamis.flow import extract
from tamis.integrations._documents import DocumentMaker, is_address
from tamis.options import Options

PAGE = (
    "<html lang=en><title>The heron</title><meta name=description content='"
    + "Grey birds. " * 200
    + "'><h1>The heron</h1><p>"
    + "A heron stands in the shallow water and waits for fish. " * 20
)


@pytest.mark.parametrize(
    ("format", "max_tokens", "message"),
    [("pdf", None, "give one of markdown, text, html"), ("text", 100, "max_tokens cuts Markdown")],
)
def test_wrong_choices_are_refused(format: Any, max_tokens: int | None, message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        DocumentMaker(format, max_tokens, 0, Options())


def test_a_page_is_one_document_with_all_of_its_metadata() -> None:
    result = extract(PAGE, url="https://a.example/heron")
    [(content, metadata)] = DocumentMaker("text", None, 0, Options()).make_documents(result)
    assert content == result.text
    assert (metadata["title"], metadata["url"]) == ("The heron", "https://a.example/heron")
    assert len(str(metadata["description"])) > 2000
    assert "author" not in metadata


def test_chunks_have_their_place_and_no_long_metadata() -> None:
    made = list(DocumentMaker("markdown", 60, 0, Options()).make_documents(extract(PAGE)))
    assert len(made) > 1
    assert all(len(str(metadata["description"])) <= 1000 for _, metadata in made)
    assert [metadata["start"] for _, metadata in made] == sorted(
        metadata["start"] for _, metadata in made
    )


def test_a_page_without_content_gives_no_document() -> None:
    assert not list(DocumentMaker("text", None, 0, Options()).make_documents(extract("<p>")))


def test_addresses_are_those_of_the_web() -> None:
    assert is_address("HTTPS://a.example/")
    assert not is_address("ftp://a.example/")
    assert not is_address("page.html")
