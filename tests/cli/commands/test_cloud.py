"""`tamis cloud`: from pages to a picture or a list."""

from __future__ import annotations

import csv
import io
import json
import shutil
import warnings
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from numpy.exceptions import VisibleDeprecationWarning
from tests.servers import serving

import tamis
from tamis.cli import main
from tamis.cloud.segment import SegmenterWarning

PAGES = Path(__file__).parents[2] / "pages"
NEWS, PRODUCT = PAGES / "news-en" / "source.html", PAGES / "product-en" / "source.html"


def run(*arguments: str | Path, code: int = 0, page: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, ["cloud", *map(str, arguments)], input=page)
    assert result.exit_code == code, result.output
    return result


def failure(*arguments: str | Path) -> str:
    result = run(*arguments, code=2)
    assert result.stdout == ""
    return result.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two English pages, one of them in a folder of the folder, and a file that is none."""
    place = tmp_path / "pages"
    (place / "shop").mkdir(parents=True)
    shutil.copy(NEWS, place / "ferry.html")
    shutil.copy(PRODUCT, place / "shop" / "ferry.HTM")
    (place / "notes.txt").write_text("notes")
    return place


def test_a_page_becomes_an_svg_without_the_words_of_its_menus() -> None:
    result = run(NEWS)
    assert result.stdout.startswith("<svg ")
    assert ">ferry</text>" in result.stdout
    assert "cookie" not in result.stdout.lower()
    assert result.stderr == ""


def test_json_is_a_list_with_the_heaviest_first() -> None:
    terms = json.loads(run(NEWS, "--format", "json", "--terms", "12").stdout)
    assert len(terms) == 12
    assert set(terms[0]) == {"term", "weight", "count"}
    weights = [term["weight"] for term in terms]
    assert weights == sorted(weights, reverse=True)


def test_csv_and_html_are_made_too() -> None:
    rows = list(csv.reader(io.StringIO(run(NEWS, "--format", "csv", "--terms", "5").stdout)))
    assert rows[0] == ["term", "weight", "count"]
    assert len(rows) == 6
    assert run(NEWS, "--format", "html", "--dark").stdout.startswith("<!doctype html>")


def test_standard_input_and_files_give_the_same(tmp_path: Path) -> None:
    assert run("-", page=NEWS.read_bytes()).stdout == run(NEWS).stdout
    output = tmp_path / "cloud.json"
    assert run(NEWS, "--output", output).stdout == ""
    assert json.loads(output.read_text("utf-8")) == json.loads(run(NEWS, "--format", "json").stdout)


def test_a_pipe_needs_no_dash_and_the_format_follows_the_name(tmp_path: Path) -> None:
    piped = run("-f", "csv", page=NEWS.read_bytes()).stdout
    run(NEWS, "-o", tmp_path / "cloud.csv")
    assert piped == (tmp_path / "cloud.csv").read_bytes().decode()


def test_terms_lead_into_the_page(tmp_path: Path, folder: Path) -> None:
    assert 'href="https://e.org/ferry#:~:text=' in run(NEWS, "--url", "https://e.org/ferry").stdout
    output = tmp_path / "cloud.svg"
    run(folder / "ferry.html", "--output", output)
    assert 'href="pages/ferry.html#:~:text=' in output.read_text("utf-8")
    assert "href" not in run(NEWS).stdout


def test_a_seed_and_a_palette_change_the_picture() -> None:
    pictures = [run(NEWS, *more).stdout for more in ((), ("--seed", "1"), ("--palette", "clay"))]
    assert len(set(pictures)) == 3
    assert run(NEWS, "--seed", "1").stdout == pictures[1]


def test_a_folder_gives_one_cloud_of_all_its_pages(folder: Path) -> None:
    both = run(folder, "--format", "json", "--terms", "1000")
    first = {term["term"] for term in json.loads(run(NEWS, "--format", "json").stdout)[:10]}
    second = {term["term"] for term in json.loads(run(PRODUCT, "--format", "json").stdout)[:10]}
    both_terms = {term["term"] for term in json.loads(both.stdout)}
    assert len(both_terms & first) > 5
    assert len(both_terms & second) > 5


def test_pages_in_several_languages_lose_the_stop_words_of_each(tmp_path: Path) -> None:
    for name in ("news-en", "news-de", "recipe-fr"):
        shutil.copy(PAGES / name / "source.html", tmp_path / f"{name}.html")
    terms = {
        term["term"].lower()
        for term in json.loads(run(tmp_path, "--format", "json", "--terms", "1000").stdout)
    }
    assert {"ferry", "wasser"} <= terms
    assert not {"the", "of", "der", "und", "les", "dans"} & terms


def test_a_page_is_fetched_by_its_address_and_its_terms_lead_there(tmp_path: Path) -> None:
    shutil.copy(NEWS, tmp_path / "ferry.html")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with serving(handler) as site:
        address = f"{site}/ferry.html"
        picture = run(address, "--allow-private").stdout
    assert f'href="{address}#:~:text=' in picture


def test_each_page_gets_a_file_of_its_own_name(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "clouds"
    run(folder, NEWS, "--each", "--output", output)
    assert len(list(output.iterdir())) == 3
    shutil.move(folder / "shop" / "ferry.HTM", folder / "lamp.html")
    run(folder, "--each", "--format", "csv", "--output", tmp_path / "lists")
    assert sorted(path.name for path in (tmp_path / "lists").iterdir()) == ["ferry.csv", "lamp.csv"]


def test_two_sources_are_compared(folder: Path) -> None:
    both = json.loads(run("--compare", NEWS, PRODUCT, "--format", "json").stdout)
    first, second = ({term["term"] for term in cloud["terms"]} for cloud in both)
    assert not {term["term"] for term in both[0]["terms"][:10]} & second
    assert not {term["term"] for term in both[1]["terms"][:10]} & first
    picture = run("--compare", NEWS, PRODUCT).stdout
    assert all(f">{cloud['title'][:20]}" in picture for cloud in both)


def test_pages_that_cannot_be_read_are_named_and_left_out(folder: Path) -> None:
    result = run(folder, "no-such-page.html", "--format", "json")
    assert "left out: no-such-page.html: no such file" in result.stderr
    assert json.loads(result.stdout)


@pytest.mark.parametrize("page", [b"", b"<p>12 345 6789", b"<p>a b c"])
def test_a_page_without_terms_gives_an_empty_cloud_and_says_so(page: bytes) -> None:
    result = run("-", "--format", "json", page=page)
    assert json.loads(result.stdout) == []
    assert "nothing with terms was kept" in result.stderr
    assert run("-", page=page).stdout.startswith("<svg ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.html", "--compare", "b", "c"], "Give either pages"),
        (["a.html", "--each"], "--output DIR"),
        (["--compare", "a", "b", "--each", "--output", "c"], "give one"),
        (["a.html", "b.html", "--url", "https://e.org/"], "single page"),
        (["a.html", "--terms", "0"], "--terms"),
        (["a.html", "--palette", "mud"], "'mud'"),
    ],
)
def test_wrong_usage_is_reported(arguments: list[str], message: str) -> None:
    assert message in failure(*arguments)


def test_what_cannot_be_read_or_written_is_one_line_on_stderr(tmp_path: Path) -> None:
    for arguments, message in (
        (["no-such-page.html"], "no such file"),
        (["no-such-page.html", "nor-this.html"], "none of 2 pages"),
        ([tmp_path], "no file in it ends in .html, .htm, "),
        ([NEWS, "--output", tmp_path / "no" / "cloud.svg"], "cannot be written"),
        ([NEWS, "--each", "--output", "/dev/null/clouds"], "this folder cannot be made"),
    ):
        last = failure(*arguments).splitlines()[-1]
        assert last.startswith("tamis: ")
        assert message in last


def test_a_cloud_is_made_of_what_a_chosen_method_keeps(tmp_path: Path) -> None:
    everything = run(NEWS, "--method", "baseline", "--terms", "1000").stdout
    assert "cookie" in everything.lower()
    few = ("--terms", "1000", "--format", "csv", "--method", "xpath_blocks")
    ours, paper = run(NEWS, *few).stdout, run(NEWS, *few, "--parameter", "variant=paper").stdout
    assert len(ours.splitlines()) < len(paper.splitlines())
    assert "no parameter 'size'" in failure(NEWS, *few, "--parameter", "size=2")


def test_a_cloud_is_made_with_a_site_model(tmp_path: Path) -> None:
    stories = ("Rain floods forty cellars.", "A choir wins silver.", "The bakery closes.")
    pages = [f"<p>Menu, search, imprint, login.<p>{story}" for story in stories]
    tamis.Site().fit(pages, method="x_cex").save(tmp_path / "site.npz")
    (tmp_path / "page.html").write_text(pages[0])
    model = ("--format", "csv", "--method", tmp_path / "site.npz")
    terms = {row[0] for row in csv.reader(io.StringIO(run(tmp_path / "page.html", *model).stdout))}
    assert terms == {"term", "Rain", "floods", "forty", "cellars"}


def test_a_png_is_written_as_bytes(tmp_path: Path) -> None:
    output = tmp_path / "cloud.png"
    run(NEWS, "--terms", "10", "--output", output)
    assert output.read_bytes().startswith(b"\x89PNG")
    assert run(NEWS, "--terms", "10", "--format", "png").stdout_bytes == output.read_bytes()
    assert "cannot be written" in failure(NEWS, "--output", tmp_path / "no" / "cloud.png")


def test_several_pages_print_nothing_but_the_cloud_where_there_is_no_terminal(folder: Path) -> None:
    assert run(folder, NEWS, "--format", "json").stderr == ""


def test_a_language_is_given_by_name_or_refused() -> None:
    assert run(NEWS, "--language", "english").stdout == run(NEWS, "--language", "en").stdout
    assert "no language is called 'engish'; did you mean" in failure(NEWS, "--language", "engish")


def test_warnings_of_other_packages_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.cloud import draw

    def warned(*arguments: object) -> str:
        warnings.warn("dtype.newbyteorder is deprecated", VisibleDeprecationWarning, stacklevel=1)
        warnings.warn("Thai text is cut by guessing", SegmenterWarning, stacklevel=1)
        return ""

    monkeypatch.setattr(draw, "draw_svg", warned)
    assert run(NEWS).stderr == "tamis: Thai text is cut by guessing\n"


def test_help_has_examples() -> None:
    assert "tamis cloud --compare ours/ theirs/" in run("--help").stdout


def test_frames_that_a_browser_saved_beside_a_page_are_left_out(folder: Path) -> None:
    before = run(folder, "--format", "json").stdout
    (folder / "page_files").mkdir()
    (folder / "page_files" / "ad.html").write_text("<p>" + "unbeatable mattress offer. " * 50)
    assert run(folder, "--format", "json").stdout == before
