"""Every error that inkscan raises on purpose, each with a stable code.

    InkscanError
    ├── InkError                    ink that cannot be read
    │   ├── EmptyInput              ink.empty
    │   ├── BadEncoding             ink.encoding
    │   ├── UnknownInkFormat        ink.unknown_format
    │   ├── MalformedInk            ink.malformed
    │   ├── UnsafeXml               ink.unsafe_xml
    │   ├── InkTooLarge             ink.too_large
    │   ├── BadCoordinate           ink.coordinate
    │   └── NoStrokes               ink.no_strokes
    ├── LatexError                  LaTeX or MathML that cannot be read (has a position)
    │   ├── LatexSyntax             latex.syntax
    │   ├── LatexTooDeep            latex.too_deep
    │   ├── UnknownToken            latex.unknown_token
    │   └── MathmlSyntax            latex.mathml
    ├── DataError                   corpora and labels
    │   ├── NoTruth                 data.no_truth
    │   ├── BadCorpus               data.corpus
    │   ├── BadLabels               data.labels
    │   └── SourceNotFound          data.not_found
    ├── ModelError                  models and their files
    │   ├── UnknownModel            model.unknown
    │   ├── DamagedModel            model.damaged
    │   └── UnsupportedSystem       model.system
    ├── TrainingError               a run that cannot go on
    │   ├── BadSetting              train.setting
    │   ├── BadCheckpoint           train.checkpoint
    │   ├── TestSplitSelection      train.test_split
    │   └── WrongBank               train.bank
    ├── RecognitionError            a request that cannot be answered
    │   ├── BadRequest              request.invalid
    │   ├── Cancelled               request.cancelled
    │   ├── NothingAllowed          request.nothing_allowed
    │   ├── NotAcceptable           request.not_acceptable
    │   ├── Overloaded              request.overloaded
    │   ├── TimedOut                request.timeout
    │   ├── Unauthorized            request.unauthorized
    │   ├── Unavailable             request.unavailable
    │   └── WorkerCrashed           request.crashed
    ├── BulkError                   a bulk job that cannot begin or go on
    │   ├── BadOutput               bulk.output
    │   ├── DamagedJob              bulk.damaged
    │   ├── OutputInUse             bulk.in_use
    │   └── OutputTaken             bulk.taken
    ├── ServeError                  a server that cannot start
    │   ├── BadServerSetting        serve.setting
    │   ├── NoSuchAddress           serve.address
    │   └── PortInUse               serve.port_in_use
    └── MissingExtra                install.extra

Codes are part of the public interface: the command line, the HTTP server, rejection reports and
bulk jobs all carry them, and a code never changes its meaning.
"""

from __future__ import annotations

from typing import ClassVar


class InkscanError(Exception):
    """Base of the tree; `code` is stable, the message says what to do."""

    code: ClassVar[str] = "inkscan"


class InkError(InkscanError):
    code = "ink"


class EmptyInput(InkError):
    code = "ink.empty"


class BadEncoding(InkError):
    code = "ink.encoding"


class UnknownInkFormat(InkError):
    code = "ink.unknown_format"


class MalformedInk(InkError):
    code = "ink.malformed"


class UnsafeXml(InkError):
    code = "ink.unsafe_xml"


class InkTooLarge(InkError):
    code = "ink.too_large"


class BadCoordinate(InkError):
    code = "ink.coordinate"


class NoStrokes(InkError):
    code = "ink.no_strokes"


class LatexError(InkscanError):
    """`position` is the index of the offending character or token, None where there is none."""

    code = "latex"

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


class LatexSyntax(LatexError):
    code = "latex.syntax"


class LatexTooDeep(LatexError):
    code = "latex.too_deep"


class UnknownToken(LatexError):
    code = "latex.unknown_token"


class MathmlSyntax(LatexError):
    code = "latex.mathml"


class DataError(InkscanError):
    code = "data"


class NoTruth(DataError):
    code = "data.no_truth"


class BadCorpus(DataError):
    code = "data.corpus"


class BadLabels(DataError):
    code = "data.labels"


class SourceNotFound(DataError):
    code = "data.not_found"


class ModelError(InkscanError):
    code = "model"


class UnknownModel(ModelError):
    code = "model.unknown"


class DamagedModel(ModelError):
    code = "model.damaged"


class UnsupportedSystem(ModelError):
    code = "model.system"


class TrainingError(InkscanError):
    code = "train"


class BadSetting(TrainingError):
    code = "train.setting"


class BadCheckpoint(TrainingError):
    code = "train.checkpoint"


class TestSplitSelection(TrainingError):
    __test__ = False  # not a pytest class
    code = "train.test_split"


class WrongBank(TrainingError):
    """A resumed run without the symbol bank that it began with."""

    code = "train.bank"


class RecognitionError(InkscanError):
    code = "request"


class BadRequest(RecognitionError):
    code = "request.invalid"


class Cancelled(RecognitionError):
    """A recognition that was given up between two steps, since its caller said that nobody waits for it."""

    code = "request.cancelled"


class NothingAllowed(RecognitionError):
    code = "request.nothing_allowed"


class NotAcceptable(RecognitionError):
    code = "request.not_acceptable"


class Overloaded(RecognitionError):
    """`retry_seconds` is when it is worth asking again."""

    code = "request.overloaded"

    def __init__(self, message: str, retry_seconds: int = 1) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class TimedOut(RecognitionError):
    code = "request.timeout"


class Unauthorized(RecognitionError):
    code = "request.unauthorized"


class Unavailable(RecognitionError):
    code = "request.unavailable"


class WorkerCrashed(RecognitionError):
    """An input over which the process that recognised it ended, again and again."""

    code = "request.crashed"


class BulkError(InkscanError):
    code = "bulk"


class BadOutput(BulkError):
    code = "bulk.output"


class DamagedJob(BulkError):
    """What an interrupted or finished job left on the disk and cannot be read."""

    code = "bulk.damaged"


class OutputInUse(BulkError):
    """Another job is writing it now."""

    code = "bulk.in_use"


class OutputTaken(BulkError):
    """Under the output's name is another job's, or a file that no job wrote."""

    code = "bulk.taken"


class ServeError(InkscanError):
    code = "serve"


class BadServerSetting(ServeError):
    code = "serve.setting"


class NoSuchAddress(ServeError):
    code = "serve.address"


class PortInUse(ServeError):
    code = "serve.port_in_use"


class MissingExtra(InkscanError):
    """A part that is installed by an extra, such as `pip install inkscan[train]`."""

    code = "install.extra"
