"""`tamis page`: the tables for looking into a page."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

import tamis
from tamis.cli import main
from tamis.methods.tamis import Tamis

PAGE = """<!doctype html><html lang="th"><head><title>บึง</title></head><body>
<nav class="top menu" id="nav"><a href="/">Home</a> <a href="/news">News</a></nav>
<div hidden>Sign up for the newsletter</div>
<article>
<p>น้ำในบึงลดลงทุกปี ชาวบ้านที่อยู่รอบบึงบอกว่าปลาที่เคยมีมากก็หายไปเกือบหมดแล้ว และนกที่เคยมาทุกหน้าหนาวก็ไม่มาอีก</p>
<p>湖の水は毎年少なくなっている。周りに住む人たちは、昔は多かった魚がほとんどいなくなり、冬ごとに来ていた鳥ももう来ないと言う。</p>
<p>The water of the lake falls every year, and the people around it say that the fish are gone.</p>
<p>An escape: &#27;[31m and a tab:\tend.</p>
</article></body></html>"""


def run(*arguments: str | Path, page: str = PAGE) -> Result:
    result = CliRunner().invoke(main, ["page", *map(str, arguments)], input=page.encode())
    assert result.exit_code == 0, result.output
    return result


def columns(line: str) -> int:
    """Count as a terminal does, independently of what is tested."""
    return sum(
        0 if unicodedata.combining(c) or unicodedata.category(c) == "Mn" else
        2 if unicodedata.east_asian_width(c) in ("W", "F") else 1
        for c in line
    )  # fmt: skip


def row(output: str, text: str) -> str:
    return next(line for line in output.splitlines() if text in line)


def test_every_block_has_a_line_with_its_number_words_and_path() -> None:
    lines = run("-").stdout.splitlines()
    assert lines[0].split() == ["block", "words", "links", "h", "path", "text"]
    assert [int(line.split()[0]) for line in lines[1:]] == list(range(len(lines) - 1))
    english = row(run("-").stdout, "The water of").split()
    assert english[1:4] == ["19", "0.00", "article/p[3]"]


def test_link_density_is_shown() -> None:
    assert row(run("-").stdout, "Home").split()[2] == "1.00"


def test_hidden_blocks_have_a_sign() -> None:
    output = run("-").stdout
    assert row(output, "Sign up").split()[3] == "h"
    assert row(output, "The water of").split()[3] != "h"


@pytest.mark.parametrize("width", [20, 57, 58, 59, 60, 61, 80, 81])
def test_lines_fit_the_terminal_in_every_script(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run("-").stdout.splitlines()
    assert max(map(columns, lines)) <= width
    assert any(columns(line) >= width - 2 for line in lines)


def test_a_letter_is_not_cut_from_its_accents(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "น้ำในบึงลดลงทุกปี ชาวบ้านที่อยู่รอบบึงบอกว่าปลาที่เคยมีมากก็หายไปเกือบหมดแล้ว"
    for width in range(60, 90):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = row(run("-").stdout, "น้ำ")
        start = shown[shown.index("น้ำ") :].removesuffix("…")
        after = text.removeprefix(start)[:1]
        assert text.startswith(start)
        assert unicodedata.category(after) != "Mn"


def test_control_characters_do_not_reach_the_terminal() -> None:
    for arguments in (["-"], ["-", "--nodes"]):
        assert "\x1b" not in run(*arguments).stdout
        assert "\t" not in run(*arguments).stdout


def test_a_method_adds_its_scores_and_a_sign_for_what_is_kept() -> None:
    lines = run("-", "--method", "boilerpipe").stdout.splitlines()
    assert lines[0].split() == ["block", "words", "links", "h", "score", "k", "path", "text"]
    assert len(lines) == len(run("-").stdout.splitlines())
    kept = run("-", "--method", "boilerpipe", "--threshold", "0").stdout.splitlines()
    place = lines[0].index(" k ") + 1
    assert {line[place] for line in kept[1:]} == {"+"}


@pytest.mark.parametrize("focus", ["precision", "balanced", "recall"])
def test_what_has_the_sign_is_what_extract_keeps(focus: str) -> None:
    lines = run("-", "--method", "tamis", "--focus", focus).stdout.splitlines()
    place = lines[0].index(" k ") + 1
    options = tamis.Options(focus=focus)  # type: ignore[arg-type]
    kept = tamis.extract(PAGE.encode(), options=options).kept
    assert [line[place] == "+" for line in lines[1:]] == kept.tolist()


def test_nothing_has_the_sign_on_a_page_that_is_dropped_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Tamis, "score", lambda _, page: np.full(len(page.blocks), 0.9))
    monkeypatch.setattr(Tamis, "chance_of_nothing", lambda *_: 0.999)
    lines = run("-", "--method", "tamis").stdout.splitlines()
    place = lines[0].index(" k ") + 1
    assert {line[place - 5 : place + 1] for line in lines[1:]} == {"0.90  "}


def test_nodes_are_shown_with_depth_id_and_classes() -> None:
    output = run("-", "--nodes").stdout
    assert output.splitlines()[0].split() == ["node", "depth", "h", "element"]
    assert row(output, "nav").endswith("  nav#nav.top.menu")
    assert row(output, " article").split()[1] == "2"


def test_the_limit_says_how_much_is_left_out() -> None:
    everything = run("-").stdout.splitlines()
    limited = run("-", "--limit", "2")
    assert limited.stdout.splitlines() == everything[:3]
    assert f"{len(everything) - 3} more blocks of text" in limited.stderr
    assert run("-", "--limit", "100").stderr == ""


@pytest.mark.parametrize("page", ["", "<html></html>", "<img src=x>", "   "])
@pytest.mark.parametrize("more", [[], ["--method", "boilerpipe"], ["--nodes"], ["--limit", "0"]])
def test_a_page_without_blocks_gives_an_empty_table(page: str, more: list[str]) -> None:
    result = run("-", *more, page=page)
    if "--nodes" not in more:
        assert len(result.stdout.splitlines()) == 1
        assert result.stderr == "tamis: -: the page has no blocks of text\n"


def test_very_deep_pages_stay_readable() -> None:
    output = run("-", "--nodes", page="<div>" * 900 + "deep").stdout
    assert max(map(len, output.splitlines())) <= 120
    assert output.splitlines()[-1].endswith("div")
    output = run("-", page="<div>" * 900 + "deep").stdout
    assert output.splitlines()[-1].split()[-2:] == ["(//div)[900]", "deep"]


@pytest.mark.parametrize(
    "choice",
    [("--parameter", "a=1"), ("--weights", "x"), ("--focus", "recall"), ("--threshold", "0.5")],
    ids=lambda choice: choice[0],
)
def test_a_choice_of_a_method_without_a_method_is_wrong_usage(choice: tuple[str, str]) -> None:
    result = CliRunner().invoke(main, ["page", "-", *choice], input="")
    assert (result.exit_code, result.stdout) == (2, "")
    assert choice[0] in result.stderr
    assert "--method" in result.stderr


def test_scores_and_nodes_together_are_wrong_usage() -> None:
    arguments = ["page", "-", "--nodes", "--method", "boilerpipe"]
    result = CliRunner().invoke(main, arguments, input="")
    assert result.exit_code == 2
    assert "--nodes" in result.stderr


def test_a_missing_file_is_an_error() -> None:
    result = CliRunner().invoke(main, ["page", "missing.html"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("tamis: missing.html: no such file;")


def test_units_are_shown_with_their_attributes_and_the_verdict() -> None:
    lines = run("-", "--units").stdout.splitlines()
    numbers = ["words", "links", "parent", "before", "after"]
    assert lines[0].split() == ["unit", "block", "score", "c", *numbers, "path", "text"]
    home = [part for part in row("\n".join(lines), "Home").split() if part != "+"]
    assert home[:2] == ["0", "0"]
    assert home[3:8] == ["2", "1", "other", "0", "6"]
    assert "Home" in home[8:]
    shown = run("-", "--units", "--limit", "1")
    assert shown.stdout.splitlines() == lines[:2]
    assert f"{len(lines) - 2} more units" in shown.stderr


@pytest.mark.parametrize(
    ("method", "heads"),
    [
        ("textsweeper", "chars text links tags level ratio relevant cleaned"),
        ("xpath_blocks", "mark leaves anchors ANR ATR AR group"),
        ("cetd", "density DensitySum threshold"),
        ("bte", "tags words"),
    ],
)
def test_each_method_has_a_table_of_what_its_paper_decides_on(method: str, heads: str) -> None:
    lines = run("-", "--units", "--method", method).stdout.splitlines()
    assert lines[0].split() == ["unit", "block", "score", "c", *heads.split(), "path", "text"]
    assert any(" + " in line for line in lines[1:])
    assert all(len(line) <= 120 for line in lines if line.isascii())


def test_dragnet_lists_its_units_only_where_they_are_those_of_the_paper() -> None:
    published = run("-", "--units", "--method", "dragnet", "--parameter", "blocks=paper")
    assert "text-1 text text+1 links-1 links links+1" in published.stdout
    refused = CliRunner().invoke(main, ["page", "-", "--units", "--method", "dragnet"], input=PAGE)
    assert refused.exit_code == 2
    assert "dragnet decides on blocks; leave out --units" in refused.stderr


def test_a_narrow_terminal_leaves_out_the_paths_and_keeps_the_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    lines = run("-", "--units", "--method", "xpath_blocks").stdout.splitlines()
    assert lines[0].split()[-2:] == ["group", "text"]
    assert "Home" in "\n".join(lines)


def test_a_model_of_a_site_lists_the_elements_that_repeat(tmp_path: Path) -> None:
    menu = "<div>Home, news, sport and weather of the whole harbour</div>"
    stories = (
        "Ferries stay in port until the storm has passed, said the council.",
        "A new crane lifts its first load at noon and everybody may watch.",
        "One seal swam up our river to look for salmon below two bridges.",
    )
    for number, story in enumerate(stories):
        (tmp_path / f"{number}.html").write_text(f"{menu}<p>{story}</p>")
    model = tmp_path / "site.npz"
    learn = ["site", "learn", str(tmp_path), "--method", "x_cex", "--output", str(model)]
    assert CliRunner().invoke(main, learn).exit_code == 0
    page = (tmp_path / "0.html").read_text()
    lines = run("-", "--units", "--method", str(model), page=page).stdout.splitlines()
    assert lines[0].split()[4:8] == ["IBDF", "border", "pages", "of"]
    assert lines[1].split()[3:8] == ["0.33", "0.50", "3", "3", "div"]
    assert lines[2].split()[3:9] == ["+", "1", "0.50", "1", "3", "p"]


@pytest.mark.parametrize("page", ["", "<p>***"])
def test_a_page_without_units_gives_an_empty_table(page: str) -> None:
    result = run("-", "--units", page=page)
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == "tamis: -: the page has no units\n"


def test_units_are_written_as_json() -> None:
    units = json.loads(run("-", "--units", "--format", "json").stdout)
    page = tamis.parse(PAGE.encode())
    texts = [page.source[unit["start"] : unit["end"]].decode() for unit in units]
    assert texts[0].startswith("Home</a> <a")
    assert texts[1].startswith("น้ำในบึง")
    assert set(units[0]) == (
        {"text", "start", "end", "block", "score", "content", "attributes", "xpath"}
    )
    assert len(json.loads(run("-", "--units", "--format", "json", "--limit", "2").stdout)) == 2


def test_tags_by_line_are_a_picture(tmp_path: Path) -> None:
    run("-", "--method", "boilerpipe", "--format", "svg", "--output", tmp_path / "tags.svg")
    picture = ElementTree.parse(tmp_path / "tags.svg").getroot()
    texts = [element.text for element in picture.iter() if element.text]
    assert {"article", "nav", "p"} <= set(texts)


@pytest.mark.parametrize(
    "wrong",
    [
        ("--format", "json"),
        ("--units", "--nodes"),
        ("--units", "--format", "svg"),
        ("--nodes", "--format", "svg"),
        ("--units", "--method", "boilerpipe"),
    ],
    ids=" ".join,
)
def test_views_that_exclude_each_other_are_wrong_usage(wrong: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["page", "-", *wrong], input=PAGE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--units" in result.stderr
