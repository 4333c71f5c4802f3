"""The encoding of a page is found as the HTML standard says, and no input makes that fail."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.page import encoding as module
from tamis.page.encoding import Decoded, decode

THAI = (
    "เมื่อเช้านี้ฝนตกหนักในหลายเขตของเมือง ทำให้ถนนสายหลักมีน้ำท่วมขัง ผู้ขับขี่ควรเผื่อเวลาเดินทางและใช้เส้นทางเลี่ยง "
    "ส่วนรถไฟฟ้ายังให้บริการตามปกติทุกสถานี"
)
JAPANESE = (
    "今朝は市内の広い範囲で強い雨が降り、駅前の道路が一時通行止めになりました。電車は平常どおり運転していますが、"
    "バスには遅れが出ています。午後には雨がやむ見込みです。"
)
SIMPLIFIED = (
    "今天早上市区普降大雨，火车站前的道路一度中断交通。地铁运行正常，但公共汽车普遍晚点。"
    "气象部门预计，雨势将在下午逐渐减弱，请市民出行时注意安全。"
)
TRADITIONAL = (
    "今天早上市區普降大雨，火車站前的道路一度中斷交通。捷運運行正常，但公車普遍誤點。"
    "氣象局預計，雨勢將在下午逐漸減弱，請市民出門時注意安全。"
)
KOREAN = (
    "오늘 아침 시내 곳곳에 많은 비가 내려 역 앞 도로가 한때 통제되었습니다. "
    "지하철은 정상 운행하고 있지만 버스는 늦어지고 있습니다. "
    "비는 오후부터 차차 그칠 것으로 보입니다."
)
RUSSIAN = (
    "Сегодня утром в городе прошёл сильный дождь, и улица перед вокзалом была на час закрыта. "
    "Метро работает как обычно, но автобусы опаздывают. К вечеру дождь должен закончиться."
)
ARABIC = (
    "هطلت صباح اليوم أمطار غزيرة على أحياء المدينة وأغلق الشارع المقابل للمحطة مدة ساعة. "
    "تعمل القطارات كالمعتاد لكن الحافلات تأخرت عن مواعيدها ومن المتوقع أن يتوقف المطر مساء."
)
GREEK = (
    "Το πρωί έβρεξε δυνατά στην πόλη και ο δρόμος μπροστά στον σταθμό έκλεισε για μία ώρα. "
    "Το μετρό λειτουργεί κανονικά, τα λεωφορεία όμως καθυστερούν. Το βράδυ η βροχή θα σταματήσει."
)
HEBREW = (
    "הבוקר ירד גשם חזק ברחבי העיר והרחוב שמול התחנה נסגר למשך שעה. "
    "הרכבות פועלות כרגיל אבל האוטובוסים מאחרים. הגשם צפוי להיפסק לקראת הערב."
)
POLISH = (
    "Dziś rano w mieście spadł ulewny deszcz i ulicę przed dworcem zamknięto na godzinę. "
    "Metro jeździ jak zwykle, ale autobusy się spóźniają. Wieczorem powinno przestać padać, "
    "więc mieszkańcy mogą już myśleć o sobotnim święcie na rynku, które zacznie się o szóstej."
)
TURKISH = (
    "Bu sabah şehirde şiddetli yağmur yağdı ve istasyonun önündeki cadde bir saat kapalı kaldı. "
    "Metro her zamanki gibi çalışıyor, ancak otobüsler gecikiyor. Yağışın akşama doğru dinmesi "
    "bekleniyor; belediye sürücülerden dikkatli olmalarını istedi."
)
FRENCH = (
    "Ce matin, une forte pluie est tombée sur la ville et la rue située devant la gare a été "
    "fermée pendant une heure. Le métro circule à l’heure, mais les bus sont retardés. "
    "La pluie devrait s’arrêter d’ici à la soirée, espère-t-on à la mairie."
)

# Text, Python's codec to write it in, a label that pages use, the WHATWG name.
WRITTEN = [
    pytest.param(THAI, "cp874", "windows-874", "windows-874", id="Thai"),
    pytest.param(THAI, "tis_620", "TIS-620", "windows-874", id="Thai as TIS-620"),
    pytest.param(JAPANESE, "cp932", "Shift_JIS", "shift_jis", id="Japanese as Shift_JIS"),
    pytest.param(JAPANESE, "euc_jp", "x-euc-jp", "euc-jp", id="Japanese as EUC-JP"),
    pytest.param(JAPANESE, "iso2022_jp", "iso-2022-jp", "iso-2022-jp", id="Japanese, escaped"),
    pytest.param(SIMPLIFIED, "gb18030", "gb2312", "gbk", id="simplified Chinese"),
    pytest.param(TRADITIONAL, "big5", "Big5-HKSCS", "big5", id="traditional Chinese"),
    pytest.param(KOREAN, "cp949", "ks_c_5601-1987", "euc-kr", id="Korean"),
    pytest.param(RUSSIAN, "cp1251", "windows-1251", "windows-1251", id="Russian"),
    pytest.param(RUSSIAN, "iso8859_5", "iso-8859-5", "iso-8859-5", id="Russian as ISO-8859-5"),
    pytest.param(ARABIC, "cp1256", "cp1256", "windows-1256", id="Arabic"),
    pytest.param(GREEK, "cp1253", "windows-1253", "windows-1253", id="Greek"),
    pytest.param(GREEK, "iso8859_7", "greek", "iso-8859-7", id="Greek as ISO-8859-7"),
    pytest.param(HEBREW, "cp1255", "windows-1255", "windows-1255", id="Hebrew"),
    pytest.param(POLISH, "cp1250", "windows-1250", "windows-1250", id="Polish"),
    pytest.param(POLISH, "iso8859_2", "latin2", "iso-8859-2", id="Polish as ISO-8859-2"),
    pytest.param(TURKISH, "cp1254", "iso-8859-9", "windows-1254", id="Turkish"),
    pytest.param(FRENCH, "cp1252", "iso-8859-1", "windows-1252", id="French"),
]


def page(text: str, head: str = "") -> str:
    """Return a small page around `text`, with markup that says nothing about its encoding."""
    return (
        f'<!DOCTYPE html>\n<html><head>{head}<link rel="stylesheet" href="/site.css">'
        f"<title>{text[:20]}</title></head><body><nav><a href=/>Home</a></nav>"
        f'<main class="story"><h1>{text[:30]}</h1><p>{text}</p></main>'
        "<footer>&copy; 2024</footer></body></html>"
    )


def text_of(decoded: Decoded) -> str:
    """Return the page as the reader would see it."""
    return decoded.source.decode("utf-8", "replace")


@pytest.mark.parametrize(("text", "codec", "label", "name"), WRITTEN)
class TestEveryLanguage:
    """A page in any of them, in the encoding that its web was written in."""

    def test_is_read_as_its_meta_declares(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        source = page(text, head=f'<meta charset="{label}">')
        decoded = decode(source.encode(codec))
        assert (text_of(decoded), decoded.encoding, decoded.origin) == (source, name, "meta")

    def test_is_read_as_its_header_declares(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        decoded = decode(page(text).encode(codec), f"text/html; charset={label}")
        assert text_of(decoded) == page(text)
        assert (decoded.encoding, decoded.origin) == (name, "transport")

    def test_is_read_without_a_declaration(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        decoded = decode(page(text).encode(codec))
        assert text_of(decoded) == page(text)
        assert decoded.origin == "detected"

    def test_is_read_as_utf_8_when_it_was_saved_so_under_its_old_meta(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        source = page(text, head=f'<meta charset="{label}">')
        assert decode(source.encode()) == Decoded(source.encode(), "utf-8", "utf-8")
        cut = source.encode()[:-60] + b"\xd0"
        assert decode(cut) == Decoded(cut, "utf-8", "utf-8")

    def test_is_read_as_utf_8_when_it_is_under_an_old_header(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        source = page(text).encode()
        assert decode(source, f"text/html; charset={label}") == Decoded(source, "utf-8", "utf-8")

    def test_is_read_under_a_header_that_says_utf_8(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        decoded = decode(page(text).encode(codec), "text/html; charset=utf-8")
        assert (text_of(decoded), decoded.origin) == (page(text), "detected")

    @pytest.mark.parametrize("wrong", ["utf-8", "iso-8859-1"])
    def test_is_read_as_its_meta_declares_under_a_wrong_header(
        self, text: str, codec: str, label: str, name: str, wrong: str
    ) -> None:
        source = page(text, head=f'<meta charset="{label}">')
        decoded = decode(source.encode(codec), f"text/html; charset={wrong}")
        assert (text_of(decoded), decoded.encoding) == (source, name)

    def test_is_read_when_cut_off_inside_a_character(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        whole = page(text).encode(codec)
        end = whole.index(b"</p>")
        for cut in (whole[: end - 1], whole[: end - 2], whole[: end - 3]):
            assert text_of(decode(cut)).startswith(page(text)[: page(text).index("</p>") - 4])

    def test_is_read_as_utf_16_with_and_without_a_mark(
        self, text: str, codec: str, label: str, name: str
    ) -> None:
        for codec_16, name_16 in (("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")):
            bare = decode(page(text).encode(codec_16))
            assert (text_of(bare), bare.encoding, bare.origin) == (page(text), name_16, "detected")
            marked = decode(("\ufeff" + page(text)).encode(codec_16))
            assert (text_of(marked), marked.encoding, marked.origin) == (
                page(text),
                name_16,
                "bom",
            )


def test_a_byte_order_mark_beats_header_and_meta_and_is_removed() -> None:
    source = page("café", head='<meta charset="windows-1251">')
    decoded = decode(b"\xef\xbb\xbf" + source.encode(), "text/html; charset=koi8-r")
    assert decoded == Decoded(source.encode(), "utf-8", "bom")


def test_the_header_beats_the_meta() -> None:
    source = page(RUSSIAN, head='<meta charset="utf-8">')
    decoded = decode(source.encode("cp1251"), 'text/html; charset="windows-1251"')
    assert (text_of(decoded), decoded.origin) == (source, "transport")


@pytest.mark.parametrize(
    "header",
    [
        "text/html;charset=windows-1251",
        "text/html; Charset = 'windows-1251'; boundary=x",
        "text/html; charset= \t WINDOWS-1251 ",
    ],
)
def test_the_header_may_be_written_in_many_ways(header: str) -> None:
    assert decode(b"\xcf\xf0", header) == Decoded("Пр".encode(), "windows-1251", "transport")


@pytest.mark.parametrize(
    "header",
    ["", "text/html", "text/html; charset=", "text/html; charset=klingon-8", "ไทย", "\x00"],
)
def test_a_header_that_names_no_known_encoding_is_ignored(header: str) -> None:
    assert decode('<meta charset="cp1251">é'.encode("cp1252"), header).origin == "meta"


@pytest.mark.parametrize(
    "head",
    [
        b"<meta charset=euc-jp>",
        b"<META\nCHARSET = 'EUC-JP' >",
        b'<meta name=viewport content="x"><meta charset="euc-jp"/>',
        b'<meta http-equiv="Content-Type" content="text/html; charset=euc-jp">',
        b"<meta content='text/html; charset=\"euc-jp\"' http-equiv=content-type>",
        b'<!-- <meta charset="koi8-r"> --><meta charset="euc-jp">',
        b'<!--><meta charset="euc-jp"><!-- -->',
        b'<a title="<meta charset=koi8-r>"></a><meta charset="euc-jp">',
        b'<meta charset="no-such-thing"><meta charset="euc-jp">',
        b'<meta charset="euc-jp" charset="koi8-r">',
        b'<meta content="text/html; charset=koi8-r"><meta charset="euc-jp">',
        b"<meta/charset=euc-jp>",
        b'<?php echo 1 ?><!DOCTYPE html></ x><meta charset="euc-jp">',
        b'<?xml version="1.0" encoding="euc-jp"?><html>',
        b'<?xml version="1.0" encoding="koi8-r"?><meta charset="euc-jp">',
    ],
)
def test_a_declaration_is_found_where_the_standard_finds_it(head: bytes) -> None:
    decoded = decode(head + "<p>雨".encode("euc_jp"))
    assert (decoded.encoding, decoded.origin) == ("euc-jp", "meta")
    assert text_of(decoded).endswith("<p>雨")


@pytest.mark.parametrize(
    "head",
    [
        b'<!-- <meta charset="euc-jp"> -->',
        b'<a title="<meta charset=euc-jp>">',
        b'<!-- <meta charset="euc-jp">',
        b'<meta charset="euc-jp',
        b"<meta charset=euc-jp",
        b"<metacharset=euc-jp>",
        b'<meta content="text/html; charset=euc-jp">',
        b'<meta http-equiv=refresh content="text/html; charset=euc-jp">',
        b'<meta http-equiv=content-type content="text/html; charset=\'euc-jp">',
        b'<meta charset="klingon-8">',
        b"<meta charset>",
        b' <?xml version="1.0" encoding="euc-jp"?>',
    ],
)
def test_what_only_looks_like_a_declaration_is_none(head: bytes) -> None:
    assert decode(head) == Decoded(head, "utf-8", "utf-8")


def test_a_meta_that_says_utf_16_means_utf_8() -> None:
    source = page("café", head='<meta charset="utf-16">').encode()
    assert decode(source) == Decoded(source, "utf-8", "meta")


def test_a_meta_that_says_x_user_defined_means_windows_1252() -> None:
    decoded = decode(b'<meta charset="x-user-defined">\x80')
    assert (decoded.encoding, text_of(decoded)[-1]) == ("windows-1252", "€")


def test_a_declaration_after_1024_bytes_counts_if_the_page_is_not_utf_8() -> None:
    head = f'<style>{"a{}" * 700}</style><meta charset="koi8-r">'
    late = decode(page("дождь", head=head).encode("koi8_r"))
    assert (text_of(late), late.origin) == (page("дождь", head=head), "meta")
    utf8 = decode(page("дождь", head=head).encode())
    assert (text_of(utf8), utf8.origin) == (page("дождь", head=head), "utf-8")


def test_declared_utf_8_is_passed_on_uncopied_even_where_a_little_is_invalid() -> None:
    damaged = page(FRENCH).encode().replace(b"</h1>", b"\xff</h1>")
    for source in (b'<meta charset="utf-8"><p>caf\xe9', b"<p>plain", damaged):
        decoded = decode(source, "text/html; charset=UTF8")
        assert decoded.source is source
        assert (decoded.encoding, decoded.origin) == ("utf-8", "transport")


def test_declared_utf_8_with_a_part_in_another_encoding_stays_utf_8() -> None:
    source = page(RUSSIAN).encode() + f"<footer>{RUSSIAN[:60]}</footer>".encode("cp1251")
    assert decode(source, "text/html; charset=utf-8").source is source


def test_undeclared_ascii_and_utf_8_are_utf_8() -> None:
    for source in (b"", b"<p>plain", page(THAI).encode(), page(FRENCH).encode()):
        assert decode(source) == Decoded(source, "utf-8", "utf-8")


def test_utf_8_with_a_stray_byte_or_a_cut_end_stays_utf_8() -> None:
    source = page(RUSSIAN).encode()
    for damaged in (source.replace(b"</h1>", b"\xff</h1>"), page(THAI).encode()[:-70]):
        assert decode(damaged) == Decoded(damaged, "utf-8", "utf-8")
    cut = "<p>Ein Café in Köln, grö".encode()[:-1]
    assert decode(cut) == Decoded(cut, "utf-8", "utf-8")


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (THAI, "cp874"), (JAPANESE, "cp932"), (JAPANESE, "euc_jp"), (SIMPLIFIED, "gb18030"),
        (TRADITIONAL, "big5"), (KOREAN, "cp949"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp866"), (ARABIC, "cp1256"), (GREEK, "cp1253"), (HEBREW, "cp1255"),
        (POLISH, "iso8859_2"),
    ],
    ids=lambda value: value[:12],
)  # fmt: skip
def test_a_declaration_that_makes_no_words_loses_to_detection(text: str, codec: str) -> None:
    for head, header in (('<meta charset="iso-8859-1">', None), ("", "text/html; charset=latin1")):
        decoded = decode(page(text, head=head).encode(codec), header)
        assert (text_of(decoded), decoded.origin) == (page(text, head=head), "detected")


@pytest.mark.parametrize("label", ["shift_jis", "gb2312", "euc-kr", "windows-1251", "macintosh"])
def test_western_bytes_under_another_declaration_are_western(label: str) -> None:
    source = page(FRENCH, head=f'<meta charset="{label}">')
    assert text_of(decode(source.encode("cp1252"))) == source


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Le bœuf mijoté coûte désormais 12 € à l'auberge, œufs et légumes compris.", "iso8859_15"),
        (
            "Die Mühle über dem Fluß gehört dem Müller, für den größten Teil des Jahres.",
            "mac_roman",
        ),
        ("Değirmenci köyün ışığı sönmeden önce çarşıya iner, ağır çuvalları taşır.", "cp1254"),
        ("Młynarz każdego ranka żegna się z żoną i dźwiga ciężkie worki pod górę.", "cp1250"),
    ],
)
@pytest.mark.parametrize("header", [None, "text/html; charset=ISO-8859-1"])
def test_latin_letters_are_found_where_nothing_is_declared_but_by_servers(
    text: str, codec: str, header: str | None
) -> None:
    page = f"<p>{text}</p>" * 2
    assert decode(page.encode(codec), header).source.decode() == page


def test_the_page_knows_better_than_what_servers_send_with_everything() -> None:
    page = '<meta charset="iso-8859-4"><p>Õhtul läheb mölder koju, ja päike paistab veel pärastki.'
    header = "text/html; charset=iso-8859-1"
    assert decode(page.encode("iso8859_4"), header).origin == "meta"


def test_signs_in_english_are_no_letters_of_another_alphabet() -> None:
    text = "The miller’s loaf weighs 2 lb, ¾ of it “rye” – and costs £3 · ©2024 Ämma’s café ¿why? "
    page = (text * 8).encode("cp1252")
    assert decode(page, "text/html; charset=iso-8859-1").encoding == "windows-1252"


def test_a_few_bytes_say_too_little_against_a_declaration() -> None:
    for text, codec in (("雨", "shift_jis"), ("дождь", "koi8_r"), ("Łódź", "iso8859_2")):
        source = page(text, head=f'<meta charset="{codec.replace("_", "-")}">')
        assert decode(source.encode(codec)).origin == "meta"


def test_words_that_mix_scripts_stay_as_they_are_declared() -> None:
    disguised = "Аdvеrtіѕе wіth thе mоѕt vіѕіtеd nеwѕ ѕіtе іn Bеlіzе, оur rаtеѕ аrе lоw. " * 5
    decoded = decode(page(disguised).encode("cp1251"), "text/html; charset=windows-1251")
    assert text_of(decoded) == page(disguised)


def test_utf_16_needs_nul_bytes() -> None:
    source = page(RUSSIAN)
    assert text_of(decode(source.encode(), "text/html; charset=utf-16")) == source
    assert text_of(decode(b"<p>plain", "text/html; charset=utf-16")) == "<p>plain"
    for codec in ("utf-16-le", "utf-16-be"):
        encoded = source.encode(codec)
        for label in (codec, "utf-8", "iso-8859-1"):
            assert text_of(decode(encoded, f"text/html; charset={label}")) == source
    han = "雨" * 5000  # hardly a NUL in it
    decoded = decode(f"<p>{han}".encode("utf-16-le"), "text/html; charset=utf-16le")
    assert text_of(decoded) == f"<p>{han}"


def test_a_single_accent_is_read_as_western() -> None:
    assert text_of(decode(b"<p>caf\xe9</p>")) == "<p>café</p>"


def test_undecodable_bytes_become_replacement_characters() -> None:
    decoded = decode(b"<p>\x93\xfa\x81", "text/html; charset=shift_jis")
    assert text_of(decoded) == "<p>日\ufffd"


def test_text_in_a_script_is_enough_to_detect_the_encoding() -> None:
    source = f"<html><body><script>{'var a = 1;' * 5000} title('{RUSSIAN}')</script></body></html>"
    assert text_of(decode(source.encode("cp1251"))) == source


def test_detection_reaches_text_behind_a_megabyte_of_markup() -> None:
    source = "<div class='box'></div>" * 100_000 + f"<p>{RUSSIAN}</p>"
    assert text_of(decode(source.encode("cp1251"))) == source


def test_a_str_keeps_its_text_whatever_its_meta_says() -> None:
    source = page(GREEK, head='<meta charset="windows-1253">')
    assert decode(source) == Decoded(source.encode(), "utf-8", "str")
    assert decode("\ufeff" + source) == decode(source)


def test_surrogates_in_a_str_are_joined_or_replaced() -> None:
    assert text_of(decode("a\ud83d\ude00b")) == "a\U0001f600b"
    assert text_of(decode("\ude00a\ud83d")) == "\ufffda\ufffd"


def test_bytes_like_objects_are_read_as_bytes() -> None:
    source = page("naïve").encode()
    for buffer in (bytearray(source), memoryview(source), memoryview(source + source)[::2]):
        assert decode(buffer) == decode(bytes(buffer))


@pytest.mark.parametrize("wrong", [None, 5, ["<p>"], object()])
def test_anything_else_is_refused_with_its_type_named(wrong: object) -> None:
    with pytest.raises(InputError, match=type(wrong).__name__):
        decode(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "source",
    [
        bytes(5_000_000),
        bytes(range(256)) * 20_000,
        b"<" * 5_000_000 + b"\xe9",
        b"<!--" * 1_000_000 + b"\xe9",
        b'<a b="' * 1_000_000 + b"\xe9",
        b"<meta charset=" * 500_000 + b"\xe9",
        b"<meta charset=x>" * 500_000 + b"\xe9",
        b"<?xml encoding" * 500_000 + b"\xe9",
        b"\x1b$" * 2_000_000,
    ],
    ids=lambda source: repr(source[:8]),
)
def test_little_of_hostile_megabytes_is_searched(
    source: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []

    def recorded(function: Callable[..., Any]) -> Callable[..., Any]:
        def record(*arguments: Any) -> Any:
            result = function(*arguments)
            searched.append(len(result if isinstance(result, bytes) else arguments[0]))
            return result

        return record

    for name in ("_prescan", "find_utf16", "_condense"):
        monkeypatch.setattr(module, name, recorded(getattr(module, name)))
    decode(source)
    assert max(searched) <= module._LATE_PRESCAN_BYTES
    assert len(searched) <= 4


@given(st.binary(max_size=3000), st.none() | st.text(max_size=40))
@example(b"\xff\xfe\x00", None)
@example(b"\xfe\xff\xd8\x00", None)
@example(b"\xe9", "text/html; charset=replacement")
@example(b"\x1b$B\x1b$", None)
@example(b"\0<\0?\0x", None)
def test_any_bytes_give_a_page(source: bytes, header: str | None) -> None:
    decoded = decode(source, header)
    decoded.source.decode("utf-8", "replace")
    assert decoded.encoding == decoded.encoding.lower()
    if decoded.encoding != "utf-8":
        decoded.source.decode()


@given(st.text(st.characters(exclude_categories=[])))
def test_any_str_gives_valid_utf_8(source: str) -> None:
    decode(source).source.decode()


def test_a_utf_8_page_loads_no_detector() -> None:
    program = (
        "import sys; from tamis.page.encoding import decode; "
        "decode(b'<meta charset=utf-8>\\xc3\\xa9'); decode(b'\\xc3\\xa9'); decode('x'); "
        "sys.exit('turbohtml' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
