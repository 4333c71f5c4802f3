"""Names of earlier versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import tamis
from tamis.cli import main
from tamis.deprecations import RENAMED, message

PAGES = [f"<p>Menu, search, imprint, login.<p>{story}." for story in ("Rain", "A choir", "Bread")]


def version(name: str) -> tuple[int, ...]:
    return tuple(int(number) for number in name.split("."))


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_goes_when_it_was_said_that_it_would(old: str) -> None:
    new, since, until = RENAMED[old]
    assert version(tamis.__version__) < version(until), (
        f"{old} was to go in {until}: remove it, its line in tamis/deprecations.py and its tests"
    )
    # A version that is out, or the one that is being made.
    major, minor, _ = version(tamis.__version__)
    assert version(since) <= (major, minor + 1, 0)
    # Two minor versions, or until the next major one.
    assert version(until)[:2] >= (version(since)[0], version(since)[1] + 2)
    assert new not in RENAMED


def test_the_old_name_of_kept_warns_and_answers() -> None:
    (block,) = tamis.extract("<p>Sieves are made of silk.", method="baseline").blocks
    with pytest.warns(
        DeprecationWarning, match=r"Block.label is Block.kept since tamis 0.2.0"
    ) as w:
        assert block.label is block.kept
    assert w[0].filename == __file__
    assert "label" not in block.to_dict()


def test_the_old_names_of_a_site_warn_and_answer() -> None:
    site = tamis.Site().fit(PAGES, method="x_cex")
    with pytest.warns(DeprecationWarning, match=r"Site.template_count"):
        assert site.templates == site.template_count
    with pytest.warns(DeprecationWarning, match=r"Site.template_blocks") as w:
        assert site.template() == site.template_blocks
    assert w[0].filename == __file__


@pytest.mark.parametrize("words", [["--out", "FILE"], ["--out=FILE"]])
def test_the_old_name_of_output_is_understood_with_a_line_on_stderr(
    tmp_path: Path, words: list[str]
) -> None:
    page, file = tmp_path / "page.html", tmp_path / "page.txt"
    page.write_text("<p>Sieves are made of silk.", "utf-8")
    options = [word.replace("FILE", str(file)) for word in words]
    done = CliRunner().invoke(main, ["extract", str(page), "--method", "baseline", *options])
    assert done.exit_code == 0
    assert done.stderr.strip().endswith(message("--out"))
    assert "silk" in file.read_text("utf-8")


def test_what_follows_two_dashes_is_no_option(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["extract", "--", "--out"])
    assert message("--out") not in done.stderr


def test_what_is_only_in_the_help_of_today_is_not_an_old_name() -> None:
    assert "--out " not in CliRunner().invoke(main, ["extract", "--help"]).output
