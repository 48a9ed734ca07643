"""Where each symbol stands on its row: heights above the baseline, in x-heights."""

from __future__ import annotations

from dataclasses import dataclass

AXIS = 0.62  # fraction bars, plus and minus signs are centred here
LINE = 1.6  # height of digits and capitals


@dataclass(frozen=True, slots=True)
class Extent:
    """Top and bottom of a symbol above its baseline; `rigid` ones tell the size of the writing."""

    top: float
    bottom: float
    rigid: bool = True

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def centre(self) -> float:
        return (self.top + self.bottom) / 2


_CLASSES: tuple[tuple[Extent, str], ...] = (
    (Extent(1.0, 0.0), r"a c e m n o r s u v w x z \alpha \sigma \pi \infty \cos"),
    (Extent(1.7, 0.0), r"b d h k l \lambda \lim"),
    (Extent(1.5, 0.0), r"i t \sin \tan"),
    (Extent(1.7, -0.1), "f"),
    (Extent(1.0, -0.75), r"g p q y \gamma \mu"),
    (Extent(1.5, -0.75), r"j \phi"),
    (Extent(1.7, -0.7), r"\beta \log"),
    (Extent(LINE, 0.0), r"0 1 2 3 4 5 6 7 8 9 ! \theta \Delta \forall \exists"),
    (Extent(LINE, 0.0), "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"),
    (Extent(1.2, 0.04), r"+ \times \pm \neq \leq \geq < > \in"),
    (Extent(1.05, 0.2), r"\div"),
    (Extent(0.85, 0.4), r"= \rightarrow"),
    (Extent(AXIS, AXIS, False), r"- \frac"),
    (Extent(AXIS + 0.06, AXIS - 0.06, False), r"\cdot \cdots"),
    (Extent(0.12, 0.0, False), r". \ldots"),
    (Extent(0.2, -0.45, False), ","),
    (Extent(1.75, 1.2, False), r"' \prime"),
    (Extent(1.85, -0.4, False), r"( ) [ ] \{ \} | /"),
    (Extent(1.75, -0.5, False), r"\sum"),
    (Extent(2.1, -0.85, False), r"\int"),
    (Extent(1.9, -0.15, False), r"\sqrt"),
)

_EXTENTS = {label: extent for extent, labels in _CLASSES for label in labels.split()}
_UNKNOWN = Extent(LINE, 0.0, False)


def extent(label: str) -> Extent:
    """Where the symbol usually stands; labels outside the table are taken for capitals."""
    return _EXTENTS.get(label, _UNKNOWN)
