"""What a user of the package writes; `make wheel` runs `mypy --strict` over it against the installed wheel."""

import inkscan

recognizer: inkscan.Recognizer = inkscan.load()
ink = inkscan.Ink.from_points([[(10, 30), (50, 30)], [(70, 10), (70, 50)]])
same = inkscan.Ink([[(10, 30), (50, 30)], inkscan.Stroke([[70, 10], [70, 50]])])
result: inkscan.Recognition = recognizer(ink)
latex: str = result.latex
sure: float = result.confidence
strokes: dict[str, tuple[int, ...]] = {symbol.token: symbol.strokes for symbol in result.symbols}
both: list[inkscan.Recognition] = recognizer.many([ink, same])
best: list[str] = [alternative.latex for alternative in result.alternatives]
try:
    inkscan.Ink.read("no-such-file.inkml")
except inkscan.InkscanError as error:
    print(f"{latex} {sure:.0%} {strokes} {best} {len(both)}; [{error.code}] {error}")
