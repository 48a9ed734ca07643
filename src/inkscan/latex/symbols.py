"""Every symbol that LaTeX text may use, with its Unicode character; other commands are unknown tokens."""

from __future__ import annotations

from contextlib import suppress
from string import ascii_letters
from unicodedata import lookup


def commands(names: str) -> frozenset[str]:
    """The commands with these names, which are separated by spaces."""
    return frozenset("\\" + name for name in names.split())


FUNCTIONS = commands(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp det dim ker deg "
    "hom arg gcd lim limsup liminf max min sup inf Pr"
)
LIMIT_FUNCTIONS = commands("lim limsup liminf max min sup inf det gcd Pr")
SPELLED_FUNCTIONS = ("sin", "cos", "tan", "log", "lim")  # read as functions even without the backslash

_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι "
    "kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ "
    "varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ "
    "Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_LETTERLIKE = (
    "infty ∞ partial ∂ nabla ∇ hbar ℏ ell ℓ imath ı jmath ȷ Re ℜ Im ℑ aleph ℵ wp ℘ emptyset ∅ "
    "varnothing ∅ forall ∀ exists ∃ nexists ∄ top ⊤ bot ⊥ angle ∠ triangle △ square □ Box □ prime ′ "
    "backprime ‵ sharp ♯ flat ♭ natural ♮ checkmark ✓ S § P ¶ copyright © pounds £ AA Å complement ∁ "
    "Bbbk 𝕜 hslash ℏ eth ð mho ℧ degree °"
)
_LARGE = (
    "sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ oiint ∯ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ "
    "bigoplus ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄ bigsqcup ⨆ bigcirc ◯"
)
_OPERATORS = (
    "circ ∘ bullet ∙ star ⋆ ast ∗ dagger † ddagger ‡ diamond ⋄ times × div ÷ pm ± mp ∓ cdot ⋅ oplus ⊕ "
    "ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ cup ∪ cap ∩ uplus ⊎ sqcup ⊔ sqcap ⊓ vee ∨ wedge ∧ lor ∨ land ∧ "
    "neg ¬ lnot ¬ setminus ∖ wr ≀ amalg ⨿ ltimes ⋉ rtimes ⋊ bowtie ⋈ boxplus ⊞ boxtimes ⊠ boxdot ⊡ "
    "ldots … cdots ⋯ vdots ⋮ ddots ⋱ colon :"
)
_RELATIONS = (
    "leq ≤ geq ≥ neq ≠ equiv ≡ approx ≈ cong ≅ sim ∼ simeq ≃ propto ∝ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯ "
    "succeq ⪰ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ nsubseteq ⊈ sqsubseteq ⊑ "
    "sqsupseteq ⊒ in ∈ notin ∉ ni ∋ mid ∣ nmid ∤ parallel ∥ nparallel ∦ perp ⊥ vdash ⊢ dashv ⊣ "
    "models ⊨ vDash ⊨ Vdash ⊩ asymp ≍ doteq ≐ triangleq ≜ leqslant ⩽ geqslant ⩾ leqq ≦ geqq ≧ "
    "lesssim ≲ gtrsim ≳ nless ≮ ngtr ≯ approxeq ≊ trianglelefteq ⊴ trianglerighteq ⊵ triangleleft ◃ "
    "triangleright ▹ vartriangleleft ⊲ vartriangleright ⊳ therefore ∴ because ∵ smile ⌣ frown ⌢ "
    "fallingdotseq ≒ risingdotseq ≓ rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ "
    "Leftrightarrow ⇔ mapsto ↦ longrightarrow ⟶ longleftarrow ⟵ Longrightarrow ⟹ Longleftarrow ⟸ "
    "Longleftrightarrow ⟺ longleftrightarrow ⟷ longmapsto ⟼ uparrow ↑ downarrow ↓ Uparrow ⇑ "
    "Downarrow ⇓ updownarrow ↕ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ hookrightarrow ↪ "
    "hookleftarrow ↩ rightharpoonup ⇀ rightharpoondown ⇁ leftharpoonup ↼ leftharpoondown ↽ "
    "rightleftharpoons ⇌ rightleftarrows ⇄ leadsto ⇝ rightsquigarrow ⇝ twoheadrightarrow ↠ "
    "nrightarrow ↛ multimap ⊸ circlearrowleft ↺ circlearrowright ↻"
)
_OPENING = "langle ⟨ lfloor ⌊ lceil ⌈ lbrace { llbracket ⟦"
_CLOSING = "rangle ⟩ rfloor ⌋ rceil ⌉ rbrace } rrbracket ⟧"


def _table(pairs: str) -> dict[str, str]:
    words = pairs.split()
    return {"\\" + name: character for name, character in zip(words[::2], words[1::2], strict=True)}


LETTERLIKE = _table(_GREEK) | _table(_LETTERLIKE)
LARGE = _table(_LARGE)
OPERATORS = _table(_OPERATORS)
RELATIONS = _table(_RELATIONS)
OPENING = _table(_OPENING) | {"(": "(", "[": "[", "\\{": "{"}
CLOSING = _table(_CLOSING) | {")": ")", "]": "]", "\\}": "}"}
BARS = {"|": "|", "\\|": "‖", "\\Vert": "‖", "\\vert": "|", "\\backslash": "\\"}
ESCAPED = {"\\%": "%", "\\&": "&", "\\#": "#", "\\$": "$", "\\_": "_"}


def _styled_letters() -> dict[str, str]:
    """`\\mathbb{R}` and the like with their characters, which Unicode names in two ways."""
    found: dict[str, str] = {}
    for style, alphabets in STYLED_ALPHABETS.items():
        for letter in ascii_letters:
            case = "CAPITAL" if letter.isupper() else "SMALL"
            for alphabet in alphabets:
                with suppress(KeyError):
                    found[f"{style}{{{letter}}}"] = lookup(f"{alphabet} {case} {letter.upper()}")
    return found


STYLED_ALPHABETS = {
    "\\mathbb": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "\\mathcal": ("MATHEMATICAL SCRIPT", "SCRIPT"),
    "\\mathfrak": ("MATHEMATICAL FRAKTUR", "BLACK-LETTER"),
    "\\mathscr": ("MATHEMATICAL SCRIPT", "SCRIPT"),
}
STYLED = tuple(STYLED_ALPHABETS)  # `\mathbb{R}` is one label
CHARACTERS = (
    LETTERLIKE | LARGE | OPERATORS | RELATIONS | OPENING | CLOSING | BARS | ESCAPED | _styled_letters()
)

ALIASES = {
    "\\to": "\\rightarrow",
    "\\gets": "\\leftarrow",
    "\\lt": "<",
    "\\gt": ">",
    "\\le": "\\leq",
    "\\ge": "\\geq",
    "\\ne": "\\neq",
    "\\dots": "\\ldots",
    "\\dotsc": "\\ldots",
    "\\dotsb": "\\cdots",
    "\\dotsm": "\\cdots",
    "\\dotsi": "\\cdots",
    "\\iff": "\\Leftrightarrow",
    "\\implies": "\\Rightarrow",
    "\\lbrace": "\\{",
    "\\rbrace": "\\}",
    "\\lbrack": "[",
    "\\rbrack": "]",
    "\\vert": "|",
    "\\lvert": "|",
    "\\rvert": "|",
    "\\Vert": "\\|",
    "\\lVert": "\\|",
    "\\rVert": "\\|",
    "\\land": "\\wedge",
    "\\lor": "\\vee",
    "\\lnot": "\\neg",
    "\\owns": "\\ni",
    "\\dfrac": "\\frac",
    "\\tfrac": "\\frac",
    "\\cfrac": "\\frac",
    "\\dbinom": "\\binom",
    "\\tbinom": "\\binom",
    "−": "-",
    "’": "'",
    "′": "'",
    "“": '"',
}
_FROM_CHARACTER = {
    character: ALIASES.get(label, label)
    for label, character in reversed(CHARACTERS.items())
    if not character.isascii()
}


def label_of(text: str) -> str:
    """The canonical label for a LaTeX command or a Unicode character; the text itself if it has no other."""
    if text in ALIASES:
        return ALIASES[text]
    return _FROM_CHARACTER.get(text, text)


def is_known(label: str) -> bool:
    """Whether a token is a symbol that the layout tree, MathML and LaTeX output can all show."""
    if len(label) == 1:
        return label.isascii() and label.isprintable() and label not in "\\{}^_&#%$~"
    if label in CHARACTERS or label in FUNCTIONS:
        return True
    return label.startswith(STYLED) and label.endswith("}")
