"""The start of a run: weights of trained models, placed by view.

A model that sees two views may begin from two that see one each. Encoders go where they are needed. What reads the
features of a view (the readers: the keys of the attention, the second GRU, the read-out, the first state) goes into
that view's columns. What belongs to no view, such as embeddings and the first GRU, can come from one model only: the
first. So do the readers of a decoder: those of a later model speak to another state, and their columns stay zero.
Encoders may come from other models than the rest.
The feature of a stroke is the mean of its points' or pixels', so a model of one view may begin from one that sees
the same modality by strokes, or not by strokes: all but the coverage kernel agrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from inkscan.errors import BadCheckpoint
from inkscan.models.scan import Scan
from inkscan.models.systems import System, View

LEAST_FITTING = 0.2  # of the tensors of another model; below that, sizes agree by chance
ENCODERS = ("online.", "offline.")
ATTENTION = "decoder.attention."
FIRST_STATE = "decoder.W_start.weight"
CONTEXT_READERS = ("decoder.GRU_2.weight_ih", "decoder.W_c.weight")
KEYS = "terms.U_att.weight"
COVERAGE = "terms.Q.weight"
FEW = 8  # names of tensors that are listed one by one


@dataclass(frozen=True)
class Trained:
    """A trained model to begin from."""

    name: str
    system: System
    weights: Mapping[str, Tensor]

    @property
    def encoders(self) -> Trained:
        """Nothing but what makes features of traces and images."""
        of_encoders = {n: value for n, value in self.weights.items() if n.startswith(ENCODERS)}
        return replace(self, weights=of_encoders)


@dataclass
class Start:
    """Weights for every place of a model, and the tensors of others that found none."""

    weights: dict[str, Tensor]
    unplaced: dict[str, list[str]] = field(default_factory=dict)  # by the name of the trained model

    @property
    def complaints(self) -> list[str]:
        """A sentence for each model that did not find all its places."""
        return [
            f"{name}: no place for {len(tensors)} of its tensors: {by_part(tensors)}"
            for name, tensors in self.unplaced.items()
            if tensors
        ]


def start_from(model: Scan, sources: Sequence[Trained], encoders: Sequence[Trained] = ()) -> Start:
    """The model's own first weights with those of trained models in their places, those of encoders first."""
    start = Start(dict(model.state_dict()))
    filled: set[str] = set()
    by_name = [one.encoders for one in encoders]
    for number, source in enumerate(map(_in_float32, (*by_name, *sources))):
        placing = _Placing(model, source, start.weights, filled)
        alike = number < len(by_name) or _alike(source.system, model.system)
        placed = placing.same() if alike else placing.by_view()
        before = start.unplaced.get(source.name, ())  # of another file of that name
        start.unplaced[source.name] = sorted({*before, *(set(source.weights) - placed)})
        if len(placed | placing.fitting()) < LEAST_FITTING * len(source.weights):
            raise BadCheckpoint(f"hardly a part of {source.name} fits; are --preset and sizes its own?")
    return start


def _alike(one: System, other: System) -> bool:
    """Whether features and names agree: the same system, or one view each of the same modality."""
    views = (*one.views, *other.views)
    return one == other or (len(views) == 2 and views[0].online == views[1].online)


def _in_float32(source: Trained) -> Trained:
    """Weights may be stored in half the bits; some are multiplied before they are placed."""
    widened = {
        name: value.float() if value.is_floating_point() else value for name, value in source.weights.items()
    }
    return replace(source, weights=widened)


@dataclass
class _Placing:
    """One trained model being placed; `filled` are the places that it or an earlier one has taken."""

    model: Scan
    source: Trained
    into: dict[str, Tensor]
    filled: set[str]

    def same(self) -> set[str]:
        """A model alike: names agree."""
        return {name for name, value in self.source.weights.items() if self._put(name, value)}

    def fitting(self) -> set[str]:
        """Tensors with a place of their name and size, whether or not an earlier model has taken it."""
        return {
            name
            for name, value in self.source.weights.items()
            if name in self.into and self.into[name].shape == value.shape
        }

    def by_view(self) -> set[str]:
        """A model of another system."""
        if len(self.source.system.views) > 1:
            return self._shared()
        (view,) = self.source.system.views
        if view not in self.model.system.views:
            return {name for name in self._shared() if name.startswith(ENCODERS)}
        at = self.model.system.views.index(view)
        projection = self._projection(view)
        placed = self._shared() | self._attention(at, projection)
        return placed | self._read_by_decoder(at, projection)

    def _shared(self) -> set[str]:
        """Encoders, and what belongs to no view."""
        special = (ATTENTION, FIRST_STATE, *CONTEXT_READERS)
        return {
            name
            for name, value in self.source.weights.items()
            if not name.startswith(special) and self._put(name, value)
        }

    def _attention(self, at: int, projection: Tensor | None) -> set[str]:
        placed = set()
        for name, value in self._parts():
            if name == KEYS and projection is not None:
                value = value @ projection.T
            for place in self.model.decoder.attention.places_of(name, at):
                if name == KEYS:
                    put = self._put_reader(ATTENTION + place, value, at)
                elif name == COVERAGE:
                    put = self._put_centred(ATTENTION + place, value)
                else:
                    put = self._put(ATTENTION + place, value)
                if put:
                    placed.add(ATTENTION + name)
        return placed

    def _read_by_decoder(self, at: int, projection: Tensor | None) -> set[str]:
        """Readers of contexts and of the mean, in the view's columns; of the first model only."""
        placed = set()
        for name in (FIRST_STATE, *CONTEXT_READERS):
            value = self.source.weights[name]
            value = value if projection is None else value @ projection.T
            put = self._put_reader if name in CONTEXT_READERS else self._put_side_by_side
            if put(name, value, at):
                placed.add(name)
        attention = self.model.decoder.attention
        if attention.joining is not None:  # the joined context begins as this view's
            self._put_side_by_side(ATTENTION + attention.joining, torch.eye(attention.D), at)
        return placed

    def _projection(self, view: View) -> Tensor | None:
        """W_on or W_off, orthonormal, placed: None where the features stay as they are.

        Features that are fewer than the model's D keep their columns. Of more, the D directions are kept that the
        source's readers read most of.
        """
        layer = self.model.W_on if view.online else self.model.W_off
        if layer is None:
            return None
        rows, columns = layer.weight.shape
        projection = torch.eye(rows, columns)
        if columns > rows:
            readers = [self.source.weights[name] for name in (FIRST_STATE, *CONTEXT_READERS)]
            readers.append(self.source.weights[ATTENTION + KEYS])
            projection = torch.linalg.svd(torch.cat(readers).float(), full_matrices=False).Vh[:rows]
        self._put("W_on.weight" if view.online else "W_off.weight", projection)
        return projection

    def _parts(self) -> Iterator[tuple[str, Tensor]]:
        """The source's single attention, without its prefix."""
        for name, value in self.source.weights.items():
            if name.startswith(ATTENTION):
                yield name.removeprefix(ATTENTION), value

    def _put(self, place: str, value: Tensor) -> bool:
        if place in self.filled or place not in self.into or self.into[place].shape != value.shape:
            return False
        self.into[place] = value.to(self.into[place].dtype)
        self.filled.add(place)
        return True

    def _put_reader(self, place: str, value: Tensor, at: int) -> bool:
        """What reads one memory: that of the view, or the one that joins the views' in the encoder."""
        if self.model.join is None:
            return self._put(place, value)
        return self._put_columns(place, value, self.model.join.columns(at))

    def _put_side_by_side(self, place: str, value: Tensor, at: int) -> bool:
        """What reads all memories at once, one after the other."""
        if self.model.join is not None:
            return self._put_reader(place, value, at)
        width = self.into[place].shape[1] // len(self.model.system.views)
        return self._put_columns(place, value, slice(at * width, (at + 1) * width))

    def _put_columns(self, place: str, value: Tensor, columns: slice) -> bool:
        """Into the columns of a view; those of other views are zero."""
        own = self.into[place]
        if own.shape[0] != value.shape[0] or value.shape[1] > columns.stop - columns.start:
            return False
        widened = torch.zeros_like(own)
        widened[:, columns.start : columns.start + value.shape[1]] = value
        return self._put(place, widened)

    def _put_centred(self, place: str, kernel: Tensor) -> bool:
        """A kernel over a row made wider with zeros, which changes nothing; False for one whose ends are cut off."""
        more = (self.into[place].shape[-1] - kernel.shape[-1]) // 2
        fits = torch.nn.functional.pad(kernel, (more, more)) if kernel.shape[-2] == 1 else kernel
        return self._put(place, fits) and more >= 0


def by_part(names: Sequence[str]) -> str:
    """Names of tensors, or, if there are many, how many each part of the model has."""
    if len(names) <= FEW:
        return " ".join(names)
    parts = Counter(".".join(name.split(".")[:2]) for name in names)
    return ", ".join(f"{part} ({count})" for part, count in parts.items())
