"""Runs in two passes: what the pages of each site have in common is learned first."""

from __future__ import annotations

import io
import json
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.corpus.crawls import in_this_process, write_warc
from tests.site.pages import PROMOTION, article

import tamis
from tamis.corpus.engines.local import do_tasks_here
from tamis.corpus.files import Folder
from tamis.corpus.planning import begin_run
from tamis.corpus.records import Record, Reject, Settings
from tamis.corpus.run import Engine, Progress, execute
from tamis.corpus.steps import site_models as sites
from tamis.many import InputPage
from tamis.options import Options
from tamis.site.counts import Reading

FILES, PAGES = 3, 4


def record(url: str | None, html: str) -> Record:
    return Record("page", url, html.encode(), None, None)


# Whole runs


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of each of two papers some pages in each of three shards; one page of a third."""
    pytest.importorskip("fastwarc")
    folder = tmp_path_factory.mktemp("crawl")
    for file in range(FILES):
        pages = [
            (f"https://www.{host}.example/{file}/{page}", article(file * PAGES + page + 100 * at))
            for page in range(PAGES)
            for at, host in enumerate(("harbour", "cape"))
        ]
        if file == 1:
            pages.append(("https://lonely.example/", article(999)))
        write_warc(folder / f"{file}.warc.gz", pages)
    return folder


@pytest.fixture(scope="module")
def outputs(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The output of one worker and of two."""
    engines: dict[int, Engine] = {1: in_this_process, 2: partial(do_tasks_here, workers=2)}
    return {
        workers: done(crawl, tmp_path_factory.mktemp("out"), engine)
        for workers, engine in engines.items()
    }


def done(crawl: Path, output: Path, engine: Engine) -> Path:
    settings = Settings(format="jsonl", describe=False, site_models=True)
    run = begin_run([str(crawl)], Folder(str(output)), settings)
    steps: dict[str, None] = {}

    def report(progress: Progress) -> None:
        steps[progress.step] = None

    summary = execute(run, engine, report)
    assert list(steps) == ["learn", "unite", "extract"]
    assert (summary.complete, summary.counts.kept) == (True, 2 * FILES * PAGES + 1)
    return output


def rows(output: Path) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for path in sorted(output.glob("part-*.jsonl"))
        for line in path.read_bytes().splitlines()
    ]


def test_pages_are_extracted_by_the_model_of_their_site(outputs: dict[int, Path]) -> None:
    pages = {str(row["url"]).split("/")[2]: row["site_pages"] for row in reversed(rows(outputs[1]))}
    assert pages == {
        "www.harbour.example": FILES * PAGES,
        "www.cape.example": FILES * PAGES,
        "lonely.example": 0,
    }


def test_the_rows_are_those_of_a_model_of_all_pages_of_the_site(outputs: dict[int, Path]) -> None:
    texts = {str(row["url"]): row["text"] for row in rows(outputs[1])}
    pages = {
        f"https://www.harbour.example/{file}/{page}": article(file * PAGES + page)
        for file in range(FILES)
        for page in range(PAGES)
    }
    site = tamis.Site().fit((html, url) for url, html in pages.items())
    assert {url: texts[url] for url in pages} == {
        url: site.extract(html, url=url).text for url, html in pages.items()
    }
    assert PROMOTION in str(texts["https://lonely.example/"])
    assert sum(PROMOTION in str(texts[url]) for url in pages) < len(pages) / 2


def test_one_worker_and_two_give_the_same_models_and_rows(outputs: dict[int, Path]) -> None:
    first, second = (
        {
            str(path.relative_to(output)): path.read_bytes()
            for path in output.rglob("*")
            if path.is_file() and path.name != "summary.json"
        }
        for output in outputs.values()
    )
    assert first == second
    assert sum(name.startswith("sites/") for name in first) == FILES
    assert sum(name.startswith("readings/") for name in first) == FILES


def test_the_models_of_a_run_are_kept_one_a_site(outputs: dict[int, Path]) -> None:
    hosts: list[str] = []
    for path in outputs[1].glob("sites/*.zip"):
        hosts += zipfile.ZipFile(path).namelist()
    assert sorted(hosts) == ["cape.example", "harbour.example"]


# The two halves


def test_readings_come_back_by_the_part_of_their_site() -> None:
    read = sites.make_reader(Settings())
    given = [
        (f"https://{host}.example/{number}", article(number))
        for number in range(3)
        for host in ("a", "b", "c")
    ]
    read_pages = read([record(url, html) for url, html in given])
    pages = [answer for answer in read_pages if not isinstance(answer, Reject)]
    assert len(pages) == 9
    packed = sites.pack(pages, 2)
    assert packed == sites.pack(pages, 2)
    back = [
        reading
        for part in range(2)
        for reading in sites.unpack(io.BytesIO(packed), part, 2, Reading)
    ]
    assert sorted(host for host, _ in back) == sorted(f"{host}.example" for host in "aaabbbccc")
    first = next(reading for host, reading in back if host == "a.example")
    for column in first.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(first, column), getattr(pages[0][1], column))


def test_a_shard_without_pages_packs_to_nothing_that_can_be_read() -> None:
    assert list(sites.unpack(io.BytesIO(sites.pack([], 4)), 0, 4, Reading)) == []


def test_damaged_readings_are_an_error_of_tamis() -> None:
    reading = sites.make_reader(Settings(site_models=True))
    learned = reading([record("https://a.example/", article(1))])
    assert not isinstance(learned[0], Reject)
    with np.load(io.BytesIO(sites.pack([learned[0]], 1))) as file:
        arrays = {name: file[name] for name in file.files}
    for name, array in {
        "0.text": arrays["0.text"][1:],
        "0.words": arrays["0.words"] * np.nan,
        "0.hosts": np.array(["a", "b"]),
        "0.odds.lengths": np.array([-1]),
        "parts": np.array([1, 2]),
        "0.place": np.array(["x"]),
    }.items():
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **{**arrays, name: array})
        with pytest.raises(tamis.WeightsError):
            list(sites.unpack(buffer, 0, 1, Reading))


def test_a_damaged_archive_of_models_is_an_error_of_tamis(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / sites.archive_name(0, 0)).write_bytes(b"no zip")
    models = sites.Models(Folder(str(tmp_path)), 1, Options())
    source = InputPage(article(1).encode(), "https://a.example/", None)
    (answer,) = models.extract([source])
    assert isinstance(answer, tamis.WeightsError)


def test_a_page_that_tells_no_site_or_has_no_text_is_not_learned() -> None:
    no_host, no_text, declared, unreadable = sites.make_reader(
        Settings(options=Options(max_depth=50))
    )(
        [
            record(None, article(1)),
            record("https://a.example/", "<script>1</script>"),
            record(None, f'<link rel=canonical href="https://www.b.example/1">{article(1)}'),
            record("https://a.example/", "<div>" * 99 + "deep"),
        ]
    )
    assert isinstance(no_host, Reject) and no_host.reason == "no host"
    assert isinstance(no_text, Reject) and no_text.reason == "no text"
    assert isinstance(unreadable, Reject) and unreadable.reason == "unreadable"
    assert isinstance(declared, tuple) and declared[0] == "b.example"


def test_no_more_than_so_many_pages_of_a_site_are_learned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sites, "MOST_PAGES", 5)
    read = sites.make_reader(Settings())
    shards = []
    for shard in range(3):
        urls = [f"https://a.example/{shard}/{number}" for number in range(3)]
        pages = read([record(url, article(10 * shard + at)) for at, url in enumerate(urls)])
        learned = (answer for answer in pages if not isinstance(answer, Reject))
        shards.append((io.BytesIO(sites.pack(learned, 1)), True))
    [(host, packed)] = sites.learn_models(shards, 0, 1, Options())
    assert host == "a.example"
    from tamis.site.model import Site

    assert Site.unpack(packed, host).pages == 5


def test_the_parts_depend_on_the_shards_alone() -> None:
    assert sites.count_parts(1) == 1
    assert sites.count_parts(50) == 50
    assert sites.count_parts(100_000) == sites.count_parts(200_000) < 100_000
    assert {sites.part_of(f"{number}.example", 4) for number in range(100)} == {0, 1, 2, 3}
