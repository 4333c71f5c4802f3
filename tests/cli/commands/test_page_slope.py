"""`tamis slope`: a picture of the curve that bte reads."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from tamis.cli import main

PAGE = "<title>Mill & town</title><nav><a href=/>Home</a></nav><p>" + "Water rose again. " * 20


def test_the_curve_of_a_page_is_written_as_svg(tmp_path: Path) -> None:
    source, target = tmp_path / "page.html", tmp_path / "slope.svg"
    source.write_text(PAGE, "utf-8")
    result = CliRunner().invoke(main, ["slope", str(source), "--output", str(target)])
    assert result.exit_code == 0, result.output
    svg = target.read_text("utf-8")
    assert svg.startswith("<svg ")
    assert "Mill &amp; town" in svg


def test_both_variants_can_be_drawn(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    source.write_text(PAGE, "utf-8")
    # Of many segments the window around the menu reaches into the text of so short a page.
    for variant, words in (("one", 60), ("many", 61)):
        result = CliRunner().invoke(main, ["slope", str(source), "--variant", variant])
        assert f"bte, {variant}: {words} of 61 words in bold" in result.output
