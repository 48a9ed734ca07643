"""The answer of /v1: its shape, and how a recognition becomes one."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field

from inkscan.latex.parser import parse_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.recognition import Recognition
from inkscan.web.batching import Answer
from inkscan.web.candidates import Candidates
from inkscan.web.options import Options
from inkscan.web.shapes import Shape

Share = Annotated[float, Field(ge=0, le=1)]


class AlternativeReading(Shape):
    """One of the readings of an ink."""

    latex: str = Field(description="The reading.")
    tokens: list[str] = Field(description="The same in tokens.")
    mathml: str = Field(default="", description="The same as MathML.")
    score: float = Field(description="Its log-probability in the search.")
    probability: Share = Field(description="That this reading is right.")


class AnsweredSymbol(Shape):
    """One written symbol."""

    token: str = Field(description="What was read.")
    index: int = Field(description="Its place in `tokens`, from 0.")
    strokes: list[int] = Field(description="The numbers of its strokes, from 0.")
    box: dict[str, float] | None = Field(
        description="`left top right bottom` in the ink's coordinates; null without strokes."
    )
    confidence: Share = Field(description="That it is right.")
    candidates: list[dict[str, str | float | None]] = Field(
        description="What else it may be: `token`, and `probability` or null for what only looks alike."
    )


class Timing(Shape):
    """What an answer took."""

    queue_ms: float = Field(description="Milliseconds in the queue.")
    recognition_ms: float = Field(description="Milliseconds of the whole batch.")
    batch: int = Field(description="Inks recognised together.")

    @classmethod
    def of(cls, answer: Answer) -> Timing:
        queue_ms, batch_ms = answer.queue_seconds * 1000, answer.batch_seconds * 1000
        return cls(queue_ms=round(queue_ms, 2), recognition_ms=round(batch_ms, 2), batch=answer.batch_size)


class Recognized(Shape):
    """The answer to one ink; what was not asked for is left out."""

    model_config = ConfigDict(extra="forbid")  # what a recognition has more must be described here

    latex: str = Field(description="The most likely reading.")
    tokens: list[str] = Field(description="The same in the model's tokens.")
    confidence: Share = Field(description="Probability that all of it is right.")
    score: float = Field(description="Its log-probability in the search.")
    mathml: str = Field(default="", description="The same as MathML.")
    alternatives: list[AlternativeReading] = Field(default=[], description="The readings, the answer first.")
    symbols: list[AnsweredSymbol] = Field(
        default=[], description="The written symbols, in the order of `tokens`."
    )
    unread: list[int] = Field(description="The numbers of strokes that no symbol explains.")
    alignment: list[list[float]] = Field(
        default=[], description="If asked for: how much each token looked at each stroke."
    )
    inkml: str = Field(default="", description="If asked for: the ink with its answer as InkML.")
    lg: str = Field(default="", description="If asked for: the label graph of CROHME.")
    timing: Timing = Field(
        default=Timing(queue_ms=0, recognition_ms=0, batch=1), description="What the answer took."
    )
    model: str = Field(description="The model that answered.")

    @classmethod
    def of(cls, recognition: Recognition, options: Options, vocabulary: frozenset[str]) -> Self:
        """The recognition with what the client asked for, before it is known what it took."""
        asked = set(options.formats)
        reply = recognition.to_json()
        for name in {"mathml", "alternatives", "symbols"} - asked:
            del reply[name]
        if {"alternatives", "mathml"} <= asked:
            for entry in reply["alternatives"]:
                entry["mathml"] = to_mathml(parse_tokens(entry["tokens"]))
        if "symbols" in asked:
            _add_candidates(reply["symbols"], recognition, vocabulary)
        if "alignment" in asked:
            reply["alignment"] = [
                [round(share, 3) for share in row] for row in recognition.alignment.tolist()
            ]
        if "inkml" in asked:
            reply["inkml"] = recognition.to_inkml().decode()
        if "lg" in asked:
            reply["lg"] = recognition.to_lg()
        return cls.model_validate(reply)

    def json_of(self, **more: Any) -> dict[str, Any]:
        """JSON values, without what was not asked for."""
        return self.model_copy(update=more).model_dump(exclude_unset=True)


class RecognizeReply(Recognized):
    """The reply of /v1/recognize."""

    request_id: str = Field(default="", description="Also in the header `X-Request-Id` and in the log.")


def _add_candidates(
    symbols: list[dict[str, Any]], recognition: Recognition, vocabulary: frozenset[str]
) -> None:
    candidates = Candidates(recognition, vocabulary)
    for symbol in symbols:
        symbol["candidates"] = [
            {"token": c.token, "probability": None if c.probability is None else round(c.probability, 6)}
            for c in candidates.of(symbol["index"])
        ]
