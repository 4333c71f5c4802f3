"""The bench: results, the cache, resuming, and what goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tamis.bench import contestants
from tamis.bench.contestants import Limits
from tamis.bench.report import summarise_sets, summarise_types
from tamis.bench.run import Bench, find_cache
from tamis.errors import DatasetError, MethodError, OutputError

from .conftest import Fake

LIMITS = Limits(seconds=1.5)


def calls(folder: Path) -> int:
    """How often the counting contestant was asked; its warm-up is one of them."""
    path = folder / "calls"
    return len(path.read_text()) if path.exists() else 0


def test_every_contestant_meets_every_page(fake: Fake, small_set: Path) -> None:
    seen = []
    both = [contestants.make_contestant("baseline"), fake("everything")]
    results = Bench(workers=2).run(
        both, [small_set], progress=lambda done, total: seen.append((done, total))
    )
    assert [(result.contestant, result.gold.id) for result in results] == [
        (contestant, name) for name in "01234s" for contestant in both
    ]
    assert seen[0] == (0, 12) and seen[-1] == (12, 12)


def test_rows_are_means_over_the_pages_of_a_group(fake: Fake, small_set: Path) -> None:
    results = Bench(workers=1).run([fake("everything")], [small_set])
    (row,) = summarise_sets(results)
    assert (row.contestant, row.group, row.pages) == ("everything 1", "small", 6)
    # Each page has one word too much, "Home", beside its nine.
    assert row.precision == pytest.approx(9 / 10)
    assert row.recall == 1.0
    assert row.figure == row.f1 == row.measures["bag_of_words"] == pytest.approx(18 / 19)
    assert set(row.measures) == {"bag_of_words", "sequence", "shingles", "length"}
    assert row.snippets is not None and row.snippets.with_rate == 1.0
    assert [(kind.group, kind.pages) for kind in summarise_types(results)] == [
        ("product", 3),
        ("article", 2),
    ]
    assert json.loads(json.dumps(row.to_dict()))["snippet_f1"] == 1.0


def test_a_set_of_snippets_only_has_their_f1_as_its_figure(fake: Fake, tmp_path: Path) -> None:
    path = tmp_path / "snippets.jsonl"
    page = {"id": "1", "html": "<p>silk</p>", "with": ["silk", "mesh"], "without": ["ad"]}
    path.write_text(json.dumps(page))
    (row,) = summarise_sets(Bench(workers=1).run([fake("everything")], [path]))
    assert row.f1 is None
    assert row.figure == pytest.approx(2 / 3)


def test_failures_are_counted_by_their_kind(fake: Fake, tmp_path: Path) -> None:
    words = ["CRASH", "HANG", "RAISE", "RAISE", "sieve"]
    path = tmp_path / "bad.jsonl"
    rows = [{"id": str(i), "html": word, "text": word} for i, word in enumerate(words)]
    path.write_text("\n".join(map(json.dumps, rows)))
    (row,) = summarise_sets(Bench(workers=1, limits=LIMITS).run([fake("fragile")], [path]))
    assert row.misses == {"crashed (SIGABRT)": 1, "no answer in 1.5 s": 1, "ValueError": 2}
    assert row.f1 == pytest.approx(1 / 5)


def test_a_second_run_asks_nobody_and_reads_no_page(
    fake: Fake, small_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(workers=1, cache=tmp_path / "cache")
    counting = fake("counting", str(tmp_path))
    first = bench.run([counting], [small_set])
    assert calls(tmp_path) == 7
    monkeypatch.setattr("tamis.labels.datasets.read", None)
    assert bench.run([counting], [small_set]) == first
    assert calls(tmp_path) == 7


def test_a_changed_page_gold_or_version_is_run_again(
    fake: Fake, small_set: Path, tmp_path: Path
) -> None:
    bench = Bench(workers=1, cache=tmp_path / "cache")
    counting = fake("counting", str(tmp_path))
    bench.run([counting], [small_set])
    rows = [json.loads(line) for line in small_set.read_text().splitlines()]
    rows[0]["html"] += "<p>More"
    rows[1]["text"] += " More"
    small_set.write_text("\n".join(map(json.dumps, rows)))
    bench.run([counting], [small_set])
    assert calls(tmp_path) == 7 + 3
    bench.run([fake("counting", str(tmp_path), version="2")], [small_set])
    assert calls(tmp_path) == 7 + 3 + 7


def test_an_interrupted_run_goes_on_where_it_stopped(
    fake: Fake, small_set: Path, tmp_path: Path
) -> None:
    bench = Bench(workers=1, cache=tmp_path / "cache")
    counting = fake("counting", str(tmp_path))

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.run([counting], [small_set], progress=stop)
    (file,) = (tmp_path / "cache").glob("bench/*/*.jsonl")
    with file.open("a") as lines:
        lines.write('{"key": "cut o')  # as if the power had failed
    before = calls(tmp_path)
    assert len(bench.run([counting], [small_set])) == 6
    assert calls(tmp_path) == before + 1 + 4


def test_a_sample_is_kept_apart_from_the_whole_set(
    fake: Fake, small_set: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "cache"
    sampled = Bench(workers=1, sample=2, cache=folder).run([fake("everything")], [small_set])
    whole = Bench(workers=1, cache=folder).run([fake("everything")], [small_set])
    assert len(sampled) == 2
    assert len(whole) == 6
    assert {result.gold.id for result in sampled} < {result.gold.id for result in whole}


def test_pages_that_are_the_same_twice_have_two_results(fake: Fake, tmp_path: Path) -> None:
    row = json.dumps({"id": "1", "html": "<p>silk</p>", "text": "silk"})
    other = json.dumps({"id": "1", "html": "<p>mesh</p>", "text": "silk"})
    path = tmp_path / "twice.jsonl"
    path.write_text("\n".join([row, row, other]))
    results = Bench(workers=2).run([fake("everything")], [path])
    assert [result.outcome.text.strip() for result in results] == ["silk", "silk", "mesh"]


def test_a_broken_entry_ends_the_run_or_is_left_out(
    fake: Fake, small_set: Path, tmp_path: Path
) -> None:
    small_set.write_text(small_set.read_text() + "{\n")
    with pytest.raises(DatasetError, match="line 7"):
        Bench(workers=1).run([fake("everything")], [small_set])
    errors: list[DatasetError] = []
    bench = Bench(workers=1, keep_going=True, cache=tmp_path / "cache")
    for _ in range(2):  # the second time from the cache, and still reported
        assert len(bench.run([fake("everything")], [small_set], on_error=errors.append)) == 6
    assert len(errors) == 2


def test_a_contestant_that_cannot_be_loaded_ends_the_run(fake: Fake, small_set: Path) -> None:
    with pytest.raises(MethodError, match="cannot be loaded"):
        Bench(workers=2).run([fake("everything"), fake("broken")], [small_set])


def test_a_cache_that_cannot_be_made_is_an_error(
    fake: Fake, small_set: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="--cache"):
        Bench(cache=tmp_path / "file").run([fake("everything")], [small_set])


def test_results_of_old_versions_are_removed(fake: Fake, small_set: Path, tmp_path: Path) -> None:
    bench = Bench(workers=1, cache=tmp_path / "cache")
    bench.run([fake("everything")], [small_set])
    (old,) = (tmp_path / "cache").glob("bench/*/*.jsonl")
    os.utime(old, (time.time() - 40 * 24 * 3600,) * 2)
    bench.run([fake("everything", version="2")], [small_set])
    assert not old.exists()


def test_the_cache_is_where_the_system_keeps_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert find_cache() == Path("/somewhere/tamis")


def test_a_method_is_named_with_its_parameters() -> None:
    plain = contestants.make_contestant("boilerpipe")
    assert (plain.name, plain.ours) == ("boilerpipe", True)
    (parameter, value), *_ = _parameters_of("boilerpipe")
    chosen = contestants.make_contestant("boilerpipe", {parameter: value})
    assert chosen.name == f"boilerpipe {parameter}={value}"
    assert chosen.fingerprint != plain.fingerprint
    assert "sieve" in chosen.load()("<p>" + "A tamis is a fine sieve of silk. " * 30)
    with pytest.raises(MethodError):
        contestants.make_contestant("boilerpipe", {"sieve": 1})


def _parameters_of(name: str) -> list[tuple[str, object]]:
    from tamis.methods import _registry

    return list(_registry.defaults_of(_registry.get(name)).items())


def test_importing_tamis_loads_no_part_of_the_evaluation() -> None:
    code = "import sys, tamis; print([name for name in sys.modules if 'tamis.bench' in name])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_decisions_on_blocks_are_taken_of_contestants_that_know_no_blocks(
    fake: Fake, small_set: Path, tmp_path: Path
) -> None:
    bench = Bench(workers=1, measures=("bag_of_words", "blocks"), cache=tmp_path / "cache")
    for _ in ("made", "remembered"):
        (row,) = summarise_sets(bench.run([fake("everything")], [small_set]))
        # Of menu and paragraph both are kept, and the paragraph is content.
        assert row.blocks == pytest.approx((0.5, 1, 2 / 3, 0.5))
        assert row.measures["blocks"] == pytest.approx(2 / 3)
    (row,) = summarise_sets(Bench(workers=1).run([fake("everything")], [small_set]))
    assert row.blocks is None
