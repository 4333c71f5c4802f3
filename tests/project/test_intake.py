"""Pages from files and folders into a project."""

from __future__ import annotations

from pathlib import Path

from tests.project.made import article

from tamis.options import Options
from tamis.project import intake, pages
from tamis.project.database import Database


def test_all_pages_of_a_folder_are_added_once_and_what_is_none_is_named(
    mine: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for topic in ("gates", "walls"):
        (folder / f"{topic}.html").write_text(article(topic))
    (folder / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    added = list(intake.add_inputs(mine, [str(folder)], Options()))
    assert [entry.is_new for entry in added if entry.number] == [True, True]
    (failed,) = [entry for entry in added if entry.number is None]
    assert "picture" in failed.name and failed.why
    again = list(intake.add_inputs(mine, [str(folder)], Options()))
    assert not any(entry.is_new for entry in again)
    assert pages.count_pages(mine)["pages"] == 2


def test_no_more_pages_are_added_than_are_asked_for(mine: Database, tmp_path: Path) -> None:
    for topic in ("gates", "hedges", "walls"):
        (tmp_path / f"{topic}.html").write_text(article(topic))
    assert len(list(intake.add_inputs(mine, [str(tmp_path)], Options(), limit=2))) == 2
    assert pages.count_pages(mine)["pages"] == 2
