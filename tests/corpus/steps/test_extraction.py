"""From records to rows: in order, filtered, and in a process that may die of a page."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from tamis.corpus.records import Record, Reject, Row, Settings
from tamis.corpus.steps import extraction as shard
from tamis.corpus.steps.duplicates import SIZE
from tamis.corpus.steps.extraction import Extracting, make_extractor
from tamis.options import Options

BAD = Reject("bad", None, "damaged", "cut off")


def record(name: str, body: bytes = b"<p>x") -> Record:
    return Record(name, f"https://{name}.example/", body, "text/html; charset=utf-8", None)


def extracted(body: bytes, **settings: Any) -> Row | Reject:
    """What becomes of one page, in this process."""
    [answer] = make_extractor(Extracting(Settings(**settings), ""))([record("page", body)])
    return answer if isinstance(answer, Reject) else answer[0]


def reason(body: bytes, **settings: Any) -> tuple[str, str]:
    answer = extracted(body, **settings)
    assert isinstance(answer, Reject), answer
    assert (answer.id, answer.url) == ("page", "https://page.example/")
    return answer.reason, answer.detail


def test_what_is_no_page_is_refused_by_what_it_seems_to_be() -> None:
    for body, kind in ((b"%PDF-1.7\n...", "a PDF document"), (b"\x7fELF\2\1\1", "an ELF program")):
        refusal, detail = reason(body)
        assert refusal == "not html"
        assert kind in detail


def test_a_page_that_is_packed_without_a_word_becomes_a_row() -> None:
    row = extracted(gzip.compress(b"<p>The river rose during the night, by two metres and more."))
    assert isinstance(row, Row)
    assert row.text == "The river rose during the night, by two metres and more."


# Rows


def test_a_page_becomes_a_row_that_describes_it(sources: dict[str, bytes]) -> None:
    row = extracted(sources["news-de"])
    assert isinstance(row, Row)
    assert row.id == "page"
    assert row.url == "https://page.example/"
    assert (row.language, row.page_type, row.encoding) == ("de", "article", "utf-8")
    assert row.title
    assert row.words == pytest.approx(len(row.text.split()), rel=0.05)
    assert 0.5 < row.probability <= 1
    assert (row.markdown, row.html, row.site_pages) == (None, None, 0)


def test_other_views_come_when_asked_for(sources: dict[str, bytes]) -> None:
    row = extracted(sources["docs-en"], also=("markdown", "html"))
    assert isinstance(row, Row)
    assert row.markdown and "\n## " in row.markdown
    assert row.html and "<h2>" in row.html


def test_without_description_a_row_has_the_text_and_its_figures_alone(
    sources: dict[str, bytes],
) -> None:
    full, bare = (extracted(sources["news-de"], describe=how) for how in (True, False))
    assert isinstance(full, Row) and isinstance(bare, Row)
    assert (bare.text, bare.words, bare.probability) == (full.text, full.words, full.probability)
    assert (bare.title, bare.language, bare.page_type) == ("", "", "")


def test_a_page_without_an_address_has_the_one_that_it_gives_for_itself() -> None:
    own = "https://paper.example/bridge"
    page = f'<link rel=canonical href="{own}"><p>{"The bridge over the river is open. " * 20}'
    for url in (None, "https://mirror.example/7"):
        [answer] = make_extractor(Extracting(Settings(), ""))(
            [Record("a", url, page.encode(), None, None)]
        )
        assert isinstance(answer, tuple)
        assert (answer[0].url, answer[0].canonical) == (url or own, own)


def test_the_charset_of_the_http_header_counts() -> None:
    body = "<title>Grüße</title><p>Über den Fluß führt seit gestern wieder eine Brücke.".encode()
    latin = Record("a", None, body.decode().encode("latin-1"), "text/html; charset=latin1", None)
    [answer] = make_extractor(Extracting(Settings(), ""))([latin])
    assert isinstance(answer, tuple)
    assert "Über den Fluß" in answer[0].text


def test_a_signature_comes_only_if_duplicates_are_to_be_told(sources: dict[str, bytes]) -> None:
    for duplicates, size in (("keep", 0), ("exact", SIZE), ("near", SIZE)):
        made_from = Extracting(Settings(duplicates=duplicates), "")  # type: ignore[arg-type]
        [answer] = make_extractor(made_from)([record("page", sources["news-en"])])
        assert isinstance(answer, tuple)
        assert len(answer[1]) == size


# Filters


def test_each_filter_has_its_reason(sources: dict[str, bytes]) -> None:
    news = sources["news-de"]
    assert reason(news, languages=("en", "fr")) == ("language", "de")
    assert reason(news, page_types=("forum", "product")) == ("page type", "article")
    assert reason(sources["forum-en"], page_types=("article",)) == ("page type", "forum")
    assert reason(news, min_words=100_000)[0] == "short"
    assert reason(news, min_probability=1.0)[0] == "improbable"
    kind, share = reason(sources["listing-en"], options=Options(overview="skip"))
    assert kind == "overview"
    assert float(share) > 0.5


def test_what_the_filters_ask_for_is_kept(sources: dict[str, bytes]) -> None:
    row = extracted(
        sources["news-de"],
        languages=("en", "de"),
        page_types=("article",),
        min_words=50,
        min_probability=0.5,
        options=Options(overview="skip"),
    )
    assert isinstance(row, Row)


def test_a_language_can_be_asked_for_without_a_description(sources: dict[str, bytes]) -> None:
    assert reason(sources["news-de"], languages=("en",), describe=False)[0] == "language"
    row = extracted(sources["news-de"], languages=("de",), describe=False)
    assert isinstance(row, Row)
    assert row.language == ""


def test_a_page_without_content_gives_no_row() -> None:
    assert reason(b"") == ("no content", "")
    assert reason(b"<script>if (top) render()</script>") == ("no content", "")


# Errors


def test_a_page_over_a_limit_is_refused_for_it(sources: dict[str, bytes]) -> None:
    page = sources["news-en"]
    assert reason(page, options=Options(max_bytes=1000))[0] == "too large"
    assert reason(page, options=Options(max_nodes=100))[0] == "too many elements"
    assert reason(page, options=Options(max_seconds=1e-9))[0] == "too slow"
    deep = b"<div>" * 500 + b"deep"
    kind, detail = reason(deep, options=Options(max_depth=300))
    assert kind == "too deep"
    assert detail.startswith("TooDeepError: ")


def test_a_defect_of_ours_is_a_reason_and_costs_one_page(
    sources: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str) -> bytes:
        if "Brücke" in text:
            raise ZeroDivisionError("no bridge")
        return b""

    monkeypatch.setattr(shard, "make_signature", broken)
    extract = make_extractor(Extracting(Settings(duplicates="exact", min_words=3), ""))
    bridge = "<p>Über den Fluss führt seit gestern wieder eine Brücke.".encode()
    before, bad, after = extract(
        [record("a", sources["news-en"]), record("b", bridge), record("c", sources["news-en"])]
    )
    assert bad == Reject("b", "https://b.example/", "crash", "ZeroDivisionError: no bridge")
    assert isinstance(before, tuple) and isinstance(after, tuple)
