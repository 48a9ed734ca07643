"""What an ink is turned into before a network sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from inkscan.errors import BadSetting

ONLINE_SETTINGS = ("trace", "thinning", "spacing")  # of FeatureSettings
OFFLINE_SETTINGS = ("image_height", "pen", "whole_height", "max_image_side")
TraceKind = Literal["tap", "even"]

ONLINE_STRIDE = 4  # two 1x2 poolings in the online encoder
OFFLINE_STRIDE = 16  # stem, max-pool and two transitions in the offline encoder
IMAGE_MARGINS = (12 / 28, 11 / 28)  # before and after the pen's centre, of the image height


@dataclass(frozen=True)
class FeatureSettings:
    """Both modalities' settings; stored in every checkpoint and exported model.

    `trace="tap"` thins the points and scales by the standard deviation, as the field's released features do.
    `trace="even"` spaces points evenly and measures in average stroke heights, so that a symbol looks the
    same to the encoder in a short and in a long expression; every stroke fills whole cells of the encoder's
    grid.
    """

    trace: TraceKind = "tap"
    thinning: float = 0.005  # tap: of the longer side of the expression
    spacing: float = 0.15  # even: of the average stroke height
    image_height: int = 28  # pixels of the average stroke
    pen: int = 3  # pixels across, 1 to 5
    whole_height: bool = False  # whole ink units, whole pixels, margins outside the pen: the released images
    max_image_side: int = 1600  # pixels; a larger drawing is scaled down

    def __post_init__(self) -> None:
        if self.trace not in get_args(TraceKind):
            raise BadSetting(f"trace={self.trace!r}: one of {', '.join(get_args(TraceKind))}")
        if self.image_height < 8 or not 1 <= self.pen <= 5:
            raise BadSetting(f"image_height={self.image_height}, pen={self.pen}: at least 8, and from 1 to 5")
        if not (self.spacing > 0 and self.thinning >= 0):
            raise BadSetting(f"spacing={self.spacing}, thinning={self.thinning}: above 0, and not below 0")
        if self.max_image_side < 2 * sum(self.image_margins):
            raise BadSetting(f"max_image_side={self.max_image_side} leaves no room between the margins")

    @property
    def image_margins(self) -> tuple[int, int]:
        """Pixels before and after the pen's centre: 12 and 11 at the paper's height, and in proportion.

        In the released images as many stay blank, so that half a pen is added to each.
        """
        before, after = (round(share * self.image_height) for share in IMAGE_MARGINS)
        if self.whole_height:
            before, after = before + self.pen // 2, after + (self.pen - 1) // 2
        return before, after
