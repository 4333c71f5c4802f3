"""What chunks repeat takes little of them, whatever is in the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import tamis
from tamis.render.chunks import estimate

WORDS = "The drum is made of ash, and the mesh of silk is drawn over it while it is wet."
STORY = "A story of a sieve, and of flour, as told. "
LONG = "q" * 900
HEADER = "Mesh and silk and ash. " * 400


def chunks(page: str, max_tokens: int) -> tuple[tamis.Chunk, ...]:
    return tamis.extract(page, method="baseline").chunks(max_tokens)


def size(made: tuple[tamis.Chunk, ...]) -> int:
    return sum(len(chunk.text) + sum(map(len, chunk.headings)) for chunk in made)


HOSTILE = {
    "header cell": f"<table><tr><th>{HEADER}<th>b" + "<tr><td>y<td>z" * 300 + "</table>",
    "header of links": "<table><tr><th>"
    + f"<a href=/{LONG}><b>k</b></a> " * 20
    + "<tr><td>y<td>z" * 300
    + "</table>",
    "wide header": "<table><tr>" + "<th>h" * 900 + "<tr><td>y<td>z" * 300 + "</table>",
    "cell that spans": f"<table><tr><th>a<th>b<tr><td rowspan=65534>{HEADER}<td>y"
    + "<tr><td>z" * 300
    + "</table>",
    "heading": f"<h2>{HEADER}</h2>" + f"<p>{STORY}</p>" * 300,
    "heading over headings": f"<h2>{HEADER}</h2>" + f"<h3>k</h3><p>{STORY}</p>" * 300,
    "heading of one word": f"<h2>{'x' * 9000}</h2>" + f"<p>{STORY}</p>" * 300,
    "callout": f"<div class='admonition note'><p class=admonition-title>{HEADER}</p>"
    + f"<p>{STORY}</p>" * 300
    + "</div>",
    "lists of large numbers": "<ol start=90000000><li>" * 7 + f"<p>{STORY}</p>" * 300,
    "nested lists": "<ul><li>x" * 300,
    "nested quotes": "<blockquote>x" * 300,
    "address of a link": f"<p><a href=/{'q' * 9000}>{STORY * 300}</a>",
    "alternative text": f"<p><img src=/a.jpg alt='{HEADER}'>",
    "address of a picture": f"<p>{STORY}<img src=/{'q' * 9000}.jpg alt=x>",
    "formula": f"<p>x \\({'a+b ' * 2000}\\)",
    "line of code": f"<pre>{'x y' * 3000}</pre>",
    "backticks": f"<pre>{'`' * 3000}</pre>",
    "cells": "<table>" + f"<tr><td>{HEADER}<td>b" * 3 + "</table>",
    "caption": f"<table><caption>{HEADER}</caption><tr><td>a<td>b</table>",
    "one word": f"<p>{'x' * 9000}",
}
COUNTERS: dict[str, Callable[[str], int] | None] = {
    "the estimate": None,
    "words": lambda text: len(text.split()),
    "rounded down": lambda text: len(text) // 100,
}


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_chunk_is_longer_than_asked_whatever_is_in_the_page(kind: str, counter: str) -> None:
    page = f"<p>{STORY * 5}</p>{HOSTILE[kind]}"
    result = tamis.extract(page, url="https://example.org/a", method="baseline")
    made = result.chunks(128, 20, COUNTERS[counter])
    assert all(chunk.tokens <= 128 for chunk in made)
    assert sum(len(chunk.text) + sum(map(len, chunk.headings)) for chunk in made) < 8 * len(page)


@pytest.mark.parametrize("kind", ["header cell", "wide header", "cell that spans", "heading"])
def test_a_page_twice_as_long_has_chunks_twice_as_long(kind: str) -> None:
    def total(page: str) -> int:
        return sum(len(chunk.text) + sum(map(len, chunk.headings)) for chunk in chunks(page, 64))

    page = HOSTILE[kind]
    longer = page.replace(HEADER, HEADER * 2).replace("<th>h" * 900, "<th>h" * 1800)
    for rows in ("<tr><td>y<td>z" * 300, "<tr><td>z" * 300, f"<p>{STORY}</p>" * 300):
        longer = longer.replace(rows, rows * 2)
    assert total(longer) < 2.3 * total(page)


def test_a_long_header_is_repeated_shortened_up_to_a_quarter_of_a_chunk() -> None:
    made = chunks(f"<table><tr><th>{HEADER}<th>b" + "<tr><td>y<td>z" * 300 + "</table>", 128)
    headers = ["\n".join(chunk.text.splitlines()[:2]) for chunk in made if "| y |" in chunk.text]
    assert len(headers) > 5
    for header in headers[1:]:
        assert re.fullmatch(r"\| Mesh and silk .*… \| b \|\n\| --- \| --- \|", header)
        assert estimate(header) <= 32


def test_a_header_without_room_leaves_the_rows_as_paragraphs() -> None:
    rows = "".join(f"<tr><td>w{2 * number}<td>w{2 * number + 1}" for number in range(50))
    made = chunks(f"<table><tr>{'<th>h' * 400}{rows}</table>", 64)
    assert "w0  \nw1\n\nw2  \nw3" in "\n\n".join(chunk.text for chunk in made)


def test_a_long_cell_that_reaches_down_is_shortened() -> None:
    rows = "".join(f"<tr><td>w{number} {WORDS}" for number in range(30))
    page = f"<table><tr><th>Kind<th>Use<tr><td rowspan=99>{HEADER}<td>ash{rows}</table>"
    tables = [chunk.text.partition("| Kind | Use |")[2] for chunk in chunks(page, 128)]
    assert len(list(filter(None, tables))) > 5
    for table in filter(None, tables[1:]):
        first, *others = table.splitlines()[2:]
        assert re.match(r"\| Mesh and silk .*… \| w\d+ ", first)
        assert all(row.startswith("|  | w") for row in others)


def test_long_headings_of_a_path_are_shortened_and_short_ones_stay() -> None:
    made = chunks(f"<h1>Sieves</h1><h2>{HEADER}</h2><p>{STORY}<h3>Silk</h3><p>{WORDS}", 128)
    first, second, third = made[-1].headings
    assert (first, third) == ("Sieves", "Silk")
    assert second.startswith("Mesh and silk") and second.endswith("…")
    assert all(sum(map(estimate, chunk.headings)) <= 34 for chunk in made)


def test_a_heading_without_room_is_left_out_of_the_path() -> None:
    made = chunks(f"<h1>{HEADER}</h1><p>{STORY}", 4)
    assert made[-1].headings == ()


def test_containers_whose_signs_do_not_fit_are_left_out() -> None:
    page = "<ol start=90000000><li>" * 7 + f"<p>{WORDS}<p>{WORDS}"
    assert all(chunk.text.count("90000000.") == 4 for chunk in chunks(page, 40))


@pytest.mark.parametrize("kind", ["header cell", "heading over headings", "address of a link"])
def test_chunks_count_as_output(kind: str) -> None:
    result = tamis.extract(HOSTILE[kind], method="baseline", max_output=6_000)
    with pytest.raises(tamis.TooMuchOutputError, match="max_output"):
        result.chunks(64)


def test_headings_and_paths_of_chunks_count_as_output() -> None:
    page = f"<h1>{WORDS}</h1>" + "<h2>x</h2><p>y" * 100
    made = chunks(page, 512)
    texts = sum(len(chunk.text) for chunk in made)
    with pytest.raises(tamis.TooMuchOutputError):
        tamis.extract(page, method="baseline", max_output=5 * texts).chunks()
