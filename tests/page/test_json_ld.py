"""JSON in scripts, as broken as it may be."""

from __future__ import annotations

import json

import pytest

from tamis.page.json_ld import flattened, read_json


@pytest.mark.parametrize(
    "text",
    [
        '{"headline": "River", "a": [1, 2,],}',
        '<!-- {"headline": "River"} -->',
        '//<![CDATA[\n{"headline": "River"}\n//]]>',
        '/* <![CDATA[ */ {"headline": "River"} /* ]]> */',
        '{"headline": "River", "text": "one\n\ttwo"}',
        '{"headline": "River", "text": "Ann\\\'s"}',
        '{"headline": "River"}; {"headline": "Lake"}',
        '{"headline": "River", "text": "she said "hello" to him"}',
    ],
)
def test_the_usual_faults_of_json_are_mended(text: str) -> None:
    assert read_json(text)["headline"] == "River"


@pytest.mark.parametrize("text", ["", "null", "var a = 1;", '{"a": ', '{"a": 1' + "0" * 9999])
def test_what_is_beyond_mending_is_nothing(text: str) -> None:
    assert read_json(text) is None


def test_deep_nesting_is_nothing_and_no_error() -> None:
    assert read_json("[" * 1_000_000) is None
    assert read_json('{"a":' * 200_000 + "1" + "}" * 200_000) is None
    assert flattened(json.loads("[" * 500 + '{"@type": "Article"}' + "]" * 500), 10)
