"""step.onnx: one decoding step for P hypotheses of one or many inks.

Hypotheses of an ink share its memories: `ink` holds the ink of each hypothesis, or a single number for all of
them. What does not depend on the step is done beforehand: U_f Q is one kernel, E W_ih of the first GRU is a
table by token, W_hh h of the first GRU comes from the step before, contexts come multiplied (see `lowering`).
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx
import torch
from torch import Tensor, nn

from inkscan.export.graph import Graph
from inkscan.export.lowering import LoweredLook, contract_of, lowered
from inkscan.models.scan import Scan
from inkscan.runtime.contract import GATES, INK, TOKEN, H


def step_graph(model: Scan, *, bits: int = 32) -> onnx.ModelProto:
    """The step of any system; the token before the first has the number K."""
    return _StepGraph(model, bits).graph.model()


class _StepGraph:
    def __init__(self, model: Scan, bits: int) -> None:
        self.graph = g = Graph("step", bits=bits)
        self.decoder = decoder = model.decoder
        self.contract, self.attention = contract_of(model), lowered(decoder)
        self.n, self.m = decoder.GRU_1.hidden_size, decoder.E.embedding_dim
        for value in self.contract.step_inputs:
            g.input(value)
        self.masks = [self._mask(view) for view in self.contract.views]
        y, y_gates = self._embedded(TOKEN.name)
        h_hat = self._gru(y_gates, GATES.name, H.name)  # (P, n)   Eq. (7)
        products, from_state = self._attend(h_hat)  # Eq. (8)
        from_context, read_context = g.ops("Split", products, g.ints(3 * self.n, self.m), results=2, axis=1)
        from_context = g.op("Add", from_context, g.weight(decoder.GRU_2.bias_ih))
        h = self._gru(
            from_context, g.op("Add", from_state, g.weight(decoder.GRU_2.bias_hh)), h_hat
        )  # Eq. (9)
        g.output(H.after, h)
        self._read_out(g.op("Add", y, read_context), h)

    def _mask(self, view: int) -> str:
        """(I, 1, T)."""
        g, mask = self.graph, self.contract.mask(view).name
        return g.op("Reshape", g.op("Gather", mask, INK.name, axis=0), g.ints(0, 1, -1))

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
        g, hidden = self.graph, self.decoder.GRU_2.weight_hh
        *queries, from_state = self._products(h_hat, [*self.attention.queries, hidden])
        return self.attention.attend(g, self._look_at, queries), from_state

    def _look_at(self, i: int, query: str) -> str:
        """Eqs. (11) to (13): the context, multiplied; puts out the coverage, and alpha if it is to be shown."""
        g, contract, part = self.graph, self.contract, self.attention.looks[i]
        past = contract.coverage(i).name
        keys = g.op("Gather", contract.keys(i).name, INK.name, axis=0)
        values = g.op("Gather", contract.values(i).name, INK.name, axis=0)
        terms = g.op("Add", self._coverage_term(part, past), g.op("Unsqueeze", query, g.ints(1)))
        terms = g.op("Tanh", g.op("Add", terms, keys))  # (P, T, n_att)
        energy = g.op("Reshape", g.op("MatMul", terms, g.weight(part.v_att[:, None])), g.ints(0, 1, -1))
        real = self.masks[part.look.view]
        alpha = g.op("Softmax", g.op("Where", real, energy, g.number(float("-inf"))), axis=2)
        on_grid = g.op("Reshape", alpha, g.op("Shape", past))
        g.output(contract.coverage(i).after, g.op("Add", past, on_grid))
        if part.look.shown:
            g.output(contract.alpha(part.look.view), on_grid)
        return g.op("Squeeze", g.op("MatMul", alpha, values), g.ints(1))

    def _coverage_term(self, part: LoweredLook, past: str) -> str:
        """U_f Q * alpha_past, (P, T, n_att)   Eq. (11)."""
        g, kernel = self.graph, part.kernel
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
        g.output(GATES.after, next_gates)
        pairs = g.op("Reshape", g.op("Add", total, from_h), g.ints(0, -1, 2))
        maxout = g.op("ReduceMax", pairs, axes=[2], keepdims=0)
        logits = g.linear(maxout, decoder.W_o.weight)
        g.output(self.contract.log_probs, g.op("LogSoftmax", logits, axis=1))
