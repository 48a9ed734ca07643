"""A sample tells who wrote it, as far as CROHME's names do."""

from __future__ import annotations

import pytest

from inkscan.data.sample import Sample
from inkscan.ink import Ink

INK = Ink.from_points([[(0, 0), (1, 1)]])


@pytest.mark.parametrize(
    ("source", "name", "writer"),
    [
        ("HAMEX", "formulaire018-equation047", "HAMEX/formulaire018"),
        ("KAIST", "TrainData2_13_sub_20", "KAIST/TrainData2_13"),
        ("MathBrush", "200924-1331-195", "MathBrush/200924-1331"),
        ("expressmatch", "106_carlos", "expressmatch/carlos"),
        ("MfrDB", "MfrDB3175", ""),
        ("my notes", "page 3", "my notes"),
    ],
)
def test_the_writer_is_in_the_name(source: str, name: str, writer: str) -> None:
    assert Sample(name, INK, ("x",), ((0,),), source).writer == writer
