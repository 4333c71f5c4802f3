"""Data sets from the repositories that they are published in."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from public_sets import PublicSet, layouts, path_of, source_of, table
from public_sets.making import hashes_of, make
from tests import needs
from tests.benchmarks.public_sets.repositories import (
    TEXT,
    WRITERS,
    commit_all,
    git,
    put,
    scrapinghub,
)

import tamis.model.weights
from tamis._runtime import storage
from tamis.errors import DatasetError, FetchError, OutputError
from tamis.labels import datasets
from tamis.labels.datasets import Example, data_folder

pytestmark = needs.git


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository in the layout of scrapinghub, of one commit."""
    folder = tmp_path / "clone"
    folder.mkdir()
    scrapinghub(folder)
    commit_all(folder)
    return folder


def small(**more: Any) -> PublicSet:
    known: dict[str, Any] = {"pages": 1, "hashes": None, "commit": None}
    return dataclasses.replace(source_of("scrapinghub"), **known | more)


def read(output: Path, name: str = "scrapinghub") -> list[Example]:
    return list(datasets.read(path_of(output, name)))


@pytest.mark.parametrize("name", WRITERS)
def test_each_layout_becomes_our_json_lines(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    folder.mkdir()
    WRITERS[name](folder)
    commit = commit_all(folder)
    made = make(source_of(name), tmp_path, origin=str(folder), commit="HEAD")
    assert (made.left_out, made.commit) == ((), commit)
    pages = read(tmp_path, name)
    assert len(pages) == made.pages
    assert made.hashes == hashes_of(pages)
    assert made.matches is False  # these are not the pages that our figures are of
    for page in pages:
        assert page.dataset == name
        assert isinstance(page.html, str) and "<p>" in page.html
        gold = page.text or page.expected_markdown or " ".join(page.with_)
        assert "sieve" in gold or "ตะแกรง" in gold
        assert "Home" not in gold and "Imprint" not in gold


def test_what_a_layout_says_of_a_page_is_kept(tmp_path: Path) -> None:
    pages = {}
    for name in WRITERS:
        folder = tmp_path / f"clone-{name}"
        folder.mkdir()
        WRITERS[name](folder)
        make(source_of(name), tmp_path, origin=str(folder))
        pages[name] = read(tmp_path, name)
    assert [(page.split, page.comments) for page in pages["dragnet"]] == [("train", "Nice sieve!")]
    assert [(page.id, page.site) for page in pages["big9"]] == [
        ("big5-05/sieve (1)", "cnn.com"),
        ("big5-17/sieve (1)", "cnn.com"),
    ]
    (news,) = pages["news2023"]
    assert (news.author, news.date, news.site) == ("Ann Cook", "2023-12-01", "news.example")
    assert [page.id for page in pages["languages"]] == ["thai_article", "time_001"]
    assert "ตะแกรงร่อนแป้ง" in pages["languages"][0].html
    assert [page.expected_markdown for page in pages["structure"]] == [TEXT + "\n"]
    assert [page.date for page in pages["trafilatura-eval"]] == ["2022-01-21"]
    (page,) = pages["world-news"]
    assert (page.id, page.site, page.date) == ("at/ORF_2024_11_22", "orf.example", "2024-11-22")
    assert page.author == "Ann Cook, Bo Baker"
    assert page.text == TEXT.replace("\n\n", "\nCooks\n")
    recipe, _ = pages["recipes"]
    assert (recipe.id, recipe.site, recipe.title) == ("15gram.be/fifteengram", "15gram.be", "Jelly")
    assert recipe.with_ == ("500 g of quinces", "Press the fruit through the sieve.")


def test_a_recipe_whose_page_is_none_is_left_out_and_named(tmp_path: Path) -> None:
    WRITERS["recipes"](tmp_path / "files")
    put(tmp_path / "files/tests/test_data/addapinch.com/addapinch_1.testhtml", b"%PDF-1.7")
    made = make(source_of("recipes"), tmp_path, origin=str(tmp_path / "files"))
    (left_out,) = made.left_out
    assert made.pages == 1
    assert "addapinch_1.json" in left_out and "PDF" in left_out


_SMALL = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
_JSON = st.recursive(
    _SMALL,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["V1", "body", "summary", "sections", "headline", "file", "text", "title"]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(name=st.sampled_from(sorted(WRITERS.keys() - {"dragnet"})), value=_JSON)
def test_whatever_a_repository_says_of_its_pages_is_read_or_named(
    name: str, value: object, tmp_path: Path
) -> None:
    folder = tmp_path / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    WRITERS[name](folder)
    for path in [*folder.rglob("*.json"), *folder.rglob("meta.info")]:
        put(path, json.dumps(value))
    for path in folder.rglob("*.md"):
        put(path, f"```json\n{json.dumps(value)}\n```\n{TEXT}")
    inside = folder / source_of(name).folder
    pages = layouts.read(inside, on_error=lambda error: None)
    assert all(page.id for page in pages)


def test_pages_without_an_expected_output_of_their_own_are_left_out(tmp_path: Path) -> None:
    WRITERS["world-news"](tmp_path / "files")
    country = tmp_path / "files/tests/resources/parser/test_data/at"
    shutil.copy(country / "ORF_2024_11_22.html.gz", country / "Kurier_2024_11_22.html.gz")
    put(country / "Kurier.json", {"V1": {}, "V2": {}})
    made = make(source_of("world-news"), tmp_path, origin=str(tmp_path / "files"))
    assert made.pages == 1
    assert "Kurier.json: 2 expected outputs of 1 pages" in made.left_out[0]


def test_an_address_is_fetched_at_the_commit_of_the_table(clone: Path, tmp_path: Path) -> None:
    first = git(clone, "rev-parse", "HEAD")
    git(clone, "config", "uploadpack.allowAnySHA1InWant", "true")
    put(clone / "ground-truth.json", {"ab12": {"articleBody": "Changed later."}})
    commit_all(clone)
    source = small(repository=clone.as_uri(), commit=first)
    steps: list[str] = []
    made = make(source, tmp_path / "data", say=steps.append)
    assert (made.commit, made.repository) == (first, clone.as_uri())
    assert read(tmp_path / "data")[0].text == TEXT
    assert steps == [f"fetching {clone.as_uri()}", "reading"]
    newest = make(dataclasses.replace(source, commit=None), tmp_path / "data", again=True)
    assert newest.commit == git(clone, "rev-parse", "HEAD")
    assert read(tmp_path / "data")[0].text == "Changed later."
    assert not list((tmp_path / "data" / "clones").iterdir())


def test_a_clone_of_somebody_stays_as_it_is(clone: Path, tmp_path: Path) -> None:
    put(clone / "ground-truth.json", "not committed")
    put(clone / ".git/hooks/post-checkout", f"#!/bin/sh\ntouch {tmp_path}/hook\n")
    os.chmod(clone / ".git/hooks/post-checkout", 0o755)
    before = git(clone, "status", "--porcelain=v2", "--branch")
    make(small(), tmp_path / "data", origin=str(clone), commit="HEAD")
    assert read(tmp_path / "data")[0].text == TEXT
    assert git(clone, "status", "--porcelain=v2", "--branch") == before
    assert not (tmp_path / "hook").exists()


def test_paths_may_be_relative(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for origin in ("clone", clone.as_uri()):
        make(small(), Path("build/data"), origin=origin, commit="HEAD", again=True)
        assert read(Path("build/data"))[0].text == TEXT


def test_links_of_a_repository_lead_nowhere(clone: Path, tmp_path: Path) -> None:
    put(tmp_path / "secret.html", "<p>A secret of this machine")
    (clone / "html/ab12.html.gz").unlink()
    (clone / "html/ab12.html").symlink_to(tmp_path / "secret.html")
    commit_all(clone)
    make(small(), tmp_path / "data", origin=str(clone), commit="HEAD")
    assert "secret of this" not in read(tmp_path / "data")[0].html


def test_an_archive_does_not_write_outside(tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    folder.mkdir()
    with tarfile.open(folder / "dragnet_HTML.tar.gz", "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("../../../escaped"), io.BytesIO())
    commit_all(folder)
    with pytest.raises(DatasetError, match=r"dragnet_HTML.tar.gz: .*outside"):
        make(source_of("dragnet"), tmp_path / "data", origin=str(folder))
    assert not list(tmp_path.rglob("escaped"))


def test_a_set_that_is_there_is_not_made_again(clone: Path, tmp_path: Path) -> None:
    source = small()
    first = make(source, tmp_path / "data", origin=str(clone))
    written = path_of(tmp_path / "data", "scrapinghub").stat().st_mtime_ns
    again = make(source, tmp_path / "data", origin=str(clone))
    assert (again.new, again.hashes) == (False, first.hashes)
    assert path_of(tmp_path / "data", "scrapinghub").stat().st_mtime_ns == written
    path_of(tmp_path / "data", "scrapinghub").unlink()
    assert make(source, tmp_path / "data", origin=str(clone)).new


def test_an_interrupted_run_leaves_no_half_of_a_set_and_goes_on(
    clone: Path, tmp_path: Path
) -> None:
    def stop(pages: int) -> None:
        raise KeyboardInterrupt

    source = small(repository=clone.as_uri(), commit=git(clone, "rev-parse", "HEAD"))
    with pytest.raises(KeyboardInterrupt):
        make(source, tmp_path / "data", progress=stop)
    assert not list((tmp_path / "data" / "datasets").iterdir())
    shutil.rmtree(clone)  # what was fetched is not fetched again
    assert make(source, tmp_path / "data").pages == 1


def test_other_pages_than_those_of_the_table_are_noticed(clone: Path, tmp_path: Path) -> None:
    commit = git(clone, "rev-parse", "HEAD")
    hashes = make(small(), tmp_path / "first", origin=str(clone), commit=commit).hashes
    sure = small(hashes=hashes, verified=True, commit=commit)
    assert make(sure, tmp_path / "second", origin=str(clone)).matches
    wrong = dataclasses.replace(sure, hashes=dataclasses.replace(hashes, gold="0" * 64))
    with pytest.raises(DatasetError, match="not what our figures are of: other gold; it is not"):
        make(wrong, tmp_path / "third", origin=str(clone))
    assert not list((tmp_path / "third" / "datasets").iterdir())
    unsure = dataclasses.replace(wrong, verified=False)
    assert make(unsure, tmp_path / "third", origin=str(clone)).matches is False


def test_hashes_depend_on_words_and_not_on_order_encoding_or_space() -> None:
    one = Example(id="1", dataset="a", html="<p>Crème  brûlée</p>", text="Crème brûlée")
    two = Example(id="2", dataset="a", html="<p>Sieve</p>", text="Sieve", with_=("a", "b"))
    latin = dataclasses.replace(
        one, html="<meta charset=latin1><p>Crème brûlée</p>".encode("latin1")
    )
    declared = dataclasses.replace(one, html="<meta charset=latin1><p>Crème\nbrûlée</p>")
    assert hashes_of([one, two]) == hashes_of([two, one])
    assert hashes_of([latin]) == hashes_of([declared])
    other = dataclasses.replace(two, with_=("a",), without=("b",))
    assert hashes_of([two]).pages == hashes_of([other]).pages
    assert hashes_of([two]).gold != hashes_of([other]).gold


@pytest.mark.parametrize(
    ("origin", "error", "message"),
    [
        ("{clone}", DatasetError, r"it has no commit 4a3bc979\w*; run `git fetch` there"),
        ("file://{clone}", DatasetError, "it has no such commit .*choose another with --commit"),
        ("file://{tmp}/nowhere", FetchError, "no such repository"),
        ("https://127.0.0.1:9/x", FetchError, "cannot be reached .*or give a clone with --from"),
        ("{tmp}/empty", DatasetError, "no known layout"),
    ],
)
def test_what_cannot_be_had_is_said(
    origin: str, error: type[Exception], message: str, clone: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(error, match=message):
        make(source_of("scrapinghub"), tmp_path, origin=origin.format(clone=clone, tmp=tmp_path))


def test_a_changed_repository_is_said(clone: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"pathspec.*the repository has changed"):
        make(source_of("big9"), tmp_path, origin=str(clone), commit="HEAD")


def test_a_machine_without_git_can_give_a_folder(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(DatasetError, match="there is no git on this machine; install it, or give"):
        make(small(), tmp_path / "data", origin=str(clone))
    shutil.rmtree(clone / ".git")
    made = make(small(), tmp_path / "data", origin=str(clone))
    assert (made.commit, made.pages) == (None, 1)


def test_a_full_disk_is_said_and_leaves_nothing(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    class Replacing:
        def __enter__(self) -> Full:
            return Full()

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(storage, "open_replacing", lambda path: Replacing())
    with pytest.raises(OutputError, match="no space left: free some and run the same command"):
        make(small(), tmp_path / "data", origin=str(clone), commit="HEAD")


def test_a_disk_that_git_fills_is_said(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin" / "git"
    message = "fatal: write error: No space left on device"
    put(fake, f'#!/bin/sh\ncase "$*" in *fetch*) echo "{message}" >&2; exit 128;; esac\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(OutputError, match="no space left; free some, or choose another --output"):
        make(small(), tmp_path / "data", origin="https://example.org/sieves.git")


def test_entries_that_cannot_be_read_are_named(clone: Path, tmp_path: Path) -> None:
    rows = {"ab12": {"articleBody": TEXT}, "cd34": {"articleBody": "Its page is missing."}}
    put(clone / "ground-truth.json", rows)
    commit_all(clone)
    made = make(small(), tmp_path / "data", origin=str(clone), commit="HEAD")
    (left_out,) = made.left_out
    assert made.pages == 1
    assert left_out.startswith("ground-truth.json, entry 'cd34'") or "cd34" in left_out
    assert str(tmp_path) not in left_out


# --- the table ------------------------------------------------------------------------------


@pytest.mark.parametrize("source", table().values(), ids=lambda source: source.name)
def test_an_entry_of_the_table_says_what_is_known_and_how(source: PublicSet) -> None:
    assert source.commit is None or re.fullmatch("[0-9a-f]{40}", source.commit)
    assert source.commit_from and source.licence and source.licence_from and source.about
    assert source.pages > 0
    assert (source.hashes is None) == bool(source.not_made)
    assert not source.ids or len(source.ids) == source.pages
    assert source.repository is None or source.repository.startswith("https://github.com/")
    uses = {use.strip() for use in source.use.split(",")}
    assert uses <= {"train", "evaluate", "structure"}
    if source.licence in ("AGPL-3.0", "unstated", "research only"):
        assert "train" not in uses


def test_weights_that_ship_were_trained_on_sets_whose_use_is_training() -> None:
    folder = Path(tamis.model.weights.__file__).parent
    for card in folder.glob("*.json"):
        for name in json.loads(card.read_text("utf-8"))["training_sets"]:
            assert "train" in source_of(name).use


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(DatasetError, match="no data set is called 'wcxb'; did you mean wcxb-dev"):
        source_of("wcxb")
    with pytest.raises(DatasetError, match="no data set is called 'alexa'; there are: wcxb-dev, "):
        source_of("alexa")


def test_a_set_that_cannot_be_made_says_where_its_pages_are(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"forum52: .*github.com/fhgr/harvest"):
        make(source_of("forum52"), tmp_path)


def test_the_data_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("TAMIS_DATA")
    assert data_folder().name == "tamis"
