"""Does the shipped recogniser answer as torch does, and do all its answers hold together?

    python benchmarks/agreement.py best.safetensors FOLDER --data crohme-test2014.parquet

The same search runs once over torch in float32 and once over the exported graphs, ink by ink, and the answers are
compared. Every answer of the exported model must parse, and have every stroke in one symbol or among the unread.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from rich.progress import track

from inkscan.data.corpus import Corpus
from inkscan.errors import InkscanError
from inkscan.features import FeatureBatch
from inkscan.latex.parser import parse_tokens
from inkscan.models.attention import Prepared
from inkscan.models.decoder import DecoderState
from inkscan.models.scan import Scan, TensorBatch
from inkscan.runtime.member import Member
from inkscan.runtime.network import Arrays, Encoded, Int64, StepResult
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer, load
from inkscan.training.checkpoint import load_checkpoint


class TorchNetwork:
    """`runtime.network.Network` over torch, for one ink at a time."""

    def __init__(self, model: Scan) -> None:
        self.model = model.eval()
        self.prepared: list[Prepared] = []

    @torch.no_grad()
    def encode(self, batch: FeatureBatch) -> Encoded:
        memories = self.model.encode(TensorBatch.of(batch))
        self.prepared = self.model.decoder.attention.prepare(memories)
        return Encoded({}, _arrays(self.model.decoder.start(memories)))

    @torch.no_grad()
    def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
        decoder, count = self.model.decoder, len(token)
        h, *coverage = (torch.from_numpy(np.ascontiguousarray(value)) for value in state.values())
        prepared = [
            p._replace(
                values=p.values.expand(count, -1, -1),
                mask=p.mask.expand(count, -1),
                keys=p.keys.expand(count, -1, -1),
            )
            for p in self.prepared
        ]
        y = decoder.embed(torch.from_numpy(token))
        done = decoder.step(y, DecoderState(h, tuple(coverage)), prepared)
        log_probs = torch.log_softmax(decoder.read_out(y, done.h, done.context), dim=1).numpy()
        return StepResult(log_probs, _arrays(done.state), tuple(alpha.numpy() for alpha in done.alphas))


def _arrays(state: DecoderState) -> Arrays:
    return {"h": state.h.numpy()} | {f"coverage{i}": c.numpy() for i, c in enumerate(state.coverage)}


def complaints(answer: Recognition) -> list[str]:
    """What is wrong with an answer by itself."""
    found = []
    try:
        parse_tokens(answer.tokens)
    except InkscanError:
        found.append("does not parse")
    strokes = sorted([*answer.unread, *(stroke for symbol in answer.symbols for stroke in symbol.strokes)])
    if strokes != list(range(len(answer.ink))):
        found.append("strokes not each in one symbol")
    return found


def main(
    checkpoint: Annotated[Path, typer.Argument(help="The checkpoint that was exported.")],
    folder: Annotated[Path, typer.Argument(help="The exported model.")],
    data: Annotated[Path, typer.Option(help="A corpus (Parquet).")],
    beam: Annotated[int, typer.Option(help="Hypotheses kept.")] = 10,
) -> None:
    """Print how many answers agree."""
    torch.set_num_threads(1)
    model = load_checkpoint(checkpoint).model()
    exported = load(folder).with_search(beam=beam)
    in_torch = Recognizer([Member(exported.members[0].info, TorchNetwork(model))], exported.settings)  # type: ignore[arg-type]
    corpus = Corpus.read(data)
    counts: Counter[str] = Counter()
    worst = 0.0
    for i in track(range(len(corpus)), "comparing"):
        ours, theirs = exported(corpus.ink(i)), in_torch(corpus.ink(i))
        counts["same answer"] += ours.tokens == theirs.tokens
        if ours.tokens == theirs.tokens:
            worst = max(worst, abs(ours.score - theirs.score))
        counts.update(complaints(ours))
    print(f"{folder.name} on {data.name}, beam {beam}: {len(corpus)} inks")
    print(f"same answer as torch: {counts['same answer']} ({counts['same answer'] / len(corpus):.2%})")
    print(f"largest difference in the log-probability of a same answer: {worst:.1e}")
    print(f"does not parse: {counts['does not parse']}")
    print(f"strokes not each in one symbol: {counts['strokes not each in one symbol']}")


if __name__ == "__main__":
    typer.run(main)
