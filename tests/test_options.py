"""Options: every field is checked, unknown names get the nearest one, equal ones are one."""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.methods.boilerpipe import Boilerpipe
from tamis.options import OptionFields

PAGE = "<nav><a href=/>Home</a></nav><p>One two three four five six seven.<p>Eight."


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("threshold", value) for value in (3, -0.1, math.nan, "0.5", True)),
        *(("comments", value) for value in ("yes", 1, None)),
        *(("tables", value) for value in (0, "no")),
        ("links", "false"),
        ("images", []),
        ("hidden", 2),
        *(("title", value) for value in ("yes", None, 1)),
        ("front_matter", "yes"),
        *(("overview", value) for value in ("drop", True, None)),
        *(("focus", value) for value in ("precison", "", None, 1)),
        *(("max_bytes", value) for value in (0, -1, 1.5, "1", True)),
        ("max_nodes", 0),
        ("max_depth", None),
        ("max_output", 0),
        *(("max_seconds", value) for value in (0, -1, math.nan, "60")),
        *(("method", value) for value in (None, 3, dict)),
        ("parameters", ["variant"]),
    ],
)
def test_a_value_that_cannot_be_is_refused_when_the_options_are_made(name: str, value: Any) -> None:
    for make in (tamis.Options, lambda **given: tamis.extract(PAGE, **given)):
        with pytest.raises(tamis.OptionsError, match=f"{name} is ") as caught:
            make(**{name: value})
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, TypeError)


def test_a_method_that_there_is_not_is_refused_when_the_options_are_made() -> None:
    with pytest.raises(tamis.MethodError, match="did you mean 'boilerpipe'"):
        tamis.Options(method="boilerpip")
    with pytest.raises(tamis.MethodError, match="no parameter 'depth'"):
        tamis.Options(method="boilerpipe", parameters={"depth": 3})
    with pytest.raises(tamis.OptionsError, match="this one is made"):
        tamis.Options(method=Boilerpipe(), parameters={"variant": "density"})


@pytest.mark.parametrize(
    "call",
    [
        lambda **given: tamis.extract(PAGE, **given),
        lambda **given: tamis.parse(PAGE, **given),
        lambda **given: list(tamis.extract_many([PAGE], **given)),
        lambda **given: tamis.Site().fit([PAGE], **given),
        lambda **given: tamis.Site().extract(PAGE, **given),
    ],
    ids=["extract", "parse", "extract_many", "Site.fit", "Site.extract"],
)
def test_everything_takes_the_options_and_their_fields_in_the_same_way(call: Any) -> None:
    call()
    call(options=tamis.Options(max_bytes=100_000))
    call(max_bytes=100_000, focus="recall")
    call(options=tamis.Options(focus="recall"), max_bytes=100_000)
    with pytest.raises(tamis.OptionsError, match="no option 'focsu'; did you mean 'focus'"):
        call(focsu="recall")
    with pytest.raises(tamis.OptionsError, match="there are: max_bytes"):
        call(colour="red")
    with pytest.raises(tamis.OptionsError, match="options is 'recall'"):
        call(options="recall")


def test_what_comes_after_the_page_is_given_by_name() -> None:
    with pytest.raises(TypeError):
        tamis.extract(PAGE, tamis.Options())  # type: ignore[misc]
    with pytest.raises(tamis.InputError, match="url is Options"):
        tamis.extract(PAGE, url=tamis.Options())  # type: ignore[arg-type]


def test_fields_given_directly_change_the_given_options() -> None:
    options = tamis.Options(focus="recall", images=False)
    assert tamis.extract(PAGE, options=options, images=True).options == replace(
        options, images=True
    )


def test_the_keywords_are_the_fields() -> None:
    assert set(OptionFields.__annotations__) == {field.name for field in fields(tamis.Options)}


def test_equal_options_have_one_hash_and_survive_pickling() -> None:
    options = tamis.Options(method="boilerpipe", parameters={"variant": "density"}, focus="recall")
    again = pickle.loads(pickle.dumps(options))
    assert again == options
    assert {options: 1}[again] == 1
    assert len({options, again, tamis.Options(), tamis.Options()}) == 2


# A method of one's own


@dataclass(frozen=True)
class LongBlocks(tamis.Method):
    """Content is what has many words."""

    least: int = 5

    def score(self, page: tamis.Page) -> np.ndarray:
        return np.minimum(page.blocks.words / self.least, 1.0) * 0.9


def test_a_method_of_ones_own_goes_everywhere() -> None:
    result = tamis.extract(PAGE, method=LongBlocks(7))
    assert result.text == "One two three four five six seven."
    assert result.method == "LongBlocks"
    assert result.blocks[0].reason.startswith("Dropped: 0.13")
    (many,) = tamis.extract_many([PAGE], method=LongBlocks(7))
    assert isinstance(many, tamis.Result)
    assert many.text == result.text
    assert result.to_dict()["method"] == "LongBlocks"


@dataclass(frozen=True)
class TooFew(tamis.Method):
    """Wrong: one score for the whole page."""

    def score(self, page: tamis.Page) -> np.ndarray:
        return np.ones(1)


def test_a_method_that_does_not_score_each_block_is_an_error_that_says_so() -> None:
    with pytest.raises(tamis.MethodError, match="one number per block"):
        tamis.extract(PAGE, method=TooFew())
