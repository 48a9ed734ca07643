"""Documents of InkML of every kind that the reader knows, right ones and wrong ones, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

UNITS = ("", "", "", "mm", "cm", "in", "dev", "s", "us")
NUMBERS = ("{:.0f}", "{:.1f}", "{:.2f}", "{:+.1f}", "{:.1e}", "{:.0f}.")
SPACES = (" ", " ", "\n ", "  ")


class Writer:
    """One document; its parts refer to one another, before and after they are there."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.widths: dict[str, int] = {}  # of the formats that have names
        self.traces: dict[str, int] = {}  # the points of the traces that have names
        self.names = 0

    def document(self) -> str:
        parts = list(self._formats())
        groups = [self._group(0) for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.4:
            parts.append(f"<definitions>{groups.pop()}</definitions>")
            groups += [self._view() for _ in range(self.random.randint(1, 3))]
        parts += groups
        if self.random.random() < 0.5:
            self.random.shuffle(parts)
        return f'<ink xmlns="http://www.w3.org/2003/InkML">{"".join(parts)}</ink>'

    def _name(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"

    def _formats(self) -> Iterator[str]:
        for _ in range(self.random.randint(0, 3)):
            name = self._name("f")
            width, traced = self._trace_format(name)
            self.widths[name] = width
            context = self._name("c")
            self.widths[context] = width
            transform = self._transform() if self.random.random() < 0.4 else ""
            referring = f'<context xml:id="{context}" traceFormatRef="#{name}">{transform}</context>'
            inside = f"<inkSource>{traced}{self._resolutions()}</inkSource>{transform}"
            source = f'<context xml:id="{context}">{inside}</context>'
            both = (
                source
                if self.random.random() < 0.5
                else self.random.choice((referring + traced, traced + referring))
            )
            yield f"<definitions>{both}</definitions>"
            if self.random.random() < 0.2:
                named = self._name("t")
                again = self._name("c")
                self.widths[again] = width
                yield f'<context xml:id="{again}" contextRef="#{context}" canvasTransformRef="#{named}"/>'
                yield f"<definitions>{self._transform(named)}</definitions>"
                yield "<context contextRef='#DefaultContext'/>"

    def _trace_format(self, name: str) -> tuple[int, str]:
        channels = ["X", "Y", *self.random.sample(["T", "F", "S"], self.random.randint(0, 2))]
        if self.random.random() < 0.4:
            self.random.shuffle(channels)
        written = "".join(
            f'<channel name="{channel}"{self._attribute("units", self.random.choice(UNITS))}'
            f"{self._attribute('orientation', self.random.choice(('', '', '+ve', '-ve')))}/>"
            for channel in channels
        )
        return len(channels), f'<traceFormat xml:id="{name}">{written}</traceFormat>'

    def _attribute(self, name: str, value: str) -> str:
        return f' {name}="{value}"' if value else ""

    def _resolutions(self) -> str:
        properties = "".join(
            f'<channelProperty channel="{channel}" name="resolution" value="{self.random.choice((5, 10, 2.5))}"'
            f' units="{self.random.choice(("1/mm", "1/cm", "mm", ""))}"/>'
            for channel in "XY"
        )
        return f"<channelProperties>{properties}</channelProperties>" if self.random.random() < 0.5 else ""

    def _transform(self, name: str = "") -> str:
        rows = ", ".join(" ".join(self._number() for _ in range(3)) for _ in range(2))
        mapping = self.random.choice(
            (
                f'<mapping type="affine"><affine>{rows}</affine></mapping>',
                f'<mapping type="affine">{rows}</mapping>',
                '<mapping type="identity"/>',
                "",
            )
        )
        return f"<canvasTransform{self._attribute('xml:id', name)}>{mapping}</canvasTransform>"

    def _group(self, depth: int) -> str:
        context = self.random.choice(["", "", *self.widths])
        parts = [self._trace(context) for _ in range(self.random.randint(1, 3))]
        if depth < 2 and self.random.random() < 0.4:
            parts.append(self._group(depth + 1))
        if self.random.random() < 0.2:
            parts.append('<traceView traceDataRef="#nowhere"/>')  # a label that names nothing
        name = self._name("g")
        self.traces[name] = len(parts)
        return f'<traceGroup xml:id="{name}"{self._reference(context)}>{"".join(parts)}</traceGroup>'

    def _reference(self, context: str) -> str:
        return f' contextRef="#{context}"' if context.startswith("c") else ""

    def _trace(self, inherited: str) -> str:
        own = self.random.choice(["", *self.widths])
        context = own if own.startswith("c") else inherited if inherited.startswith("c") else ""
        width = self.widths.get(context, 2)
        count = self.random.randint(1, 5)
        attributes = self._reference(own)
        if self.traces and self.random.random() < 0.2:
            attributes += f' continuation="end" priorRef="#{self.random.choice([*self.traces])}"'
        if self.random.random() < 0.1:
            attributes += ' type="penUp"'
        name = self._name("s")
        self.traces[name] = count
        return f'<trace xml:id="{name}"{attributes}>{self._points(count, width)}</trace>'

    def _points(self, count: int, width: int) -> str:
        kind = self.random.random()
        if kind < 0.35:
            return self._coded(count, width)
        if kind < 0.5:  # the comma parts values and the space parts points
            return " ".join(",".join(self._number() for _ in range(width)) for _ in range(count))
        widths = [self.random.randint(2, width) if kind < 0.6 else width for _ in range(count)]
        points = (self.random.choice(SPACES).join(self._number() for _ in range(wide)) for wide in widths)
        return self.random.choice((",", ", ", " ,\n")).join(points) + self.random.choice(("", "", ",", " "))

    def _coded(self, count: int, width: int) -> str:
        points = [" ".join(self._number() for _ in range(width))]
        for _ in range(count - 1):
            points.append("".join(self._code() for _ in range(width)))
        return ", ".join(points)

    def _code(self) -> str:
        signs = ("", "", "'", '"', "!", "' ")
        value = self.random.choice((self._number(), self._number(), "*", "#1F", "T", "F"))
        if self.random.random() < 0.02:
            value = "?"
        return f"{self.random.choice(signs)}{value} "

    def _number(self) -> str:
        return self.random.choice(NUMBERS).format(self.random.uniform(-50, 50))

    def _view(self) -> str:
        name, count = self.random.choice([*self.traces.items()])
        first, last = sorted(self.random.randint(1, count) for _ in range(2))
        start = f' from="{first}"' if self.random.random() < 0.4 else ""
        end = f' to="{last}"' if self.random.random() < 0.4 else ""
        label = '<annotation type="truth">x</annotation>' if self.random.random() < 0.2 else ""
        return f'<traceView traceDataRef="#{name}"{start}{end}>{label}</traceView>'


def documents(count: int, seed: int) -> list[str]:
    random = Random(seed)
    return [Writer(random).document() for _ in range(count)]
