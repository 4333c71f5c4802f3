"""`tamis project`, and `--project` of other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.project.made import article
from tests.train.harbour import timetable

from tamis.cli import main
from tamis.labels import datasets
from tamis.project import pages
from tamis.project.database import Database


def tamis(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two pages, one of them in a folder, and something that is none."""
    (tmp_path / "pages" / "more").mkdir(parents=True)
    (tmp_path / "pages" / "walls.html").write_text(article("walls"))
    (tmp_path / "pages" / "more" / "gates.html").write_text(article("gates"))
    (tmp_path / "pages" / "photo.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    return tmp_path


def test_pages_of_a_folder_are_added_once_and_what_is_none_is_named(folder: Path) -> None:
    mine = folder / "mine"
    result = tamis("project", "add", mine, folder / "pages")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{mine}: 2 pages added, 0 were there already\n"
    assert "not added: photo.html: the page is not HTML" in result.stderr
    again = tamis("project", "add", mine, folder / "pages" / "walls.html")
    assert again.stdout == f"{mine}: 0 pages added, 1 were there already\n"
    database = Database(mine)
    names = [entry["name"] for entry in pages.list_pages(database, "all", "added", 9, 0, 0)[1]]
    assert sorted(names) == ["more/gates.html", "walls.html"]
    database.close()


def test_records_of_a_table_are_added_up_to_a_limit(tmp_path: Path) -> None:
    rows = [{"url": f"https://a.example/{n}", "html": article(f"topic {n}")} for n in range(5)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = tamis("project", "add", tmp_path / "mine", tmp_path / "rows.jsonl", "--limit", 3)
    assert "3 pages added" in result.stdout, result.stderr
    database = Database(tmp_path / "mine")
    assert pages.list_page(database, 1, 0)["url"] == "https://a.example/0"
    database.close()


def test_labels_are_added_and_come_out_again(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text(
        "".join(datasets.json_line(timetable(number)) for number in range(3)) + '{"id": "x"}\n'
    )
    mine = tmp_path / "mine"
    result = tamis("project", "add", mine, tmp_path / "labels.jsonl", "--labels")
    assert "3 pages added" in result.stdout
    assert "field 'html' is missing" in result.stderr
    shown = json.loads(tamis("project", "show", mine, "--json").stdout)
    assert (shown["name"], shown["labelled"], shown["accepted"]) == ("mine", 3, None)
    for format, name in (("jsonl", "out.jsonl"), ("label-studio", "tasks.json")):
        out = tmp_path / name
        exported = tamis("project", "export", mine, "--output", out, "--format", format)
        assert exported.stdout == f"wrote 3 pages to {out}\n"
        texts = [example.text for example in datasets.read(out)]
        assert texts == [timetable(number).text for number in range(3)]


def test_what_is_shown_of_a_project_is_one_line_and_what_is_accepted(folder: Path) -> None:
    tamis("project", "add", folder / "mine", folder / "pages")
    assert tamis("project", "show", folder / "mine").stdout.splitlines() == [
        "mine: 2 pages, 0 labelled, 0 skipped, 2 left",
        "accepted: none; the shipped weights are used",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("project", "show", "nowhere"),
        ("project", "export", "nowhere", "--output", "x.jsonl"),
        ("extract", "--project", "nowhere", "page.html"),
        ("explain", "--project", "nowhere", "page.html"),
        ("corpus", "--project", "nowhere", "page.html", "--output", "rows"),
    ],
)
def test_a_folder_that_is_no_project_is_said_and_not_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(folder / "pages")
    (folder / "pages" / "page.html").write_text(article("walls"))
    result = tamis(*words)
    assert result.exit_code == 2
    assert "tamis project add" in result.stderr
    assert not (folder / "pages" / "nowhere").exists()


def test_a_project_without_accepted_weights_extracts_with_the_shipped_ones(folder: Path) -> None:
    tamis("project", "add", folder / "mine", folder / "pages")
    page = folder / "pages" / "walls.html"
    result = tamis("extract", "--project", folder / "mine", page)
    assert result.stdout == tamis("extract", page).stdout
    assert "nobody accepted weights yet" in result.stderr


@pytest.mark.parametrize("words", [("--method", "cetd"), ("--weights", "other.npz")])
def test_a_project_and_another_method_exclude_each_other(
    folder: Path, words: tuple[str, str]
) -> None:
    page = folder / "pages" / "walls.html"
    result = tamis("extract", "--project", folder, *words, page)
    assert result.exit_code == 2
    assert "leave out --project" in result.stderr
