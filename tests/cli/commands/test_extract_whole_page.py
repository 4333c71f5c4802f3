"""`tamis convert`: a whole page as Markdown."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from tamis.cli import main

PAGE = '<title>T</title><nav><a href="/">Home</a></nav><h1>T</h1><p>One <b>two</b>.<img src=a.png>'


def run(*arguments: object, stdin: str | None = None) -> str:
    result = CliRunner().invoke(main, ["convert", *map(str, arguments)], input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_whole_page_is_converted(tmp_path: Path) -> None:
    page, target = tmp_path / "page.html", tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    whole = "[Home](/)\n\n# T\n\nOne **two**.![](a.png)\n"
    assert run(page) == whole
    assert run("-", stdin=PAGE) == whole
    assert run(page, "--output", target) == ""
    assert target.read_text(encoding="utf-8") == whole
    assert run(page, "--url", "https://a.example/b/", "--no-images", "--no-title") == (
        "[Home](https://a.example/)\n\nOne **two**.\n"
    )
