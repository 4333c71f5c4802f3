"""The entropy against a plain transcription, and what it makes of blocks."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tamis
from tamis.methods._shared.site_blocks import text_words
from tamis.methods.site import infodiscoverer
from tamis.methods.site.infodiscoverer import Infodiscoverer, Terms, stem
from tamis.model.features.word_hashes import hash_words

TEXTS = ["home news a a a dog", "home news a cat cat", "home sport a b c d"]
PAGES = [tamis.parse(f"<body><p>{text}</p>") for text in TEXTS]


def learned(pages: int) -> Terms:
    terms: Terms = Infodiscoverer(stop_words=False).fit(PAGES[:pages]).known
    return terms


def transcribed(word: str, texts: list[str]) -> float:
    """Entropy of a term over pages, by the formula."""
    counts = [text.split().count(word) for text in texts]
    shares = [count / sum(counts) for count in counts if count]
    return -sum(share * math.log(share, len(texts)) for share in shares)


@pytest.mark.parametrize("page", range(3))
def test_the_entropy_of_a_term_is_that_of_the_formula(page: int) -> None:
    terms = learned(3)
    words = text_words(PAGES[page])[1]
    expected = [transcribed(word, TEXTS) for word in TEXTS[page].split()]
    np.testing.assert_allclose(terms.measure_entropies(words), expected, atol=1e-12)


def test_a_page_that_was_not_learnt_is_one_more() -> None:
    words = text_words(PAGES[2])[1]
    np.testing.assert_allclose(
        learned(2).measure_entropies(words),
        learned(3).measure_entropies(words),
        atol=1e-12,
    )


def test_counting_in_parts_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = hash_words(b"home news a b c d sport cat dog")
    whole = learned(3).measure_entropies(words)
    monkeypatch.setattr(infodiscoverer, "_ROWS", 2)
    np.testing.assert_allclose(learned(3).measure_entropies(words), whole, atol=1e-12)


def test_the_entropy_of_a_block_is_the_mean_of_its_words() -> None:
    pages = [tamis.parse(f"<body><p>menu w{n} v{n}</p><p>menu menu</p>") for n in range(4)]
    scores = Infodiscoverer(threshold_with_stop_words=0.5).fit(pages).score(pages[0])
    np.testing.assert_allclose(scores, [1 - 1 / 3, 0.0], atol=1e-12)


def test_the_score_is_one_half_at_the_threshold() -> None:
    pages = [tamis.parse(f"<body><p>menu w{n}</p>") for n in range(4)]
    np.testing.assert_allclose(
        Infodiscoverer(threshold_with_stop_words=0.5).fit(pages).score(pages[0]), [0.5]
    )
    assert Infodiscoverer(threshold_with_stop_words=0.4).fit(pages).score(pages[0])[0] < 0.5
    assert Infodiscoverer(threshold_with_stop_words=0.6).fit(pages).score(pages[0])[0] > 0.5


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0])
def test_a_threshold_at_an_end_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Infodiscoverer(threshold=threshold)


# Terms

ENGLISH = [
    "The wardens of the old mills were walking there, and the wardens were walking home.",
    "The miller and the warden walked to the mill, where they were.",
]


def test_stop_words_are_left_out_and_forms_of_a_word_are_one_term() -> None:
    pages = [tamis.parse(f"<body><p>{text}</p>") for text in ENGLISH]
    plain = Infodiscoverer(stop_words=False).read(pages[0]).words
    assert len(plain) == 15
    # wardens, mills, walking, wardens, walking, home; `old` is a stop word.
    assert len(Infodiscoverer().read(pages[0]).words) in (6, 7)
    stemmed = [set(Infodiscoverer(stemmer="porter").read(page).words.tolist()) for page in pages]
    # warden, mill and walk are in both.
    assert len(stemmed[0] & stemmed[1]) == 3


def test_the_mean_is_over_distinct_terms_or_over_all() -> None:
    pages = [tamis.parse(f"<body><p>menu menu menu w{n}</p>") for n in range(4)]
    for mean, entropy in (("distinct", 1 / 2), ("all", 3 / 4)):
        fitted = Infodiscoverer(mean=mean).fit(pages)
        np.testing.assert_allclose(fitted.repetition(pages[0]).values, [entropy])


def test_a_block_of_stop_words_alone_is_redundant() -> None:
    text = "The choir of the town sang for the old and the young, as it does each year."
    pages = [tamis.parse(f"<body><p>{text} w{n}</p><p>and so on</p>") for n in range(3)]
    assert Infodiscoverer().fit(pages).score(pages[0])[1] == 0.0


@pytest.mark.parametrize("wrong", [{"stemmer": "snowball"}, {"mean": "median"}])
def test_unknown_names_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="one of"):
        Infodiscoverer(**wrong)


EXAMPLES = """caresses:caress ponies:poni ties:ti cats:cat feed:feed agreed:agre plastered:plaster
bled:bled motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop
tanned:tan falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky
relational:relat conditional:condit rational:ration digitizer:digit vietnamization:vietnam
predication:predic operator:oper feudalism:feudal decisiveness:decis hopefulness:hope
callousness:callous triplicate:triplic formative:form formalize:formal electrical:electr
hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin
gyroscopic:gyroscop adjustable:adjust defensible:defens irritant:irrit replacement:replac
adjustment:adjust dependent:depend adoption:adopt communism:commun activate:activ
homologous:homolog effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas
roll:roll generalizations:gener oscillators:oscil tree:tree by:by"""


@pytest.mark.parametrize("pair", EXAMPLES.split())
def test_endings_go_where_the_rest_is_long_enough(pair: str) -> None:
    word, expected = pair.split(":")
    assert stem(word) == expected
