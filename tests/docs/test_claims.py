"""Sentences of the documentation that count something or say the same in two places."""

from __future__ import annotations

import re
import tomllib

import pytest
from tests.docs.conftest import ROOT

import tamis
from tamis.cli.parameters import read_parameters
from tamis.decide.steps import RULES, SWITCHES

README = (ROOT / "README.md").read_text("utf-8")
EXPLANATION = ROOT / "docs" / "explanation"


def parameters_of_papers() -> dict[str, set[str]]:
    """The parameters "as published" of each method, by the table of the papers."""
    found: dict[str, set[str]] = {}
    for line in (EXPLANATION / "papers.md").read_text("utf-8").splitlines():
        row = re.fullmatch(r"\| \[.*\]\(#.*\) \| (.*) \| (.*) \|", line)
        if row:
            method = re.findall(r"\[(\w+)\]", row[1])[0]
            for part in row[2].split(";"):
                named = re.match(r" *`(\w+)`: ", part)
                method = named[1] if named else method
                found[method] = set(re.findall(r"`(\w+=[^`]+)`", part))
    return found


AS_PUBLISHED = parameters_of_papers()


def test_every_paper_has_its_parameters() -> None:
    five = {"text_block_context", "x_cex", "dragnet", "xpath_blocks", "textsweeper"}
    assert five <= AS_PUBLISHED.keys()


@pytest.mark.parametrize("method", AS_PUBLISHED)
def test_the_parameters_as_published_are_there_and_the_same_on_the_page_of_the_method(
    method: str,
) -> None:
    assert AS_PUBLISHED[method]
    assert read_parameters(method, AS_PUBLISHED[method])
    page = (EXPLANATION / "methods" / f"{method}.md").read_text("utf-8")
    if said := re.search(r"\*\*As published\*\*: (.*)", page):
        assert set(re.findall(r"\w+=[\w.]+", said[1].partition(". ")[0])) == AS_PUBLISHED[method]


def test_the_readme_counts_the_methods() -> None:
    assert "fifteen methods side by side, thirteen from papers" in README
    assert len(tamis.list_methods()) == 15
    assert len({*tamis.list_methods()} - {"baseline", "tamis"}) == 13


def test_the_readme_counts_the_sets_on_which_tamis_is_first() -> None:
    row = next(line for line in README.splitlines() if line.startswith("| **tamis** |"))
    *sets, mean = row.strip("|").split("|")[1:]
    assert "First on seven of ten public sets](#measured)**, and in the mean" in README
    assert (len(sets), sum("**" in figure for figure in sets), "**" in mean) == (10, 7, True)


def test_the_architecture_page_lists_the_steps_of_a_decision_in_their_order() -> None:
    page = (EXPLANATION / "architecture.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \|.*\| `\w+` \|$", page, re.MULTILINE)
    assert listed == [step.__name__ for step in (*RULES, *SWITCHES)]


def test_the_architecture_page_lists_the_layers_of_the_import_contract() -> None:
    page = (EXPLANATION / "architecture.md").read_text("utf-8")
    listed = re.search(r"```text\n(cli\n.*?)```", page, re.DOTALL)
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = contract["tool"]["importlinter"]["contracts"][0]["layers"]
    assert listed
    assert listed[1].splitlines() == [layer.replace("tamis.", "") for layer in layers]


def test_the_architecture_page_has_every_room_of_the_package() -> None:
    page = (EXPLANATION / "architecture.md").read_text("utf-8")
    package = ROOT / "src" / "tamis"
    rooms = {path.parent.relative_to(package).as_posix() for path in package.rglob("__init__.py")}
    assert not {room for room in rooms - {"."} if f"`{room}/`" not in page}


FILES = [
    path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")
]


def names_in(page: str) -> set[str]:
    """What a page of the project has in backticks."""
    source = re.sub(r"<!--.*?-->", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
    return set(re.findall(r"`([^`\n]+)`", source))


@pytest.mark.parametrize("page", ["SECURITY.md", "CONTRIBUTING.md", "docs/explanation/papers.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    named = {name for name in names_in(page) if re.fullmatch(r"[a-z]\w+/[\w/]+\.py", name)}
    assert named
    assert not {name for name in named if not any(str(path).endswith(name) for path in FILES)}


def test_the_functions_that_the_papers_name_are_there() -> None:
    modules = {path.stem: path for path in FILES}
    pairs = {name.partition(".")[::2] for name in names_in("docs/explanation/papers.md")}
    named = {(module, name) for module, name in pairs if module in modules and name.isidentifier()}
    named = {(module, name) for module, name in named if name not in ("py", "md", "json")}
    assert ("text_block_context", "measure_units") in named
    for module, name in named:
        assert re.search(rf"\b{name}\b", modules[module].read_text("utf-8")), f"{module}.{name}"
