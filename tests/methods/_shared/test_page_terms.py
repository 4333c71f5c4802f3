"""The stemmer against the examples of Porter (1980)."""

from __future__ import annotations

import pytest

from tamis.methods._shared.page_terms import stem

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
