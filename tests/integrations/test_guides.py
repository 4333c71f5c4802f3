"""The guides from other libraries: their snippets run with both, their tables name all options."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "how-to" / "from").glob("*.md")
GUIDES = sorted(path for path in PAGES if path.stem != "index")
MODULES = {"readability-lxml": "readability", "newspaper4k": "newspaper"}

# A state of the parser, no choice of a caller.
_H2T_STATE = set(
    "a abbr_data abbr_list abbr_title absolute_url_matcher acount astack blockquote br_toggle"
    " cdata_elem code convert_charrefs current_tag emphasis empty_link inheader interesting"
    " lastWasList lastWasNL lasttag lineno list list_code_indent maybe_automatic_link offset out"
    " outcount outtextlist p_p pre pre_indent preceding_data preceding_stressed quiet quote rawdata"
    " space split_next_td start startpre stressed style style_def table_start tag_stack"
    " td_count".split()
)


def _parameters(function: Callable[..., Any]) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self", "filecontent", "kwargs"}


def _settable(member: object) -> bool:
    return isinstance(member, property) and member.fset is not None


def _options(library: Any, name: str) -> set[str]:
    """What can be chosen in a library, by the names that its users type."""
    if name == "trafilatura":
        return _parameters(library.extract)
    if name == "readability-lxml":
        return _parameters(library.Document.__init__) | _parameters(library.Document.summary)
    if name == "newspaper4k":
        configuration = importlib.import_module("newspaper.configuration").Configuration
        choices = {*vars(configuration()), *dict(inspect.getmembers(configuration, _settable))}
        return {field for field in choices if field[0].islower()}
    if name == "justext":
        return _parameters(library.justext)
    if name == "html2text":
        return {field for field in vars(library.HTML2Text()) if field not in _H2T_STATE}
    defaults = library.MarkdownConverter.DefaultOptions
    return {field for field in vars(defaults) if not field.startswith("_")}


def _library(path: Path) -> Any:
    name = MODULES.get(path.stem, path.stem)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs, of syntax and of deprecations
        reason = f"needs {path.stem}: make integrations"
        return pytest.importorskip(name, reason=reason)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_the_snippets_of_a_guide_run_with_both_libraries(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _library(path)
    monkeypatch.chdir(ROOT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_the_table_of_a_guide_has_every_option(path: Path) -> None:
    library = _library(path)
    rows = re.findall(r"^\| (`.*?) \|", path.read_text("utf-8"), re.MULTILINE)
    named = set(re.findall(r"`(\w+)`", " ".join(rows)))
    assert _options(library, path.stem) - named == set()


def test_there_is_a_guide_from_each_library_that_people_leave() -> None:
    expected = "html2text justext markdownify newspaper4k readability-lxml trafilatura".split()
    assert [path.stem for path in GUIDES] == expected


def _tables(path: Path) -> dict[tuple[str, str], str]:
    """The cells of the tables of a page, by the first words of their row and column."""
    cells: dict[tuple[str, str], str] = {}
    names: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        row = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            names = []
        elif not names:
            names = [cell.partition(" ")[0] for cell in row]
        else:
            for name, cell in zip(names[1:], row[1:], strict=False):
                cells.setdefault((row[0].partition(" ")[0].lower(), name), cell)
    return cells


def test_figures_of_the_comparison_are_those_that_were_measured() -> None:
    measured = _tables(ROOT / "docs" / "explanation" / "measured.md")
    compared = _tables(ROOT / "docs" / "compare.md")
    shared = {key for key in compared.keys() & measured.keys() if measured[key].startswith(".")}
    assert len(shared) > 70
    assert {key: compared[key] for key in shared} == {key: measured[key] for key in shared}
