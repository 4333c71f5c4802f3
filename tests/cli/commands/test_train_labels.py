"""`tamis labels`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamis.cli import main

HTML = "<ul><li><a href=/>Home</a></ul><div><p>The ferry left at six.</p></div><p>Imprint</p>"
ROW = {"id": "page-1", "html": HTML, "blocks": [{"kind": "main", "xpath": "/html/body/div"}]}


def convert(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["labels", "convert", *map(str, arguments)])


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    return path


@pytest.mark.parametrize(("to", "name"), [("label-studio", "a.json"), ("webmainbench", "a.jsonl")])
def test_labels_go_to_another_tool_and_back(to: str, name: str, mine: Path, tmp_path: Path) -> None:
    there, back = tmp_path / name, tmp_path / "back.jsonl"
    result = convert(mine, there, "--to", to)
    assert result.exit_code == 0, result.output
    assert result.output == f"wrote 1 pages to {there}\n"
    assert convert(there, back).exit_code == 0
    row = json.loads(back.read_text())
    assert row["text"] == "The ferry left at six."
    assert [label["kind"] for label in row["blocks"]] == ["main"]


def test_a_label_that_fits_nothing_is_named_with_its_page(mine: Path, tmp_path: Path) -> None:
    changed = {**ROW, "blocks": [{"kind": "main", "xpath": "/html/body/article"}]}
    mine.write_text(json.dumps(changed))
    result = convert(mine, tmp_path / "out.jsonl")
    assert "page-1: 1 labels are about nothing on the page" in result.output


def test_a_file_without_pages_is_an_error(mine: Path, tmp_path: Path) -> None:
    mine.write_text("")
    result = convert(mine, tmp_path / "out.jsonl")
    assert result.exit_code == 2
    assert "no page with a label" in result.output


def test_pages_are_labelled_as_tamis_would_for_a_person_to_correct(tmp_path: Path) -> None:
    story = "The ferry left the harbour at six and carried ninety people across the sound. " * 3
    (tmp_path / "a.html").write_text(
        '<link rel=canonical href="https://ferry.example/a"><nav><ul><li><a href=/>Home</a></li>'
        f"<li><a href=/b>Sea</a></li></ul></nav><article><p>{story}</p><p>{story}</p></article>"
    )
    out = tmp_path / "mine.jsonl"
    result = CliRunner().invoke(main, ["labels", "propose", str(tmp_path), "-o", str(out)])
    assert result.exit_code == 0, result.output
    row = json.loads(out.read_text())
    assert (row["id"], row["site"]) == ("a", "ferry.example")
    kinds = [label["kind"] for label in row["blocks"]]
    assert kinds == ["navigation", "navigation", "main", "main"]
    assert row["text"].split() == (story * 2).split()
