"""step.onnx: one decoding step for P hypotheses of one or many inks.

Hypotheses of an ink share its memories: `ink` holds the ink of each hypothesis, or a single number for all of
them. What does not depend on the step is done beforehand: U_f Q is one kernel, E W_ih of the first GRU is a
table by token, W_hh h of the first GRU comes from the step before, contexts come multiplied (see `looks`).
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx
import torch
from torch import Tensor, nn

from inkscan.models.attention import CoverageAttention, ReAttention
from inkscan.models.scan import Scan
from inkscan.training.graph import BOOL, FLOAT, INT64, Graph
from inkscan.training.looks import Look, first_stage, looks_of


def step_graph(model: Scan, *, half: bool = False) -> onnx.ModelProto:
    """The step of any system; the token before the first has the number K."""
    return _StepGraph(model, half).graph.model()


class _StepGraph:
    def __init__(self, model: Scan, half: bool) -> None:
        self.graph = g = Graph("step", half=half)
        self.decoder = decoder = model.decoder
        self.looks = looks_of(decoder)
        self.n, self.m = decoder.GRU_1.hidden_size, decoder.E.embedding_dim
        token = g.input("token", INT64, ("P",))
        self.ink = g.input("ink", INT64, ("I",))
        h = g.input("h", FLOAT, ("P", "n"))
        gates = g.input("gates", FLOAT, ("P", "3n"))
        self.masks = [self._mask(v) for v in sorted({look.view for look in self.looks})]
        self.coverage = [self._coverage(i, look) for i, look in enumerate(self.looks)]
        y, y_gates = self._embedded(token)
        h_hat = self._gru(y_gates, gates, h)  # (P, n)   Eq. (7)
        onward, from_state = self._attend(h_hat)  # Eq. (8)
        from_context, read_context = g.ops("Split", onward, g.ints(3 * self.n, self.m), results=2, axis=1)
        from_context = g.op("Add", from_context, g.weight(decoder.GRU_2.bias_ih))
        h = self._gru(
            from_context, g.op("Add", from_state, g.weight(decoder.GRU_2.bias_hh)), h_hat
        )  # Eq. (9)
        g.output("next_h", h, FLOAT, ("P", "n"))
        self._read_out(g.op("Add", y, read_context), h)

    def _mask(self, view: int) -> str:
        """(I, 1, T)."""
        g = self.graph
        mask = g.input(f"mask{view}", BOOL, ("B", f"H{view}", f"W{view}"))
        return g.op("Reshape", g.op("Gather", mask, self.ink, axis=0), g.ints(0, 1, -1))

    def _coverage(self, i: int, look: Look) -> str:
        return self.graph.input(f"coverage{i}", FLOAT, ("P", f"H{look.view}", f"W{look.view}"))

    def _embedded(self, token: str) -> tuple[str, str]:
        """E y and W_ih E y + b of the first GRU; the first token's embedding is zero."""
        g, gru = self.graph, self.decoder.GRU_1
        E = torch.cat([self.decoder.E.weight, torch.zeros(1, self.m)])
        table = nn.functional.linear(E, gru.weight_ih, gru.bias_ih)
        return g.op("Gather", g.weight(E), token, axis=0), g.op("Gather", g.weight(table), token, axis=0)

    def _gru(self, from_input: str, from_state: str, h: str) -> str:
        """A GRU cell after its products with the input and with the state."""
        g, n = self.graph, self.n
        rz = g.op("Add", g.columns(from_input, 0, 2 * n), g.columns(from_state, 0, 2 * n))
        r, z = g.ops("Split", g.op("Sigmoid", rz), results=2, axis=1)
        gated = g.op("Mul", r, g.columns(from_state, 2 * n, 3 * n))
        new = g.op("Tanh", g.op("Add", g.columns(from_input, 2 * n, 3 * n), gated))
        return g.op("Add", new, g.op("Mul", z, g.op("Sub", h, new)))

    def _products(self, x: str, weights: Sequence[Tensor]) -> list[str]:
        """x W^T for several W, as one product."""
        g = self.graph
        product = g.linear(x, torch.cat([w.detach() for w in weights]))
        sizes = g.ints(*(len(w) for w in weights))
        return g.ops("Split", product, sizes, results=len(weights), axis=1)

    def _attend(self, h_hat: str) -> tuple[str, str]:
        """W_ih c and W_c c side by side, (P, 3n + m), and W_hh h_hat of the second GRU."""
        g, attention, hidden = self.graph, self.decoder.attention, self.decoder.GRU_2.weight_hh
        if isinstance(attention, CoverageAttention):
            query, from_state = self._products(h_hat, [attention.W_att.weight, hidden])
            return self._look(0, query, shown=0), from_state
        queries = [look.W_att.weight for look in first_stage(attention)]
        if isinstance(attention, ReAttention):
            *projected, fine, from_state = self._products(h_hat, [*queries, attention.W_att.weight, hidden])
            told = [g.op("Add", fine, self._look(v, projected[v])) for v in (0, 1)]  # Eq. (15)
            parts = [self._look(2 + v, told[1 - v], shown=v) for v in (0, 1)]  # Eqs. (16) to (18)
        else:
            *projected, from_state = self._products(h_hat, [*queries, hidden])
            parts = [self._look(v, projected[v], shown=v) for v in (0, 1)]
        c_mm = g.op("Tanh", g.op("Add", *parts))  # (P, D)   Eq. (19)
        onward = torch.cat([self.decoder.GRU_2.weight_ih, self.decoder.W_c.weight])
        return g.linear(c_mm, onward), from_state

    def _look(self, i: int, query: str, shown: int | None = None) -> str:
        """Eqs. (11) to (13): the context, multiplied; puts out the coverage, and alpha if it is to be shown."""
        g, look, past = self.graph, self.looks[i], self.coverage[i]
        grid = (f"H{look.view}", f"W{look.view}")
        keys = g.op("Gather", g.input(f"keys{i}", FLOAT, ("B", f"T{look.view}", "n_att")), self.ink, axis=0)
        values = g.op(
            "Gather", g.input(f"values{i}", FLOAT, ("B", f"T{look.view}", f"D{i}")), self.ink, axis=0
        )
        terms = g.op("Add", self._coverage_term(look, past), g.op("Unsqueeze", query, g.ints(1)))
        terms = g.op("Tanh", g.op("Add", terms, keys))  # (P, T, n_att)
        energy = g.op("Reshape", g.op("MatMul", terms, g.weight(look.v_att[:, None])), g.ints(0, 1, -1))
        alpha = g.op("Softmax", g.op("Where", self.masks[look.view], energy, g.number(float("-inf"))), axis=2)
        on_grid = g.op("Reshape", alpha, g.op("Shape", past))
        g.output(f"next_coverage{i}", g.op("Add", past, on_grid), FLOAT, ("P", *grid))
        if shown is not None:
            g.output(f"alpha{shown}", on_grid, FLOAT, ("P", *grid))
        return g.op("Squeeze", g.op("MatMul", alpha, values), g.ints(1))

    def _coverage_term(self, look: Look, past: str) -> str:
        """U_f Q * alpha_past, (P, T, n_att)   Eq. (11)."""
        g, kernel = self.graph, look.kernel
        pads = [side // 2 for side in kernel.shape[2:]] * 2
        planes = g.op("Unsqueeze", past, g.ints(1))
        if kernel.shape[2] == 1:  # a row of places: each one's neighbourhood, then one product
            taps = kernel.shape[3]
            around = g.op("Conv", planes, g.weight(torch.eye(taps).view(taps, 1, 1, taps)), pads=pads)
            around = g.op("Transpose", g.op("Reshape", around, g.ints(0, taps, -1)), perm=[0, 2, 1])
            return g.linear(around, kernel.flatten(1))
        covered = g.op("Reshape", g.op("Conv", planes, g.weight(kernel), pads=pads), g.ints(0, 0, -1))
        return g.op("Transpose", covered, perm=[0, 2, 1])

    def _read_out(self, total: str, h: str) -> None:
        """Eq. (10), as log-probabilities (P, K), and W_hh h for the next step."""
        g, decoder = self.graph, self.decoder
        from_h, next_gates = self._products(h, [decoder.W_h.weight, decoder.GRU_1.weight_hh])
        next_gates = g.op("Add", next_gates, g.weight(decoder.GRU_1.bias_hh))
        g.output("next_gates", next_gates, FLOAT, ("P", "3n"))
        pairs = g.op("Reshape", g.op("Add", total, from_h), g.ints(0, -1, 2))
        maxout = g.op("ReduceMax", pairs, axes=[2], keepdims=0)
        logits = g.linear(maxout, decoder.W_o.weight)
        g.output("log_probs", g.op("LogSoftmax", logits, axis=1), FLOAT, ("P", "K"))
