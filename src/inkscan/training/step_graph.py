"""step.onnx: one decoding step for P hypotheses of one or many inks.

Hypotheses of an ink share its memories: `ink` holds the ink of each hypothesis, or a single number for all of
them. What does not depend on the step is done beforehand: U_f Q is one kernel, E W_ih of the first GRU is a
table by token, W_hh h of the first GRU comes from the step before; products with one vector are one product.
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx
import torch
from torch import Tensor, nn

from inkscan.models.attention import CoverageAttention, CoverageTerms, MultiModalAttention, ReAttention
from inkscan.models.scan import Scan
from inkscan.training.encoder_graph import coverage_terms, first_looks
from inkscan.training.graph import BOOL, FLOAT, INT64, Graph


def step_graph(model: Scan, *, half: bool = False) -> onnx.ModelProto:
    """The step of any system; the token before the first has the number K."""
    return _StepGraph(model, half).graph.model()


class _StepGraph:
    def __init__(self, model: Scan, half: bool) -> None:
        self.graph = g = Graph("step", half=half)
        self.decoder = decoder = model.decoder
        self.n = decoder.GRU_1.hidden_size
        token = g.input("token", INT64, ("P",))
        self.ink = g.input("ink", INT64, ("I",))
        h = g.input("h", FLOAT, ("P", "n"))
        gates = g.input("gates", FLOAT, ("P", "3n"))
        self._read_memories()
        y, y_gates = self._embedded(token)
        h_hat = self._gru(y_gates, gates, h)  # (P, n)   Eq. (7)
        context, looked = self._attend(h_hat)  # Eq. (8)
        h = self._second_gru(context, h_hat)  # Eq. (9)
        self._read_out(y, h, context)
        self._next_state(h, looked)

    def _read_memories(self) -> None:
        g = self.graph
        terms = coverage_terms(self.decoder.attention)
        self.values, self.masks, self.keys, self.coverage = [], [], [], []
        for v in sorted({view for view, _ in terms}):
            values = g.input(f"values{v}", FLOAT, ("B", f"T{v}", "D"))
            mask = g.input(f"mask{v}", BOOL, ("B", f"H{v}", f"W{v}"))
            self.values.append(g.op("Gather", values, self.ink, axis=0))
            flat = g.op("Reshape", g.op("Gather", mask, self.ink, axis=0), g.ints(0, 1, -1))
            self.masks.append(flat)  # (I, 1, T)
        for i, (view, _) in enumerate(terms):
            self.coverage.append(g.input(f"coverage{i}", FLOAT, ("P", f"H{view}", f"W{view}")))
            keys = g.input(f"keys{i}", FLOAT, ("B", "n_att", f"T{view}"))
            self.keys.append(g.op("Gather", keys, self.ink, axis=0))

    def _embedded(self, token: str) -> tuple[str, str]:
        """E y and W_ih E y + b of the first GRU; the first token's embedding is zero."""
        g, gru = self.graph, self.decoder.GRU_1
        E = torch.cat([self.decoder.E.weight, torch.zeros(1, self.decoder.E.embedding_dim)])
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
        if len(weights) == 1:
            return [product]
        sizes = g.ints(*(len(w) for w in weights))
        return g.ops("Split", product, sizes, results=len(weights), axis=1)

    def _attend(self, h_hat: str) -> tuple[str, list[str]]:
        """The context, and what each coverage grows by; the alphas become outputs."""
        attention = self.decoder.attention
        hidden = self.decoder.GRU_2.weight_hh
        if isinstance(attention, CoverageAttention):
            query, self.from_state = self._products(h_hat, [attention.W_att.weight, hidden])
            context, alpha = self._look(0, 0, attention.terms, query, attention.v_att)
            self._output_alphas([alpha])
            return context, [alpha]
        pre = first_looks(attention)
        queries = [look.W_att.weight for look in pre]
        if isinstance(attention, MultiModalAttention):
            *projected, self.from_state = self._products(h_hat, [*queries, hidden])
            found = spent = self._look_twice(pre, projected)
        else:
            *projected, fine, self.from_state = self._products(
                h_hat, [*queries, attention.W_att.weight, hidden]
            )
            before = self._look_twice(pre, projected)  # Eq. (15)
            found = self._look_again(attention, fine, [context for context, _ in before])
            spent = before + found
        self._output_alphas([alpha for _, alpha in found])
        joined = self.graph.op("Concat", *(context for context, _ in found), axis=1)
        c_mm = self.graph.op("Tanh", self.graph.linear(joined, attention.W_FC.weight))  # Eq. (19)
        return c_mm, [alpha for _, alpha in spent]

    def _look_twice(self, looks: list[CoverageAttention], queries: list[str]) -> list[tuple[str, str]]:
        """One look a view."""
        return [self._look(v, v, looks[v].terms, queries[v], looks[v].v_att) for v in (0, 1)]

    def _look_again(self, attention: ReAttention, query: str, c_hat: list[str]) -> list[tuple[str, str]]:
        """Eqs. (16) to (18): each view is told of the other's context."""
        told = [
            self.graph.op("Add", query, self.graph.linear(context, project.state_dict()["weight"]))
            for context, project in zip(c_hat, attention.U_p, strict=True)
        ]
        terms = coverage_terms(attention)[2:]
        return [self._look(v, 2 + v, terms[v][1], told[1 - v], attention.v_att) for v in (0, 1)]

    def _look(self, view: int, i: int, terms: CoverageTerms, query: str, v_att: Tensor) -> tuple[str, str]:
        """Eqs. (11) to (13): context (P, D) and coefficients (P, H, W)."""
        g, past = self.graph, self.coverage[i]
        kernel = (terms.U_f.weight @ terms.Q.weight.flatten(1)).view(-1, *terms.Q.weight.shape[1:])  # U_f Q
        pads = [int(side) for side in terms.Q.padding] * 2
        covered = g.op("Conv", g.op("Unsqueeze", past, g.ints(1)), g.weight(kernel), pads=pads)
        covered = g.op("Reshape", covered, g.ints(0, 0, -1))  # (P, n_att, T)
        told = g.op("Add", covered, g.op("Unsqueeze", query, g.ints(2)))
        energy = g.op(
            "MatMul", g.weight(v_att[None]), g.op("Tanh", g.op("Add", told, self.keys[i]))
        )  # (P, 1, T)
        energy = g.op("Where", self.masks[view], energy, g.number(float("-inf")))
        alpha = g.op("Softmax", energy, axis=2)
        context = g.op("Squeeze", g.op("MatMul", alpha, self.values[view]), g.ints(1))
        return context, g.op("Reshape", alpha, g.op("Shape", past))

    def _output_alphas(self, alphas: list[str]) -> None:
        for v, alpha in enumerate(alphas):
            self.graph.output(f"alpha{v}", alpha, FLOAT, ("P", f"H{v}", f"W{v}"))

    def _second_gru(self, context: str, h_hat: str) -> str:
        g, gru = self.graph, self.decoder.GRU_2
        from_input, self.from_context = self._products(context, [gru.weight_ih, self.decoder.W_c.weight])
        from_input = g.op("Add", from_input, g.weight(gru.bias_ih))
        from_state = g.op("Add", self.from_state, g.weight(gru.bias_hh))
        return self._gru(from_input, from_state, h_hat)

    def _read_out(self, y: str, h: str, context: str) -> None:
        """Eq. (10), as log-probabilities (P, K)."""
        g, decoder = self.graph, self.decoder
        from_h, next_gates = self._products(h, [decoder.W_h.weight, decoder.GRU_1.weight_hh])
        self.next_gates = g.op("Add", next_gates, g.weight(decoder.GRU_1.bias_hh))
        total = g.op("Add", g.op("Add", y, from_h), self.from_context)
        pairs = g.op("Reshape", total, g.ints(0, -1, 2))
        maxout = g.op("ReduceMax", pairs, axes=[2], keepdims=0)
        logits = g.linear(maxout, decoder.W_o.weight)
        g.output("log_probs", g.op("LogSoftmax", logits, axis=1), FLOAT, ("P", "K"))

    def _next_state(self, h: str, looked: list[str]) -> None:
        g = self.graph
        g.output("next_h", h, FLOAT, ("P", "n"))
        g.output("next_gates", self.next_gates, FLOAT, ("P", "3n"))
        for i, alpha in enumerate(looked):
            view = i % len(self.values)
            g.output(
                f"next_coverage{i}",
                g.op("Add", self.coverage[i], alpha),
                FLOAT,
                ("P", f"H{view}", f"W{view}"),
            )
