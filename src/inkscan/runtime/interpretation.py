"""Interpretation: what a finished search says of an ink, as a Recognition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inkscan.features import FeatureBatch
from inkscan.ink import Ink
from inkscan.latex.tokens import latex_from_tokens
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.beam import Found, Hypothesis
from inkscan.runtime.calibration import Agreement, Calibration, Evidence, uncalibrated, with_agreement
from inkscan.runtime.models import ModelInfo
from inkscan.runtime.network import Float32
from inkscan.runtime.recognition import Alternative, Recognition, RecognizedSymbol
from inkscan.runtime.search import SearchSettings
from inkscan.runtime.segmentation import is_written, owners_of, segment, stroke_attention
from inkscan.runtime.unread import Writing

RIVALS = 2  # whose probability is held against the answer's
# So many times as often an answer is right that leaves strokes unread, on CROHME 2013 in several orders.
UNREAD = 0.45


@dataclass(frozen=True)
class Looked:
    """Where a hypothesis looked."""

    alignment: Float32  # (C, M): shares of the ink's strokes
    strokes: tuple[tuple[int, ...], ...]  # of each token

    @property
    def unread(self) -> set[int]:
        """The strokes that no symbol explains."""
        return set(range(self.alignment.shape[1])).difference(*self.strokes)


@dataclass(frozen=True)
class Interpreter:
    """The models whose search it was, the first of which says how sure they are."""

    models: tuple[ModelInfo, ...]

    @property
    def name(self) -> str:
        return "+".join(model.name for model in self.models)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.models[0].vocabulary

    @property
    def calibration(self) -> Calibration | None:
        return self.models[0].calibration

    def recognition(
        self,
        ink: Ink,
        found: Found,
        looked: Looked,
        settings: SearchSettings,
        agreement: Agreement | None = None,
    ) -> Recognition:
        """What the best hypothesis says, and how sure it is after a vote."""
        best = found.best
        tokens = self.vocabulary.decode(best.tokens)
        unread = looked.unread
        evidence = evidence_of(found.hypotheses, settings.beam)
        confidence = self.calibration.of_expression(evidence) if self.calibration else uncalibrated(evidence)
        # One model that followed a single hypothesis has no rivals to agree against.
        if agreement is not None and (agreement.are_several or evidence.lead is not None):
            confidence = with_agreement(confidence, agreement)
        if unread:
            confidence *= UNREAD
        return Recognition(
            latex=latex_from_tokens(tokens),
            tokens=tokens,
            score=best.score,
            confidence=confidence,
            alternatives=self._alternatives(found.hypotheses, confidence, settings.n_best),
            symbols=self._symbols(ink, tokens, looked.strokes, best.log_probs),
            unread=tuple(sorted(unread)),
            alignment=looked.alignment,
            attentions=best.alphas[0],
            evidence=evidence,
            ink=ink,
            ink_as_read=ink,
            model=self.name,
        )

    def _alternatives(
        self, found: Sequence[Hypothesis], confidence: float, count: int
    ) -> tuple[Alternative, ...]:
        """The answer has its confidence; the others share at most the rest, in proportion to their scores. None has
        more than the answer, even if one reading found it likelier than all of them together do."""
        shares = confidence * np.exp([min(hypothesis.score - found[0].score, 0.0) for hypothesis in found])
        others = shares[1:].sum()
        if others > 1 - confidence:
            shares[1:] *= (1 - confidence) / others
        decoded = [self.vocabulary.decode(hypothesis.tokens) for hypothesis in found[:count]]
        return tuple(
            Alternative(latex_from_tokens(tokens), tokens, hypothesis.score, float(share))
            for tokens, hypothesis, share in zip(decoded, found[:count], shares[:count], strict=True)
        )

    def _symbols(
        self, ink: Ink, tokens: tuple[str, ...], groups: Sequence[tuple[int, ...]], log_probs: Sequence[float]
    ) -> tuple[RecognizedSymbol, ...]:
        written = is_written(tokens)
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


class Looks:
    """Where hypotheses of one ink looked, which is the ink with this number in the batches; it does not keep these."""

    def __init__(
        self, interpreter: Interpreter, ink: Ink, batches: Sequence[FeatureBatch], number: int
    ) -> None:
        self._interpreter, self._writing = interpreter, Writing(ink)
        self._owners = [
            owners_of(view, batch, number, len(ink))
            for model, batch in zip(interpreter.models, batches, strict=True)
            for view in model.views
        ]
        self._found: dict[Hypothesis, Looked] = {}

    def of(self, hypothesis: Hypothesis) -> Looked:
        """Worked out once for each: a vote is repeated with every further reading."""
        if hypothesis not in self._found:
            self._found[hypothesis] = self._looked(hypothesis)
        return self._found[hypothesis]

    def _looked(self, hypothesis: Hypothesis) -> Looked:
        tokens = self._interpreter.vocabulary.decode(hypothesis.tokens)
        alignment = self._alignment(hypothesis)
        groups = segment(alignment, is_written(tokens))
        return Looked(alignment, self._writing.read_strokes(tokens, groups, alignment))

    def _alignment(self, hypothesis: Hypothesis) -> Float32:
        """The mean of all attentions as shares of strokes, (C, M)."""
        alphas = [alpha for views in hypothesis.alphas for alpha in views]
        shares = [
            stroke_attention(alpha, owners, len(self._writing.boxes))
            for alpha, owners in zip(alphas, self._owners, strict=True)
        ]
        mean: Float32 = shares[0] if len(shares) == 1 else np.stack(shares).mean(axis=0, dtype=np.float32)
        return mean


def evidence_of(found: Sequence[Hypothesis], beam: int) -> Evidence:
    """What the n-best list tells of its first entry. Of the rivals only as many count as small beams find, too."""
    first, *others = (sum(hypothesis.log_probs) for hypothesis in found)
    lead = (
        None if beam == 1 else first - float(np.logaddexp.reduce(sorted(others)[-RIVALS:], initial=-np.inf))
    )
    return Evidence(found[0].log_probs, lead)
