"""Where terms go: no overlap, whatever they are."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.cloud.layout import (
    LARGEST,
    LONGEST,
    MOST,
    SMALLEST,
    Layout,
    arrange_terms,
    clean_text,
    measure_text,
)
from tamis.cloud.terms import Term

WORDS = (
    "ferry เรือ القافلة 罗秉诚 図鑑 रेडियो 나루터 Straße паром καΐκι מעבורת ເຮືອ សំពៅ လှေ படகு 🎉"
).split()


def terms(count: int) -> tuple[Term, ...]:
    return tuple(
        Term(f"{WORDS[number % len(WORDS)]}{number}", 1 / (1 + number), count - number)
        for number in range(count)
    )


def assert_nothing_overlaps(arranged: Layout) -> None:
    for first, second in combinations(arranged.places, 2):
        apart = (
            first.left + first.width <= second.left
            or second.left + second.width <= first.left
            or first.top + first.height <= second.top
            or second.top + second.height <= first.top
        )
        assert apart, (first, second)
    for place in arranged.places:
        assert 0 <= place.left <= place.x <= place.left + place.width <= arranged.width
        assert 0 <= place.top < place.y < place.top + place.height <= arranged.height


@pytest.mark.parametrize("count", [0, 1, 2, 80, 300])
def test_no_term_is_over_another_or_outside_of_the_picture(count: int) -> None:
    arranged = arrange_terms(terms(count))
    assert len(arranged.places) == count
    assert_nothing_overlaps(arranged)


@given(
    st.lists(st.builds(Term, st.text(max_size=60), st.floats(), st.integers()), max_size=30),
    st.integers(),
)
def test_any_terms_have_a_place_unless_there_is_nothing_to_see(
    terms: list[Term], seed: int
) -> None:
    arranged = arrange_terms(terms, seed=seed)
    assert len(arranged.places) == sum(bool(clean_text(term.term)) for term in terms)
    assert_nothing_overlaps(arranged)


def test_the_same_seed_gives_the_same_places_and_another_seed_others() -> None:
    assert arrange_terms(terms(80), seed=3) == arrange_terms(terms(80), seed=3)
    assert arrange_terms(terms(80), seed=3) != arrange_terms(terms(80), seed=4)


def test_the_area_is_in_proportion_to_the_weight() -> None:
    heavy, light, lightest = arrange_terms(
        [Term("heavy", 1.0, 8), Term("light", 0.25, 2), Term("lightest", 0.0, 1)]
    ).places
    assert heavy.size == LARGEST
    assert light.size == pytest.approx(LARGEST / 2)
    assert lightest.size == SMALLEST


def test_weights_near_each_other_still_give_different_sizes() -> None:
    sizes = [
        place.size
        for place in arrange_terms([Term("a", 1.0, 1), Term("b", 0.9, 1), Term("c", 0.8, 1)])[0]
    ]
    assert sizes[0] == LARGEST
    assert sizes[2] < LARGEST * 0.7
    assert (
        len({place.size for place in arrange_terms([Term("a", 0.3, 1), Term("b", 0.3, 1)])[0]}) == 1
    )


def test_a_picture_is_wider_than_high_and_filled() -> None:
    arranged = arrange_terms(terms(80))
    filled = sum(place.width * place.height for place in arranged.places)
    assert 1.2 < arranged.width / arranged.height < 2.4
    assert filled > 0.5 * arranged.width * arranged.height


def test_marks_take_no_room_and_stacks_of_them_are_high() -> None:
    assert measure_text("กำ").width > measure_text("กี้").width
    assert measure_text("é").width == measure_text("e\u0301").width == measure_text("e").width
    assert measure_text("罗秉诚").width > 3
    assert measure_text("ខ្មែរ").descent > measure_text("Khmer").descent
    assert measure_text("លំ").ascent > measure_text("lum").ascent


def test_a_text_is_shown_on_one_line_without_what_xml_forbids() -> None:
    assert clean_text("two\n  words\x00\ud800\uffff") == "two words"
    assert clean_text("x" * 1000) == "x" * (LONGEST - 1) + "…"
    assert clean_text(" \t") == ""


def test_of_very_many_terms_the_heaviest_are_drawn() -> None:
    arranged = arrange_terms([Term(f"term{n}", 1.0 + (n > 499), 1) for n in range(2 * MOST)])
    assert len(arranged.places) == MOST
    assert all(place.size == LARGEST for place in arranged.places)
