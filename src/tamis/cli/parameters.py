"""Options that several commands have, and how a method and its parameters are read from them."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from tamis.cli.output import report
from tamis.decide.decision import USUAL_THRESHOLD
from tamis.errors import MethodError
from tamis.method_choices import find_class, import_from_here
from tamis.options import DEFAULT_METHOD, FOCI, Options

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_WANTED = {bool: "true or false", int: "a whole number", float: "a number"}

EXTENSIONS = {"text": "txt", "markdown": "md", "html": "html", "json": "json"}
"""How the names of files in a format end."""
_FORMATS_BY_SUFFIX = {
    **{extension: name for name, extension in EXTENSIONS.items()},
    "htm": "html",
}


def combine_options(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def finite(_: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse "nan" and "inf", which click takes for numbers."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("give an ordinary number", param=parameter)
    return value


def method_options(default: str | None) -> Decorator:
    """Add the options of a method to a command: which, with what weights, how much is kept."""
    return combine_options(
        click.option(
            "--method",
            metavar="NAME|MODEL|CLASS",
            default=default,
            show_default=default is not None,
            help="How to distinguish content from the rest: a name that `tamis methods` lists, a"
            " site model that `tamis site learn` wrote, whose name ends in .npz, or a class of your"
            " own: own.py:LongBlocks is one in a file, own:LongBlocks one of a module, which is"
            " looked for in the current folder first. Its code is run.",
        ),
        click.option(
            "--parameter",
            "parameters",
            metavar="NAME=VALUE",
            multiple=True,
            help="Set a parameter of the method; may be given several times.",
        ),
        click.option(
            "--weights",
            metavar="FILE",
            help="Weights that `tamis train` wrote, for a method that learns.",
        ),
        click.option(
            "--page-type-weights",
            metavar="FILE",
            help="Weights of page types that `tamis train page_type` wrote.",
        ),
        choice_option(
            "--focus",
            FOCI,
            Options().focus,
            "Rather nothing wrong, or rather nothing missing; for methods whose scores are"
            " probabilities.",
        ),
        click.option(
            "--threshold",
            type=click.FloatRange(0, 1),
            default=Options().threshold,
            callback=finite,
            metavar="SCORE",
            help="Keep the blocks with at least this score, from 0 to 1, whatever the focus."
            "  [default: the best choice for the page if the scores are probabilities, else"
            f" {USUAL_THRESHOLD:g}]",
        ),
    )


def listening_options(port: int, when: str = "") -> Decorator:
    """Add where a server listens, and to whom it answers; `when` begins each help."""
    return combine_options(
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            metavar="ADDRESS",
            help=f"{when}Listen here; another than loopback needs --token or --open.",
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=port,
            show_default=True,
            metavar="N",
            help=f"{when}Listen on this port; 0 is any that is free.",
        ),
        click.option(
            "--token",
            envvar="TAMIS_TOKEN",
            metavar="TOKEN",
            help=f"{when}Answer only who sends it as `Authorization: Bearer TOKEN`. Better set"
            " TAMIS_TOKEN: everybody on this machine sees what commands are given.",
        ),
        click.option(
            "--open",
            is_flag=True,
            help=f"{when}Answer everybody who reaches --host, without a token.",
        ),
        click.option(
            "--allow-host",
            "allowed_hosts",
            multiple=True,
            metavar="NAME",
            help=f"{when}A name of this server, which clients ask it by; may be given several"
            " times.",
        ),
    )


project_option: Decorator = click.option(
    "--project",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Use the weights that were accepted in this project of `tamis serve --project DIR`.",
)
"""Adds --project to a command that has `method_options`."""


def output_option(
    metavar: str = "FILE",
    help: str = "Write here instead of to standard output; the file appears only when it is"
    " complete.",
    **more: Any,
) -> Decorator:
    """Add --output to a command, and -o for short."""
    path = click.Path(readable=False)  # so that shells complete it
    return click.option("--output", "-o", type=path, metavar=metavar, help=help, **more)


def choice_option(
    names: str, choices: Iterable[str], default: str, help: str | None, **more: Any
) -> Decorator:
    """Add an option that is one of some words to a command."""
    choice = click.Choice(list(choices))
    return click.option(
        *names.split(), type=choice, default=default, show_default=True, help=help, **more
    )


def switch_option(field: str, help: str) -> Decorator:
    """Add --NAME and --no-NAME to a command, for a field of `Options` that is true or false.

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
    """The formats of a command, each by its name or by the end of a file name: markdown, md."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name of the format."""
        return super().convert(_FORMATS_BY_SUFFIX.get(str(value).lower(), value), param, ctx)


class _FormatOption(click.Option):
    """The format that is asked for, else the one that the name of --output says."""

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
    """Add --format to a command, as `output_format`, and -f for short.

    The default is what the name of --output says, if there is such an option, else the first.
    """
    default = f"by the name of --output, else {formats[0]}" if by_name else formats[0]
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
    """Add an option for a file or folder to a command, which may have a short name, too."""
    path = click.Path(exists=exists, path_type=Path)
    return click.option(*names.split(), type=path, metavar=metavar, help=help, **more)


def count_option(name: str, help: str, least: int = 1, **more: Any) -> Decorator:
    """Add an option for a whole number to a command."""
    return click.option(name, type=click.IntRange(min=least), metavar="N", help=help, **more)


def read_options(choices: Mapping[str, Any]) -> Options:
    """The options of a command that has `method_options`; other choices of it are left out."""
    method, texts, weights = (choices[name] for name in ("method", "parameters", "weights"))
    if project := choices.get("project"):
        if weights or method not in (None, DEFAULT_METHOD):
            raise click.UsageError(
                f"--project has weights of {DEFAULT_METHOD}; leave out --method and --weights, or"
                " leave out --project."
            )
        weights = _accepted_weights(project)
    fields: dict[str, Any] = {
        field.name: choices[field.name]
        for field in dataclasses.fields(Options)
        if field.name in choices
    }
    name = method or DEFAULT_METHOD
    parameters = read_parameters(name, texts, weights)
    return Options(**fields | {"method": name, "parameters": parameters})


def _accepted_weights(project: str) -> str | None:
    from tamis.project.weights import accepted_file

    weights = accepted_file(project)
    if weights is None:
        report(f"{project}: no weights are accepted yet; the shipped ones are used")
    return weights


def read_parameters(
    method: str, assignments: Sequence[str], weights: str | None = None
) -> dict[str, Any]:
    """Turn NAME=VALUE strings into values of the types that the method's defaults have."""
    from tamis.methods._registry import defaults_of

    import_from_here(method)
    if not assignments and weights is None:
        return {}
    defaults = defaults_of(find_class(method))
    if weights is not None:
        if "weights" not in defaults:
            raise MethodError(
                f"--weights: {method} learns nothing and has no weights; leave it out"
            )
        assignments = (*assignments, f"weights={weights}")
    return parse_assignments(method, defaults, assignments)


def parse_assignments(
    method: str, defaults: Mapping[str, Any], assignments: Iterable[str]
) -> dict[str, Any]:
    """The values of NAME=VALUE strings, of the types that the defaults have."""
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
    # A default such as None does not say what is wanted: a number where it can be one.
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
