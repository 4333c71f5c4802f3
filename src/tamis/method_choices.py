"""From what a person gives as a method to the method itself. No other module knows how.

| given | method |
|---|---|
| `boilerpipe` | one of `tamis.list_methods()` |
| `own:LongBlocks` | a class of a module |
| `./own.py:LongBlocks` | a class in a file |
| `example.org.npz` | a site model that was saved |
| `LongBlocks`, `LongBlocks()` | a class, an object |

Text that names a class runs the code of its module, and a model is a file of this machine. What
others send (a request, a stored file) must therefore pass `check_name` first.

`pin` writes a method down for another process, with a hash of its file behind an `@`. Whoever makes
the method of that text gets this code, or an error if the file has changed meanwhile.
"""

from __future__ import annotations

import copyreg
import difflib
import importlib
import json
import os
import re
import sys
import threading
from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, NoReturn, TypeAlias

from tamis.errors import MethodError, WeightsError
from tamis.methods import _registry
from tamis.methods._base import Method

MethodLike: TypeAlias = str | Method | type[Method]

_CLASS = re.compile(r"(?P<source>.+):(?P<name>[^\W\d][\w.]*)(?:@(?P<hash>[0-9a-f]{16}))?")
_MODEL = re.compile(r"(?P<source>.+\.npz)(?:@(?P<hash>[0-9a-f]{16}))?")
_LOADED_FILE = "tamis_method_file_"
"""Begin of the names of modules that were loaded from a file; the hash of the file follows."""

_loading = threading.RLock()


class WrittenMethod(NamedTuple):
    """A method as text and plain values, for other processes and for files."""

    method: str
    parameters: dict[str, Any]


def is_name(choice: object) -> bool:
    return isinstance(choice, str) and choice.replace("-", "_") in _registry.names()


def check_name(choice: object) -> None:
    """Refuse text that is not the name of a method: it could run code or read a file."""
    if not isinstance(choice, str) or is_name(choice):
        return
    if _CLASS.fullmatch(choice) or _MODEL.fullmatch(choice) or choice.endswith(".py"):
        raise MethodError(
            f"method is {choice[:100]!r}; give a name: {', '.join(_registry.names())}. Classes and"
            " files are for the command line and the library, not for a request or a stored file"
        )
    _registry.get(choice[:100])  # which says what names there are


def is_model(choice: object) -> bool:
    return isinstance(choice, str) and _MODEL.fullmatch(choice) is not None


def make_method(choice: MethodLike, parameters: Mapping[str, Any]) -> Method:
    """The method that is meant, with these parameters; a `MethodError` says what is wrong."""
    if isinstance(choice, Method):
        if parameters:
            raise MethodError("parameters go with a name or a class; an object has its own")
        return choice
    if isinstance(choice, str) and (model := _MODEL.fullmatch(choice)):
        if parameters:
            raise MethodError(f"{model['source']}: a model has its parameters; leave yours out")
        return _load_model(model["source"], model["hash"])
    if isinstance(choice, str) and not _CLASS.fullmatch(choice):
        return _registry.create(_checked_name(choice), parameters)
    method = find_class(choice)
    return _registry.make(method, method.__name__, parameters)


def find_class(choice: str | type[Method]) -> type[Method]:
    """The class that a name or text such as `own.py:LongBlocks` means."""
    if not isinstance(choice, str):
        return choice
    if model := _MODEL.fullmatch(choice):
        raise MethodError(f"{model['source']}: a model has its parameters; leave yours out")
    wanted = _CLASS.fullmatch(choice)
    if not wanted:
        return _registry.get(_checked_name(choice))
    name = wanted["name"]
    source, module = _load_module(wanted["source"])
    if wanted["hash"] and wanted["hash"] != _hash_module(module):
        raise _make_changed_error(source)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise MethodError(f"{source}: there is no class {name}; {_suggest(module, name)}")
    if not isinstance(found, type) or not issubclass(found, Method):
        raise MethodError(
            f"{source}: {name} does not derive from tamis.Method; {_suggest(module, name)}"
        )
    if module.__name__.startswith(_LOADED_FILE):
        copyreg.pickle(found, _reduce)  # its module cannot be imported by name
    return found


def _reduce(method: Method) -> tuple[Any, ...]:
    """How a method of a file is sent to another process, fitted or not: by its file."""
    reduced: Any = object.__reduce_ex__(method, 2)
    _, (kind, *arguments), *state = reduced
    return _remake, (_write_class(kind), *arguments), *state


def _remake(text: str, *arguments: Any) -> Method:
    kind = find_class(text)
    return kind.__new__(kind, *arguments)


def pin(choice: MethodLike, parameters: Mapping[str, Any]) -> WrittenMethod:
    """Write a method down so that another process makes the same one, or say why it cannot."""
    made = make_method(choice, parameters)  # which says if a file is not that of its hash
    if isinstance(choice, Method):
        return _pin_object(made)
    if isinstance(choice, type):
        text = _write_class(choice)
    elif model := _MODEL.fullmatch(choice):
        path = os.path.abspath(model["source"])
        text = f"{path}@{hash_content(_read_model(path))}"
    elif wanted := _CLASS.fullmatch(choice):
        source, module = _load_module(wanted["source"])
        text = _with_hash(f"{source}:{wanted['name']}", module)
    else:
        text = choice.replace("-", "_")
    return WrittenMethod(text, dict(parameters))


def _pin_object(method: Method) -> WrittenMethod:
    text = _write_class(type(method))
    defaults = _registry.defaults_of(type(method))
    values = {name: getattr(method, name) for name in defaults}
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    try:
        if json.loads(json.dumps(changed)) != changed:
            raise TypeError("values are text, numbers, true, false, None, or lists of these")
        if make_method(text, changed).__getstate__() != method.__getstate__():
            raise TypeError("its parameters do not say all that it knows")
    except (TypeError, ValueError) as error:
        raise MethodError(
            f"method {method.name} cannot be written down for other processes ({error}); of a"
            " fitted site call .save('site.npz') and give that path"
        ) from error
    return WrittenMethod(text, changed)


def _write_class(method: type[Method]) -> str:
    folder, _, stem = method.__module__.rpartition(".")
    if folder == "tamis.methods":
        return stem
    if method.__module__ == "__main__" or "<locals>" in method.__qualname__:
        raise MethodError(
            f"{method.__name__} is defined in the script or session itself, which other processes"
            f" cannot import; save it to a file, own.py, and give 'own.py:{method.__name__}', or"
            " import it from there"
        )
    module = sys.modules[method.__module__]
    source = module.__file__ if module.__name__.startswith(_LOADED_FILE) else module.__name__
    return _with_hash(f"{source}:{method.__qualname__}", module)


def _with_hash(text: str, module: ModuleType) -> str:
    hashed = _hash_module(module)
    return f"{text}@{hashed}" if hashed else text


def _hash_module(module: ModuleType) -> str:
    """The hash of the code that was loaded, of a file; of what is on disk now, of a module."""
    if module.__name__.startswith(_LOADED_FILE):
        return module.__name__[-16:]
    try:
        with open(module.__file__ or "", "rb") as file:
            return hash_content(file.read())
    except OSError:  # built in, or in an archive: there is nothing to compare
        return ""


def hash_content(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()[:16]


def _make_changed_error(source: str) -> MethodError:
    return MethodError(
        f"{source}: the file is not the one that the run began with; bring it back, or begin again"
    )


# Classes


def _checked_name(choice: str) -> str:
    """A name; of a file without its class the error says which classes it has."""
    if choice.endswith(".py"):
        _, module = _load_module(choice)
        raise MethodError(f"{choice}: give the class, too, as FILE:CLASS; {_suggest(module, '')}")
    return choice


def import_from_here(choice: str) -> None:
    """Put the current folder on Python's path, as `python -m` does, for a class of a module."""
    wanted = _CLASS.fullmatch(choice)
    if wanted and not _is_file(wanted["source"]) and (folder := os.getcwd()) not in sys.path:
        sys.path.insert(0, folder)


def _is_file(source: str) -> bool:
    return source.endswith(".py") or "/" in source or os.sep in source


def _load_module(source: str) -> tuple[str, ModuleType]:
    """The module that a name or the path of a file means, with the name or the whole path."""
    if _is_file(source):
        path = os.path.abspath(source)
        return path, _load_file(path)
    return source, _import(source)


def _load_file(path: str) -> ModuleType:
    """The module of a file, loaded anew when the file has changed.

    It has a name of its own, so that two files of the same name do not get in each other's way.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise MethodError(
            f"{path}: cannot be read ({error.strerror}); check the path of the method's file"
        ) from error
    place = hash_content(os.fsencode(path))
    name = f"{_LOADED_FILE}{place}_{hash_content(content)}"
    with _loading:
        if name in sys.modules:
            return sys.modules[name]
        module = sys.modules[name] = ModuleType(name)
        module.__file__ = path
        folder = os.path.dirname(path)
        if folder not in sys.path:
            sys.path.append(folder)  # last: its neighbours are found, nothing else is hidden
        try:
            exec(compile(content, path, "exec"), vars(module))
        except (Exception, SystemExit) as error:
            del sys.modules[name]
            _refuse(path, error)
    return module


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        missing = getattr(error, "name", None)
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{missing}."):
            raise MethodError(
                f"there is no module {missing}; give the name of a method, or the file of the"
                f" class: {name.replace('.', '/')}.py:CLASS"
            ) from error
        _refuse(name, error)


def _refuse(source: str, error: BaseException) -> NoReturn:
    """Say where the code of a method fails while it is loaded."""
    import traceback

    frames = [
        (frame.filename, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen") and frame.filename != __file__
    ]
    own = [frame for frame in frames if frame[0] == source] or frames
    if isinstance(error, SyntaxError):
        own = [(error.filename or source, error.lineno)]
    path, line = own[-1] if own else (source, None)
    where = path if line is None else f"{path}, line {line}"
    message = error.msg if isinstance(error, SyntaxError) else error
    raise MethodError(
        f"{where}: {type(error).__name__}: {message}; the method cannot be loaded until that is"
        " corrected"
    ) from error


def _suggest(module: ModuleType, name: str) -> str:
    there = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Method)
        and value.__module__ == module.__name__
    ]
    if near := difflib.get_close_matches(name, there, n=1):
        return f"did you mean {near[0]}?"
    if there:
        return f"its methods are: {', '.join(there)}"
    return "it has no class that derives from tamis.Method"


# Models


def _read_model(path: str) -> bytes:
    from tamis.model.weights.archive import read_file

    try:
        return read_file(path)
    except OSError as error:
        raise WeightsError(f"there is no site model at {path}: {error.strerror}") from error


def _load_model(path: str, hashed: str | None) -> Method:
    content = _read_model(path)
    if hashed and hashed != hash_content(content):
        raise _make_changed_error(path)
    return _unpack_model(content, path)


@lru_cache(8)
def _unpack_model(content: bytes, name: str) -> Method:
    # By its name, as processes are told what to run: sites are made of methods, not the reverse.
    site: Method = importlib.import_module("tamis.site.model").Site.unpack(content, name)
    return site
