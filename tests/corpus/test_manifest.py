"""What an output folder knows of its run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.corpus.files import Folder
from tamis.corpus.manifest import Plan, RecordCounts, Run, Task, write
from tamis.corpus.records import Columns, Settings, Shard
from tamis.errors import InputError, OutputError
from tamis.options import Options

SHARDS = (
    Shard(0, "warc", "/crawl/a.warc.gz", 0, 4000, size=4000),
    Shard(1, "html", "/crawl/b", files=("1.html", "grüße/\udcff\u2028.html"), size=9),
)
COUNTS = RecordCounts(5, 1000, 3, Counter({"short": 1, "language": 1}))


def begun(folder: Path, inputs: tuple[str, ...] = ("a", "b"), **settings: object) -> Run:
    made = Settings(**settings)  # type: ignore[arg-type]
    return Run.begin(Folder(str(folder)), inputs, made, lambda: (SHARDS, ()))


def test_a_run_that_was_begun_can_be_opened(tmp_path: Path) -> None:
    run = begun(
        tmp_path / "new" / "run",
        options=Options(focus="recall", parameters={"weights": "a"}),
        columns=Columns(html="body"),
        languages=("en", "de"),
    )
    again = Run.open(Folder(str(tmp_path / "new" / "run")))
    assert again == run
    assert again.shards == SHARDS


def test_what_is_there_is_gone_on_with_and_not_planned_again(tmp_path: Path) -> None:
    first = begun(tmp_path)

    def unexpected() -> Plan:
        raise AssertionError("planned again")

    again = Run.begin(Folder(str(tmp_path)), ("a", "b"), Settings(), unexpected)
    assert again == first


def test_a_plan_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    def failing() -> Plan:
        raise InputError("no input")

    with pytest.raises(InputError, match="no input"):
        Run.begin(Folder(str(tmp_path / "run")), ("a",), Settings(), failing)
    assert not (tmp_path / "run").exists()


def test_nothing_can_be_opened_where_no_run_was_begun(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run was begun there"):
        Run.open(Folder(str(tmp_path)))
    begun(tmp_path)
    (tmp_path / "plan.jsonl").unlink()
    with pytest.raises(InputError, match="no run was begun there"):
        Run.open(Folder(str(tmp_path)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "jsonl"}, "format 'parquet' there, 'jsonl' here"),
        ({"min_words": 50}, "min_words 1 there, 50 here"),
        ({"languages": ("en",)}, r"languages \[\] there, \['en'\] here"),
        ({"columns": Columns(html="body")}, "columns.html '' there, 'body' here"),
        ({"options": Options(max_seconds=10)}, "max_bytes 16777216 there, 67108864 here"),
        ({"options": Options(method="cetd")}, "method 'tamis' there, 'cetd' here"),
        ({"inputs": ("c",)}, "inputs a, b there, to add others give one of these as well"),
        ({"describe": False, "rejects": True}, "describe True .*; rejects False there"),
    ],
)
def test_another_run_in_the_same_folder_is_refused_and_says_what_differs(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    begun(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(InputError, match=message) as error:
        begun(tmp_path, **changes)  # type: ignore[arg-type]
    assert "choose another --output" in str(error.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_parameter_of_the_method_that_differs_is_named(tmp_path: Path) -> None:
    begun(tmp_path, options=Options(parameters={"weights": "a"}))
    with pytest.raises(InputError, match=r"parameters\.weights 'a' there, 'b' here"):
        begun(tmp_path, options=Options(parameters={"weights": "b"}))


def test_a_run_of_a_version_with_other_columns_is_refused(tmp_path: Path) -> None:
    begun(tmp_path)
    stored = json.loads((tmp_path / "run.json").read_bytes())
    (tmp_path / "run.json").write_text(json.dumps(stored | {"tamis": "0.1.9"}))
    with pytest.raises(InputError, match=r"tamis '0\.1\.9' there"):
        begun(tmp_path)


def test_a_setting_that_the_folder_does_not_know_yet_has_its_default(tmp_path: Path) -> None:
    run = begun(tmp_path)
    stored = json.loads((tmp_path / "run.json").read_bytes())
    del stored["settings"]["languages"], stored["settings"]["options"]["links"]
    (tmp_path / "run.json").write_text(json.dumps(stored))
    assert begun(tmp_path) == run
    with pytest.raises(InputError, match=r"languages \[\] there, \['en'\] here"):
        begun(tmp_path, languages=("en",))


def test_some_inputs_in_any_order_are_those_of_the_run(tmp_path: Path) -> None:
    run = begun(tmp_path)
    assert begun(tmp_path, ("b", "c", "a")) == begun(tmp_path, ("b",)) == run


def test_a_plan_that_grew_can_be_opened_and_voids_the_receipts_of_its_new_shards(
    tmp_path: Path,
) -> None:
    run = begun(tmp_path)
    task = Task("extract", 1)
    run.finish(task, COUNTS)
    again = replace(SHARDS[1], round=1)
    grown = run.grow([SHARDS[0], again, replace(again, number=2)], [], ["a", "c"])
    assert Run.open(run.folder) == grown
    assert (grown.rounds, grown.round, grown.inputs) == ((2, 3), 1, ("a", "b", "c"))
    assert run.find_counts(task) == COUNTS
    assert grown.find_counts(task, 1) is None
    grown.finish(task, COUNTS, basis=1)
    assert grown.find_counts(task, 1) == COUNTS


@pytest.mark.parametrize("name", ["run.json", "plan.jsonl"])
@pytest.mark.parametrize("content", [b'{"tamis": "0.', b"\xff\xfe\0", b""])
def test_a_damaged_folder_is_one_clear_error(tmp_path: Path, name: str, content: bytes) -> None:
    begun(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        begun(tmp_path)
    assert "damaged" in str(error.value) or "no run was begun" in str(error.value)
    assert str(tmp_path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_task_is_done_when_its_receipt_is_there(tmp_path: Path) -> None:
    run = begun(tmp_path)
    task = Task("extract", 7)
    assert run.find_counts(task) is None
    file = write(run.folder, "part-00007.jsonl", b"rows")
    run.finish(task, COUNTS, [file])
    assert run.find_counts(task) == COUNTS
    assert run.find_counts(Task("learn", 7)) is None
    receipt = json.loads((tmp_path / "marks" / "extract-00007.json").read_bytes())
    assert receipt["files"] == [["part-00007.jsonl", 4, file.digest]]
    assert receipt["refused"] == {"language": 1, "short": 1}


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"row")])
def test_a_receipt_whose_file_is_gone_or_has_another_size_is_not_done(
    tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    run = begun(tmp_path)
    task = Task("extract", 0)
    run.finish(task, COUNTS, [write(run.folder, "part", b"rows"), write(run.folder, "b", b"")])
    harm(tmp_path / "part")
    assert run.find_counts(task) is None
    assert run.find_counts(task, with_files=False) == COUNTS


def test_counts_add_up_and_can_be_stored() -> None:
    total = COUNTS + RecordCounts(2, 10, 1, Counter({"short": 1}))
    assert total == RecordCounts(7, 1010, 4, Counter({"short": 2, "language": 1}))
    assert COUNTS.records == 5
    assert RecordCounts.from_dict(json.loads(json.dumps(total.to_dict()))) == total


def test_a_file_in_the_way_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="choose another output folder"):
        begun(tmp_path / "file")
