"""The gate: floors hold, rise, and do not fall in silence."""

from __future__ import annotations

import json
from pathlib import Path

import gate
import pytest

import tamis
from tamis.bench import protocols
from tamis.errors import InputError
from tamis.labels import datasets

FLOORS = Path(__file__).parents[2] / "benchmarks" / "floors.json"

CONFORMANCE = """{
 "conformance": {
  "tokenizer": {"share": 1.0},
  "pages": {"identical": 0.998, "same_words": 0.99998}
 }
}
"""


@pytest.fixture
def shared(tmp_path: Path, site_set: Path) -> Path:
    (tmp_path / "datasets").mkdir()
    site_set.rename(tmp_path / "datasets" / "small.jsonl")
    return tmp_path


@pytest.fixture
def floors(tmp_path: Path) -> Path:
    path = tmp_path / "floors.json"
    path.write_text(CONFORMANCE)
    return path


def run(shared: Path, floors: Path, *more: str) -> int:
    chosen = ["--shared", str(shared), "--floors", str(floors), "--workers", "1"]
    return gate.main([*chosen, "--methods", "boilerpipe", *more])


def set_floor(floors: Path, value: float) -> None:
    content = json.loads(floors.read_text())
    content["methods"]["boilerpipe"]["small"] = value
    floors.write_text(gate.layout(content))


def floor(floors: Path) -> float:
    return float(json.loads(floors.read_text())["methods"]["boilerpipe"]["small"])


def test_a_new_method_is_reported_and_added(
    shared: Path, floors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shared, floors) == 1
    assert "no floor: boilerpipe on small" in capsys.readouterr().out
    assert floors.read_text() == CONFORMANCE
    assert run(shared, floors, "--update") == 0
    assert run(shared, floors) == 0
    assert floors.read_text().startswith(CONFORMANCE[:-4])
    assert 0 < floor(floors) <= 1


def test_a_floor_is_raised_and_never_lowered_in_silence(
    shared: Path,
    floors: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = 0.8123
    figures = {"baseline": {"small": 0.5}, "boilerpipe": {"small": measured}}
    monkeypatch.setattr(gate, "measure", lambda *_: figures)
    run(shared, floors, "--update")
    assert floor(floors) == measured
    set_floor(floors, measured - 0.1)
    assert run(shared, floors) == 0
    assert run(shared, floors, "--update") == 0
    assert floor(floors) == measured
    set_floor(floors, measured + 0.0001)
    capsys.readouterr()
    assert run(shared, floors) == 1
    assert "below the floor: boilerpipe on small" in capsys.readouterr().out
    before = floors.read_text()
    assert run(shared, floors, "--update") == 2
    assert "--lower --reason" in capsys.readouterr().err
    assert floors.read_text() == before
    assert run(shared, floors, "--update", "--lower", "--reason", "the gold was wrong") == 0
    (entry,) = json.loads(floors.read_text())["lowered"]
    assert (entry["method"], entry["set"], entry["to"]) == ("boilerpipe", "small", measured)
    assert entry["reason"] == "the gold was wrong"
    assert run(shared, floors) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["--lower"],
        ["--update", "--lower"],
        ["--lower", "--reason", "x"],
        ["--reason", "x"],
        ["--update", "--lower", "--reason", " "],
    ],
)
def test_lowering_needs_update_and_a_reason(
    shared: Path, floors: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(shared, floors, *wrong)


def test_a_floor_without_a_figure_fails_until_there_is_a_reason() -> None:
    old = {"methods": {"gone": {"small": 0.5}, "kept": {"small": 0.5}}, "lowered": [{"date": "x"}]}
    figures = {"kept": {"small": 0.6}}
    verdict = gate.compare(figures, old["methods"])  # type: ignore[arg-type]
    assert verdict.gone == [("gone", "small")]
    with pytest.raises(InputError, match="1 floors would be lowered or lost"):
        gate.update_floors(old, figures, verdict)
    new = gate.update_floors(old, figures, verdict, "retired")
    assert new["methods"] == {"kept": {"small": 0.6}}
    assert [entry.get("method") for entry in new["lowered"]] == [None, "gone"]
    assert old["methods"]["gone"] == {"small": 0.5}  # type: ignore[call-overload]


def test_a_floor_that_keeping_everything_reaches_guards_nothing() -> None:
    everything = {"small": 0.6}
    figures = {"baseline": everything, "cut": {"small": 0.9}, "idle": {"small": 0.604}}
    verdict = gate.compare(figures, {})
    assert ("cut", "small") in verdict.new
    assert ("idle", "small") not in verdict.new
    new = gate.update_floors({}, figures, verdict)
    assert new == {"everything": everything, "methods": {"cut": {"small": 0.9}}}
    old = {"everything": everything, "methods": {"idle": {"small": 0.604}}}
    verdict = gate.compare(figures, gate.floors_of(old))
    assert verdict.idle == {("idle", "small"): 0.604}
    assert gate.update_floors(old, figures, verdict)["methods"] == {"cut": {"small": 0.9}}


def test_every_floor_of_ours_is_above_what_keeping_everything_gives() -> None:
    content = gate.read_floors(FLOORS)
    verdict = gate.compare({}, gate.floors_of(content))
    assert content["methods"]
    assert not verdict.idle


def test_every_method_that_is_fitted_has_floors_on_sites() -> None:
    floors = gate.read_floors(FLOORS)["methods"]
    for name in [*tamis.list_methods(), protocols.SITE_MODEL]:
        if protocols.is_fitted_to_sites(name):
            assert set(floors[f"{name} (half)"]) == {f"{each}, sites" for each in gate.SITE_SETS}


def test_methods_are_fitted_to_the_sites_of_a_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site_set: Path
) -> None:
    monkeypatch.setattr(gate, "SITE_SETS", (datasets.name_of(site_set),))
    figures = gate.measure([site_set], ["tamis", "content_extractor"], 1)
    assert list(figures["content_extractor (half)"]) == ["mill, sites"]
    assert figures["content_extractor (half)"]["mill, sites"] > 0.99
    assert set(figures["tamis"]) == set(figures["baseline"]) == {"mill", "mill, sites"}
    assert figures["baseline"]["mill, sites"] < 0.9


def test_an_unchanged_figure_is_never_below_its_floor() -> None:
    for value in (0.1 + 0.2, 1 / 3, 2 / 3, 0.99999, 1.0, 0.0):
        rounded = gate._rounded_down(value)
        assert rounded <= value < rounded + 0.0001
        assert not gate.compare({"m": {"s": rounded}}, {"m": {"s": rounded}}).below


def test_the_other_parts_of_the_file_keep_their_form() -> None:
    assert gate.layout(json.loads(CONFORMANCE)) == CONFORMANCE


def test_what_is_wrong_is_said(
    shared: Path, floors: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "none", floors) == 2
    assert "check --data" in capsys.readouterr().err
    floors.write_text("{")
    assert run(shared, floors) == 2
    assert "cannot be read as JSON" in capsys.readouterr().err


def test_the_sample_is_fixed(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "SAMPLE", 3)
    path = shared / "datasets" / "small.jsonl"
    first = gate.measure([path], ["baseline"], 1)
    assert gate.measure([path], ["baseline"], 1) == first
    assert list(first) == ["baseline"] and "baseline" in tamis.list_methods()
