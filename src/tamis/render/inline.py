# cython: annotation_typing=False, wraparound=True
"""The inside of a paragraph in Markdown: text that means itself, and marks around it.

Marks are written only where CommonMark reads them as marks: a delimiter that could not open or
close where it would stand (`**(a)**b`) is left out, together with its partner.
"""

from __future__ import annotations

import heapq
import unicodedata

from tamis._runtime import limits
from tamis.render.escapes import (
    Formulas,
    escape_address,
    escape_alt,
    escape_starts,
    escape_text,
    is_markup,
    write_code_span,
    write_formula,
)
from tamis.render.outline.events import Formula, Image, Mark, Marks, Span

_DELIMITERS = {"strong": "**", "emphasis": "*", "deleted": "~~"}
_TAGS = {"sub", "sup"}
_WITHOUT_TEXT = frozenset(("note", "label", "back"))
_TASKS = {"done": "[x] ", "open": "[ ] "}
# Spans and delimiters after which the limits are checked.
_OFTEN = 1000
# Strings before code in which an address may be: its text, and delimiters after it.
_BESIDE = 4


def write_inline(spans: list[Span], line_break: str, formulas: Formulas) -> str:
    """Write spans as Markdown."""
    if len(spans) == 1:
        _, content, marks = spans[0]
        if isinstance(content, str):
            text = content.strip()
            if marks:
                text = _write_whole(text, _reduce_marks(marks), formulas)
            else:
                text = escape_text(text, False, formulas)
            return escape_starts(text.replace("\n", line_break) if "\n" in text else text)
    return _Inline(line_break, formulas).write(spans)


def _write_whole(text: str, marks: Marks, formulas: Formulas) -> str:
    """Write a leaf that is one text. At its ends every delimiter works."""
    if not text or not marks:
        return escape_text(text, False, formulas)
    name = marks[-1][0]
    if name in ("label", "back", *_TASKS):
        return ""
    if name == "note":
        text = ""
    elif name == "code":
        formulas.met = formulas.met or "$" in text
        text = write_code_span(" ".join(text.split()))
    else:
        text = escape_text(text, _is_in_link(marks), formulas)
    for mark in reversed(marks):
        before, after = _signs_of(mark)
        text = f"{before}{text}{after}"
    return text


def _signs_of(mark: Mark) -> tuple[str, str]:
    """What stands before and after the text that has a mark, apart from code."""
    name, value = mark
    if name in _DELIMITERS:
        return _DELIMITERS[name], _DELIMITERS[name]
    if name == "link":
        return "[", f"]({escape_address(value)})"
    if name == "note":
        return f"[^{value.label}]", ""
    return (f"<{name}>", f"</{name}>") if name in _TAGS else ("", "")


def _is_in_link(marks: Marks) -> bool:
    for mark in marks:
        if mark[0] == "link":
            break
    else:
        return False
    return True


def _write_atom(content: Image | Formula, in_link: bool, formulas: Formulas) -> str:
    if isinstance(content, Formula):
        formulas.met = True
        return write_formula(content.tex) or escape_text(
            " ".join(content.tex.split()), in_link, formulas
        )
    return f"![{escape_alt(content.alt)}]({escape_address(content.src)})"


def _reduce_marks(marks: Marks) -> Marks:
    """The marks that Markdown has, each once; inside code and references none counts."""
    if not marks or (len(marks) == 1 and marks[0][0] not in ("highlight", "quotation")):
        return marks
    effective: list[Mark] = []
    names = set()
    for mark in marks:
        name = mark[0]
        if name in names or name in ("highlight", "quotation"):
            continue
        names.add(name)
        effective.append(mark)
        if name in ("code", "note", "label", "back"):
            break
    if effective and effective[-1][0] in ("note", "label", "back"):
        return tuple([mark for mark in effective if mark[0] not in _TAGS])
    return tuple(effective)


class _Inline:
    """The content of one leaf, as strings; delimiters are strings of their own until resolved."""

    def __init__(self, line_break: str, formulas: Formulas) -> None:
        self.line_break = line_break
        self.formulas = formulas
        self.out: list[str] = []
        self.open: list[tuple[Mark, int]] = []
        self.code: list[str] = []  # pieces of the open code
        # Places in `out` of the delimiters that begin something and of those that end it.
        self.delimiters: dict[int, int] = {}
        self.nested: set[int] | None = None  # those inside others, when asked for
        self.white = ""

    def write(self, spans: list[Span]) -> str:
        for place, (separator, content, marks) in enumerate(spans):
            if place % _OFTEN == _OFTEN - 1:
                limits.check()
            self._add_white(separator)
            marks = _reduce_marks(marks)
            last = marks[-1][0] if marks else ""
            if last in _WITHOUT_TEXT:
                self._add_without_text(marks, last)
            elif last in _TASKS:
                self.out.append(_TASKS[last])
            elif isinstance(content, str):
                self._add_text(content, marks, last == "code")
            elif last != "code":
                self._move(marks)
                self.out.append(_write_atom(content, _is_in_link(marks), self.formulas))
        self._close(0)
        if self.delimiters:
            self._resolve()
        return escape_starts("".join(self.out).strip())

    def _add_without_text(self, marks: Marks, last: str) -> None:
        """Add a reference to a footnote; labels and what only leads back add nothing."""
        if last == "note" and not (self.open and self.open[-1][0] == marks[-1]):
            self._move(marks)
        else:  # one reference, however many texts it has
            self.white = ""

    def _add_text(self, content: str, marks: Marks, code: bool) -> None:
        text = content
        lead = after = ""
        if not content or content[0].isspace() or content[-1].isspace():
            text = content.lstrip()
            if not text:
                self._add_white(content)
                return
            lead = content[: len(content) - len(text)]
            after = text[len(text.rstrip()) :]
            text = text[: len(text) - len(after)]
        self._add_white(lead)
        same_code = code and len(self.open) == len(marks) and self.open[-1][0] == marks[-1]
        if same_code and self._count_same(marks) == len(marks):
            self.code += (" " if self.white else "", text)
        else:
            self._move(marks)
            if code:
                self.code = [text]
            else:
                text = escape_text(text, _is_in_link(marks), self.formulas)
                if self.out and text[0] in "(:" and self.out[-1].startswith("[^"):
                    text = "\\" + text
                self.out.append(text.replace("\n", self.line_break) if "\n" in text else text)
        self.white = after
        if len(after) > 1:
            self.white = "\n" if "\n" in after else " "

    def _add_white(self, white: str) -> None:
        """Add white space before the next content: a line break wins over spaces."""
        if white:
            self.white += white
            if len(self.white) > 1:
                self.white = "\n" if "\n" in self.white else " "

    def _move(self, marks: Marks) -> None:
        """Close and open marks until these hold, white space outside of them."""
        same = self._count_same(marks) if self.open else 0
        self._close(same)
        if self.white:
            self.out.append(self.line_break if "\n" in self.white else self.white)
            self.white = ""
        for place in range(same, len(marks)):
            self._open(marks[place])

    def _count_same(self, marks: Marks) -> int:
        """Count how many of the open marks are the first of these."""
        same = 0
        while same < len(marks) and same < len(self.open) and self.open[same][0] == marks[same]:
            same += 1
        return same

    def _open(self, mark: Mark) -> None:
        self.open.append((mark, len(self.out)))
        if mark[0] in ("link", "note") and self.out and self.out[-1].endswith("!"):
            self.out[-1] = self.out[-1][:-1] + "\\!"
        before, _ = _signs_of(mark)
        if before:
            self.out.append(before)

    def _close(self, keep: int) -> None:
        while len(self.open) > keep:
            mark, place = self.open.pop()
            if mark[0] in _DELIMITERS:
                self.delimiters[place] = len(self.out)
            _, after = _signs_of(mark) if mark[0] != "code" else ("", self._end_code())
            if after:
                self.out.append(after)

    def _end_code(self) -> str:
        """End the code; as text if some would not see where it begins or ends."""
        code = "".join(self.code)
        self.formulas.met = self.formulas.met or "$" in code
        before = "".join(self.out[-_BESIDE:])
        # An address takes in what follows up to a space.
        swallowed = before.rfind("://") > max(before.rfind(" "), before.rfind("\n"))
        if swallowed and (" " in code or is_markup(code)):
            return escape_text(
                code, _is_in_link(tuple([mark for mark, _ in self.open])), self.formulas
            )
        return write_code_span(code)

    def _resolve(self) -> None:
        """Leave out the delimiters that would not be read as what they are.

        Round by round, from the first to the last; a later round looks only at those that lost a
        delimiter beside them since they were looked at.
        """
        opening = self.delimiters
        closing = {end: start for start, end in opening.items()}
        if len(opening) < _OFTEN and self._are_all_effective(closing):
            return
        order = list(opening)
        places = {start: number for number, start in enumerate(order)}
        waiting = [(0, number) for number in range(len(order))]
        steps = 0
        while waiting:
            steps += 1
            if steps % _OFTEN == 0:
                limits.check()
            turn, number = heapq.heappop(waiting)
            start = order[number]
            end = opening.get(start, -1)
            if end < 0 or (
                self._is_effective(start, 1, closing) and self._is_effective(end, -1, opening)
            ):
                continue
            self.out[start] = self.out[end] = ""
            del opening[start], closing[end]
            for beside in (*self._find_beside(start, closing), *self._find_beside(end, closing)):
                if places[beside] <= number:
                    heapq.heappush(waiting, (turn + 1, places[beside]))
                elif turn:
                    heapq.heappush(waiting, (turn, places[beside]))

    def _are_all_effective(self, closing: dict[int, int]) -> bool:
        """Whether every delimiter is read as what it is, as in most texts."""
        for start, end in self.delimiters.items():
            if not self._is_effective(start, 1, closing) or not self._is_effective(
                end, -1, self.delimiters
            ):
                return False
        return True

    def _find_beside(self, place: int, closing: dict[int, int]) -> list[int]:
        """Where the delimiters begin that stand next to a place, or whose partner does."""
        opening = self.delimiters
        beside = []
        for step in (-1, 1):
            near = place + step
            while near in opening or near in closing or self.out[near : near + 1] == [""]:
                if near in opening or near in closing:
                    beside.append(near if near in opening else closing[near])
                near += step
        return beside

    def _is_effective(self, place: int, inward: int, opposite: dict[int, int]) -> bool:
        """Whether the delimiter at a place begins emphasis (`inward` 1) or ends it (-1).

        CommonMark calls it "left-flanking" and "right-flanking".
        """
        sign = self.out[place][0]
        inside, _ = self._find_neighbour(place, inward, sign)
        outside, last = self._find_neighbour(place, -inward, sign)
        if last in opposite or not inside or inside.isspace():
            return False
        if not _is_punctuation(inside) or not outside or outside.isspace():
            return True
        # Between two signs it both begins and ends; inside another that may be the other's end.
        return _is_punctuation(outside) and not self._is_nested(place)

    def _is_nested(self, place: int) -> bool:
        if self.nested is None:
            self.nested = set()
            ends: list[int] = []
            for start, end in sorted(self.delimiters.items()):
                while ends and ends[-1] < start:
                    ends.pop()
                if ends:
                    self.nested.update((start, end))
                ends.append(end)
        return place in self.nested

    def _find_neighbour(self, place: int, step: int, sign: str) -> tuple[str, int]:
        """The character beside the run of delimiters at a place, and the run's last place there."""
        out, last = self.out, place
        place += step
        while 0 <= place < len(out):
            string = out[place]
            if string:
                if not (string[0] == sign and string.strip(sign) == ""):
                    return (string[0] if step > 0 else string[-1]), last
                last = place
            place += step
        return "", last


def _is_punctuation(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character)[0] in "PS"
