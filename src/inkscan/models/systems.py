"""The ten systems of the paper, each a row: one or two views of an ink and the way they are fused.

Dimension legend, used in all of `models/`:

    B  inks in a batch          D      size of a feature vector
    N  points of a trace        m      size of an embedding
    L  points after pooling     n      size of the decoder's state
    M  strokes                  n_att  size of the attention (n' in the paper)
    H, W  rows, columns of an image's grid of cells
    T  places of a memory: L, M or H*W
    C  tokens of an expression  K      tokens of the vocabulary
    q  coverage channels
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from inkscan.errors import BadSetting, UnsupportedSystem


class View(Enum):
    """What the attention looks at."""

    POINTS = "points"
    ON_STROKES = "on-strokes"
    PIXELS = "pixels"
    OFF_STROKES = "off-strokes"

    @property
    def online(self) -> bool:
        return self in (View.POINTS, View.ON_STROKES)

    @property
    def strokes(self) -> bool:
        return self in (View.ON_STROKES, View.OFF_STROKES)


class Fusion(Enum):
    """Where two views meet."""

    NONE = "none"
    DECODER = "decoder"  # one attention a view, contexts joined by W_FC
    RE_ATTENTION = "re-attention"  # the same after a first look that tells each view of the other
    ENCODER = "encoder"  # stroke features joined before the decoder

    @property
    def in_encoder(self) -> bool:
        """Whether the decoder sees one memory in place of two."""
        return self is Fusion.ENCODER


@dataclass(frozen=True)
class System:
    name: str
    title: str  # as the paper writes it
    views: tuple[View, ...]
    fusion: Fusion

    def __post_init__(self) -> None:
        if (len(self.views) == 1) != (self.fusion is Fusion.NONE):
            raise UnsupportedSystem(f"{self.name}: one view takes no fusion, two views take one")
        if self.fusion.in_encoder and not all(view.strokes for view in self.views):
            raise UnsupportedSystem(
                f"{self.name}: only strokes are aligned across modalities, so only they fuse in the encoder"
            )

    @property
    def online(self) -> bool:
        return any(view.online for view in self.views)

    @property
    def offline(self) -> bool:
        return not all(view.online for view in self.views)

    @property
    def attended(self) -> tuple[View, ...]:
        """The views that attentions look at; the first stands for both where they fuse in the encoder."""
        return self.views[:1] if self.fusion.in_encoder else self.views

    @property
    def takes_context(self) -> bool:
        """Whether it has one memory of strokes and a trace to place them by."""
        return self.online and len(self.attended) == 1 and self.attended[0].strokes


SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System("tap", "TAP", (View.POINTS,), Fusion.NONE),
        System("onscan", "OnSCAN", (View.ON_STROKES,), Fusion.NONE),
        System("onscan+tap", "OnSCAN+TAP", (View.ON_STROKES, View.POINTS), Fusion.DECODER),
        System("wap", "WAP", (View.PIXELS,), Fusion.NONE),
        System("offscan", "OffSCAN", (View.OFF_STROKES,), Fusion.NONE),
        System("offscan+wap", "OffSCAN+WAP", (View.OFF_STROKES, View.PIXELS), Fusion.DECODER),
        System("man", "MAN", (View.POINTS, View.PIXELS), Fusion.DECODER),
        System("e-man", "E-MAN", (View.POINTS, View.PIXELS), Fusion.RE_ATTENTION),
        System("mmscan-d", "MMSCAN-D", (View.ON_STROKES, View.OFF_STROKES), Fusion.RE_ATTENTION),
        System("mmscan-e", "MMSCAN-E", (View.ON_STROKES, View.OFF_STROKES), Fusion.ENCODER),
    )
}


def system_named(name: str) -> System:
    if name not in SYSTEMS:
        raise UnsupportedSystem(f"no system {name!r}; there are {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a model; the defaults are the paper's."""

    system: str
    vocabulary_size: int
    growth: int = 24
    stem: int = 48
    online_blocks: int = 5
    online_layers: int = 3  # convolutions a block
    gru_layers: int = 2
    gru_units: int = 250  # a direction
    offline_layers: int = 16  # bottlenecks a block
    D: int = 500  # of each modality, where there are two
    m: int = 256
    n: int = 256
    n_att: int = 500
    q: int = 512
    stroke_kernel: int = 7  # of Q over points and strokes of a trace
    pixel_kernel: int = 11  # of Q over pixels and strokes of an image
    dropout: float = 0.2
    hide_online: float = 0.0  # share of inks that training shows a multi-modal model as images only
    context_layers: int = 0  # of self-attention among strokes; not in the paper
    context_heads: int = 8

    def __post_init__(self) -> None:
        rules = {
            "dropout is a share below 1": 0 <= self.dropout < 1,
            "hide_online is a share": 0 <= self.hide_online <= 1,
            "m is even, for the maxout takes pairs": self.m % 2 == 0,
            "stroke_kernel and pixel_kernel are odd": self.stroke_kernel % 2 == self.pixel_kernel % 2 == 1,
            "online_blocks is at least 4, as the third and the last one pool": self.online_blocks >= 4,
            "sizes and counts are at least 1, context_layers at least 0": all(
                size >= (name != "context_layers")
                for name, size in vars(self).items()
                if isinstance(size, int)
            ),
        }
        broken = [rule for rule, kept in rules.items() if not kept]
        if broken:
            raise BadSetting(f"no model has these sizes: {'; '.join(broken)}")

    def reads_like(self, other: ModelConfig) -> bool:
        """Is a model of these sizes the same function of its weights? What only training hides is no matter."""
        return replace(self, dropout=other.dropout, hide_online=other.hide_online) == other


PRESETS: dict[str, dict[str, int | float]] = {
    "paper": {},
    # Made for training and live use on CPUs: the online encoder as printed, half the bottlenecks.
    "small": {"offline_layers": 8, "growth": 16, "stem": 32, "gru_units": 160, "D": 320, "n_att": 256, "q": 128},
    # For tests: every part is there, nothing is large.
    "tiny": {
        "growth": 4, "stem": 8, "online_layers": 1, "gru_units": 12, "offline_layers": 2, "D": 24, "m": 16, "n": 16,
        "n_att": 20, "q": 6, "pixel_kernel": 3, "dropout": 0.0, "context_heads": 2,
    },
}  # fmt: skip


def preset(name: str, system: str, vocabulary_size: int) -> ModelConfig:
    """A preset's sizes for a system."""
    if name not in PRESETS:
        raise UnsupportedSystem(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    system_named(system)
    return replace(ModelConfig(system, vocabulary_size), **PRESETS[name])  # type: ignore[arg-type]
