"""A site model, on small newspapers that do not exist."""

from __future__ import annotations

import contextlib
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError, OptionsError, OutputError, WeightsError
from tamis.methods._registry import site_methods
from tamis.site import stored
from tamis.site.model import Site
from tests.site.pages import PROMOTION, article, front


def site_of(count: int, language: str = "en") -> Site:
    return Site().fit(article(number, language) for number in range(count))


def same(left: tamis.Result, right: tamis.Result) -> bool:
    return np.array_equal(left.scores, right.scores) and np.array_equal(left.kept, right.kept)


# No harm


@pytest.mark.parametrize("page", [article(1), article(2, "ru"), front(), "", "<p>One line."])
def test_a_model_of_no_pages_gives_what_a_page_alone_gives_bit_for_bit(page: str) -> None:
    assert same(Site().extract(page), tamis.extract(page))


@pytest.mark.parametrize("page", [article(1), article(2, "ru"), front()])
def test_a_model_of_the_page_itself_gives_what_the_page_alone_gives(page: str) -> None:
    assert same(Site().fit([page]).extract(page), tamis.extract(page))


def test_a_page_of_another_template_comes_out_as_alone() -> None:
    assert same(site_of(6).extract(front()), tamis.extract(front()))


def test_a_learned_page_is_scored_as_if_it_had_not_been() -> None:
    with_it = site_of(6)
    without = Site().fit(article(number) for number in range(5))
    scores = [site.extract(article(5)).scores for site in (with_it, without)]
    assert np.allclose(*scores, atol=0.02)


# Better


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_what_every_page_repeats_becomes_less_probable_and_the_article_stays(language: str) -> None:
    page = article(99, language)
    alone, joint = tamis.extract(page), site_of(8, language).extract(page)
    promotion = [block.text == PROMOTION for block in alone.blocks].index(True)
    assert joint.scores[promotion] < alone.scores[promotion]
    story = [block for block in joint.blocks if block.text.count(" ") > 30]
    assert story
    assert all(block.kept for block in story)


def test_a_front_page_does_not_spoil_the_articles() -> None:
    mixed = Site().fit([front(), *(article(number) for number in range(6)), front(1)])
    assert mixed.template_count == 2
    assert same(mixed.extract(article(50)), site_of(6).extract(article(50)))


# Learning


def test_pages_may_be_text_bytes_or_tables_with_their_address_or_without() -> None:
    pages = [article(0), article(1).encode(), tamis.parse(article(2)), (article(3), "https://a/3")]
    assert Site().fit(pages).pages == 4


def test_a_page_learned_twice_counts_once() -> None:
    site = site_of(3)
    assert site.fit([article(1)]).pages == 3


def test_pages_that_cannot_be_read_or_are_empty_are_skipped_and_counted() -> None:
    pages = [article(0), "x" * 30_000, "", article(1)]
    site = Site().fit(pages, max_bytes=20_000)
    assert (site.pages, site.skipped) == (2, 2)


def test_confidence_rises_with_the_pages() -> None:
    sure = [site_of(count).confidence for count in (0, 1, 3, 8)]
    assert sure[0] == 0
    assert sure == sorted(set(sure))
    assert sure[-1] < 1


def test_a_method_that_learns_nothing_from_a_site_is_refused() -> None:
    with pytest.raises(MethodError, match="boilerpipe scores each page by itself"):
        Site().fit([article(0)], method="boilerpipe")
    with pytest.raises(OptionsError, match="its own method"):
        site_of(2).extract(article(0), method="x_cex")


def test_what_was_fitted_with_one_method_is_not_fitted_on_with_another() -> None:
    with pytest.raises(MethodError, match="was fitted with method tamis"):
        site_of(2).fit([article(5)], method="x_cex")
    site = Site().fit([article(0), article(1)], method="x_cex")
    with pytest.raises(MethodError, match="all pages at once"):
        site.fit([article(2)])


def test_fitting_gives_another_site_and_leaves_the_first_as_it_was() -> None:
    site = site_of(3)
    assert site.fit([article(7)]).pages == 4
    assert site.pages == 3


@pytest.mark.parametrize("method", ["tamis", *site_methods()])
def test_a_site_of_any_method_is_a_method_like_any_other(method: str, tmp_path: Path) -> None:
    site = Site().fit(map(article, range(6)), method=method)
    page = article(9)
    by_site = site.extract(page, url="https://a.example/")
    assert (by_site.method, by_site.site_pages) == (method, 6)
    assert same(tamis.extract(page, method=site), by_site)
    (many,) = tamis.extract_many([page], options=tamis.Options(method=site))
    assert isinstance(many, tamis.Result)
    assert same(many, by_site)
    assert same(pickle.loads(pickle.dumps(site)).extract(page), by_site)
    site.save(tmp_path / "post.npz")
    assert same(Site.load(tmp_path / "post.npz").extract(page), by_site)
    assert hash(tamis.Options(method=site)) == hash(tamis.Options(method=site))
    assert all(block.reason for block in by_site.blocks)


def test_the_template_lists_what_is_repeated_with_its_frequency_and_an_example() -> None:
    site = Site().fit((article(number), f"https://example.org/{number}") for number in range(5))
    blocks = {block.text: block for block in site.template_blocks}
    assert blocks[PROMOTION].pages == 5
    assert blocks[PROMOTION].share == 1
    assert (blocks[PROMOTION].example or "").startswith("https://example.org/")
    assert any("All rights reserved" in text for text in blocks)
    assert not any(len(text) > 160 for text in blocks)


def test_the_template_lists_the_most_frequent_first_and_of_equals_the_longest() -> None:
    without = article(5).replace(PROMOTION, "")
    site = Site().fit([*map(article, range(5)), without, front(), front(1)])
    assert len({block.template for block in site.template_blocks}) == 2
    order = [(-block.share, -len(block.text)) for block in site.template_blocks]
    assert order == sorted(order)
    assert len({share for share, _ in order}) > 1


def test_the_model_does_not_grow_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.site.counts.MOST_PATTERNS", 100)
    monkeypatch.setattr("tamis.site.model._SAMPLES", 12)
    site = site_of(40)
    assert len(site.method.learned.patterns.keys) <= 100
    assert len(site.samples) <= 12
    assert "We use cookies." in {block.text for block in site.template_blocks}


def test_threads_may_extract_while_another_learns() -> None:
    site, texts = site_of(3), []

    def extract() -> None:
        texts.extend(site.extract(article(100 + number)).text for number in range(10))

    threads = [threading.Thread(target=extract) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert site.fit(article(number) for number in range(3, 12)).pages == 12
    for thread in threads:
        thread.join()
    assert len(texts) == 30
    assert all(texts)


# On disk


def test_a_saved_model_comes_back_the_same_and_can_go_on(tmp_path: Path) -> None:
    site = site_of(4)
    site.save(tmp_path / "post.npz")
    again = Site.load(tmp_path / "post.npz")
    assert same(again.extract(article(50)), site.extract(article(50)))
    assert again.template_blocks == site.template_blocks
    more = [article(4)]
    assert same(again.fit(more).extract(article(50)), site.fit(more).extract(article(50)))
    assert again.fit([article(2)]).pages == 4


def test_nothing_is_left_beside_a_model_and_an_old_one_is_replaced(tmp_path: Path) -> None:
    for count in (2, 3):
        site_of(count).save(tmp_path / "post.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["post.npz"]
    assert Site.load(tmp_path / "post.npz").pages == 3


def test_a_folder_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="nowhere"):
        site_of(1).save(tmp_path / "nowhere" / "post.npz")
    with pytest.raises(WeightsError, match="nowhere"):
        Site.load(tmp_path / "nowhere")


@pytest.mark.parametrize("content", [b"", b"no model", b"PK\x03\x04"])
def test_a_file_that_is_no_model_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "post.npz").write_bytes(content)
    with pytest.raises(WeightsError, match=r"post\.npz"):
        Site.load(tmp_path / "post.npz")


def test_a_model_with_any_part_cut_or_changed_is_an_error_or_the_same(tmp_path: Path) -> None:
    path = tmp_path / "post.npz"
    site_of(3).save(path)
    content = path.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 60)):
        for damaged in (
            content[:place],
            content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :],
        ):
            path.write_bytes(damaged)
            with contextlib.suppress(WeightsError):
                assert Site.load(path).pages == 3


def rewritten(path: Path, **changed: np.ndarray) -> None:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files} | changed
    np.savez(path, **arrays)


@pytest.mark.parametrize("field", ["format", "features"])
def test_a_model_of_another_version_is_an_error_that_says_so(tmp_path: Path, field: str) -> None:
    path = tmp_path / "post.npz"
    site_of(2).save(path)
    with np.load(path) as file:
        header = json.loads(file["header"].tobytes())
    header[field] = 99
    rewritten(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8))
    with pytest.raises(WeightsError, match="99"):
        Site.load(path)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("pages", np.array([-1])),
        ("pages", np.arange(1, 99)),
        ("patterns.keys", np.zeros(3)),
        ("patterns.values", np.full((2, 2), np.nan, np.float32)),
        ("learned.values", np.full((2, 1), 7, np.float32)),
        ("places.keys", np.array([2, 1], np.uint64)),
    ],
)
def test_arrays_that_make_no_sense_are_an_error(
    tmp_path: Path, name: str, array: np.ndarray
) -> None:
    path = tmp_path / "post.npz"
    site_of(2).save(path)
    rewritten(path, **{name: array})
    with pytest.raises(WeightsError, match="damaged"):
        Site.load(path)


def with_header(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with np.load(path) as file:
        header = json.loads(file["header"].tobytes())
    change(header)
    rewritten(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8))


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("tamis", lambda header: header.update(parameters={"weights": 5})),
        ("tamis", lambda header: header.update(parameters=[1])),
        ("tamis", lambda header: header.update(skipped=-1)),
        ("tamis", lambda header: header.update(samples={"a": 1})),
        ("tamis", lambda header: header["samples"][0].update(text=5)),
        ("tamis", lambda header: header["samples"][0].update(cluster=8)),
        ("tamis", lambda header: header["samples"][0].update(pattern=2**64)),
        ("x_cex", lambda header: header["parameters"].update(epsilon="high")),
        ("x_cex", lambda header: header["parameters"].update(epsilon=10**400)),
        ("xpath_site", lambda header: header["parameters"].update(least_group=1e308)),
        ("x_cex", lambda header: header["parameters"].update(block_tags=5)),
        ("x_cex", lambda header: header["parameters"].update(content="positions")),
        ("x_cex", lambda header: header["repeated"][0].update(share=float("nan"))),
        ("x_cex", lambda header: header["repeated"][0].update(on=[99])),
        ("x_cex", lambda header: header["repeated"][0].update(pages="many")),
        ("content_extractor", lambda header: header["parameters"].update(terms=True)),
        ("x_cex", lambda header: header.update(method="content_extractor")),
    ],
)
def test_a_header_that_makes_no_sense_is_an_error(
    method: str, change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    path = tmp_path / "post.npz"
    Site().fit(map(article, range(4)), method=method).save(path)
    with_header(path, change)
    with pytest.raises(WeightsError, match="damaged"):
        Site.load(path)


def test_a_model_that_names_weights_which_are_gone_is_an_error_when_it_is_loaded(
    tmp_path: Path,
) -> None:
    path = tmp_path / "post.npz"
    site_of(2).save(path)
    with_header(path, lambda header: header.update(parameters={"weights": "gone.npz"}))
    with pytest.raises(WeightsError, match=r"no weights at gone\.npz"):
        Site.load(path)


def test_an_array_that_the_method_does_not_know_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "post.npz"
    site_of(2).save(path)
    rewritten(path, more=np.zeros(1))
    with pytest.raises(WeightsError, match="arrays that nothing reads: 'more'"):
        Site.load(path)


def test_a_model_that_could_not_be_read_again_is_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stored, "LARGEST_FILE", 1000)
    with pytest.raises(WeightsError, match="more than can be read again; fit it to fewer pages"):
        site_of(2).pack()


def test_addresses_that_cannot_be_written_or_are_very_long_do_no_harm() -> None:
    addresses = "https://a.example/\udc80", "https://a.example/" + "x" * 9000
    pages = [(article(number), address) for number, address in enumerate(addresses)]
    site = Site().fit([*pages, article(2)])
    assert Site.unpack(site.pack(), "it").template_blocks
    by_method = Site().fit(pages, method="xpath_site")
    assert Site.unpack(by_method.pack(), "it").page_names[0] == "https://a.example/?"
