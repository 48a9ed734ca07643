from __future__ import annotations

from inkscan.runtime.label_graph import label_graph


def test_objects_have_their_strokes_and_relations_their_names() -> None:
    tokens = ["x", "^", "{", "2", "}", ",", "\\frac", "{", "x", "}", "{", "3", "}"]
    strokes: list[tuple[int, ...]] = [(0, 1), (), (), (2,), (), (3,), (4,), (), (5, 6), (), (), (7,), ()]
    assert label_graph(tokens, strokes) == (
        "# 6 objects\n"
        "O, x_1, x, 1.0, 0, 1\n"
        "O, 2_1, 2, 1.0, 2\n"
        "O, COMMA_1, COMMA, 1.0, 3\n"
        "O, -_1, -, 1.0, 4\n"
        "O, x_2, x, 1.0, 5, 6\n"
        "O, 3_1, 3, 1.0, 7\n"
        "\n"
        "# 5 relations\n"
        "R, x_1, 2_1, Sup, 1.0\n"
        "R, -_1, x_2, Above, 1.0\n"
        "R, -_1, 3_1, Below, 1.0\n"
        "R, x_1, COMMA_1, Right, 1.0\n"
        "R, COMMA_1, -_1, Right, 1.0\n"
    )
