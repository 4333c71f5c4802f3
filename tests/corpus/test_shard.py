"""From records to rows: in order, filtered, and in a process that may die of a page."""

from __future__ import annotations

import gzip
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.corpus import shard
from tamis.corpus.duplicates import SIZE
from tamis.corpus.records import Record, Reject
from tamis.corpus.rows import Row
from tamis.corpus.settings import Settings
from tamis.corpus.shard import Extracting, Watched, make_extractor, pass_through
from tamis.errors import CrashError
from tamis.options import Options
from tests import needs

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


# Order


def obeying(folder: str) -> Callable[[list[Record]], list[str]]:
    """Made in the process: what it does with a page is written there."""

    def answer(batch: list[Record]) -> list[str]:
        with Path(folder, "sizes").open("a") as sizes:
            print(len(batch), file=sizes)
        for record in batch:
            command = record.body[:20].decode()
            if command == "hang":
                time.sleep(60)
            elif command == "wait":
                time.sleep(0.05)
            elif command == "grow":
                held = b"x" * 500_000_000
                time.sleep(60)
                del held
            elif command == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            elif command == "die once" and not os.path.exists(f"{folder}/dead"):
                Path(folder, "dead").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            elif command == "raise":
                raise ZeroDivisionError("no bridge")
        return [record.id for record in batch]

    return answer


def unable(_: object) -> object:
    sys.exit(3)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    # pytest imports this file under a name that no other process can import.
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    monkeypatch.setattr(shard, "_GRACE_SECONDS", 0.2)
    made: list[Watched[str]] = []

    def make(function: str = "obeying", seconds: float = 30, workers: int = 1) -> Watched[str]:
        limits = Settings(options=Options(max_seconds=seconds), memory=300_000_000)
        made.append(Watched(f"test_shard:{function}", str(tmp_path), limits, workers))
        return made[-1]

    yield make
    for each in made:
        each.end()


@pytest.mark.parametrize("workers", [1, 3])
def test_answers_come_in_the_order_of_the_records_with_the_refused_in_their_places(
    watched: Callable[..., Watched[str]], workers: int
) -> None:
    given: list[Record | Reject] = [record(str(number)) for number in range(100)]
    given[0] = record("0", b"wait")
    given[0:0] = [BAD]
    given[50:50] = [BAD] * 40  # more than a batch has
    expected = [each.id if isinstance(each, Record) else each for each in given]
    assert list(pass_through(watched(workers=workers), given)) == expected


def test_nothing_gives_nothing_and_needs_no_process(
    watched: Callable[..., Watched[str]],
) -> None:
    assert list(pass_through(watched("unable"), [])) == []
    assert list(pass_through(watched("unable"), [BAD])) == [BAD]


def test_a_batch_has_few_pages_and_fewer_if_they_are_large(
    watched: Callable[..., Watched[str]], tmp_path: Path
) -> None:
    small = [record(str(number)) for number in range(40)]
    large = [record(str(number), b"x" * 1_500_000) for number in range(4)]
    assert len(list(pass_through(watched(), [*small, *large]))) == 44
    assert (tmp_path / "sizes").read_text().split() == ["16", "16", "10", "2"]


def test_records_are_read_as_answers_are_taken(watched: Callable[..., Watched[str]]) -> None:
    read: list[int] = []

    def endless() -> Iterator[Record]:
        while True:
            read.append(1)
            yield record("page")

    answers = pass_through(watched(), endless())
    next(answers)
    assert len(read) == 16


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

    monkeypatch.setattr(shard, "signature", broken)
    extract = make_extractor(Extracting(Settings(duplicates="exact", min_words=3), ""))
    bridge = "<p>Über den Fluss führt seit gestern wieder eine Brücke.".encode()
    before, bad, after = extract(
        [record("a", sources["news-en"]), record("b", bridge), record("c", sources["news-en"])]
    )
    assert bad == Reject("b", "https://b.example/", "crash", "ZeroDivisionError: no bridge")
    assert isinstance(before, tuple) and isinstance(after, tuple)


# Watched processes


@needs.posix
def test_a_page_that_hangs_or_kills_is_refused_and_its_neighbours_are_kept(
    watched: Callable[..., Watched[str]],
) -> None:
    bodies = ["fine", "die", "fine", "hang", "fine", "raise"]
    batch = [record(str(number), body.encode()) for number, body in enumerate(bodies)]
    assert list(pass_through(watched(seconds=1.8), batch)) == [
        "0",
        Reject("1", "https://1.example/", "crash", "its process ended by signal 9"),
        "2",
        Reject("3", "https://3.example/", "too slow", "its process took longer than 2 s"),
        "4",
        Reject(
            "5", "https://5.example/", "crash", "its process raised ZeroDivisionError: no bridge"
        ),
    ]


@needs.linux
def test_a_page_that_takes_too_much_memory_is_refused_and_its_neighbours_are_kept(
    watched: Callable[..., Watched[str]],
) -> None:
    batch = [record("a", b"fine"), record("b", b"grow"), record("c", b"fine")]
    before, bad, after = pass_through(watched(), batch)
    assert (before, after) == ("a", "c")
    assert isinstance(bad, Reject)
    assert bad.reason == "too much memory"
    assert bad.detail == "its process took more than 300,000,000 bytes of memory"


@needs.posix
def test_a_page_that_makes_its_process_fail_once_is_kept(
    watched: Callable[..., Watched[str]],
) -> None:
    batch = [record("a", b"fine"), record("b", b"die once")]
    assert list(pass_through(watched(), batch)) == ["a", "b"]


@needs.posix
def test_a_process_that_cannot_begin_is_no_fault_of_a_page(
    watched: Callable[..., Watched[str]],
) -> None:
    with pytest.raises(CrashError, match="ended with exit code 3 before it began"):
        list(pass_through(watched("unable"), [record("a")]))
