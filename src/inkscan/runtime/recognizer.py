"""Recognizer: ink in, Recognition out. The class that every interface calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np

from inkscan.errors import DamagedModel, InkError, InkTooLarge
from inkscan.features import FeatureBatch, InkFeatures, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.latex.tokens import latex_from_tokens
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.beam import BeamSearch, Found, Hypothesis
from inkscan.runtime.calibration import Evidence, uncalibrated
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.models import ExportedModel, ModelInfo, find_model, read_model
from inkscan.runtime.network import Float32, Network
from inkscan.runtime.recognition import Alternative, Recognition, RecognizedSymbol
from inkscan.runtime.search import SearchChanges, SearchSettings
from inkscan.runtime.segmentation import is_written, segment, stroke_attention

MAX_STROKES = 1_000  # of one expression
MAX_TRACE_POINTS = 20_000  # after thinning or spacing
MAX_PIXELS = 1_500_000  # of the drawn image
RIVALS = 2  # whose probability is held against the answer's
BATCH_COST = 2_000  # points (or 1/8 pixels) of a padded batch


@dataclass(frozen=True)
class Member:
    """One model of a recogniser."""

    info: ModelInfo
    network: Network


def load(*models: str | Path, threads: int = 1) -> Recognizer:
    """A recogniser from a bundled model's name or a folder; without any, the default; several decide together."""
    return Recognizer([member_of(read_model(find_model(name)), threads) for name in models or (None,)])


def member_of(exported: ExportedModel, threads: int = 1) -> Member:
    """The model ready to run."""
    info = exported.info
    return Member(info, Network(exported.encoder, exported.step, info.contract, threads=threads))


class Recognizer:
    """One model, or several that decide each token together. Calls are independent, so threads may share it."""

    def __init__(self, members: Sequence[Member], settings: SearchSettings | None = None) -> None:
        vocabularies = {member.info.vocabulary for member in members}
        if len(vocabularies) != 1:
            raise DamagedModel("the models of an ensemble need one and the same vocabulary")
        self.members = tuple(members)
        first = members[0].info
        self.settings = settings or SearchSettings(length_power=first.length_power)
        self.calibration = first.calibration
        self.name = "+".join(member.info.name for member in members)
        self._constraint = Constraint(first.vocabulary)

    def __repr__(self) -> str:
        systems = "+".join(member.info.system for member in self.members)
        symbols, beam = len(self.vocabulary.symbols), self.settings.beam
        return f"<Recognizer {self.name}: {systems}, {symbols} symbols, beam {beam}>"

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols that it knows."""
        return self.members[0].info.vocabulary

    def with_search(self, **changes: Unpack[SearchChanges]) -> Recognizer:
        """The same models with other settings of the search."""
        return Recognizer(self.members, self._settings(changes))

    def __call__(self, ink: Ink, **changes: Unpack[SearchChanges]) -> Recognition:
        """Recognise one ink; keywords change the search for this call."""
        settings = self._settings(changes)
        return self._recognize([ink], [self._features(ink)], settings, self._constrained(settings))[0]

    def many(self, inks: Sequence[Ink], **changes: Unpack[SearchChanges]) -> list[Recognition]:
        """Recognise many inks, batched with their like in length; raises what the first bad ink raises."""
        answers = []
        for answer in self.answers(inks, **changes):
            if isinstance(answer, InkError):
                raise answer
            answers.append(answer)
        return answers

    def answers(self, inks: Sequence[Ink], **changes: Unpack[SearchChanges]) -> list[Recognition | InkError]:
        """As `many`, with an error in the place of each ink that cannot be recognised."""
        settings = self._settings(changes)
        constraint = self._constrained(settings)
        found: dict[int, Recognition | InkError] = {}
        features: dict[int, list[InkFeatures]] = {}
        for i, ink in enumerate(inks):
            try:
                features[i] = self._features(ink)
            except InkError as error:
                found[i] = error
        for batch in _batches({i: _cost(f) for i, f in features.items()}):
            recognized = self._recognize(
                [inks[i] for i in batch], [features[i] for i in batch], settings, constraint
            )
            found.update(zip(batch, recognized, strict=True))
        return [found[i] for i in range(len(inks))]

    def batch(self, inks: Sequence[Ink]) -> FeatureBatch:
        """The padded features of inks as the first model sees them."""
        return pad_batch([self._features(ink)[0] for ink in inks])

    def _settings(self, changes: SearchChanges) -> SearchSettings:
        return replace(self.settings, **changes) if changes else self.settings  # type: ignore[arg-type]

    def _constrained(self, settings: SearchSettings) -> Constraint:
        if settings.allow is None and not settings.forbid:
            return self._constraint
        return Constraint(self.vocabulary, settings.allow, settings.forbid)

    def _features(self, ink: Ink) -> list[InkFeatures]:
        """Each member's features of an ink, which is refused before it can fill the memory."""
        if not isinstance(ink, Ink):
            raise TypeError(
                f"an Ink is recognised, not a {type(ink).__name__}: Ink.read(path) reads one from a file, "
                "Ink.from_points(strokes) makes one of points"
            )
        if len(ink) > MAX_STROKES:
            raise InkTooLarge(
                f"{len(ink)} strokes; one expression has at most {MAX_STROKES}, so split the ink"
            )
        found: list[InkFeatures] = []
        for member in self.members:
            info = member.info
            features = ink_features(ink, info.features, online=info.online, offline=info.offline)
            if features.trace is not None and len(features.trace.features) > MAX_TRACE_POINTS:
                raise InkTooLarge(
                    f"the strokes are too long for one expression: more than {MAX_TRACE_POINTS} points"
                )
            if features.raster is not None and features.raster.image.size > MAX_PIXELS:
                raise InkTooLarge(f"the ink is too large for one expression: more than {MAX_PIXELS} pixels")
            found.append(features)
        return found

    def _recognize(
        self,
        inks: Sequence[Ink],
        features: Sequence[list[InkFeatures]],
        settings: SearchSettings,
        constraint: Constraint,
    ) -> list[Recognition]:
        batches = [pad_batch([ink[m] for ink in features]) for m in range(len(self.members))]
        networks = [member.network for member in self.members]
        encoded = [network.encode(batch) for network, batch in zip(networks, batches, strict=True)]
        limits = [min(settings.max_tokens, 8 * len(ink) + 8) for ink in inks]
        search = BeamSearch(networks, encoded, constraint, settings)
        found = search.run(limits, start=len(self.vocabulary))
        return [
            self._recognition(ink, i, answers, batches, settings)
            for i, (ink, answers) in enumerate(zip(inks, found, strict=True))
        ]

    def _recognition(
        self,
        ink: Ink,
        number: int,
        found: Found,
        batches: list[FeatureBatch],
        settings: SearchSettings,
    ) -> Recognition:
        best = found.hypotheses[0]
        tokens = self.vocabulary.decode(best.tokens)
        alignment = self._alignment(found, batches, number, len(ink))
        evidence = evidence_of(found.hypotheses, settings.beam)
        confidence = self.calibration.of_expression(evidence) if self.calibration else uncalibrated(evidence)
        return Recognition(
            latex=latex_from_tokens(tokens),
            tokens=tokens,
            score=best.score,
            confidence=confidence,
            alternatives=self._alternatives(found.hypotheses, confidence)[: settings.n_best],
            symbols=self._symbols(ink, tokens, best.log_probs, alignment),
            alignment=alignment,
            attentions=found.alphas[0],
            evidence=evidence,
            ink=ink,
            model=self.name,
        )

    def _alignment(self, found: Found, batches: list[FeatureBatch], number: int, strokes: int) -> Float32:
        """The mean of all attentions as shares of strokes, (C, M)."""
        shares = [
            stroke_attention(alpha, view, batch, number, strokes)
            for member, batch, alphas in zip(self.members, batches, found.alphas, strict=True)
            for view, alpha in zip(member.info.views, alphas, strict=True)
        ]
        mean: Float32 = np.stack(shares).mean(axis=0, dtype=np.float32)
        return mean

    def _alternatives(self, found: Sequence[Hypothesis], confidence: float) -> tuple[Alternative, ...]:
        """The answer has its confidence; the others share at most the rest, in proportion to their scores."""
        shares = confidence * np.exp([hypothesis.score - found[0].score for hypothesis in found])
        others = shares[1:].sum()
        if others > 1 - confidence:
            shares[1:] *= (1 - confidence) / others
        decoded = [self.vocabulary.decode(hypothesis.tokens) for hypothesis in found]
        return tuple(
            Alternative(latex_from_tokens(tokens), tokens, hypothesis.score, float(share))
            for tokens, hypothesis, share in zip(decoded, found, shares, strict=True)
        )

    def _symbols(
        self, ink: Ink, tokens: tuple[str, ...], log_probs: Sequence[float], alignment: Float32
    ) -> tuple[RecognizedSymbol, ...]:
        written = is_written(tokens)
        groups = segment(alignment, written)
        calibrated = self.calibration.of_symbol if self.calibration else np.exp
        return tuple(
            RecognizedSymbol(
                token=token,
                index=i,
                strokes=strokes,
                box=ink.box(strokes) if strokes else None,
                confidence=float(calibrated(log_probs[i])),
            )
            for i, (token, strokes) in enumerate(zip(tokens, groups, strict=True))
            if written[i]
        )


def evidence_of(found: Sequence[Hypothesis], beam: int) -> Evidence:
    """What the n-best list tells of its first entry. Of the rivals only as many count as small beams find, too."""
    first, *others = (sum(hypothesis.log_probs) for hypothesis in found)
    lead = (
        None if beam == 1 else first - float(np.logaddexp.reduce(sorted(others)[-RIVALS:], initial=-np.inf))
    )
    return Evidence(found[0].log_probs, lead)


def _cost(features: Sequence[InkFeatures]) -> int:
    points = max((len(f.trace.features) for f in features if f.trace is not None), default=0)
    pixels = max((f.raster.image.size for f in features if f.raster is not None), default=0)
    return max(points, pixels // 8)


def _batches(costs: dict[int, int]) -> list[list[int]]:
    """Inks of like cost together, as many as fit into BATCH_COST."""
    batches: list[list[int]] = []
    for i in sorted(costs, key=lambda i: (costs[i], i)):
        if not batches or (len(batches[-1]) + 1) * costs[i] > BATCH_COST:
            batches.append([])
        batches[-1].append(i)
    return batches
