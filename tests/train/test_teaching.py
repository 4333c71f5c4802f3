"""Teaching: weights that are there, corrected by a few pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.train.harbour import timetable

import tamis
from tamis.errors import DatasetError, WeightsError
from tamis.labels import datasets
from tamis.labels.datasets import BlockLabel, Example
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.weights.load import load, path_of_shipped
from tamis.train.labelled_pages import align_pages
from tamis.train.teaching import Stopped, Taught, teach, teach_from_sets


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve pages whose readers want something else than the shipped weights give."""
    path = tmp_path_factory.mktemp("data") / "harbour.jsonl"
    path.write_text("".join(datasets.json_line(timetable(number)) for number in range(12)))
    return path


@pytest.fixture(scope="module")
def taught(mine: Path) -> tuple[Path, Taught]:
    out = mine.with_name("mine.npz")
    return out, teach_from_sets([mine], out)


def test_pages_of_other_sites_come_out_better(taught: tuple[Path, Taught]) -> None:
    weights, report = taught
    assert report.better and report.gain > 0.2 and report.low > 0
    assert (report.pages, report.sites, report.by_site) == (12, 6, True)
    page = timetable(99)
    text = tamis.extract(page.html, parameters={"weights": str(weights)}).text
    assert page.text is not None
    first = page.text.splitlines()[0]
    assert first in text
    assert first not in tamis.extract(page.html).text


def test_the_card_says_what_was_taught_with_what_and_how_well(taught: tuple[Path, Taught]) -> None:
    weights, report = taught
    card = load(weights, method="tamis", spec=spec.VERSION).card
    assert card.taught == json.loads(json.dumps(report.to_dict()))
    assert card.taught["start"] == "shipped"
    assert card.training_sets["harbour"] == "unstated"
    assert card.training_sets["wcxb-dev"] == "CC BY 4.0"
    assert card.measures["F1 after, folds by site"] == report.after


def test_taught_weights_are_the_shipped_ones_and_a_few_small_trees(
    taught: tuple[Path, Taught],
) -> None:
    before = Tamis().load_model()
    after = Tamis(weights=str(taught[0])).load_model()
    assert len(after.forest) - len(before.forest) == 20
    assert len(after.second) - len(before.second) == 20


def test_what_was_taught_can_be_taught_again(taught: tuple[Path, Taught], tmp_path: Path) -> None:
    out = tmp_path / "again.npz"
    data = tmp_path / "more.jsonl"
    data.write_text("".join(datasets.json_line(timetable(number)) for number in range(20, 26)))
    report = teach_from_sets([data], out, start=str(taught[0]))
    assert report.start == "mine.npz"
    assert report.before > taught[1].before + 0.1


def test_pages_that_are_right_already_leave_the_weights_as_they_are() -> None:
    pages = [
        replace(page, text=tamis.extract(page.html).text)
        for page in (timetable(number) for number in range(6))
    ]
    arrays, report = teach(pages)
    assert not report.better
    assert (report.gain, report.strength) == (0, 0)
    assert any("do not come out better" in warning for warning in report.warnings)
    stored = load(path_of_shipped("tamis"), method="tamis", spec=spec.VERSION).arrays
    assert len(arrays["forest.value"]) == len(stored["forest.value"])


def test_few_pages_of_one_site_are_no_proof_for_others() -> None:
    report = teach([timetable(number, sites=1) for number in range(5)])[1]
    assert not report.by_site
    assert any("5 pages are too few" in warning for warning in report.warnings)
    assert any("1 site" in warning for warning in report.warnings)


def test_the_learning_curve_ends_below_the_pages_there_are(taught: tuple[Path, Taught]) -> None:
    assert [point.pages for point in taught[1].curve] == [5]


def test_teaching_the_same_twice_gives_the_same(mine: Path, taught: tuple[Path, Taught]) -> None:
    again = mine.with_name("again.npz")
    assert teach_from_sets([mine], again) == taught[1]
    assert again.read_bytes() == taught[0].read_bytes()


def test_it_stops_when_asked_and_tells_how_far_it_is() -> None:
    shares: list[float] = []
    pages = [timetable(number) for number in range(6)]
    with pytest.raises(Stopped):
        teach(
            pages,
            progress=lambda share, text: shares.append(share),
            stop=lambda: len(shares) > 2,
        )
    assert shares == sorted(shares) and shares[-1] < 1


def test_pages_that_cannot_be_learned_from_are_named() -> None:
    page = timetable(1)
    examples = [
        replace(timetable(2), id="good"),
        replace(page, id="elsewhere", text="Quite different words stand in this gold text"),
        replace(page, id="blank", html=""),
        replace(page, id="bare", text=None),
        replace(page, id="titled", blocks=(BlockLabel(kind="title", xpath="/html"),)),
        replace(page, id="moved", blocks=(BlockLabel(kind="main", xpath="/html/body/main"),)),
    ]
    pages, warnings = align_pages(examples)
    assert [page.example.id for page in pages] == ["good"]
    assert warnings == [
        "elsewhere: left out, gold and page do not align: most of the gold is not on the page",
        "blank: left out, the page has no text",
        "moved: left out, most labels are about nothing on the page: it has changed",
        "bare, titled: left out, it has neither gold text nor labels that are on the page",
    ]
    with pytest.raises(DatasetError, match=r"two pages at least.*elsewhere: left out"):
        teach(examples)


def test_labels_of_blocks_are_learned_as_they_are() -> None:
    labels = (BlockLabel(kind="main", xpath="/html/body/aside"),)
    pages = [replace(timetable(number), text=None, blocks=labels) for number in range(6)]
    report = teach(pages)[1]
    assert report.better and report.gain > 0.2


def test_weights_that_are_not_there_are_said(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no weights at"):
        teach([timetable(1), timetable(2)], str(tmp_path / "none.npz"))


def test_comments_are_content_when_asked_for() -> None:
    page = Example(id="1", dataset="d", html="<p>One two.<p>Four five.", text="One two.")
    (with_comments,) = align_pages([replace(page, comments="Four five.")], comments=True)[0]
    assert with_comments.labels.tolist() == [1, 1]
    (without,) = align_pages([replace(page, comments="Four five.")])[0]
    assert without.labels.tolist() == [1, 0]


def test_a_site_with_most_of_the_pages_is_no_fold() -> None:
    pages = [timetable(number, sites=1) for number in range(5)]
    others = [replace(timetable(number), site=f"other{number}.example") for number in range(5, 7)]
    report = teach([*pages, *others])[1]
    assert (report.sites, report.by_site) == (3, False)
