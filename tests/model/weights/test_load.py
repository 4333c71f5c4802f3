"""Weights on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.errors import OutputError, WeightsError
from tamis.model.weights.load import FORMS, Card, load, path_of_shipped, save

CARD = Card(
    method="sieve",
    spec=3,
    features=("words", "links"),
    training_sets={"ours": "CC0"},
    measures={"F": 0.9},
    date="2026-01-01",
    seed=7,
    tamis="0.1.0",
)
ARRAYS = {"coefficients": np.array([0.25, -1.5]), "tokens": np.array(["nav", "ปุ่ม"])}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "sieve-1.npz"
    save(target, ARRAYS, CARD)
    return target


def test_what_is_saved_is_what_is_loaded(path: Path) -> None:
    weights = load(path, method="sieve", spec=3)
    assert set(weights.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(weights.arrays[name], array)
    assert weights.card == CARD


def test_the_same_arrays_give_the_same_bytes(path: Path, tmp_path: Path) -> None:
    save(tmp_path / "other.npz", ARRAYS, CARD)
    assert (tmp_path / "other.npz").read_bytes() == path.read_bytes()


def test_loaded_arrays_cannot_be_changed(path: Path) -> None:
    weights = load(path, method="sieve", spec=3)
    with pytest.raises(ValueError, match="read-only"):
        weights.arrays["coefficients"][0] = 1
    with pytest.raises(TypeError):
        weights.arrays["more"] = np.zeros(1)  # type: ignore[index]


def test_weights_that_were_replaced_are_read_again(path: Path) -> None:
    load(path, method="sieve", spec=3)
    save(path, {"coefficients": np.arange(5.0)}, CARD)
    assert len(load(path, method="sieve", spec=3).arrays["coefficients"]) == 5


def test_weights_of_another_method_are_refused(path: Path) -> None:
    with pytest.raises(WeightsError, match="weights of method 'sieve', not of 'colander'"):
        load(path, method="colander", spec=3)


def test_weights_for_other_features_are_refused(path: Path) -> None:
    with pytest.raises(WeightsError, match=r"version 3 of the features.*this is version 4"):
        load(path, method="sieve", spec=4)


@pytest.mark.parametrize("damage", ["truncated", "changed", "empty"])
def test_a_damaged_file_is_refused(path: Path, damage: str) -> None:
    content = path.read_bytes()
    damaged = {
        "truncated": content[: len(content) // 2],
        "changed": content[:-30] + b"?" + content[-29:],
        "empty": b"",
    }
    path.write_bytes(damaged[damage])
    with pytest.raises(WeightsError, match=r"damaged.*checksums differ"):
        load(path, method="sieve", spec=3)


def edited(path: Path, **changes: object) -> None:
    card = json.loads(path.with_suffix(".json").read_text("utf-8"))
    path.with_suffix(".json").write_text(json.dumps(card | changes), encoding="utf-8")


def test_a_foreign_file_is_refused_even_with_a_fitting_checksum(path: Path) -> None:
    import hashlib

    path.write_bytes(b"no zip at all")
    edited(path, sha256=hashlib.sha256(b"no zip at all").hexdigest())
    with pytest.raises(WeightsError, match=r"not an .npz of plain arrays"):
        load(path, method="sieve", spec=3)


def test_objects_are_never_unpickled(path: Path) -> None:
    import hashlib

    with path.open("wb") as file:
        np.savez(file, coefficients=np.array([{"an": "object"}], dtype=object))
    edited(path, sha256=hashlib.sha256(path.read_bytes()).hexdigest())
    with pytest.raises(WeightsError, match=r"not an .npz of plain arrays"):
        load(path, method="sieve", spec=3)


def test_a_card_of_another_format_is_refused(path: Path) -> None:
    edited(path, format=99)
    with pytest.raises(WeightsError, match="format 99"):
        load(path, method="sieve", spec=3)


@pytest.mark.parametrize("card", ["", "{", "[]", "{}", '"x"'])
def test_a_card_that_is_none_is_refused(path: Path, card: str) -> None:
    path.with_suffix(".json").write_text(card, encoding="utf-8")
    with pytest.raises(WeightsError, match="card"):
        load(path, method="sieve", spec=3)


def test_a_damaged_list_of_features_is_refused(path: Path) -> None:
    edited(path, features=5)
    with pytest.raises(WeightsError, match=r"card of .* is damaged"):
        load(path, method="sieve", spec=3)


def test_a_missing_card_is_named(path: Path) -> None:
    path.with_suffix(".json").unlink()
    with pytest.raises(WeightsError, match=r"sieve-1.json cannot be read"):
        load(path, method="sieve", spec=3)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"no weights at .*nowhere.npz"):
        load(tmp_path / "nowhere.npz", method="sieve", spec=3)


def test_a_name_that_does_not_end_in_npz_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"ends in .npz"):
        save(tmp_path / "weights.bin", ARRAYS, CARD)
    with pytest.raises(WeightsError, match=r"ends in .npz"):
        load(tmp_path / "weights.bin", method="sieve", spec=3)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        save(tmp_path / "no" / "weights.npz", ARRAYS, CARD)


# Malformed files


@pytest.mark.parametrize(
    "changes",
    [
        {"spec": True},
        {"spec": 3.0},
        {"format": [[1]]},
        {"method": {"a": 1}},
        {"sha256": None},
        {"features": "words"},
        {"features": [1]},
        {"training_sets": [["ours", "CC0"]]},
        {"training_sets": {"ours": 1}},
        {"measures": {"F": "high"}},
        {"measures": 5},
        {"date": 2026},
        {"seed": 1e300},
        {"seed": 10**400},
        {"tamis": None},
        {"taught": []},
    ],
    ids=str,
)
def test_a_card_with_a_value_of_another_kind_is_refused(
    path: Path, changes: dict[str, object]
) -> None:
    edited(path, **changes)
    with pytest.raises(WeightsError, match=r"card|method|version|checksums"):
        load(path, method="sieve", spec=3)


@pytest.mark.parametrize("more", [b'"x": ' + b"[" * 100_000, b'"seed": 1', b'"x": "\xff"'])
def test_a_card_that_is_deep_or_double_or_no_utf_8_is_refused(path: Path, more: bytes) -> None:
    card = path.with_suffix(".json")
    card.write_bytes(card.read_bytes().rstrip()[:-1] + b"," + more + b"}")
    with pytest.raises(WeightsError, match=r"card .* is damaged"):
        load(path, method="sieve", spec=3)


def test_a_card_of_many_megabytes_is_not_read(path: Path) -> None:
    path.with_suffix(".json").write_bytes(b" " * (9 << 20))
    with pytest.raises(WeightsError, match="more than 8 MiB"):
        load(path, method="sieve", spec=3)


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.npz").mkdir()
    for strange in (tmp_path / "folder.npz", "a\0.npz", 5):
        with pytest.raises(WeightsError, match=r"no file|no weights|path of a file"):
            load(strange, method="sieve", spec=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", sorted(FORMS))
def test_an_array_that_the_method_does_not_know_is_refused(method: str, tmp_path: Path) -> None:
    own = load(path_of_shipped(method), method=method, spec=json_of(method)["spec"])
    save(tmp_path / "more.npz", {**own.arrays, "more": np.zeros(1)}, own.card)
    with pytest.raises(WeightsError, match="arrays that nothing reads: 'more'"):
        load(tmp_path / "more.npz", method=method, spec=own.card.spec)


def json_of(name: str) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(
        Path(path_of_shipped(name)).with_suffix(".json").read_text("utf-8")
    )
    return card


ALLOWED = {"wcxb-dev", "news2023", "scrapinghub", "readability", "trafilatura-eval"}


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("dragnet", "dragnet"),
        ("dragnet_paper", "dragnet"),
        ("text_block_context", "text_block_context"),
        ("text_block_context_all", "text_block_context"),
    ],
)
def test_shipped_weights_are_trained_on_what_allows_it(name: str, method: str) -> None:
    card = load(path_of_shipped(name), method=method, spec=1).card
    assert set(card.training_sets) <= ALLOWED
    assert card.features and card.measures and card.date and card.tamis
