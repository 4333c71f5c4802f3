"""What holds for every method that learns from the pages of a site."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError
from tamis.methods import _registry
from tamis.methods._shared.site_method import SiteMethod
from tamis.page import tags
from tamis.site.stored import from_arrays, to_arrays

NAMES = ("content_extractor", "infodiscoverer", "site_style_tree", "x_cex")
every_site_method = pytest.mark.parametrize("name", NAMES)

ARTICLES = [
    ("Rain floods the lower town", "Water stood in forty cellars near the old mill on Tuesday."),
    ("Choir wins a prize abroad", "Nineteen singers travelled to Ghent and came home with silver."),
    ("Bakery closes after a century", "Grandmother's oven will be shown in the museum of crafts."),
    ("Bridge gets a second lane", "Engineers drilled through granite for eleven weeks."),
    (
        "Pupils build a telescope",
        "Jupiter's moons were seen from the schoolyard last Friday night.",
    ),
    ("Council bans leaf blowers", "Rakes sold out within hours, said a shopkeeper, amused."),
]
COOKIES = "We use cookies to improve what you see here. Accept all of them or choose some."
FOOTER = "Copyright Morning Post Limited. Printing and copying only with written permission."


def html(number: int) -> str:
    title, text = ARTICLES[number]
    return (
        f"<title>{title}</title><body><div class=cookies><p>{COOKIES}</p></div>"
        "<div class=menu><ul><li><a href=/a>Local news</a><li><a href=/b>Sport</a></ul></div>"
        f"<article><h1>{title}</h1><p>{text}</p></article>"
        f"<div hidden>{text}</div><div class=footer><p>{FOOTER}</p></div>"
    )


PAGES = [tamis.parse(html(number)) for number in range(len(ARTICLES))]


def create(name: str) -> SiteMethod:
    method = _registry.create(name, {})
    assert isinstance(method, SiteMethod)
    return method


def kept(method: SiteMethod, page: tamis.Page) -> list[str]:
    return page.block_texts(np.flatnonzero(method.score(page) >= 0.5))


@every_site_method
def test_what_all_pages_have_is_dropped_and_what_one_has_is_kept(name: str) -> None:
    fitted = create(name).fit(PAGES)
    for page, (_, text) in zip(PAGES, ARTICLES, strict=True):
        texts = kept(fitted, page)
        assert text in texts
        assert COOKIES not in texts
        assert FOOTER not in texts


@every_site_method
def test_a_page_that_was_not_learnt_is_scored_by_the_others(name: str) -> None:
    texts = kept(create(name).fit(PAGES[1:]), PAGES[0])
    assert ARTICLES[0][1] in texts
    assert FOOTER not in texts


@every_site_method
def test_one_page_loses_nothing(name: str) -> None:
    alone = create(name).fit(PAGES[:1])
    no_page = create(name).fit([]).score(PAGES[0])
    np.testing.assert_array_equal(alone.score(PAGES[0]), no_page)
    assert {ARTICLES[0][1], COOKIES, FOOTER} <= set(kept(alone, PAGES[0]))


@every_site_method
def test_a_method_that_was_not_fitted_says_so(name: str) -> None:
    with pytest.raises(MethodError, match="learns from pages of one site before it scores"):
        tamis.extract(html(0), method=name)


@every_site_method
def test_what_was_learned_goes_to_arrays_and_back(name: str) -> None:
    fitted = create(name).fit(PAGES)
    again = create(name).with_knowledge(from_arrays(fitted.knowledge, to_arrays(fitted.learned)))
    assert again.site_pages == fitted.site_pages == len(PAGES)
    np.testing.assert_array_equal(again.score(PAGES[0]), fitted.score(PAGES[0]))
    reading = from_arrays(fitted.reading, to_arrays(fitted.read(PAGES[0])))
    by_readings = create(name).fit_readings([reading, *map(fitted.read, PAGES[1:])], len(PAGES))
    np.testing.assert_array_equal(by_readings.score(PAGES[0]), fitted.score(PAGES[0]))


ADDRESSES = [f"https://post.example/{number}" for number in range(len(PAGES))]


@every_site_method
def test_each_block_says_on_how_many_pages_and_on_which_it_is(name: str) -> None:
    fitted = create(name).fit(PAGES, ADDRESSES)
    again = create(name).with_knowledge(from_arrays(fitted.knowledge, to_arrays(fitted.learned)))
    repetition = again.repetition(PAGES[2])
    texts = PAGES[2].block_texts(np.arange(len(PAGES[2].blocks)))
    footer, article = texts.index(FOOTER), texts.index(ARTICLES[2][1])
    assert repetition.all_pages == len(PAGES)
    assert repetition.pages[footer] == len(PAGES)
    assert repetition.list_names(footer) == ADDRESSES
    if name != "site_style_tree":  # which looks for the place of a block, not for the block
        assert repetition.pages[article] == 1
        assert repetition.list_names(article) == ADDRESSES[2:3]


@every_site_method
def test_a_page_that_was_not_learnt_counts_without_a_name(name: str) -> None:
    repetition = create(name).fit(PAGES[:4]).repetition(PAGES[5])
    footer = PAGES[5].block_texts(np.arange(7)).index(FOOTER)
    assert (repetition.pages[footer], repetition.all_pages) == (5, 5)
    assert repetition.list_names(footer) == ["page 1", "page 2", "page 3", "page 4"]


@every_site_method
def test_of_very_many_pages_only_some_are_named(name: str) -> None:
    pages = [tamis.parse(html(0).replace("Tuesday", f"day {number}")) for number in range(300)]
    repetition = create(name).fit(pages).repetition(pages[7])
    assert len(repetition.names) == 128
    assert repetition.pages[pages[7].block_texts(np.arange(7)).index(FOOTER)] == 300


@every_site_method
def test_the_value_is_on_the_side_of_the_border_that_the_score_is_on(name: str) -> None:
    fitted = create(name).fit(PAGES)
    for page in PAGES:
        repetition, scores = fitted.repetition(page), fitted.score(page)
        known = ~np.isnan(repetition.values) & (scores > 0)
        content = repetition.values > repetition.border
        if name == "infodiscoverer":
            content = repetition.values < repetition.border
        np.testing.assert_array_equal(content[known], scores[known] >= 0.5)


@every_site_method
def test_the_same_page_many_times_is_one_page(name: str) -> None:
    once = create(name).fit(PAGES[:1]).score(PAGES[0])
    often = create(name).fit([tamis.parse(html(0)) for _ in range(20)])
    np.testing.assert_array_equal(often.score(PAGES[0]), once)
    mixed = create(name).fit([*PAGES, *PAGES, *PAGES])
    np.testing.assert_array_equal(mixed.score(PAGES[2]), create(name).fit(PAGES).score(PAGES[2]))


@every_site_method
def test_empty_pages_among_the_others_do_no_harm(name: str) -> None:
    fitted = create(name).fit([tamis.parse(""), *PAGES, tamis.parse("<p>***")])
    assert ARTICLES[3][1] in kept(fitted, PAGES[3])
    assert FOOTER not in kept(fitted, PAGES[3])
    assert len(fitted.score(tamis.parse(""))) == 0


@every_site_method
def test_a_page_of_another_site_is_kept_whole(name: str) -> None:
    page = tamis.parse("<body><div><p>Ein Text einer anderen Zeitung, ganz für sich.</p></div>")
    assert kept(create(name).fit(PAGES), page) == page.block_texts(np.arange(len(page.blocks)))


@every_site_method
def test_hidden_blocks_score_0_after_fitting(name: str) -> None:
    fitted = create(name).fit(PAGES)
    hidden = PAGES[0].blocks.flags & tags.HIDDEN != 0
    assert hidden.any()
    assert not fitted.score(PAGES[0])[hidden].any()


@every_site_method
def test_fitting_gives_a_copy_and_leaves_parameters_alone(name: str) -> None:
    method = create(name)
    fitted = method.fit(PAGES)
    assert method.learned is None
    assert fitted == method
    assert dataclasses.replace(fitted).learned is None  # type: ignore[type-var]


@every_site_method
def test_the_order_of_the_pages_does_not_matter(name: str) -> None:
    forward, backward = create(name).fit(PAGES), create(name).fit(PAGES[::-1])
    for page in PAGES:
        np.testing.assert_allclose(forward.score(page), backward.score(page), rtol=1e-12)


CHINESE = [
    "<body><div><p>欢迎访问本报网站，请登录或注册以继续阅读。</p></div>"
    f"<div><p>{text}</p></div><div><p>版权所有，未经书面许可不得转载本网站内容。</p></div>"
    for text in (
        "今天早上市区普降大雨，火车站前的道路一度中断交通。",
        "合唱团在国外比赛中获得银奖，十九名歌手昨日返乡。",
        "百年面包店宣布关门，老烤炉将在手工艺博物馆展出。",
        "学生们自制望远镜，周五晚上在校园里看到了木星的卫星。",
    )
]


@every_site_method
def test_scripts_without_spaces_work_too(name: str) -> None:
    pages = [tamis.parse(html) for html in CHINESE]
    texts = kept(create(name).fit(pages), pages[0])
    assert texts == ["今天早上市区普降大雨，火车站前的道路一度中断交通。"]


@every_site_method
def test_a_page_of_thousands_of_near_blocks_is_scored(name: str) -> None:
    rows = [
        tamis.parse("".join(f"<p>Row {n} of {total} in the table</p>" for n in range(total)))
        for total in (3000, 3001)
    ]
    scores = create(name).fit([*rows, *PAGES]).score(rows[0])
    assert scores.shape == (3000,)
    assert np.isfinite(scores).all()
