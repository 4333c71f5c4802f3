"""What a result shows of itself, in notebooks, tables and help."""

from __future__ import annotations

import pydoc
from dataclasses import fields
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest

import tamis
from tamis._runtime import libraries as frames

PAGE = """<title>Straining soup | The Kitchen Post</title>
<nav><a href="/">Home</a> <a href="/tools">Tools</a> <a href="/soup">Soup</a></nav>
<main><h1>Straining soup</h1>
<p>A tamis is a sieve with a fine mesh of silk, horsehair or steel, stretched over a drum of wood.
<p>A cook rubs purees, sauces and flour through it, and what is coarse stays behind; the name is
also that of a cloth through which soups were strained before there were <b>machines</b>.</main>
<footer>© The Kitchen Post <script>alert(1)</script></footer>"""


@pytest.fixture(scope="module")
def result() -> tamis.Result:
    return tamis.extract(PAGE)


def test_the_repr_says_title_type_words_kept_and_method(result: tamis.Result) -> None:
    kept, words = result.page.blocks.words[result.kept].sum(), result.page.blocks.words.sum()
    assert repr(result) == (
        f"<Result 'Straining soup': article, {kept} of {words} words kept by tamis>"
    )


def test_a_result_without_a_title_has_a_repr() -> None:
    assert "0 of 0 words" in repr(tamis.extract(""))


def test_a_notebook_shows_the_explained_page_in_a_frame_that_runs_nothing(
    result: tamis.Result,
) -> None:
    html = result._repr_html_()
    begin, _, rest = html.partition('<iframe sandbox srcdoc="')
    inside, _, after = rest.partition('"')
    assert "words kept" in begin
    assert unescape(inside) == result.explain()
    assert "<" not in inside and after.endswith("></iframe>")


def test_a_notebook_shows_a_cloud_as_a_picture(result: tamis.Result) -> None:
    cloud = result.cloud()
    assert cloud._repr_svg_() == cloud.svg()


def test_a_table_has_one_row_per_block(result: tamis.Result) -> None:
    table = result.to_frame()
    assert type(table).__module__.partition(".")[0] == "pandas"
    assert list(table.columns) == ["text", "score", "kept", "kind", "start", "end", "xpath"]
    assert "\n".join(table[table.kept].text) == result.text
    assert list(table.kind) == list(result.regions)


def test_the_page_table_has_its_columns_as_a_table(result: tamis.Result) -> None:
    page = result.page
    for columns in (page.blocks, page.texts, page.nodes):
        table = columns.to_frame()
        assert list(table.columns) == [column.name for column in fields(columns)]
        assert len(table) == len(columns)
    assert np.array_equal(page.blocks.to_frame().words, page.blocks.words)


def test_an_empty_page_gives_an_empty_table_with_its_columns() -> None:
    table = tamis.extract("").to_frame()
    assert len(table) == 0 and "xpath" in table.columns


def test_tables_are_those_of_polars_without_pandas(
    result: tamis.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    polars = SimpleNamespace(DataFrame=lambda columns: ("polars", columns))
    monkeypatch.setattr(frames, "find_spec", lambda name: name == "polars")
    monkeypatch.setattr(frames, "import_module", {"polars": polars}.__getitem__)
    library, columns = result.to_frame()
    assert library == "polars"
    assert columns["kept"] == result.kept.tolist()


def test_without_pandas_and_polars_the_error_names_the_extra(
    result: tamis.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    with pytest.raises(tamis.InputError, match=r"pip install 'tamis\[pandas\]'"):
        result.page.blocks.to_frame()


def test_regions_name_the_kind_of_each_block(result: tamis.Result) -> None:
    assert list(result.regions)[:2] == ["navigation", "title"]
    assert [block.kind for block in result.blocks] == list(result.regions)


@pytest.mark.parametrize("cls", [tamis.Options, tamis.Result])
def test_help_shows_what_every_field_means(cls: type) -> None:
    shown = pydoc.render_doc(cls, renderer=pydoc.plaintext)
    for field in fields(cls):
        if field.name[0] != "_":
            _, _, text = shown.partition(f" |  {field.name}: ")
            assert text.splitlines()[1].startswith(" |      "), field.name


def test_the_cloud_of_a_thread_has_what_was_written_and_no_names() -> None:
    posts = "".join(
        f"<div class=post id=p{number}><a class=author href=/u/{number}>Ann</a>"
        f" <time datetime=2020-05-0{number}>{number} May 2020</time>"
        f"<p>Flour number {number} went through the sieve<br>that Anna made of silk.</p></div>"
        for number in range(1, 6)
    )
    thread = tamis.extract(f"<h1>Sieves</h1>{posts}", method="baseline")
    assert len(thread.posts) == 5
    assert {text for text, _ in thread.weighed_blocks()} == {
        "Sieves",
        *(
            f"Flour number {number} went through the sieve\nthat Anna made of silk."
            for number in range(1, 6)
        ),
    }


def test_help_shows_what_every_view_means() -> None:
    for name in dir(tamis.Result):
        if name[0] != "_" and name not in [field.name for field in fields(tamis.Result)]:
            assert getattr(tamis.Result, name).__doc__, name
