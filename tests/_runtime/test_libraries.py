"""A library of an extra that is missing is named, with the command that installs it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tamis._runtime import libraries
from tamis.errors import InputError


def test_a_library_that_is_there_is_imported() -> None:
    assert libraries.import_library("json", "nothing") is json
    libraries.check_installed("json", "nothing")


def test_a_missing_library_is_an_error_that_says_what_to_install() -> None:
    for look in (libraries.import_library, libraries.check_installed):
        with pytest.raises(InputError, match=r"WARC needs nowhere: pip install 'tamis\[corpus\]'"):
            look("nowhere", "WARC")
    with pytest.raises(InputError, match=r"PNG needs nowhere: pip install 'tamis\[cloud\]'"):
        libraries.import_library("nowhere.inner", "PNG", "cloud")


def test_a_frame_is_of_the_first_library_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frames:
        DataFrame = dict

    imported: list[str] = []

    def find(installed: str) -> Any:
        monkeypatch.setattr(libraries, "find_spec", lambda name: name == installed or None)
        monkeypatch.setattr(
            libraries, "import_module", lambda name: imported.append(name) or Frames
        )
        return libraries.make_frame({"a": [1]})

    assert find("pandas") == find("polars") == {"a": [1]}
    assert imported == ["pandas", "polars"]
    with pytest.raises(InputError, match="pandas or polars"):
        find("neither")
