"""Leaves that many pages of a site have are noise, whatever their block is."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError
from tamis.methods.site.xpath_site import XpathSite
from tamis.site.stored import from_arrays, to_arrays

DONATE = "ช่วยสนับสนุนเว็บไซต์ของเราด้วยการบริจาคเพียงวันละหนึ่งบาท"
STORIES = [
    "น้ำท่วมตลาดเก่าริมคลองเมื่อคืนวันอังคาร ชาวบ้านช่วยกันขนของขึ้นที่สูง",
    "โรงเรียนวัดใต้เปิดห้องสมุดใหม่ มีหนังสือบริจาคกว่าสามพันเล่ม",
    "เรือข้ามฟากกลับมาวิ่งอีกครั้งหลังหยุดซ่อมนานสองเดือน",
    "แม่ค้าขนมครกเล่าเรื่องเตาดินเผาที่ใช้มาตั้งแต่รุ่นยาย",
    "เด็กนักเรียนช่วยกันเก็บขยะริมแม่น้ำได้สี่ร้อยกิโลกรัม",
    "ช่างทอผ้าในหมู่บ้านรวมกลุ่มขายผ้าไหมทางอินเทอร์เน็ต",
]


def html(story: str, number: int) -> str:
    return (
        "<body><ul><li><a href=/>หน้าแรก</a><li><a href=/n>ข่าว</a></ul>"
        f"<article><h1>{story[:15]}</h1><p>{story}</p></article>"
        f"<div><p>{DONATE}</p><p>อ่านแล้ว {number} ครั้ง</p></div>"
    )


PAGES = [tamis.parse(html(story, 10 + number)) for number, story in enumerate(STORIES)]
METHOD = XpathSite(variant="paper")


def kept(method: XpathSite, page: tamis.Page) -> list[str]:
    return page.block_texts(np.flatnonzero(method.score(page) >= 0.5))


def test_what_the_other_pages_say_too_goes_even_with_another_number() -> None:
    fitted = METHOD.fit(PAGES)
    for page, story in zip(PAGES, STORIES, strict=True):
        assert kept(fitted, page) == [story[:15], story]


def test_a_page_that_was_not_learned_is_compared_with_the_others() -> None:
    assert kept(METHOD.fit(PAGES[1:]), PAGES[0]) == [STORIES[0][:15], STORIES[0]]


def test_a_page_alone_is_judged_by_its_links_only() -> None:
    for fitted in (METHOD.fit([]), METHOD.fit(PAGES[:1] * 3)):
        assert kept(fitted, PAGES[0]) == [STORIES[0][:15], STORIES[0], DONATE, "อ่านแล้ว 10 ครั้ง"]


def test_a_leaf_on_fewer_pages_than_the_share_stays() -> None:
    pages = [*PAGES, tamis.parse(html(STORIES[0], 99).replace("<h1>", "<h1>ซ้ำ "))]
    assert STORIES[0] not in kept(METHOD.fit(pages), pages[0])
    assert STORIES[0] in kept(XpathSite(variant="paper", share=0.5).fit(pages), pages[0])


def test_groups_are_measured_without_the_noise() -> None:
    loud = [tamis.parse(html(story, 1).replace(DONATE, DONATE * 9)) for story in STORIES]
    assert kept(XpathSite(least_group=0.9).fit(loud), loud[0]) == [STORIES[0][:15], STORIES[0]]


def test_what_was_learned_goes_to_arrays_and_back() -> None:
    fitted = METHOD.fit(PAGES)
    again = METHOD.with_knowledge(from_arrays(fitted.knowledge, to_arrays(fitted.learned)))
    assert again.site_pages == len(PAGES)
    np.testing.assert_array_equal(again.score(PAGES[0]), fitted.score(PAGES[0]))


def test_without_pages_it_refuses_to_score() -> None:
    with pytest.raises(MethodError, match="learns from pages of one site"):
        METHOD.score(PAGES[0])
