"""Languages as people write them."""

from __future__ import annotations

import pytest

from tamis import OptionsError
from tamis.describe.language_names import language_tags


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("english", ("en",)),
        ("ENGLISH", ("en",)),
        ("en", ("en",)),
        ("EN-gb", ("en-GB",)),
        ("eng", ("en",)),
        ("ger", ("de",)),
        ("Deutsch", ("de",)),
        ("हिन्दी", ("hi",)),
        ("scottish gaelic", ("gd",)),
        ("zh_Hant_TW", ("zh-Hant-TW",)),
        ("norsk", ("nb", "nn", "no")),
        ("iw", ("he",)),
    ],
)
def test_a_language_is_known_by_its_codes_and_its_names(name: str, tags: tuple[str, ...]) -> None:
    assert language_tags(name) == tags


@pytest.mark.parametrize(
    ("name", "hint"),
    [("englsh", "did you mean 'english'"), ("klingon", "give a name or a code"), ("", "name or a")],
)
def test_what_names_no_language_is_refused_with_advice(name: str, hint: str) -> None:
    with pytest.raises(OptionsError, match=hint):
        language_tags(name)
