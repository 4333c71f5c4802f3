"""Any input gives a Result or a TamisError, and the same input the same result."""

from __future__ import annotations

import dataclasses
import gc
import json
import multiprocessing
import pickle
import weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import InputError, MethodError

BASELINE = tamis.Options(method="baseline")
BOILERPIPE = tamis.Options(method="boilerpipe")
ARTICLE = (
    "<title>T</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    "<h1>A sieve</h1><p>" + "A tamis is a sieve with a fine mesh of silk or steel. " * 4 + "</p>"
    "<footer><a href=/legal>Legal notice</a></footer>"
)


def text(page: Any) -> str:
    return tamis.extract(page, options=BASELINE).text


# Input of every kind


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("", ""),
        (b"", ""),
        (" \n\t ", ""),
        ("plain text, no tags", "plain text, no tags"),
        ('{"a": ["json", 1]}', '{"a": ["json", 1]}'),
        ("<?xml version='1.0'?><rss><item><foo>one</foo> two</item></rss>", "one two"),
        ("<p>cut <b>off <a hr", "cut off"),
        ("<p>cut<!-- off", "cut"),
        ("<p>cut<script>off", "cut"),
        ("<", "<"),
        ("<p>lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("<p>pair \ud83d\ude00", "pair 😀"),
        ("\ufeff<p>mark", "mark"),
        (b"\xef\xbb\xbf<p>mark", "mark"),
        ("<p>été".encode("utf-16"), "été"),
        (b"<meta charset=latin1><p>\xe9t\xe9", "été"),
        (bytearray(b"<p>array"), "array"),
        (memoryview(b"<p>view"), "view"),
        ("x" * 1_000_000, "x" * 1_000_000),
    ],
)
def test_anything_that_is_text_gives_its_text(page: Any, expected: str) -> None:
    assert text(page) == expected


@pytest.mark.parametrize(
    "page",
    [
        b"<p>" + bytes(range(256)) * 40,
        b"<p>" + b"\0" * 1000,
        b"\xff" * 1000,
        b"<p>a\0b\0c" * 100,
        b"<" * 10_000,
        b"&" * 10_000,
        b"<!--" * 10_000,
        b"<a b='" * 10_000,
    ],
    ids=lambda page: repr(page[:8]),
)
def test_rubbish_in_a_page_gives_a_result(page: bytes) -> None:
    result = tamis.extract(page)
    assert isinstance(result.text, str)
    json.dumps(result.to_dict())


@pytest.mark.parametrize("page", [None, 1, 1.5, [], ["<p>"], {}, object(), open])
def test_something_else_is_refused(page: Any) -> None:
    with pytest.raises(InputError, match=type(page).__name__):
        tamis.extract(page)
    with pytest.raises(InputError, match=type(page).__name__):
        tamis.parse(page)


def test_an_unknown_method_is_refused_before_the_page_is_read() -> None:
    with pytest.raises(MethodError, match="no method is called 'nonsense'"):
        tamis.extract(None, options=tamis.Options(method="nonsense"))  # type: ignore[arg-type]


# The result


def test_the_method_is_tamis_unless_another_is_named() -> None:
    assert tamis.extract(ARTICLE).method == "tamis"
    assert tamis.extract(ARTICLE, options=BOILERPIPE).method == "boilerpipe"


def test_the_address_is_kept() -> None:
    assert tamis.extract(ARTICLE, url="https://a.example/b").url == "https://a.example/b"
    assert tamis.extract(ARTICLE).url is None


def test_the_header_tells_the_encoding() -> None:
    page = "<p>été".encode("latin-1")
    result = tamis.extract(page, options=BASELINE, content_type="text/html; charset=iso-8859-1")
    assert result.text == "été"
    assert result.page.encoding == "windows-1252"


def test_the_text_has_the_kept_blocks_one_a_line() -> None:
    result = tamis.extract(ARTICLE)
    kept = [block.text for block in result.blocks if block.kept]
    assert result.text == "\n".join(kept)
    assert result.text.startswith("A sieve\nA tamis is a sieve with a fine mesh")
    assert "Home" not in result.text


def test_blocks_are_all_blocks_of_the_page_with_their_verdicts() -> None:
    result = tamis.extract(ARTICLE)
    assert [block.text[:12] for block in result.blocks] == [
        "Home News", "A sieve", "A tamis is a", "Legal notice",
    ]  # fmt: skip
    assert [block.score for block in result.blocks] == result.scores.tolist()
    assert [block.kept for block in result.blocks] == result.kept.tolist()
    assert result.blocks[1].xpath == "/html/body/h1"
    for block in result.blocks:
        raw = result.page.source[block.start : block.end].decode()
        assert raw.startswith(block.text.split()[0])
        assert raw.endswith(block.text.split()[-1])


def test_a_block_is_kept_when_its_score_reaches_the_threshold() -> None:
    scores = tamis.extract(ARTICLE).scores
    best = float(scores.max())
    for threshold in (0.0, 0.3, best, 1.0):
        result = tamis.extract(ARTICLE, threshold=threshold)
        assert result.kept.tolist() == (scores >= threshold).tolist()
    assert best < 1
    assert result.text == ""
    certain = dataclasses.replace(BOILERPIPE, threshold=1.0)
    assert tamis.extract(ARTICLE, options=certain).kept.any()


@pytest.mark.parametrize("focus", ["precison", "", None, 1])
def test_an_unknown_focus_is_refused(focus: Any) -> None:
    with pytest.raises(ValueError, match=f"focus is {focus!r}; give one of precision, balanced"):
        tamis.Options(focus=focus)


def test_the_dictionary_is_ready_for_json() -> None:
    result = tamis.extract(ARTICLE, url="https://a.example/", options=BOILERPIPE)
    plain = result.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["schema"] == 3
    assert plain["url"] == "https://a.example/"
    assert plain["method"] == result.method == "boilerpipe"
    assert plain["encoding"] == "utf-8"
    assert plain["text"] == result.text
    assert plain["blocks"][0] == {
        "text": "Home News",
        "score": 0.0,
        "kept": False,
        "kind": "navigation",
        "start": ARTICLE.index("Home"),
        "end": ARTICLE.index("News") + 4,
        "xpath": "/html/body/nav",
    }


def test_an_empty_page_gives_an_empty_result() -> None:
    result = tamis.extract("")
    assert (result.text, result.blocks, result.scores.size) == ("", (), 0)


def test_a_result_and_options_cannot_be_changed() -> None:
    result = tamis.extract(ARTICLE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.method = "x"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        tamis.Options().method = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        tamis.Options("boilerpipe")  # type: ignore[misc]


# The same input


def test_a_page_that_was_read_before_gives_the_same_result(sources: dict[str, bytes]) -> None:
    for source in sources.values():
        assert tamis.extract(tamis.parse(source)).to_dict() == tamis.extract(source).to_dict()


def test_text_and_bytes_give_the_same_result(sources: dict[str, bytes]) -> None:
    for source in sources.values():
        assert tamis.extract(source.decode()).to_dict() == tamis.extract(source).to_dict()


def test_threads_give_the_same_results(sources: dict[str, bytes]) -> None:
    expected = [tamis.extract(source).to_dict() for source in sources.values()]
    pages = [tamis.parse(source) for source in sources.values()]

    def run(_: int) -> list[dict[str, Any]]:
        fresh = [tamis.extract(source).to_dict() for source in sources.values()]
        assert [tamis.extract(page).to_dict() for page in pages] == fresh
        return fresh

    with ThreadPoolExecutor(8) as threads:
        for results in threads.map(run, range(8)):
            assert results == expected


def test_another_process_gives_the_same_result(sources: dict[str, bytes]) -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as processes:
        for source, result in zip(
            sources.values(), processes.map(tamis.extract, sources.values()), strict=True
        ):
            assert result.to_dict() == tamis.extract(source).to_dict()


def test_a_result_survives_pickling() -> None:
    result = tamis.extract(ARTICLE)
    copy = pickle.loads(pickle.dumps(result))
    assert copy.to_dict() == result.to_dict()
    np.testing.assert_array_equal(copy.scores, result.scores)


def test_a_page_is_freed_at_once_when_its_result_is_no_longer_used() -> None:
    gc.disable()
    try:
        result = tamis.extract(ARTICLE)
        views = (result.text, result.markdown, result.metadata, result.page_type)
        page = weakref.ref(result.page)
        del result
        assert views[0]
        assert page() is None
    finally:
        gc.enable()
