"""Where the pages of a command go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.cli.output import PageOutput, choose_targets, describe_error, is_several
from tamis.cli.sources import find_pages
from tamis.errors import InputError, OutputError


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    for name in ("a.html", "a.htm", "deep/a.html"):
        path = tmp_path / "saved" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>x")
    return tmp_path / "saved"


def test_each_page_has_a_file_of_its_own(saved: Path, tmp_path: Path) -> None:
    targets = choose_targets(find_pages([str(saved)]), tmp_path / "out", ".txt")
    names = {str(target.relative_to(tmp_path / "out")) for target in targets}
    assert names == {"a.txt", "a-2.txt", str(Path("deep", "a.txt"))}


def test_no_page_is_replaced(saved: Path) -> None:
    with pytest.raises(OutputError, match=r"would replace a page; choose another folder"):
        choose_targets(find_pages([str(saved)]), saved, ".html")


def test_a_folder_is_several_pages_and_a_file_is_one(saved: Path) -> None:
    deep, page = str(saved / "deep"), str(saved / "a.html")
    assert is_several(find_pages([deep]), [deep])
    assert not is_several(find_pages([page]), [page])
    assert is_several(find_pages([page, page]), [page, page])


def test_a_single_page_goes_to_the_output_or_into_it(saved: Path, tmp_path: Path) -> None:
    [page] = find_pages([str(saved / "a.html")])
    for output, name, chosen in (
        (None, "text", None),
        (str(tmp_path / "b.md"), "markdown", str(tmp_path / "b.md")),
        (f"{tmp_path}/new/", "markdown", str(tmp_path / "new" / "a.md")),
        (str(tmp_path), "text", str(tmp_path / "a.txt")),
    ):
        assert PageOutput(name, output).choose_file(page) == chosen


def test_an_error_names_its_page_once(saved: Path) -> None:
    [page] = find_pages([str(saved / "a.html")])
    assert describe_error(page, InputError("no text")) == f"{page.name}: no text"
    assert describe_error(page, InputError(f"{page.name}: gone")) == f"{page.name}: gone"
