"""`tamis explain`: the reasons on the terminal, as JSON and as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tamis
from tamis.cli import main

PAGES = Path(__file__).parents[2] / "pages"
NEWS = PAGES / "news-en" / "source.html"


def run(*arguments: str | Path, code: int = 0, page: bytes = b"") -> Result:
    result = CliRunner().invoke(main, ["explain", *map(str, arguments)], input=page)
    assert result.exit_code == code, result.output
    return result


def test_each_block_has_its_sign_score_kind_text_and_reason() -> None:
    expected = tamis.extract(NEWS.read_bytes())
    lines = run(NEWS).stdout.splitlines()
    assert len(lines) == 2 * len(expected.blocks)
    for block, reason, head, because in zip(
        expected.blocks, expected.reasons, lines[::2], lines[1::2], strict=True
    ):
        sign, score, kind = head.split()[:3]
        assert (sign == "+") == block.kept
        assert score == f"{block.score:.2f}"
        assert kind == block.kind
        assert because.strip() == reason.text


def test_a_missing_sentence_is_found_and_explained() -> None:
    lines = run(NEWS, "--find", "shame about  the CAR park").stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("- 0.0")
    assert "comments" in lines[0]
    assert "Dropped: " in lines[1]
    assert "Against it: " in lines[1]


def test_text_in_scripts_without_spaces_is_found() -> None:
    lines = run(PAGES / "news-th" / "source.html", "--find", "ขนมครก").stdout.splitlines()
    assert len(lines) >= 2


def test_text_that_no_block_has_is_an_error() -> None:
    result = run(NEWS, "--find", "no such words here", code=2)
    assert "no block has the text 'no such words here'" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("choice", "sign"), [("--kept", "+"), ("--dropped", "-")])
def test_kept_or_dropped_blocks_alone(choice: str, sign: str) -> None:
    heads = run(NEWS, choice).stdout.splitlines()[::2]
    assert {head[0] for head in heads} == {sign}
    assert 0 < len(heads) < len(run(NEWS).stdout.splitlines()[::2])


def test_json_has_the_signals_with_their_effects() -> None:
    printed = json.loads(run(NEWS, "--format", "json", "--kept", "--url", "https://e.org/").stdout)
    assert printed["url"] == "https://e.org/"
    assert printed["method"] == "tamis"
    for block in printed["blocks"]:
        assert block["kept"]
        assert 1 <= len(block["signals"]) <= 3
        assert all(signal["words"] in block["because"] for signal in block["signals"])


def test_other_methods_give_their_own_reasons() -> None:
    page = b"<nav><a href=/>Home</a></nav><p>The ferry crosses the sound in nine minutes.</p>"
    lines = run("-", "--method", "boilerpipe", page=page).stdout.splitlines()
    assert lines[1].endswith("100% of its words are links (above 33.3%): not content.")
    printed = json.loads(run("-", "--method", "bte", "--format", "json", page=page).stdout)
    assert (
        printed["blocks"][1]["because"] == "It is inside the best segment, of 8 words and 0 tags."
    )
    assert "inside the p that holds" in run("-", "--method", "textsweeper", page=page).stdout
    assert (
        "inside the p that holds"
        in run("-", "--method", "textsweeper", "--format", "html", page=page).stdout
    )


def test_html_is_written_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "why.html"
    assert run(NEWS, "--format", "html", "--output", target).stdout == ""
    html = target.read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert "<script" not in html


def test_the_html_view_shows_all_blocks() -> None:
    assert "has its own switches" in run(NEWS, "--format", "html", "--kept", code=2).stderr


def test_control_characters_do_not_reach_the_terminal() -> None:
    page = b"<div class='a\x1b[31m'><p>An escape: &#27;[31m and a tab:\tend.</p></div>"
    assert "\x1b" not in run("-", page=page).stdout


def test_a_page_without_text_is_reported_as_such() -> None:
    result = run("-", page=b"<script>1</script>")
    assert result.stdout == ""
    assert "the page has no text" in result.stderr


def test_units_of_the_paper_are_shown_below_their_block() -> None:
    page = "<p>A sieve of silk is called <b>a tamis</b> in kitchens.</p>"
    arguments = ["explain", "-", "--method", "text_block_context"]
    text = CliRunner().invoke(main, arguments, input=page).stdout
    assert [line.split()[2:] for line in text.splitlines()[-3:]] == [
        ["A", "sieve", "of", "silk", "is", "called"],
        ["a", "tamis"],
        ["in", "kitchens."],
    ]
    written = CliRunner().invoke(main, [*arguments, "--format", "json"], input=page).stdout
    (block,) = json.loads(written)["blocks"]
    assert [unit["attributes"]["parent"] for unit in block["units"]] == ["p", "b", "p"]
