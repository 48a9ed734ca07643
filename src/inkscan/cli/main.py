"""The commands of `inkscan`: a table, each imported only when it is called."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from inkscan.cli.entry import EXIT_ERROR, EXIT_FAULT, EXIT_SOME_FAILED, main
from inkscan.errors import MissingExtra

__all__ = ["COMMANDS", "EXIT_ERROR", "EXIT_FAULT", "EXIT_SOME_FAILED", "app", "main"]


@dataclass(frozen=True)
class Command:
    """A row of the table: `target` is `module:name` of a function or of a typer app."""

    target: str
    help: str
    extra: str = ""  # the extra that installs what it imports
    extra_for: str = ""  # the option that needs the extra, if the rest does without

    @property
    def short_help(self) -> str:
        if not self.extra:
            return self.help
        needs = f"{self.extra_for} needs inkscan[{self.extra}]".strip()
        return f"{self.help.rstrip('.')} ({needs})."


COMMANDS: dict[str, Command] = {
    "recognize": Command("inkscan.cli.recognize:recognize", "Turn pen strokes into LaTeX."),
    "explain": Command(
        "inkscan.cli.explain:explain", "Show the attention at each step on the ink, as a page."
    ),
    "data": Command("inkscan.cli.data:app", "Prepare, check and look at corpora.", extra="data"),
    "models": Command("inkscan.cli.models:models", "List the models at hand and the ten systems."),
    "train": Command("inkscan.cli.train:train", "Train any of the ten systems on a corpus.", extra="train"),
    "average": Command(
        "inkscan.cli.average:average", "Make the mean of several runs' checkpoints.", extra="train"
    ),
    "export": Command(
        "inkscan.cli.export:export", "Make a checkpoint a model for recognition.", extra="train"
    ),
    "classifier": Command(
        "inkscan.cli.classifier:classifier",
        "Train the classifier of single symbols that weighs answers.",
        extra="train",
    ),
    "language": Command(
        "inkscan.cli.language:language",
        "Train the language model of formulas that weighs answers.",
        extra="train",
    ),
    "serve": Command("inkscan.cli.serve:serve", "Serve the HTTP API and the page to write on.", extra="web"),
    "bulk": Command(
        "inkscan.cli.bulk:bulk", "Recognise a folder, archive or corpus of any size.", extra="data"
    ),
    "bench": Command(
        "inkscan.cli.bench:bench", "Measure how fast recognition is here.", extra="data", extra_for="--data"
    ),
    "score": Command("inkscan.cli.score:score", "Score predictions in a file against truths."),
    "eval": Command("inkscan.cli.eval:evaluate", "Run a model on data and say how good it is.", extra="data"),
    "compare": Command(
        "inkscan.cli.compare:compare", "Say whether two sets of predictions differ by more than chance."
    ),
}


class LazyGroup(TyperGroup):
    """Lists commands from the table and imports only the one that runs."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        row = COMMANDS.get(cmd_name)
        return TyperCommand(cmd_name, short_help=row.short_help) if row else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        near = [] if args[0] in COMMANDS else get_close_matches(args[0], COMMANDS, n=1)
        if near and not ctx.resilient_parsing:  # a shell that completes a line wants no sentences
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        name, stub, rest = super().resolve_command(ctx, args)
        return name, _load(name) if name in COMMANDS else stub, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:  # of what a command imports while it runs
            _name_extra(ctx.invoked_subcommand, error)


app = typer.Typer(
    cls=LazyGroup, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    """Handwritten mathematics in as pen strokes, LaTeX out."""
    if version:
        from inkscan import __version__

        typer.echo(f"inkscan {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _load(name: str) -> Any:
    row = COMMANDS[name]
    module_name, _, attribute = row.target.partition(":")
    try:
        target = getattr(import_module(module_name), attribute)
    except ModuleNotFoundError as error:
        _name_extra(name, error)
    if not isinstance(target, typer.Typer):
        function, target = target, typer.Typer(add_completion=False, rich_markup_mode=None)
        target.command()(function)
    command = typer.main.get_command(target)
    _hide_types(command)
    if row.extra:
        command.epilog = (
            f"Install what {row.extra_for or 'it'} needs with: pip install 'inkscan[{row.extra}]'"
        )
    return command


def _hide_types(command: Any) -> None:
    """Help names arguments as `FILE`, where typer would say `FILE <list[str]>`."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None
    for inner in getattr(command, "commands", {}).values():
        _hide_types(inner)


def _name_extra(command: str | None, error: ModuleNotFoundError) -> NoReturn:
    """Say which extra a command lacks; where none would help, the error stays."""
    extra = COMMANDS[command].extra if command in COMMANDS else ""
    if not extra or (error.name or "").startswith("inkscan"):
        raise error
    raise MissingExtra(
        f"`inkscan {command}` needs {error.name}; install it with: pip install 'inkscan[{extra}]'"
    ) from error
