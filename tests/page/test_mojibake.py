"""Text that was read by a wrong encoding looks odd, and text of any language does not."""

from __future__ import annotations

import pytest

from tamis.page.mojibake import measure_oddness

WRITTEN = {
    "Мельница стоит у реки три века, и мука для деревни до сих пор оттуда.": "cp1251",
    "Ο μύλος στέκει δίπλα στο ποτάμι τρεις αιώνες και αλέθει ακόμη.": "cp1253",
    "磨坊在河边已经三百年了，现在还在为村里磨面粉。": "gb18030",
    "水車小屋は三百年前から川のほとりにあり、今も粉をひいています。": "euc_jp",
    "물레방아는 삼백 년 전부터 강가에 있으며 지금도 밀을 빻습니다.": "cp949",
    "الطاحونة قائمة على ضفة النهر منذ ثلاثة قرون وما زالت تطحن.": "cp1256",
    "โรงสีตั้งอยู่ริมแม่น้ำมาสามร้อยปีแล้วและยังคงโม่แป้งให้หมู่บ้าน": "cp874",
    "Młyn stoi nad rzeką od trzystu lat i wciąż miele mąkę dla całej wsi.": "iso8859_2",
}


@pytest.mark.parametrize(("text", "codec"), WRITTEN.items(), ids=WRITTEN.values())
def test_mojibake_is_odd_and_the_text_itself_is_not(text: str, codec: str) -> None:
    assert measure_oddness(text) < 0.05
    assert measure_oddness(text.encode(codec).decode("latin-1")) > 0.3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "L’été dernier, « on » n’a pas trouvé : c’est fermé… à 50 €",
        "Straße, größer, Übermut; El Niño; 20 °C; col·lecció; ½ Liter",
        "Cối xay gió đứng bên bờ sông đã ba trăm năm.",
    ],
)
def test_signs_and_accents_in_their_places_are_not_odd(text: str) -> None:
    assert measure_oddness(text) < 0.15


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert measure_oddness("é " * 4000 + "\ufffd" * 1_000_000) == 0.0
