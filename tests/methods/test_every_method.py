"""What holds for every method; a new file in `tamis.methods` is tested without an edit here."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis._runtime import limits
from tamis.errors import DeadlineError, MethodError
from tamis.methods import _registry
from tamis.page import tags
from tests.methods.fitted import fitted

PAGES = {
    "empty": "",
    "white space": " \n ",
    "one block": "<p>One block of text.",
    "one word": "word",
    "no words": "<p>***<p>---",
    "all links": "".join(f"<li><a href=/{n}>Link number {n}</a>" for n in range(50)),
    "all hidden": "<div hidden><p>one<p>two</div>",
    "hidden and seen": "<p>one<p hidden>two<p>three <span hidden>four</span>",
    "Thai": "<p>" + "กรมอุตุนิยมวิทยาคาดการณ์ว่าฝนจะตกหนัก " * 20 + "<p><a href=x>หน้าแรก</a>",
    "Chinese": "<p>" + "今天早上市区普降大雨，火车站前的道路一度中断交通。" * 20,
    "table": "<table>" + "<tr><td>a<td>1" * 30 + "</table>",
    "deep": "<div>" * 500 + "x",
}

every_method = pytest.mark.parametrize("name", tamis.list_methods())
every_page = pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())


def scores_of(name: str, page: tamis.Page) -> np.ndarray:
    return fitted(name).score(page)


def assert_sound(scores: np.ndarray, page: tamis.Page) -> None:
    assert scores.dtype == np.float64
    assert scores.shape == (len(page.blocks),)
    assert np.isfinite(scores).all()
    assert ((scores >= 0) & (scores <= 1)).all()


# Scores


@every_method
@every_page
def test_there_is_one_score_from_0_to_1_per_block(name: str, html: str) -> None:
    page = tamis.parse(html)
    assert_sound(scores_of(name, page), page)


@every_method
def test_real_pages_have_one_score_per_block(name: str, folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    assert_sound(scores_of(name, page), page)


@every_method
def test_a_page_of_50_000_blocks_has_one_score_a_block(name: str) -> None:
    page = tamis.parse("<p>One two three, <a href=x>four</a>." * 50_000)
    assert len(page.blocks) == 50_000
    assert_sound(scores_of(name, page), page)


@every_method
def test_the_same_page_has_the_same_scores(name: str, folder: Path) -> None:
    source = (folder / "source.html").read_bytes()
    page = tamis.parse(source)
    once = scores_of(name, page)
    np.testing.assert_array_equal(once, scores_of(name, page))
    np.testing.assert_array_equal(once, scores_of(name, tamis.parse(source)))


@every_method
def test_the_page_is_left_as_it_was(name: str, folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    before = _copies(page)
    source = page.source
    scores_of(name, page)
    assert page.source is source
    for copy, column in zip(before, _copies(page), strict=True):
        np.testing.assert_array_equal(copy, column)


def _copies(page: tamis.Page) -> list[np.ndarray]:
    columns = [
        getattr(table, field.name)
        for table in (page.nodes, page.texts, page.blocks)
        for field in dataclasses.fields(table)
    ]
    return [column.copy() for column in (*columns, page.attribute_rows)]


# What these find may be put in place by script: pages keep their content in noscript or template.
LOOK_AT_HIDDEN = {"tamis"}


@pytest.mark.parametrize("name", sorted(set(tamis.list_methods()) - LOOK_AT_HIDDEN))
def test_hidden_blocks_score_0(name: str, folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    hidden = page.blocks.flags & tags.HIDDEN != 0
    assert not scores_of(name, page)[hidden].any()


# The file


@every_method
def test_the_file_is_called_as_the_method(name: str) -> None:
    assert Path(inspect.getfile(_registry.get(name))).stem == name


@every_method
def test_the_method_is_described(name: str) -> None:
    method = _registry.get(name)
    module = sys.modules[method.__module__].__doc__ or ""
    assert "Our reading:" in module
    assert "When it fails:" in module
    assert method.__doc__
    assert method.citation.endswith(".")


@every_method
def test_parameters_are_fields_with_defaults_that_cannot_be_set(name: str) -> None:
    method = _registry.get(name)
    assert dataclasses.is_dataclass(method)
    instance = method()
    assert instance == _registry.create(name, {})
    for field in dataclasses.fields(method):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(instance, field.name, getattr(instance, field.name))
    with pytest.raises(dataclasses.FrozenInstanceError):
        instance.citation = "another"  # type: ignore[misc]


@every_method
def test_parameters_can_be_given_by_name(name: str) -> None:
    method = _registry.get(name)
    defaults = {field.name: getattr(method(), field.name) for field in dataclasses.fields(method)}
    assert _registry.create(name, defaults) == method()
    options = tamis.Options(method=name, parameters=defaults)
    assert options.make_method() == method()
    assert tamis.extract("<p>x", method=fitted(name)).method == name


@every_method
def test_an_unknown_parameter_is_refused(name: str) -> None:
    with pytest.raises(MethodError, match=rf"{name}.*no parameter 'nonsense'"):
        _registry.create(name, {"nonsense": 1})


# The registry


@every_method
def test_a_parameter_that_is_one_of_few_words_takes_no_other(name: str) -> None:
    method = _registry.get(name)
    for parameter, words in method._choices.items():
        assert _registry.defaults_of(method)[parameter] in words
        with pytest.raises(ValueError, match=f"{parameter} is one of {words[0]}, .*, not 'other'"):
            method(**{parameter: "other"})


def test_methods_are_sorted_and_public() -> None:
    assert list(tamis.list_methods()) == sorted(tamis.list_methods())
    assert {"baseline", "boilerpipe"} <= set(tamis.list_methods())
    assert not any(name.startswith("_") for name in tamis.list_methods())


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("boilerpip", "boilerpipe"), ("Baseline", "baseline"), ("bsaeline", "baseline")],
)
def test_an_unknown_name_suggests_the_near_one(wrong: str, near: str) -> None:
    with pytest.raises(MethodError, match=f"{wrong}.*did you mean '{near}'"):
        _registry.get(wrong)


@pytest.mark.parametrize("wrong", ["zzz", "", "_registry", "../errors"])
def test_a_name_like_no_other_lists_all(wrong: str) -> None:
    with pytest.raises(MethodError, match="boilerpipe"):
        tamis.extract("<p>x", options=tamis.Options(method=wrong))


# The deadline

LINEAR = {"baseline", "boilerpipe", "bte", "infodiscoverer", "text_block_context"}
"""A few steps over the arrays of a page: they end before a deadline is worth a look."""


@pytest.mark.parametrize("name", sorted(set(tamis.list_methods()) - LINEAR))
def test_the_deadline_holds_inside_the_scoring(name: str) -> None:
    method = fitted(name)
    page = tamis.parse("<p>Words of a page. Read more</p>" * 1000 + "<div>A level." * 200)
    method.score(page)  # what is loaded once
    finished = []
    with pytest.raises(DeadlineError), limits.within(1e-9):
        finished.append(method.score(page))
    assert not finished
