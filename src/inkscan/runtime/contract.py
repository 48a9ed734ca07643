"""The contract of an exported model: what goes into its two graphs and what comes out, by name, kind and shape.

    encoder.onnx   the features of B inks         ->  masks, keys and values to look at; the state before a token
    step.onnx      P hypotheses, their state      ->  log-probabilities, attentions, the state after a token

    classifier.onnx  pictures of G groups of strokes  ->  log-odds of each symbol, and of none
    language.onnx    A answers, token by token        ->  log-probabilities of each token in its place

The exporter writes its graphs by it and the runtime feeds them by it, so neither guesses. A model's own part of it
is small: its modalities, its tokens and where its decoder looks, which model.json keeps.
"""

from __future__ import annotations

from dataclasses import dataclass

FLOAT, INT64, BOOL = "float", "int64", "bool"


@dataclass(frozen=True)
class Value:
    """An array that enters or leaves a graph."""

    name: str
    kind: str
    dims: tuple[int | str, ...]

    @property
    def after(self) -> Value:
        """The same part of the state, one token later."""
        return Value(f"next_{self.name}", self.kind, self.dims)


# Features have the names that they have in `features.FeatureBatch`.
STROKE_MASK = Value("stroke_mask", BOOL, ("B", "M"))
POINTS = Value("points", FLOAT, ("B", "N", 8))
POINT_MASK = Value("point_mask", BOOL, ("B", "N"))
PMASK_ON = Value("pmask_on", FLOAT, ("B", "M", "L"))
IMAGE = Value("image", FLOAT, ("B", "H_in", "W_in"))
IMAGE_MASK = Value("image_mask", BOOL, ("B", "H_in", "W_in"))
PMASK_OFF = Value("pmask_off", FLOAT, ("B", "M", "H", "W"))

TOKEN = Value("token", INT64, ("P",))  # the one before; `Vocabulary.start` where there is none
INK = Value("ink", INT64, ("I",))  # the ink of each hypothesis, or a single number for all of them
H = Value("h", FLOAT, ("P", "n"))
GATES = Value("gates", FLOAT, ("P", "3n"))  # W_hh h of the first GRU

# Of a classifier of single symbols, in the shapes of `features.symbol_pictures`.
PICTURES = Value("pictures", FLOAT, ("G", 4, 32, 32))
MEASURES = Value("measures", FLOAT, ("G", 3))
NOT_A_SYMBOL = 1  # the class after those of the vocabulary


def classes(count: int) -> Value:
    """The scores of so many classes."""
    return Value("scores", FLOAT, ("G", count))


# Of a language model; shorter answers are filled up with end tokens.
ANSWERS = Value("answers", INT64, ("A", "T"))


def next_tokens(count: int) -> Value:
    """How likely each of so many tokens is in each place."""
    return Value("log_probs", FLOAT, ("A", "T", count))


@dataclass(frozen=True)
class Look:
    """A place where the decoder attends."""

    view: int  # the memory that it looks at
    shown: bool = True  # whether its coefficients are the model's attention to that view


@dataclass(frozen=True)
class Contract:
    """The inputs and outputs of a model's two graphs."""

    online: bool
    offline: bool
    tokens: int  # of the vocabulary, the end token included
    looks: tuple[Look, ...]  # in the order of their coverages

    def __post_init__(self) -> None:
        shown = sorted(look.view for look in self.looks if look.shown)
        if not shown or shown != list(self.views) or not {look.view for look in self.looks} <= set(shown):
            raise ValueError(f"each view is shown by one look, but the looks are {self.looks}")

    @property
    def views(self) -> range:
        """Numbers of the memories that the decoder looks at."""
        return range(sum(look.shown for look in self.looks))

    @property
    def features(self) -> tuple[Value, ...]:
        online = (POINTS, POINT_MASK, PMASK_ON) if self.online else ()
        offline = (IMAGE, IMAGE_MASK, PMASK_OFF) if self.offline else ()
        return (STROKE_MASK, *online, *offline)

    @property
    def memories(self) -> tuple[Value, ...]:
        """What stays the same from token to token."""
        places = range(len(self.looks))
        return (*map(self.mask, self.views), *map(self.keys, places), *map(self.values, places))

    @property
    def state(self) -> tuple[Value, ...]:
        """What one token hands to the next."""
        return (H, GATES, *map(self.coverage, range(len(self.looks))))

    @property
    def encoder_outputs(self) -> tuple[Value, ...]:
        """All but the coverages, which begin as zeros."""
        return (*self.memories, H, GATES)

    @property
    def step_inputs(self) -> tuple[Value, ...]:
        return (TOKEN, INK, *self.state, *self.memories)

    @property
    def step_outputs(self) -> tuple[Value, ...]:
        return (self.log_probs, *(value.after for value in self.state), *map(self.alpha, self.views))

    @property
    def log_probs(self) -> Value:
        return Value("log_probs", FLOAT, ("P", self.tokens))

    def mask(self, view: int) -> Value:
        """Where the memory of a view is real."""
        return Value(f"mask{view}", BOOL, ("B", *_grid(view)))

    def alpha(self, view: int) -> Value:
        return Value(f"alpha{view}", FLOAT, ("P", *_grid(view)))

    def coverage(self, look: int) -> Value:
        """The sum of a look's past alphas."""
        return Value(f"coverage{look}", FLOAT, ("P", *_grid(self.looks[look].view)))

    def keys(self, look: int) -> Value:
        return Value(f"keys{look}", FLOAT, ("B", f"T{self.looks[look].view}", "n_att"))

    def values(self, look: int) -> Value:
        return Value(f"values{look}", FLOAT, ("B", f"T{self.looks[look].view}", f"D{look}"))


def _grid(view: int) -> tuple[str, str]:
    return f"H{view}", f"W{view}"
