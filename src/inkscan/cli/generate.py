"""`inkscan data generate`: ink that nobody wrote, with its truth and alignment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from inkscan.cli.written_files import refuse_inputs
from inkscan.errors import BadCorpus, BadLabels, BadRequest, LatexError, SourceNotFound, UnknownToken

if TYPE_CHECKING:
    from inkscan.data.sample import Sample
    from inkscan.latex.tree import Row
    from inkscan.synthesis.bank import SymbolBank
    from inkscan.synthesis.expressions import ExpressionSource

COUNT = 100  # expressions that are thought up, if nothing else is asked for
Count = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--count",
        min=1,
        help="How many expressions; 100, or as many as FILE.txt has, if not given.",
        show_default=False,
    ),
]
FontShare = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="With --bank: the share of expressions written with the font; 0.1 if not given.",
        show_default=False,
    ),
]
MaxSymbols = Annotated[
    int | None,
    typer.Option(
        min=2,
        max=200,
        help="Symbols of the longest expression, but for those of FILE.txt; 30 if not given.",
        show_default=False,
    ),
]


def generate(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="A corpus (OUT.parquet), or a folder for InkML files.")
    ],
    count: Count = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed gives other expressions and writers.")] = 0,
    expressions: Annotated[
        str,
        typer.Option(
            help="`grammar`, the built-in one; FILE.parquet, in the manner of a corpus; "
            "or FILE.txt, these expressions, one a line in LaTeX, written one after the other."
        ),
    ] = "grammar",
    bank: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Corpus, or tar of UNIPEN characters, whose real symbols are recombined; repeatable.",
        ),
    ] = None,
    font_share: FontShare = None,
    max_symbols: MaxSymbols = None,
    care: Annotated[float, typer.Option(min=0, max=1, help="From 0, a scrawl, to 1, a textbook.")] = 0.5,
    licence: Annotated[
        str, typer.Option(help="Kept in the corpus, beside the licences of the corpora it is made from.")
    ] = "",
) -> None:
    """Make ink that nobody wrote, with its truth."""
    from inkscan.synthesis.generate import Generator

    _check_out(out, licence)
    if font_share is not None and not bank:
        raise BadRequest("without --bank everything is written with the font, so --font-share says nothing")
    are_given = expressions != "grammar" and Path(expressions).suffix != ".parquet"
    if max_symbols is not None and are_given:
        raise BadRequest(f"the expressions of {expressions} are written as they are: no --max-symbols")
    corpora = [path for path in (Path(expressions), *(bank or ())) if path.suffix == ".parquet"]
    refuse_inputs(out, expressions, *(bank or ()))
    split = _split(out, corpora)
    symbols, licences = _bank(bank or [])
    font_share = Generator.font_share if font_share is None else font_share
    generator = Generator(bank=symbols, font_share=font_share, care=care)
    if are_given:
        rows = _given_rows(Path(expressions), symbols)
        count = count or len(rows)
        made = generator.write(rows, count, seed)
    else:
        count = count or COUNT
        source, most = _expressions(expressions, symbols), max_symbols or Generator.max_symbols
        made = replace(generator, expressions=source, max_symbols=most).samples(count, seed)
    samples = _with_a_bar(made, count, out.name)
    if out.suffix == ".parquet":
        licences = [*_inherited(licence, corpora), *licences]
        fingerprint = _write_corpus(samples, out, split, licences)
        typer.echo(f"{out}: {count} expressions, fingerprint {fingerprint[:16]}")
    else:
        _write_folder(samples, out)
        typer.echo(f"{out}: {count} InkML files")


def _check_out(out: Path, licence: str) -> None:
    if out.suffix not in ("", ".parquet") and not out.is_dir():
        raise typer.BadParameter(
            f"{out} is neither a corpus, which ends in .parquet, nor a folder, whose name has no ending"
        )
    if licence and out.suffix != ".parquet":
        raise BadRequest("--licence is kept in a corpus; a folder of InkML files has no place for it")


def _with_a_bar(samples: Iterable[Sample], count: int, name: str) -> Iterable[Sample]:
    console = Console(stderr=True)
    return track(
        samples,
        f"writing {escape(name)}",
        total=count,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _expressions(choice: str, bank: SymbolBank | None) -> ExpressionSource:
    from inkscan.synthesis.expression_grammar import ExpressionGrammar
    from inkscan.synthesis.expression_model import ExpressionModel
    from inkscan.synthesis.expressions import layout_trees
    from inkscan.synthesis.generate import writable

    if choice == "grammar":
        return ExpressionGrammar()
    from inkscan.data.corpus import Corpus

    return ExpressionModel.fit(writable(layout_trees(Corpus.read(choice)), bank))


def _given_rows(path: Path, bank: SymbolBank | None) -> list[Row]:
    """The expressions of a text, one a line; what is wrong with one is said with its line."""
    if not path.is_file():
        raise SourceNotFound(f"--expressions {path} is neither `grammar` nor a file")
    rows = list(_written_rows(path, bank))
    if not rows:
        raise BadRequest(f"{path} has no expressions")
    return rows


def _written_rows(path: Path, bank: SymbolBank | None) -> Iterator[Row]:
    from inkscan.latex.tokens import parse_latex
    from inkscan.synthesis.generate import writable

    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise BadLabels(f"{path} is not UTF-8") from error
    for number, line in enumerate(lines, start=1):
        try:
            if "\t" in line:
                raise BadLabels(f"{path}, line {number}: a table; name a file with one expression a line")
            if line.strip():
                row = parse_latex(line)
                if not writable([row], bank):
                    raise UnknownToken(
                        f"generated handwriting cannot have all symbols of '{line.strip()}' yet"
                    )
                yield row
        except LatexError as error:
            raise type(error)(f"{path}, line {number}: {error}", error.position) from error


def _bank(paths: list[Path]) -> tuple[SymbolBank | None, list[str]]:
    """The symbols of all files together, and the licences of those that are no corpora.

    As in training, characters stand in for the symbols of a corpus, and some of their writers are left out.
    """
    from inkscan.synthesis.bank import SymbolBank
    from inkscan.synthesis.characters import read_characters, trained_on
    from inkscan.synthesis.standin import with_stand_ins

    corpora, characters, licences = [], [], []
    for path in paths:
        if path.suffix == ".parquet":
            from inkscan.data.corpus import Corpus

            found = SymbolBank.harvest(Corpus.read(path))
            corpora.append(found)
        else:
            written = list(trained_on(read_characters(path)))
            licences += sorted({one.licence for one in written})
            found = SymbolBank.of_characters(written)
            characters.append(found)
        if not found:
            raise BadCorpus(
                f"{path} says of no symbol which strokes it has, so there is nothing to recombine"
            )
    own, extra = SymbolBank.merged(corpora), SymbolBank.merged(characters)
    both = SymbolBank.merged([own, with_stand_ins(own, extra)]) if own and extra else own or extra
    return both or None, licences


def _inherited(licence: str, corpora: Iterable[Path]) -> list[str]:
    """The licence given and those of the corpora that are read."""
    from inkscan.data.corpus import read_metadata

    return [licence, *(read_metadata(path).licence for path in corpora)]


def _split(out: Path, corpora: Iterable[Path]) -> str:
    """The name of what is written, with each test set that it is made from: that makes it one, too."""
    from inkscan.data.corpus import joined_splits, read_metadata

    tests = [found.split for found in map(read_metadata, corpora) if found.is_test]
    if tests and out.suffix != ".parquet":
        raise BadRequest(
            f"what is made from a test set ({tests[0]}) is marked as one, and a folder of InkML files has no place "
            "for the mark: name a corpus, OUT.parquet"
        )
    return joined_splits([out.stem, *tests])


def _write_corpus(samples: Iterable[Sample], path: Path, split: str, licences: Iterable[str]) -> str:
    from inkscan.data.corpus import CorpusMetadata, joined_licences, write_corpus

    licence = joined_licences(licences)
    return write_corpus(samples, path, CorpusMetadata(split=split, licence=licence)).fingerprint


def _write_folder(samples: Iterable[Sample], folder: Path) -> None:
    from inkscan.synthesis.generate import sample_to_inkml

    folder.mkdir(parents=True, exist_ok=True)
    for sample in samples:
        (folder / f"{sample.id}.inkml").write_bytes(sample_to_inkml(sample))
