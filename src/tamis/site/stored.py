"""A site model on disk: one .npz of plain arrays, with a JSON header among them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from tamis.errors import MethodError, OptionsError, WeightsError
from tamis.method_choices import check_name, is_name
from tamis.methods._base import Method
from tamis.methods._registry import defaults_of, get
from tamis.methods._shared.site_method import SiteMethod
from tamis.model.features import spec
from tamis.model.weights.archive import (
    LARGEST_FILE,
    LONGEST_JSON,
    Archive,
    Form,
    read_json,
    show_value,
    write_json,
)
from tamis.options import Options
from tamis.site.counts import SiteCounts
from tamis.site.joint import site_method

FORMAT = 5
"""Version of the file."""

_HEADER = {"header": Form("u1", most=LONGEST_JSON)}
_ROOM = 1000  # bytes for what is around an array in the file
_MOST = 2**53  # of anything that is counted, or of a parameter


@dataclass(frozen=True, slots=True)
class Sample:
    """The text of a block of a template, as one page has it."""

    pattern: int
    cluster: int
    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class TemplateBlock:
    """A block that several pages have, those of a template or of the site."""

    text: str
    """Its text on one of the pages, the begin of it."""
    pages: int
    """On how many pages it is; digits may differ."""
    share: float
    """That as a share of the pages."""
    template: int = 0
    """Number of the template, from 0."""
    example: str | None = None
    """Address of a page that has it, if it was given."""
    value: float | None = None
    """What a published method measures by it: its IBDF, entropy or importance."""
    on: tuple[int, ...] = ()
    """Which of the pages that a published method knows by name have it."""


Samples: TypeAlias = Mapping[tuple[int, int], Sample]
"""By pattern and cluster."""
Repeated: TypeAlias = tuple[TemplateBlock, ...]
Parts: TypeAlias = tuple[SiteMethod, Samples, int, Repeated]
"""A fitted method, samples of its templates, the number of pages that were skipped, and blocks that
a published method finds on several pages."""


def pack(method: SiteMethod, samples: Samples, skipped: int, repeated: Repeated) -> bytes:
    arrays = to_arrays(method.learned)
    header = {
        "format": FORMAT,
        "method": method.name,
        "parameters": asdict(method),  # type: ignore[call-overload]  # every method is a dataclass
        "features": spec.VERSION,
        "skipped": skipped,
        "samples": [asdict(sample) for sample in samples.values()],
        "repeated": [asdict(block) for block in repeated],
        "digest": _digest(arrays),
    }
    arrays["header"] = np.frombuffer(write_json(header), np.uint8)
    most = sum(array.nbytes + _ROOM for array in arrays.values())
    forms = _HEADER | forms_of(method.knowledge)
    if most > LARGEST_FILE or any(arrays[name].size > form.most for name, form in forms.items()):
        raise WeightsError(
            f"the model takes {most / 2**20:,.0f} MiB, which is more than can be read again; fit"
            " it to fewer pages"
        )
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _digest(arrays: Arrays) -> str:
    """Of all arrays, so that none is of another file."""
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def unpack(content: bytes, name: str, kind: type[Method] | None = None) -> Parts:
    """A model from what `pack` gave; `name` is for the messages.

    `kind` is the class of its method, if that is not one of tamis: no model says what code to run.
    """
    archive = Archive(content, name)
    archive.check_size(LARGEST_FILE)
    try:
        header = read_json(archive.read("header", _HEADER["header"]).tobytes())
        version = header["format"], header["features"]
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"{name}: damaged, or no site model ({error}); learn it again"
        ) from error
    if version != (FORMAT, spec.VERSION):
        raise WeightsError(
            f"{name}: a site model of format {show_value(version[0])} for features"
            f" {show_value(version[1])}, this version of tamis reads format {FORMAT} for features"
            f" {spec.VERSION}; learn it again"
        )
    own = header.get("method")
    if kind is None and isinstance(own, str) and own.isidentifier() and not is_name(own):
        raise WeightsError(
            f"{name}: a model of method {own}, which is not one of tamis; if it is yours, name its"
            " class: `tamis site extract MODEL PAGE --method FILE:CLASS`, or"
            " tamis.Site.load(MODEL, method=...)"
        )
    try:
        method = _make_method(header, kind)
        arrays = archive.read_all(_HEADER | forms_of(method.knowledge))
        del arrays["header"]
        if header["digest"] != _digest(arrays):
            raise ValueError("its arrays are not those that were written")
        return _unpack_parts(header, arrays, method)
    except (ValueError, KeyError, TypeError, IndexError, MethodError, OptionsError) as error:
        raise WeightsError(f"{name}: damaged ({error}); learn the site again") from error


def _make_method(header: dict[str, Any], kind: type[Method] | None) -> SiteMethod:
    own, parameters = header["method"], header["parameters"]
    if not isinstance(own, str) or not isinstance(parameters, dict):
        raise TypeError("it does not say its method")
    if kind is None:
        check_name(own)
        defaults = defaults_of(get(own))
        for parameter, value in parameters.items():
            if parameter in defaults and not _is_like(value, defaults[parameter]):
                raise ValueError(
                    f"parameter {parameter} is no {type(defaults[parameter]).__name__}"
                )
    method = site_method(Options(method=kind or own, parameters=parameters))
    if method.name != own:
        raise ValueError(f"a model of method {own}, not of {method.name}")
    return method


def _is_like(value: Any, default: Any) -> bool:
    if type(value) in (int, float) and not abs(value) <= _MOST:
        return False
    return type(value) is type(default) or (type(value) is int and isinstance(default, float))


def _unpack_parts(header: dict[str, Any], arrays: Arrays, method: SiteMethod) -> Parts:
    learned = from_arrays(method.knowledge, arrays)
    method.check_learned(learned)
    samples = {}
    if isinstance(learned, SiteCounts):
        for values in header["samples"]:
            sample = Sample(**values)
            _check_text(sample.text, sample.url)
            _check_counts(len(learned.pages) - 1, sample.cluster)
            _check_counts(2**64 - 1, sample.pattern)
            samples[sample.pattern, sample.cluster] = sample
    names = len(getattr(learned, "names", ()))
    repeated = []
    for values in header["repeated"]:
        block = TemplateBlock(**(values | {"on": tuple(values["on"])}))
        _check_text(block.text, block.example)
        _check_counts(_MOST, block.pages, block.template)
        _check_counts(names - 1, *block.on)
        measured = 0.0 if block.value is None else block.value
        if not _is_like(block.share, 0.0) or not _is_like(measured, 0.0):
            raise ValueError("what is measured of a block is no number")
        repeated.append(block)
    _check_counts(_MOST, header["skipped"])
    return method.with_knowledge(learned), samples, header["skipped"], tuple(repeated)


def _check_text(text: Any, address: Any) -> None:
    if not isinstance(text, str) or not isinstance(address, str | None):
        raise TypeError("the text or the address of a block is no text")


def _check_counts(most: int, *values: Any) -> None:
    """Refuse what is no whole number from 0 to `most`."""
    if any(type(value) is not int or not 0 <= value <= most for value in values):
        raise ValueError("a block is of a page or a template that is not there, or no count")


T = TypeVar("T")
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def to_arrays(record: Any, prefix: str = "") -> Arrays:
    """The fields of a record by name; those of a record inside it have its name in front."""
    arrays: Arrays = {}
    for name in _list_fields(type(record)):
        value = getattr(record, name)
        if is_dataclass(value):
            arrays |= to_arrays(value, f"{prefix}{name}.")
        elif isinstance(value, frozenset):
            arrays[prefix + name] = np.array(sorted(value), np.uint64)
        elif isinstance(value, str | tuple):
            arrays[prefix + name] = np.frombuffer(write_json(value), np.uint8)
        else:
            arrays[prefix + name] = np.asarray(value)
    return arrays


def forms_of(kind: type[Any], prefix: str = "") -> dict[str, Form]:
    """What `to_arrays` makes of such a record."""
    forms: dict[str, Form] = {}
    for name, hint in _list_fields(kind).items():
        if _is_record(hint):
            forms |= forms_of(hint, f"{prefix}{name}.")
        else:
            forms[prefix + name] = _form_of(hint)
    return forms


def from_arrays(kind: type[T], arrays: Mapping[str, npt.NDArray[Any]], prefix: str = "") -> T:
    """The record of which `to_arrays` made these; a `ValueError` or `KeyError` if it is none.

    A record that has a method `check` is asked whether its arrays make sense together.
    """
    record = kind(
        **{
            name: from_arrays(hint, arrays, f"{prefix}{name}.")
            if _is_record(hint)
            else _read_value(hint, arrays[prefix + name], prefix + name)
            for name, hint in _list_fields(kind).items()
        }
    )
    if check := getattr(record, "check", None):
        check()
    return record


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and is_dataclass(hint)


_known_fields: dict[type[Any], dict[str, Any]] = {}  # to evaluate them takes longer than to read


def _list_fields(kind: type[Any]) -> dict[str, Any]:
    if kind not in _known_fields:
        hints = get_type_hints(kind)
        _known_fields[kind] = {name: hints[name] for name in kind.__dataclass_fields__}
    return _known_fields[kind]


_NUMBERS = {int: "i8", float: "f8", bool: "b1"}
# A site has fewer pages, and no array of a model more numbers.
_MOST_KEYS, _MOST_NUMBERS = 1 << 20, 1 << 26


def _form_of(hint: Any) -> Form:
    if get_origin(hint) is frozenset:
        return Form("u8", most=_MOST_KEYS)
    if hint is str or get_origin(hint) is tuple:
        return Form("u1", most=LONGEST_JSON)
    if hint in _NUMBERS:
        return Form(_NUMBERS[hint], 0)
    # NDArray[T] has T alone since numpy 2.5; before, it is ndarray[shape, dtype[T]].
    arguments = get_args(hint)
    (wanted,) = arguments if len(arguments) == 1 else get_args(arguments[1])
    return Form(np.dtype(wanted).str[1:], None, most=_MOST_NUMBERS)


def _read_value(hint: Any, array: npt.NDArray[Any], name: str) -> Any:
    form = _form_of(hint)
    if array.dtype != np.dtype(form.dtype) or form.dimensions not in (None, array.ndim):
        raise ValueError(f"{name} has type {array.dtype} and shape {array.shape}")
    if get_origin(hint) is frozenset:
        return frozenset(array.tolist())
    if hint in _NUMBERS:
        return hint(array.item())
    if form.dtype != "u1":
        return array
    value = read_json(array.tobytes())
    if hint is str and isinstance(value, str):
        return value
    if hint is not str and isinstance(value, list) and all(isinstance(own, str) for own in value):
        return tuple(value)
    raise ValueError(f"{name} is no text")
