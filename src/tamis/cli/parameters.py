"""Options that several commands share, and reading a method and its parameters from them."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from tamis.cli.output import EXTENSIONS, report
from tamis.decide.decision import USUAL_THRESHOLD
from tamis.errors import MethodError
from tamis.method_choices import find_class, import_from_here
from tamis.methods._registry import defaults_of
from tamis.options import DEFAULT_METHOD, FOCI, Options

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_WANTED = {bool: "true or false", int: "a whole number", float: "a number"}

_FORMATS_BY_SUFFIX = {
    **{extension: name for name, extension in EXTENSIONS.items()},
    "htm": "html",
}


def combine_options(*options: Decorator) -> Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def require_finite(
    _: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Refuse "nan" and "inf", which click accepts as numbers."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("give an ordinary number", param=parameter)
    return value


def text_option(names: str, metavar: str | None, help: str | None, **more: Any) -> Decorator:
    return click.option(*names.split(), metavar=metavar, help=help, **more)


def repeated_option(names: str, metavar: str | None, help: str, **more: Any) -> Decorator:
    help = f"{help} You can repeat this option."
    return text_option(names, metavar, help, multiple=True, **more)


def method_options(default: str | None) -> Decorator:
    """Add the options that choose a method, its weights and how much is kept."""
    return combine_options(
        text_option(
            "--method",
            "NAME|MODEL|CLASS",
            "How to distinguish content from the rest: a name that `tamis methods` lists, a"
            " site model (.npz) that `tamis site learn` wrote, or a class of your own. Write"
            " own.py:LongBlocks for a class in a file, own:LongBlocks for one in a module; tamis"
            " looks in the current folder first and runs the code.",
            default=default,
            show_default=default is not None,
        ),
        repeated_option("--parameter parameters", "NAME=VALUE", "Set a parameter of the method."),
        text_option(
            "--weights", "FILE", "Weights that `tamis train` wrote, for a method that learns."
        ),
        text_option(
            "--page-type-weights",
            "FILE",
            "Weights of page types that `benchmarks/train.py page_type` wrote.",
        ),
        choice_option(
            "--focus",
            FOCI,
            Options().focus,
            "Prefer precision or recall. For methods whose scores are probabilities.",
        ),
        text_option(
            "--threshold",
            "SCORE",
            "Keep the blocks with at least this score, from 0 to 1; replaces --focus."
            "  [default: the best choice for the page if the scores are probabilities, else"
            f" {USUAL_THRESHOLD:g}]",
            type=click.FloatRange(0, 1),
            default=Options().threshold,
            callback=require_finite,
        ),
    )


def listening_options(port: int, when: str = "") -> Decorator:
    """Add where a server listens and whom it answers; each help begins with `when`."""
    return combine_options(
        text_option(
            "--host",
            "ADDRESS",
            f"{when}Listen on this address; any but loopback needs --token or --open.",
            default="127.0.0.1",
            show_default=True,
        ),
        text_option(
            "--port",
            "N",
            f"{when}Listen on this port; 0 picks a free one.",
            type=click.IntRange(0, 65535),
            default=port,
            show_default=True,
        ),
        text_option(
            "--token",
            "TOKEN",
            f"{when}Only answer clients that send `Authorization: Bearer TOKEN`. Prefer to set"
            " TAMIS_TOKEN: other users of this machine can see the arguments of commands.",
            envvar="TAMIS_TOKEN",
        ),
        click.option(
            "--open",
            is_flag=True,
            help=f"{when}Answer every client that can reach --host, without a token.",
        ),
        repeated_option(
            "--allow-host allowed_hosts",
            "NAME",
            f"{when}A name that clients use for this server.",
        ),
    )


project_option = text_option(
    "--project",
    "DIR",
    "Use the weights that people accepted in this project of `tamis serve --project DIR`.",
    type=click.Path(file_okay=False),
)
"""Adds --project to a command that has `method_options`."""


def output_option(
    metavar: str = "FILE",
    help: str = "Write to this file instead of standard output; it appears only when it is"
    " complete.",
    **more: Any,
) -> Decorator:
    path = click.Path(readable=False)  # shells complete it
    return text_option("--output -o", metavar, help, type=path, **more)


def choice_option(
    names: str, choices: Iterable[str], default: str, help: str | None, **more: Any
) -> Decorator:
    choice = click.Choice(list(choices))
    return text_option(names, None, help, type=choice, default=default, show_default=True, **more)


def switch_option(field: str, help: str) -> Decorator:
    """Add --NAME and --no-NAME to a command, for a field of `Options`.

    Without either, the field keeps its default, which may be a third value ("auto").
    """
    name, default = field.replace("_", "-"), getattr(Options(), field)
    usual = {"auto": "as the method decides", True: "on", False: "off"}[default]
    return click.option(
        f"--{name}/--no-{name}",
        default=None,
        callback=lambda _context, _parameter, wanted: default if wanted is None else wanted,
        help=f"{help}  [default: {usual}]",
    )


class _FormatChoice(click.Choice[str]):
    """The formats of a command, each by its name or file extension: markdown, md."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(_FORMATS_BY_SUFFIX.get(str(value).lower(), value), param, ctx)


class _FormatOption(click.Option):
    """The format that you ask for, or the one that the name of --output ends in."""

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if source is ParameterSource.COMMANDLINE:
            return value, source
        suffix = Path(opts.get("output") or "").suffix.lower().removeprefix(".")
        named = _FORMATS_BY_SUFFIX.get(suffix, suffix)
        assert isinstance(self.type, click.Choice)
        return (named if named in self.type.choices else value), source


def format_option(*formats: str, help: str = "", by_name: bool = True) -> Decorator:
    """Add --format to a command, as `output_format`.

    The default comes from the name of --output if the command has it, else it is the first.
    """
    default = f"from the name of --output, else {formats[0]}" if by_name else formats[0]
    return click.option(
        "--format",
        "-f",
        "output_format",
        cls=_FormatOption,
        type=_FormatChoice(formats),
        default=formats[0],
        help=f"{help}  [default: {default}]".lstrip(),
    )


def path_option(
    names: str, metavar: str, help: str, *, exists: bool = False, **more: Any
) -> Decorator:
    path = click.Path(exists=exists, path_type=Path)
    return text_option(names, metavar, help, type=path, **more)


def count_option(name: str, help: str, least: int = 1, **more: Any) -> Decorator:
    return text_option(name, "N", help, type=click.IntRange(min=least), **more)


def seconds_option(name: str, help: str, **more: Any) -> Decorator:
    return text_option(name, "N", help, type=click.FloatRange(min=0, min_open=True), **more)


def read_options(choices: Mapping[str, Any]) -> Options:
    """Make `Options` from the choices of a command that has `method_options`."""
    method, texts, weights = (choices[name] for name in ("method", "parameters", "weights"))
    if project := choices.get("project"):
        if weights or method not in (None, DEFAULT_METHOD):
            raise click.UsageError(
                f"--project has weights of {DEFAULT_METHOD}; leave out --method and --weights, or"
                " leave out --project."
            )
        weights = _find_accepted_weights(project)
    fields: dict[str, Any] = {
        field.name: choices[field.name]
        for field in dataclasses.fields(Options)
        if field.name in choices
    }
    name = method or DEFAULT_METHOD
    parameters = read_parameters(name, texts, weights)
    return Options(**fields | {"method": name, "parameters": parameters})


def _find_accepted_weights(project: str) -> str | None:
    from tamis.project.taught import accepted_file

    weights = accepted_file(project)
    if weights is None:
        report(f"{project}: nobody accepted weights yet; using the shipped ones")
    return weights


def read_parameters(
    method: str, assignments: Sequence[str], weights: str | None = None
) -> dict[str, Any]:
    """Parse NAME=VALUE strings for a method; `weights` becomes one of its parameters."""
    import_from_here(method)
    if not assignments and weights is None:
        return {}
    defaults = defaults_of(find_class(method))
    if weights is not None:
        if "weights" not in defaults:
            raise MethodError(
                f"--weights: {method} learns nothing and has no weights; leave --weights out"
            )
        assignments = (*assignments, f"weights={weights}")
    return parse_assignments(method, defaults, assignments)


def parse_assignments(
    method: str, defaults: Mapping[str, Any], assignments: Iterable[str]
) -> dict[str, Any]:
    """Convert the values of NAME=VALUE strings to the types of the defaults."""
    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise MethodError(f"--parameter {assignment}: no value; write {name}=VALUE")
        if name not in defaults:
            near = difflib.get_close_matches(name, defaults, n=3) or list(defaults)
            raise MethodError(
                f"--parameter {assignment}: {method} has no parameter {name!r}; "
                + (f"did you mean {' or '.join(near)}?" if near else "it has none at all")
            )
        try:
            values[name] = _convert(text, type(defaults[name]))
        except (ValueError, KeyError):
            wanted = _WANTED[type(defaults[name])]
            raise MethodError(
                f"--parameter {assignment}: {text!r} is not {wanted}; "
                f"the default is {name}={defaults[name]}"
            ) from None
    return values


def _convert(text: str, kind: type[Any]) -> Any:
    if kind is bool:
        return _BOOLEANS[text.lower()]
    if kind in (int, float):
        return kind(text)
    if kind is str:
        return text
    # A default such as None does not say the type: take a number if it is one.
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
