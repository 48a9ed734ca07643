// Made by js/make_tables.py from the tables of the Python package. Edit those and make it again.

export const ACCENTS = new Set([
  "\\acute", "\\bar", "\\boxed", "\\breve", "\\check", "\\ddot", "\\dot", "\\grave", "\\hat", "\\mathring",
  "\\overbrace", "\\overleftarrow", "\\overleftrightarrow", "\\overline", "\\overrightarrow", "\\tilde", "\\underbrace",
  "\\underline", "\\vec", "\\widehat", "\\widetilde",
]);
export const ACCENT_MARKS = new Map(Object.entries({
  "\\hat": "^", "\\vec": "→", "\\overline": "‾", "\\tilde": "˜", "\\dot": "˙", "\\acute": "´", "\\bar": "¯",
  "\\breve": "˘", "\\check": "ˇ", "\\ddot": "¨", "\\grave": "`", "\\mathring": "˚", "\\overbrace": "⏞",
  "\\overleftarrow": "←", "\\overleftrightarrow": "↔", "\\overrightarrow": "→", "\\underbrace": "⏟", "\\underline": "_",
  "\\widehat": "^", "\\widetilde": "˜",
}));
export const AFTER_FACTORS = new Set([
  ")", "*", ",", ":", ";", "<", "=", ">", "\\Downarrow", "\\Leftarrow", "\\Leftrightarrow", "\\Longleftarrow",
  "\\Longleftrightarrow", "\\Longrightarrow", "\\Rightarrow", "\\Uparrow", "\\Vdash", "\\amalg", "\\approx",
  "\\approxeq", "\\asymp", "\\because", "\\bowtie", "\\boxdot", "\\boxplus", "\\boxtimes", "\\bullet", "\\cap", "\\cdot",
  "\\circ", "\\circlearrowleft", "\\circlearrowright", "\\cong", "\\cup", "\\dagger", "\\dashv", "\\ddagger",
  "\\diamond", "\\div", "\\doteq", "\\downarrow", "\\equiv", "\\exists", "\\fallingdotseq", "\\forall", "\\frown",
  "\\geq", "\\geqq", "\\geqslant", "\\gg", "\\gtrsim", "\\hookleftarrow", "\\hookrightarrow", "\\in", "\\leadsto",
  "\\leftarrow", "\\leftharpoondown", "\\leftharpoonup", "\\leftrightarrow", "\\leq", "\\leqq", "\\leqslant",
  "\\lesssim", "\\ll", "\\longleftarrow", "\\longleftrightarrow", "\\longmapsto", "\\longrightarrow", "\\ltimes",
  "\\mapsto", "\\mid", "\\models", "\\multimap", "\\nearrow", "\\neg", "\\neq", "\\ngtr", "\\ni", "\\nless", "\\nmid",
  "\\notin", "\\nparallel", "\\nrightarrow", "\\nsubseteq", "\\nwarrow", "\\odot", "\\ominus", "\\oplus", "\\oslash",
  "\\otimes", "\\parallel", "\\perp", "\\prec", "\\preceq", "\\propto", "\\rangle", "\\rceil", "\\rfloor",
  "\\rightarrow", "\\rightharpoondown", "\\rightharpoonup", "\\rightleftarrows", "\\rightleftharpoons", "\\risingdotseq",
  "\\rrbracket", "\\rtimes", "\\searrow", "\\setminus", "\\sim", "\\simeq", "\\smile", "\\sqcap", "\\sqcup",
  "\\sqsubseteq", "\\sqsupseteq", "\\star", "\\subset", "\\subseteq", "\\subsetneq", "\\succ", "\\succeq", "\\supset",
  "\\supseteq", "\\supsetneq", "\\swarrow", "\\therefore", "\\times", "\\triangleleft", "\\trianglelefteq",
  "\\triangleq", "\\triangleright", "\\trianglerighteq", "\\twoheadrightarrow", "\\uparrow", "\\updownarrow", "\\uplus",
  "\\vartriangleleft", "\\vartriangleright", "\\vdash", "\\vee", "\\wedge", "\\wr", "\\}", "]", "^", "_", "}",
]);
export const AGREED = new Map(Object.entries({"several": [0.26, 0.49, 1.38], "one weighed": [0.09, 0.51, 0.67], "several weighed": [0.1, 0.49, 1.22]}));
export const A_TOKEN = 0.54;
export const BARS = new Set(["\\|", "|"]);
export const BEFORE_FACTORS = new Set([
  "(", "*", "+", ",", "-", ":", ";", "<", "=", ">", "[", "\\Downarrow", "\\Leftarrow", "\\Leftrightarrow",
  "\\Longleftarrow", "\\Longleftrightarrow", "\\Longrightarrow", "\\Pr", "\\Rightarrow", "\\Uparrow", "\\Vdash",
  "\\amalg", "\\approx", "\\approxeq", "\\arccos", "\\arcsin", "\\arctan", "\\arg", "\\asymp", "\\because", "\\bmod",
  "\\bowtie", "\\boxdot", "\\boxplus", "\\boxtimes", "\\bullet", "\\cap", "\\cdot", "\\circ", "\\circlearrowleft",
  "\\circlearrowright", "\\cong", "\\cos", "\\cosh", "\\cot", "\\coth", "\\csc", "\\cup", "\\dagger", "\\dashv",
  "\\ddagger", "\\deg", "\\det", "\\diamond", "\\dim", "\\div", "\\doteq", "\\downarrow", "\\equiv", "\\exists", "\\exp",
  "\\fallingdotseq", "\\forall", "\\frown", "\\gcd", "\\geq", "\\geqq", "\\geqslant", "\\gg", "\\gtrsim", "\\hom",
  "\\hookleftarrow", "\\hookrightarrow", "\\in", "\\inf", "\\ker", "\\langle", "\\lceil", "\\leadsto", "\\leftarrow",
  "\\leftharpoondown", "\\leftharpoonup", "\\leftrightarrow", "\\leq", "\\leqq", "\\leqslant", "\\lesssim", "\\lfloor",
  "\\lg", "\\lim", "\\liminf", "\\limsup", "\\ll", "\\llbracket", "\\ln", "\\log", "\\longleftarrow",
  "\\longleftrightarrow", "\\longmapsto", "\\longrightarrow", "\\ltimes", "\\mapsto", "\\max", "\\mid", "\\min",
  "\\models", "\\mp", "\\multimap", "\\nearrow", "\\neg", "\\neq", "\\ngtr", "\\ni", "\\nless", "\\nmid", "\\notin",
  "\\nparallel", "\\nrightarrow", "\\nsubseteq", "\\nwarrow", "\\odot", "\\ominus", "\\oplus", "\\oslash", "\\otimes",
  "\\parallel", "\\perp", "\\pm", "\\prec", "\\preceq", "\\propto", "\\rightarrow", "\\rightharpoondown",
  "\\rightharpoonup", "\\rightleftarrows", "\\rightleftharpoons", "\\risingdotseq", "\\rtimes", "\\searrow", "\\sec",
  "\\setminus", "\\sim", "\\simeq", "\\sin", "\\sinh", "\\smile", "\\sqcap", "\\sqcup", "\\sqsubseteq", "\\sqsupseteq",
  "\\star", "\\subset", "\\subseteq", "\\subsetneq", "\\succ", "\\succeq", "\\sup", "\\supset", "\\supseteq",
  "\\supsetneq", "\\swarrow", "\\tan", "\\tanh", "\\therefore", "\\times", "\\triangleleft", "\\trianglelefteq",
  "\\triangleq", "\\triangleright", "\\trianglerighteq", "\\twoheadrightarrow", "\\uparrow", "\\updownarrow", "\\uplus",
  "\\vartriangleleft", "\\vartriangleright", "\\vdash", "\\vee", "\\wedge", "\\wr", "\\{", "{",
]);
export const CANONICAL = new Map(Object.entries({
  "𝒵": "\\mathcal{Z}", "𝒴": "\\mathcal{Y}", "𝒳": "\\mathcal{X}", "𝒲": "\\mathcal{W}", "𝒱": "\\mathcal{V}",
  "𝒰": "\\mathcal{U}", "𝒯": "\\mathcal{T}", "𝒮": "\\mathcal{S}", "ℛ": "\\mathcal{R}", "𝒬": "\\mathcal{Q}",
  "𝒫": "\\mathcal{P}", "𝒪": "\\mathcal{O}", "𝒩": "\\mathcal{N}", "ℳ": "\\mathcal{M}", "ℒ": "\\mathcal{L}",
  "𝒦": "\\mathcal{K}", "𝒥": "\\mathcal{J}", "ℐ": "\\mathcal{I}", "ℋ": "\\mathcal{H}", "𝒢": "\\mathcal{G}",
  "ℱ": "\\mathcal{F}", "ℰ": "\\mathcal{E}", "𝒟": "\\mathcal{D}", "𝒞": "\\mathcal{C}", "ℬ": "\\mathcal{B}",
  "𝒜": "\\mathcal{A}", "𝓏": "\\mathcal{z}", "𝓎": "\\mathcal{y}", "𝓍": "\\mathcal{x}", "𝓌": "\\mathcal{w}",
  "𝓋": "\\mathcal{v}", "𝓊": "\\mathcal{u}", "𝓉": "\\mathcal{t}", "𝓈": "\\mathcal{s}", "𝓇": "\\mathcal{r}",
  "𝓆": "\\mathcal{q}", "𝓅": "\\mathcal{p}", "ℴ": "\\mathcal{o}", "𝓃": "\\mathcal{n}", "𝓂": "\\mathcal{m}",
  "𝓁": "\\mathcal{l}", "𝓀": "\\mathcal{k}", "𝒿": "\\mathcal{j}", "𝒾": "\\mathcal{i}", "𝒽": "\\mathcal{h}",
  "ℊ": "\\mathcal{g}", "𝒻": "\\mathcal{f}", "ℯ": "\\mathcal{e}", "𝒹": "\\mathcal{d}", "𝒸": "\\mathcal{c}",
  "𝒷": "\\mathcal{b}", "𝒶": "\\mathcal{a}", "ℨ": "\\mathfrak{Z}", "𝔜": "\\mathfrak{Y}", "𝔛": "\\mathfrak{X}",
  "𝔚": "\\mathfrak{W}", "𝔙": "\\mathfrak{V}", "𝔘": "\\mathfrak{U}", "𝔗": "\\mathfrak{T}", "𝔖": "\\mathfrak{S}",
  "ℜ": "\\Re", "𝔔": "\\mathfrak{Q}", "𝔓": "\\mathfrak{P}", "𝔒": "\\mathfrak{O}", "𝔑": "\\mathfrak{N}",
  "𝔐": "\\mathfrak{M}", "𝔏": "\\mathfrak{L}", "𝔎": "\\mathfrak{K}", "𝔍": "\\mathfrak{J}", "ℑ": "\\Im",
  "ℌ": "\\mathfrak{H}", "𝔊": "\\mathfrak{G}", "𝔉": "\\mathfrak{F}", "𝔈": "\\mathfrak{E}", "𝔇": "\\mathfrak{D}",
  "ℭ": "\\mathfrak{C}", "𝔅": "\\mathfrak{B}", "𝔄": "\\mathfrak{A}", "𝔷": "\\mathfrak{z}", "𝔶": "\\mathfrak{y}",
  "𝔵": "\\mathfrak{x}", "𝔴": "\\mathfrak{w}", "𝔳": "\\mathfrak{v}", "𝔲": "\\mathfrak{u}", "𝔱": "\\mathfrak{t}",
  "𝔰": "\\mathfrak{s}", "𝔯": "\\mathfrak{r}", "𝔮": "\\mathfrak{q}", "𝔭": "\\mathfrak{p}", "𝔬": "\\mathfrak{o}",
  "𝔫": "\\mathfrak{n}", "𝔪": "\\mathfrak{m}", "𝔩": "\\mathfrak{l}", "𝔨": "\\mathfrak{k}", "𝔧": "\\mathfrak{j}",
  "𝔦": "\\mathfrak{i}", "𝔥": "\\mathfrak{h}", "𝔤": "\\mathfrak{g}", "𝔣": "\\mathfrak{f}", "𝔢": "\\mathfrak{e}",
  "𝔡": "\\mathfrak{d}", "𝔠": "\\mathfrak{c}", "𝔟": "\\mathfrak{b}", "𝔞": "\\mathfrak{a}", "𝟡": "\\mathbb{9}",
  "𝟠": "\\mathbb{8}", "𝟟": "\\mathbb{7}", "𝟞": "\\mathbb{6}", "𝟝": "\\mathbb{5}", "𝟜": "\\mathbb{4}", "𝟛": "\\mathbb{3}",
  "𝟚": "\\mathbb{2}", "𝟙": "\\mathbb{1}", "𝟘": "\\mathbb{0}", "𝕐": "\\mathbb{Y}", "𝕏": "\\mathbb{X}", "𝕎": "\\mathbb{W}",
  "𝕍": "\\mathbb{V}", "𝕌": "\\mathbb{U}", "𝕋": "\\mathbb{T}", "𝕊": "\\mathbb{S}", "ℙ": "\\mathbb{P}", "𝕆": "\\mathbb{O}",
  "𝕄": "\\mathbb{M}", "𝕃": "\\mathbb{L}", "𝕂": "\\mathbb{K}", "𝕁": "\\mathbb{J}", "𝕀": "\\mathbb{I}", "ℍ": "\\mathbb{H}",
  "𝔾": "\\mathbb{G}", "𝔽": "\\mathbb{F}", "𝔼": "\\mathbb{E}", "𝔻": "\\mathbb{D}", "𝔹": "\\mathbb{B}", "𝔸": "\\mathbb{A}",
  "𝕫": "\\mathbb{z}", "𝕪": "\\mathbb{y}", "𝕩": "\\mathbb{x}", "𝕨": "\\mathbb{w}", "𝕧": "\\mathbb{v}", "𝕦": "\\mathbb{u}",
  "𝕥": "\\mathbb{t}", "𝕤": "\\mathbb{s}", "𝕣": "\\mathbb{r}", "𝕢": "\\mathbb{q}", "𝕡": "\\mathbb{p}", "𝕠": "\\mathbb{o}",
  "𝕟": "\\mathbb{n}", "𝕞": "\\mathbb{m}", "𝕝": "\\mathbb{l}", "𝕜": "\\Bbbk", "𝕛": "\\mathbb{j}", "𝕚": "\\mathbb{i}",
  "𝕙": "\\mathbb{h}", "𝕘": "\\mathbb{g}", "𝕗": "\\mathbb{f}", "𝕖": "\\mathbb{e}", "𝕕": "\\mathbb{d}", "𝕔": "\\mathbb{c}",
  "𝕓": "\\mathbb{b}", "𝕒": "\\mathbb{a}", "⟧": "\\rrbracket", "⟦": "\\llbracket", "↻": "\\circlearrowright",
  "↺": "\\circlearrowleft", "⊸": "\\multimap", "↛": "\\nrightarrow", "↠": "\\twoheadrightarrow", "⇝": "\\leadsto",
  "⇄": "\\rightleftarrows", "↽": "\\leftharpoondown", "↼": "\\leftharpoonup", "⇁": "\\rightharpoondown",
  "⇀": "\\rightharpoonup", "↩": "\\hookleftarrow", "↪": "\\hookrightarrow", "↖": "\\nwarrow", "↙": "\\swarrow",
  "↘": "\\searrow", "↗": "\\nearrow", "↕": "\\updownarrow", "⇓": "\\Downarrow", "⇑": "\\Uparrow", "⟼": "\\longmapsto",
  "⟷": "\\longleftrightarrow", "⟺": "\\Longleftrightarrow", "⟸": "\\Longleftarrow", "⟹": "\\Longrightarrow",
  "⟵": "\\longleftarrow", "⟶": "\\longrightarrow", "≓": "\\risingdotseq", "≒": "\\fallingdotseq", "⌢": "\\frown",
  "⌣": "\\smile", "⊳": "\\vartriangleright", "⊲": "\\vartriangleleft", "▹": "\\triangleright", "◃": "\\triangleleft",
  "⊵": "\\trianglerighteq", "⊴": "\\trianglelefteq", "≊": "\\approxeq", "≯": "\\ngtr", "≮": "\\nless", "≳": "\\gtrsim",
  "≲": "\\lesssim", "≧": "\\geqq", "≦": "\\leqq", "⩾": "\\geqslant", "⩽": "\\leqslant", "≜": "\\triangleq",
  "≐": "\\doteq", "≍": "\\asymp", "⊩": "\\Vdash", "⊣": "\\dashv", "∦": "\\nparallel", "∤": "\\nmid", "∣": "\\mid",
  "⊒": "\\sqsupseteq", "⊑": "\\sqsubseteq", "⊈": "\\nsubseteq", "⊋": "\\supsetneq", "⊊": "\\subsetneq", "⪰": "\\succeq",
  "⪯": "\\preceq", "⋱": "\\ddots", "⋮": "\\vdots", "⊡": "\\boxdot", "⊠": "\\boxtimes", "⊞": "\\boxplus", "⋈": "\\bowtie",
  "⋊": "\\rtimes", "⋉": "\\ltimes", "⨿": "\\amalg", "≀": "\\wr", "⊓": "\\sqcap", "⊔": "\\sqcup", "⊎": "\\uplus",
  "⊙": "\\odot", "⊘": "\\oslash", "⊖": "\\ominus", "⋄": "\\diamond", "‡": "\\ddagger", "◯": "\\bigcirc",
  "⨆": "\\bigsqcup", "⨄": "\\biguplus", "⨀": "\\bigodot", "⋀": "\\bigwedge", "⋁": "\\bigvee", "∯": "\\oiint",
  "∐": "\\coprod", "°": "\\degree", "℧": "\\mho", "ð": "\\eth", "∁": "\\complement", "Å": "\\AA", "£": "\\pounds",
  "©": "\\copyright", "¶": "\\P", "§": "\\S", "✓": "\\checkmark", "♮": "\\natural", "♭": "\\flat", "♯": "\\sharp",
  "‵": "\\backprime", "⊥": "\\bot", "⊤": "\\top", "∄": "\\nexists", "℘": "\\wp", "ȷ": "\\jmath", "ı": "\\imath",
  "ς": "\\varsigma", "ϱ": "\\varrho", "ϖ": "\\varpi", "ο": "\\omicron", "ϰ": "\\varkappa", "‖": "\\|", "⌉": "\\rceil",
  "⌈": "\\lceil", "⌋": "\\rfloor", "⌊": "\\lfloor", "⟩": "\\rangle", "⟨": "\\langle", "⇌": "\\rightleftharpoons",
  "↓": "\\downarrow", "↑": "\\uparrow", "↦": "\\mapsto", "⇔": "\\Leftrightarrow", "⇐": "\\Leftarrow",
  "⇒": "\\Rightarrow", "↔": "\\leftrightarrow", "←": "\\leftarrow", "∵": "\\because", "∴": "\\therefore",
  "⊨": "\\models", "⊢": "\\vdash", "⟂": "\\perp", "∥": "\\parallel", "∋": "\\ni", "∉": "\\notin", "⊇": "\\supseteq",
  "⊆": "\\subseteq", "⊃": "\\supset", "⊂": "\\subset", "≻": "\\succ", "≺": "\\prec", "≫": "\\gg", "≪": "\\ll",
  "∝": "\\propto", "≃": "\\simeq", "∼": "\\sim", "≅": "\\cong", "≡": "\\equiv", "≈": "\\approx", "∖": "\\setminus",
  "¬": "\\neg", "∧": "\\wedge", "∨": "\\vee", "∩": "\\cap", "∪": "\\cup", "⊗": "\\otimes", "⊕": "\\oplus", "∓": "\\mp",
  "†": "\\dagger", "⋆": "\\star", "∙": "\\bullet", "∘": "\\circ", "∮": "\\oint", "∭": "\\iiint", "∬": "\\iint",
  "⨂": "\\bigotimes", "⨁": "\\bigoplus", "⋂": "\\bigcap", "⋃": "\\bigcup", "∏": "\\prod", "□": "\\square",
  "△": "\\triangle", "∠": "\\angle", "∅": "\\emptyset", "ℵ": "\\aleph", "ℓ": "\\ell", "ℏ": "\\hbar", "∇": "\\nabla",
  "∂": "\\partial", "ℤ": "\\mathbb{Z}", "ℝ": "\\mathbb{R}", "ℚ": "\\mathbb{Q}", "ℕ": "\\mathbb{N}", "ℂ": "\\mathbb{C}",
  "Ω": "\\Omega", "Ψ": "\\Psi", "Φ": "\\Phi", "Υ": "\\Upsilon", "Σ": "\\Sigma", "Π": "\\Pi", "Ξ": "\\Xi",
  "Λ": "\\Lambda", "Θ": "\\Theta", "Γ": "\\Gamma", "ω": "\\omega", "ψ": "\\psi", "χ": "\\chi", "φ": "\\varphi",
  "υ": "\\upsilon", "τ": "\\tau", "ρ": "\\rho", "ξ": "\\xi", "ν": "\\nu", "κ": "\\kappa", "ι": "\\iota",
  "ϑ": "\\vartheta", "η": "\\eta", "ζ": "\\zeta", "ε": "\\varepsilon", "ϵ": "\\epsilon", "δ": "\\delta", "×": "\\times",
  "θ": "\\theta", "∑": "\\sum", "σ": "\\sigma", "→": "\\rightarrow", "′": "'", "±": "\\pm", "π": "\\pi", "ϕ": "\\phi",
  "≠": "\\neq", "μ": "\\mu", "≤": "\\leq", "…": "\\ldots", "λ": "\\lambda", "∫": "\\int", "∞": "\\infty", "∈": "\\in",
  "≥": "\\geq", "γ": "\\gamma", "∀": "\\forall", "∃": "\\exists", "÷": "\\div", "⋯": "\\cdots", "⋅": "\\cdot",
  "β": "\\beta", "α": "\\alpha", "Δ": "\\Delta", "\\dfrac": "\\frac", "\\tfrac": "\\frac", "\\cfrac": "\\frac",
  "\\dotsb": "\\cdots", "\\dotsm": "\\cdots", "\\dotsi": "\\cdots", "\\ge": "\\geq", "\\dots": "\\ldots",
  "\\dotsc": "\\ldots", "\\le": "\\leq", "\\ne": "\\neq", "\\to": "\\rightarrow", "\\lbrace": "\\{", "\\rbrace": "\\}",
  "’": "'", "−": "-", "\\lt": "<", "\\gt": ">", "\\lbrack": "[", "\\rbrack": "]", "\\vert": "|", "\\lvert": "|",
  "\\rvert": "|", "\\hslash": "\\hbar", "\\varnothing": "\\emptyset", "\\Box": "\\square", "\\ast": "*", "∗": "*",
  "\\lor": "\\vee", "\\land": "\\wedge", "\\lnot": "\\neg", "\\owns": "\\ni", "\\vDash": "\\models",
  "\\gets": "\\leftarrow", "\\implies": "\\Rightarrow", "\\iff": "\\Leftrightarrow", "\\Vert": "\\|", "\\lVert": "\\|",
  "\\rVert": "\\|", "\\colon": ":", "“": "\"", "”": "\"", "\\mod": "\\bmod", "\\dbinom": "\\binom",
  "\\tbinom": "\\binom", "\\rightsquigarrow": "\\leadsto",
}));
export const CASES_ALIKE = [
  ["c", "C"], ["e", "E"], ["j", "J"], ["k", "K"], ["m", "M"], ["o", "O"], ["p", "P"], ["q", "Q"], ["s", "S"], ["t", "T"],
  ["u", "U"], ["v", "V"], ["w", "W"], ["x", "X"], ["y", "Y"], ["z", "Z"],
];
export const CHARACTERS = new Map(Object.entries({
  "\\Delta": "Δ", "\\alpha": "α", "\\beta": "β", "\\cdot": "⋅", "\\cdots": "⋯", "\\div": "÷", "\\exists": "∃",
  "\\forall": "∀", "\\gamma": "γ", "\\geq": "≥", "\\in": "∈", "\\infty": "∞", "\\int": "∫", "\\lambda": "λ",
  "\\ldots": "…", "\\leq": "≤", "\\mu": "μ", "\\neq": "≠", "\\phi": "ϕ", "\\pi": "π", "\\pm": "±", "\\prime": "′",
  "\\rightarrow": "→", "\\sigma": "σ", "\\sum": "∑", "\\theta": "θ", "\\times": "×", "\\{": "{", "\\}": "}",
  "\\delta": "δ", "\\epsilon": "ϵ", "\\varepsilon": "ε", "\\zeta": "ζ", "\\eta": "η", "\\vartheta": "ϑ", "\\iota": "ι",
  "\\kappa": "κ", "\\nu": "ν", "\\xi": "ξ", "\\rho": "ρ", "\\tau": "τ", "\\upsilon": "υ", "\\varphi": "φ", "\\chi": "χ",
  "\\psi": "ψ", "\\omega": "ω", "\\Gamma": "Γ", "\\Theta": "Θ", "\\Lambda": "Λ", "\\Xi": "Ξ", "\\Pi": "Π",
  "\\Sigma": "Σ", "\\Upsilon": "Υ", "\\Phi": "Φ", "\\Psi": "Ψ", "\\Omega": "Ω", "\\mathbb{C}": "ℂ", "\\mathbb{N}": "ℕ",
  "\\mathbb{Q}": "ℚ", "\\mathbb{R}": "ℝ", "\\mathbb{Z}": "ℤ", "\\partial": "∂", "\\nabla": "∇", "\\hbar": "ℏ",
  "\\ell": "ℓ", "\\aleph": "ℵ", "\\emptyset": "∅", "\\angle": "∠", "\\triangle": "△", "\\square": "□", "\\prod": "∏",
  "\\bigcup": "⋃", "\\bigcap": "⋂", "\\bigoplus": "⨁", "\\bigotimes": "⨂", "\\iint": "∬", "\\iiint": "∭", "\\oint": "∮",
  "\\circ": "∘", "\\bullet": "∙", "\\star": "⋆", "\\dagger": "†", "\\mp": "∓", "\\oplus": "⊕", "\\otimes": "⊗",
  "\\cup": "∪", "\\cap": "∩", "\\vee": "∨", "\\wedge": "∧", "\\neg": "¬", "\\setminus": "∖", "\\approx": "≈",
  "\\equiv": "≡", "\\cong": "≅", "\\sim": "∼", "\\simeq": "≃", "\\propto": "∝", "\\ll": "≪", "\\gg": "≫", "\\prec": "≺",
  "\\succ": "≻", "\\subset": "⊂", "\\supset": "⊃", "\\subseteq": "⊆", "\\supseteq": "⊇", "\\notin": "∉", "\\ni": "∋",
  "\\parallel": "∥", "\\perp": "⟂", "\\vdash": "⊢", "\\models": "⊨", "\\therefore": "∴", "\\because": "∵",
  "\\leftarrow": "←", "\\leftrightarrow": "↔", "\\Rightarrow": "⇒", "\\Leftarrow": "⇐", "\\Leftrightarrow": "⇔",
  "\\mapsto": "↦", "\\uparrow": "↑", "\\downarrow": "↓", "\\rightleftharpoons": "⇌", "\\langle": "⟨", "\\rangle": "⟩",
  "\\lfloor": "⌊", "\\rfloor": "⌋", "\\lceil": "⌈", "\\rceil": "⌉", "\\|": "‖", "\\%": "%", "\\$": "$", "\\#": "#",
  "\\&": "&", "\\varkappa": "ϰ", "\\omicron": "ο", "\\varpi": "ϖ", "\\varrho": "ϱ", "\\varsigma": "ς", "\\imath": "ı",
  "\\jmath": "ȷ", "\\Re": "ℜ", "\\Im": "ℑ", "\\wp": "℘", "\\nexists": "∄", "\\top": "⊤", "\\bot": "⊥",
  "\\backprime": "‵", "\\sharp": "♯", "\\flat": "♭", "\\natural": "♮", "\\checkmark": "✓", "\\S": "§", "\\P": "¶",
  "\\copyright": "©", "\\pounds": "£", "\\AA": "Å", "\\complement": "∁", "\\Bbbk": "𝕜", "\\eth": "ð", "\\mho": "℧",
  "\\degree": "°", "\\coprod": "∐", "\\oiint": "∯", "\\bigvee": "⋁", "\\bigwedge": "⋀", "\\bigodot": "⨀",
  "\\biguplus": "⨄", "\\bigsqcup": "⨆", "\\bigcirc": "◯", "\\ddagger": "‡", "\\diamond": "⋄", "\\ominus": "⊖",
  "\\oslash": "⊘", "\\odot": "⊙", "\\uplus": "⊎", "\\sqcup": "⊔", "\\sqcap": "⊓", "\\wr": "≀", "\\amalg": "⨿",
  "\\ltimes": "⋉", "\\rtimes": "⋊", "\\bowtie": "⋈", "\\boxplus": "⊞", "\\boxtimes": "⊠", "\\boxdot": "⊡",
  "\\vdots": "⋮", "\\ddots": "⋱", "\\preceq": "⪯", "\\succeq": "⪰", "\\subsetneq": "⊊", "\\supsetneq": "⊋",
  "\\nsubseteq": "⊈", "\\sqsubseteq": "⊑", "\\sqsupseteq": "⊒", "\\mid": "∣", "\\nmid": "∤", "\\nparallel": "∦",
  "\\dashv": "⊣", "\\Vdash": "⊩", "\\asymp": "≍", "\\doteq": "≐", "\\triangleq": "≜", "\\leqslant": "⩽",
  "\\geqslant": "⩾", "\\leqq": "≦", "\\geqq": "≧", "\\lesssim": "≲", "\\gtrsim": "≳", "\\nless": "≮", "\\ngtr": "≯",
  "\\approxeq": "≊", "\\trianglelefteq": "⊴", "\\trianglerighteq": "⊵", "\\triangleleft": "◃", "\\triangleright": "▹",
  "\\vartriangleleft": "⊲", "\\vartriangleright": "⊳", "\\smile": "⌣", "\\frown": "⌢", "\\fallingdotseq": "≒",
  "\\risingdotseq": "≓", "\\longrightarrow": "⟶", "\\longleftarrow": "⟵", "\\Longrightarrow": "⟹",
  "\\Longleftarrow": "⟸", "\\Longleftrightarrow": "⟺", "\\longleftrightarrow": "⟷", "\\longmapsto": "⟼",
  "\\Uparrow": "⇑", "\\Downarrow": "⇓", "\\updownarrow": "↕", "\\nearrow": "↗", "\\searrow": "↘", "\\swarrow": "↙",
  "\\nwarrow": "↖", "\\hookrightarrow": "↪", "\\hookleftarrow": "↩", "\\rightharpoonup": "⇀", "\\rightharpoondown": "⇁",
  "\\leftharpoonup": "↼", "\\leftharpoondown": "↽", "\\rightleftarrows": "⇄", "\\leadsto": "⇝",
  "\\twoheadrightarrow": "↠", "\\nrightarrow": "↛", "\\multimap": "⊸", "\\circlearrowleft": "↺",
  "\\circlearrowright": "↻", "\\llbracket": "⟦", "\\rrbracket": "⟧", "\\backslash": "\\", "\\_": "_", "\\mathbb{a}": "𝕒",
  "\\mathbb{b}": "𝕓", "\\mathbb{c}": "𝕔", "\\mathbb{d}": "𝕕", "\\mathbb{e}": "𝕖", "\\mathbb{f}": "𝕗", "\\mathbb{g}": "𝕘",
  "\\mathbb{h}": "𝕙", "\\mathbb{i}": "𝕚", "\\mathbb{j}": "𝕛", "\\mathbb{k}": "𝕜", "\\mathbb{l}": "𝕝", "\\mathbb{m}": "𝕞",
  "\\mathbb{n}": "𝕟", "\\mathbb{o}": "𝕠", "\\mathbb{p}": "𝕡", "\\mathbb{q}": "𝕢", "\\mathbb{r}": "𝕣", "\\mathbb{s}": "𝕤",
  "\\mathbb{t}": "𝕥", "\\mathbb{u}": "𝕦", "\\mathbb{v}": "𝕧", "\\mathbb{w}": "𝕨", "\\mathbb{x}": "𝕩", "\\mathbb{y}": "𝕪",
  "\\mathbb{z}": "𝕫", "\\mathbb{A}": "𝔸", "\\mathbb{B}": "𝔹", "\\mathbb{D}": "𝔻", "\\mathbb{E}": "𝔼", "\\mathbb{F}": "𝔽",
  "\\mathbb{G}": "𝔾", "\\mathbb{H}": "ℍ", "\\mathbb{I}": "𝕀", "\\mathbb{J}": "𝕁", "\\mathbb{K}": "𝕂", "\\mathbb{L}": "𝕃",
  "\\mathbb{M}": "𝕄", "\\mathbb{O}": "𝕆", "\\mathbb{P}": "ℙ", "\\mathbb{S}": "𝕊", "\\mathbb{T}": "𝕋", "\\mathbb{U}": "𝕌",
  "\\mathbb{V}": "𝕍", "\\mathbb{W}": "𝕎", "\\mathbb{X}": "𝕏", "\\mathbb{Y}": "𝕐", "\\mathbb{0}": "𝟘", "\\mathbb{1}": "𝟙",
  "\\mathbb{2}": "𝟚", "\\mathbb{3}": "𝟛", "\\mathbb{4}": "𝟜", "\\mathbb{5}": "𝟝", "\\mathbb{6}": "𝟞", "\\mathbb{7}": "𝟟",
  "\\mathbb{8}": "𝟠", "\\mathbb{9}": "𝟡", "\\mathcal{a}": "𝒶", "\\mathcal{b}": "𝒷", "\\mathcal{c}": "𝒸",
  "\\mathcal{d}": "𝒹", "\\mathcal{e}": "ℯ", "\\mathcal{f}": "𝒻", "\\mathcal{g}": "ℊ", "\\mathcal{h}": "𝒽",
  "\\mathcal{i}": "𝒾", "\\mathcal{j}": "𝒿", "\\mathcal{k}": "𝓀", "\\mathcal{l}": "𝓁", "\\mathcal{m}": "𝓂",
  "\\mathcal{n}": "𝓃", "\\mathcal{o}": "ℴ", "\\mathcal{p}": "𝓅", "\\mathcal{q}": "𝓆", "\\mathcal{r}": "𝓇",
  "\\mathcal{s}": "𝓈", "\\mathcal{t}": "𝓉", "\\mathcal{u}": "𝓊", "\\mathcal{v}": "𝓋", "\\mathcal{w}": "𝓌",
  "\\mathcal{x}": "𝓍", "\\mathcal{y}": "𝓎", "\\mathcal{z}": "𝓏", "\\mathcal{A}": "𝒜", "\\mathcal{B}": "ℬ",
  "\\mathcal{C}": "𝒞", "\\mathcal{D}": "𝒟", "\\mathcal{E}": "ℰ", "\\mathcal{F}": "ℱ", "\\mathcal{G}": "𝒢",
  "\\mathcal{H}": "ℋ", "\\mathcal{I}": "ℐ", "\\mathcal{J}": "𝒥", "\\mathcal{K}": "𝒦", "\\mathcal{L}": "ℒ",
  "\\mathcal{M}": "ℳ", "\\mathcal{N}": "𝒩", "\\mathcal{O}": "𝒪", "\\mathcal{P}": "𝒫", "\\mathcal{Q}": "𝒬",
  "\\mathcal{R}": "ℛ", "\\mathcal{S}": "𝒮", "\\mathcal{T}": "𝒯", "\\mathcal{U}": "𝒰", "\\mathcal{V}": "𝒱",
  "\\mathcal{W}": "𝒲", "\\mathcal{X}": "𝒳", "\\mathcal{Y}": "𝒴", "\\mathcal{Z}": "𝒵", "\\mathfrak{a}": "𝔞",
  "\\mathfrak{b}": "𝔟", "\\mathfrak{c}": "𝔠", "\\mathfrak{d}": "𝔡", "\\mathfrak{e}": "𝔢", "\\mathfrak{f}": "𝔣",
  "\\mathfrak{g}": "𝔤", "\\mathfrak{h}": "𝔥", "\\mathfrak{i}": "𝔦", "\\mathfrak{j}": "𝔧", "\\mathfrak{k}": "𝔨",
  "\\mathfrak{l}": "𝔩", "\\mathfrak{m}": "𝔪", "\\mathfrak{n}": "𝔫", "\\mathfrak{o}": "𝔬", "\\mathfrak{p}": "𝔭",
  "\\mathfrak{q}": "𝔮", "\\mathfrak{r}": "𝔯", "\\mathfrak{s}": "𝔰", "\\mathfrak{t}": "𝔱", "\\mathfrak{u}": "𝔲",
  "\\mathfrak{v}": "𝔳", "\\mathfrak{w}": "𝔴", "\\mathfrak{x}": "𝔵", "\\mathfrak{y}": "𝔶", "\\mathfrak{z}": "𝔷",
  "\\mathfrak{A}": "𝔄", "\\mathfrak{B}": "𝔅", "\\mathfrak{C}": "ℭ", "\\mathfrak{D}": "𝔇", "\\mathfrak{E}": "𝔈",
  "\\mathfrak{F}": "𝔉", "\\mathfrak{G}": "𝔊", "\\mathfrak{H}": "ℌ", "\\mathfrak{I}": "ℑ", "\\mathfrak{J}": "𝔍",
  "\\mathfrak{K}": "𝔎", "\\mathfrak{L}": "𝔏", "\\mathfrak{M}": "𝔐", "\\mathfrak{N}": "𝔑", "\\mathfrak{O}": "𝔒",
  "\\mathfrak{P}": "𝔓", "\\mathfrak{Q}": "𝔔", "\\mathfrak{R}": "ℜ", "\\mathfrak{S}": "𝔖", "\\mathfrak{T}": "𝔗",
  "\\mathfrak{U}": "𝔘", "\\mathfrak{V}": "𝔙", "\\mathfrak{W}": "𝔚", "\\mathfrak{X}": "𝔛", "\\mathfrak{Y}": "𝔜",
  "\\mathfrak{Z}": "ℨ", "\\mathscr{a}": "𝒶", "\\mathscr{b}": "𝒷", "\\mathscr{c}": "𝒸", "\\mathscr{d}": "𝒹",
  "\\mathscr{e}": "ℯ", "\\mathscr{f}": "𝒻", "\\mathscr{g}": "ℊ", "\\mathscr{h}": "𝒽", "\\mathscr{i}": "𝒾",
  "\\mathscr{j}": "𝒿", "\\mathscr{k}": "𝓀", "\\mathscr{l}": "𝓁", "\\mathscr{m}": "𝓂", "\\mathscr{n}": "𝓃",
  "\\mathscr{o}": "ℴ", "\\mathscr{p}": "𝓅", "\\mathscr{q}": "𝓆", "\\mathscr{r}": "𝓇", "\\mathscr{s}": "𝓈",
  "\\mathscr{t}": "𝓉", "\\mathscr{u}": "𝓊", "\\mathscr{v}": "𝓋", "\\mathscr{w}": "𝓌", "\\mathscr{x}": "𝓍",
  "\\mathscr{y}": "𝓎", "\\mathscr{z}": "𝓏", "\\mathscr{A}": "𝒜", "\\mathscr{B}": "ℬ", "\\mathscr{C}": "𝒞",
  "\\mathscr{D}": "𝒟", "\\mathscr{E}": "ℰ", "\\mathscr{F}": "ℱ", "\\mathscr{G}": "𝒢", "\\mathscr{H}": "ℋ",
  "\\mathscr{I}": "ℐ", "\\mathscr{J}": "𝒥", "\\mathscr{K}": "𝒦", "\\mathscr{L}": "ℒ", "\\mathscr{M}": "ℳ",
  "\\mathscr{N}": "𝒩", "\\mathscr{O}": "𝒪", "\\mathscr{P}": "𝒫", "\\mathscr{Q}": "𝒬", "\\mathscr{R}": "ℛ",
  "\\mathscr{S}": "𝒮", "\\mathscr{T}": "𝒯", "\\mathscr{U}": "𝒰", "\\mathscr{V}": "𝒱", "\\mathscr{W}": "𝒲",
  "\\mathscr{X}": "𝒳", "\\mathscr{Y}": "𝒴", "\\mathscr{Z}": "𝒵",
}));
export const CLASSIFIER = "symbols-wide";
export const CLASSIFIER_FORMAT = "inkscan-classifier-1";
export const CLASSIFIER_GRAPH = "classifier.onnx";
export const CLASSIFIER_JSON = "classifier.json";
export const CLOSE = 1.5;
export const CLOSING = new Set([")", "\\rangle", "\\rceil", "\\rfloor", "\\rrbracket", "\\}", "]"]);
export const CLOSING_COST = [1, 1, 4, 1, 4, 1];
export const CUT = 0.1;
export const DEAREST = 8;
export const DEFAULT_MODEL = "onscan-wide";
export const DELIMITER_SIZES = new Set([
  "\\Big", "\\Bigg", "\\Biggl", "\\Biggr", "\\Bigl", "\\Bigm", "\\Bigr", "\\big", "\\bigg", "\\biggl", "\\biggr",
  "\\bigl", "\\bigm", "\\bigr", "\\left", "\\middle", "\\right",
]);
export const DOT_OF_WRITING = 0.2;
export const ENCODER = "encoder.onnx";
export const END = "<eos>";
export const ERROR_CODES = {
  "InkscanError": "inkscan", "InkError": "ink", "EmptyInput": "ink.empty", "BadEncoding": "ink.encoding",
  "UnknownInkFormat": "ink.unknown_format", "MalformedInk": "ink.malformed", "UnsafeXml": "ink.unsafe_xml",
  "InkTooLarge": "ink.too_large", "BadCoordinate": "ink.coordinate", "NoStrokes": "ink.no_strokes",
  "LatexError": "latex", "LatexSyntax": "latex.syntax", "LatexTooDeep": "latex.too_deep",
  "UnknownToken": "latex.unknown_token", "MathmlSyntax": "latex.mathml", "DataError": "data", "NoTruth": "data.no_truth",
  "BadCorpus": "data.corpus", "BadLabels": "data.labels", "SourceNotFound": "data.not_found", "ModelError": "model",
  "UnknownModel": "model.unknown", "DamagedModel": "model.damaged", "UnsupportedSystem": "model.system",
  "TrainingError": "train", "BadSetting": "train.setting", "BadCheckpoint": "train.checkpoint",
  "TestSplitSelection": "train.test_split", "WrongBank": "train.bank", "RecognitionError": "request",
  "BadRequest": "request.invalid", "Cancelled": "request.cancelled", "NothingAllowed": "request.nothing_allowed",
  "NotAcceptable": "request.not_acceptable", "Overloaded": "request.overloaded", "TimedOut": "request.timeout",
  "Unauthorized": "request.unauthorized", "Unavailable": "request.unavailable", "WorkerCrashed": "request.crashed",
  "BulkError": "bulk", "BadOutput": "bulk.output", "DamagedJob": "bulk.damaged", "OutputInUse": "bulk.in_use",
  "OutputTaken": "bulk.taken", "ServeError": "serve", "BadServerSetting": "serve.setting",
  "NoSuchAddress": "serve.address", "PortInUse": "serve.port_in_use", "MissingExtra": "install.extra",
};
export const EXTENTS = new Map(Object.entries({
  "0": [1.6, 0.0], "1": [1.6, 0.0], "2": [1.6, 0.0], "3": [1.6, 0.0], "4": [1.6, 0.0], "5": [1.6, 0.0], "6": [1.6, 0.0],
  "7": [1.6, 0.0], "8": [1.6, 0.0], "9": [1.6, 0.0], "a": [1.0, 0.0], "b": [1.7, 0.0], "c": [1.0, 0.0], "d": [1.7, 0.0],
  "e": [1.0, 0.0], "f": [1.7, -0.1], "g": [1.0, -0.75], "h": [1.7, 0.0], "i": [1.5, 0.0], "j": [1.5, -0.75],
  "k": [1.7, 0.0], "l": [1.7, 0.0], "m": [1.0, 0.0], "n": [1.0, 0.0], "o": [1.0, 0.0], "p": [1.0, -0.75],
  "q": [1.0, -0.75], "r": [1.0, 0.0], "s": [1.0, 0.0], "t": [1.5, 0.0], "u": [1.0, 0.0], "v": [1.0, 0.0],
  "w": [1.0, 0.0], "x": [1.0, 0.0], "y": [1.0, -0.75], "z": [1.0, 0.0], "A": [1.6, 0.0], "B": [1.6, 0.0],
  "C": [1.6, 0.0], "E": [1.6, 0.0], "F": [1.6, 0.0], "G": [1.6, 0.0], "H": [1.6, 0.0], "I": [1.6, 0.0], "L": [1.6, 0.0],
  "M": [1.6, 0.0], "N": [1.6, 0.0], "P": [1.6, 0.0], "R": [1.6, 0.0], "S": [1.6, 0.0], "T": [1.6, 0.0], "V": [1.6, 0.0],
  "X": [1.6, 0.0], "Y": [1.6, 0.0], "\\Delta": [1.6, 0.0], "\\alpha": [1.0, 0.0], "\\beta": [1.7, -0.7],
  "\\cos": [1.0, 0.0], "\\div": [1.05, 0.2], "\\exists": [1.6, 0.0], "\\forall": [1.6, 0.0], "\\gamma": [1.0, -0.75],
  "\\geq": [1.2, 0.04], "\\in": [1.2, 0.04], "\\infty": [1.0, 0.0], "\\lambda": [1.7, 0.0], "\\leq": [1.2, 0.04],
  "\\lim": [1.7, 0.0], "\\log": [1.7, -0.7], "\\mu": [1.0, -0.75], "\\neq": [1.2, 0.04], "\\phi": [1.5, -0.75],
  "\\pi": [1.0, 0.0], "\\pm": [1.2, 0.04], "\\rightarrow": [0.85, 0.4], "\\sigma": [1.0, 0.0], "\\sin": [1.5, 0.0],
  "\\tan": [1.5, 0.0], "\\theta": [1.6, 0.0], "\\times": [1.2, 0.04], "!": [1.6, 0.0], "+": [1.2, 0.04],
  "<": [1.2, 0.04], "=": [0.85, 0.4], ">": [1.2, 0.04], "D": [1.6, 0.0], "J": [1.6, 0.0], "K": [1.6, 0.0],
  "O": [1.6, 0.0], "Q": [1.6, 0.0], "U": [1.6, 0.0], "W": [1.6, 0.0], "Z": [1.6, 0.0], "\\delta": [1.7, 0.0],
  "\\epsilon": [1.0, 0.0], "\\varepsilon": [1.0, 0.0], "\\zeta": [1.7, -0.7], "\\eta": [1.0, -0.75],
  "\\vartheta": [1.6, 0.0], "\\iota": [1.0, 0.0], "\\kappa": [1.0, 0.0], "\\nu": [1.0, 0.0], "\\xi": [1.7, -0.7],
  "\\rho": [1.0, -0.75], "\\tau": [1.0, 0.0], "\\upsilon": [1.0, 0.0], "\\varphi": [1.0, -0.75], "\\chi": [1.0, -0.75],
  "\\psi": [1.5, -0.75], "\\omega": [1.0, 0.0], "\\Gamma": [1.6, 0.0], "\\Theta": [1.6, 0.0], "\\Lambda": [1.6, 0.0],
  "\\Xi": [1.6, 0.0], "\\Pi": [1.6, 0.0], "\\Sigma": [1.6, 0.0], "\\Upsilon": [1.6, 0.0], "\\Phi": [1.6, 0.0],
  "\\Psi": [1.6, 0.0], "\\Omega": [1.6, 0.0], "\\mathbb{C}": [1.6, 0.0], "\\mathbb{N}": [1.6, 0.0],
  "\\mathbb{Q}": [1.6, 0.0], "\\mathbb{R}": [1.6, 0.0], "\\mathbb{Z}": [1.6, 0.0], "\\partial": [1.6, 0.0],
  "\\nabla": [1.6, 0.0], "\\hbar": [1.7, 0.0], "\\ell": [1.7, 0.0], "\\aleph": [1.6, 0.0], "\\emptyset": [1.6, 0.0],
  "\\angle": [1.6, 0.0], "\\triangle": [1.6, 0.0], "\\square": [1.2, 0.04], "*": [1.05, 0.2], "\\star": [1.05, 0.2],
  "\\dagger": [1.6, 0.0], "\\mp": [1.2, 0.04], "\\oplus": [1.2, 0.04], "\\otimes": [1.2, 0.04], "\\cup": [1.2, 0.04],
  "\\cap": [1.2, 0.04], "\\vee": [1.2, 0.04], "\\wedge": [1.2, 0.04], "\\neg": [0.85, 0.4], "\\setminus": [1.6, 0.0],
  "\\approx": [0.95, 0.3], "\\equiv": [1.05, 0.2], "\\cong": [1.05, 0.2], "\\sim": [0.85, 0.4], "\\simeq": [1.05, 0.2],
  "\\propto": [0.95, 0.3], "\\ll": [1.2, 0.04], "\\gg": [1.2, 0.04], "\\prec": [1.2, 0.04], "\\succ": [1.2, 0.04],
  "\\subset": [1.2, 0.04], "\\supset": [1.2, 0.04], "\\subseteq": [1.2, 0.04], "\\supseteq": [1.2, 0.04],
  "\\notin": [1.2, 0.04], "\\ni": [1.2, 0.04], "\\parallel": [1.6, 0.0], "\\perp": [1.6, 0.0], "\\vdash": [1.6, 0.0],
  "\\models": [1.6, 0.0], "\\therefore": [1.05, 0.2], "\\because": [1.05, 0.2], "\\leftarrow": [0.95, 0.3],
  "\\leftrightarrow": [0.95, 0.3], "\\Rightarrow": [1.05, 0.2], "\\Leftarrow": [1.05, 0.2],
  "\\Leftrightarrow": [1.05, 0.2], "\\mapsto": [0.95, 0.3], "\\uparrow": [1.6, 0.0], "\\downarrow": [1.6, 0.0],
  "\\rightleftharpoons": [1.05, 0.2], "?": [1.6, 0.0], "\\%": [1.6, 0.0], "\\$": [1.6, 0.0], "\\#": [1.6, 0.0],
  "\\&": [1.6, 0.0], "\\ln": [1.7, 0.0], "\\exp": [1.0, -0.75], "\\sec": [1.0, 0.0], "\\csc": [1.0, 0.0],
  "\\cot": [1.5, 0.0], "\\arcsin": [1.5, 0.0], "\\arccos": [1.0, 0.0], "\\arctan": [1.5, 0.0], "\\sinh": [1.7, 0.0],
  "\\cosh": [1.7, 0.0], "\\tanh": [1.7, 0.0], "\\max": [1.0, 0.0], "\\min": [1.5, 0.0], "\\sup": [1.0, -0.75],
  "\\inf": [1.7, 0.0], "\\det": [1.7, 0.0], "\\gcd": [1.7, -0.7], "\\deg": [1.7, -0.7], "\\arg": [1.0, -0.75],
  "\\bmod": [1.7, 0.0], "\\varkappa": [1.0, 0.0], "\\omicron": [1.0, 0.0], "\\varpi": [1.0, 0.0],
  "\\varrho": [1.0, -0.75], "\\varsigma": [1.0, -0.75], "\\imath": [1.0, 0.0], "\\jmath": [1.0, -0.75],
  "\\Re": [1.6, 0.0], "\\Im": [1.6, 0.0], "\\wp": [1.0, -0.75], "\\nexists": [1.6, 0.0], "\\top": [1.6, 0.0],
  "\\bot": [1.6, 0.0], "\\sharp": [1.6, 0.0], "\\flat": [1.6, 0.0], "\\natural": [1.6, 0.0], "\\S": [1.6, 0.0],
  "\\P": [1.6, 0.0], "\\complement": [1.6, 0.0], "\\ddagger": [1.6, 0.0], "\\diamond": [1.2, 0.04],
  "\\ominus": [1.2, 0.04], "\\oslash": [1.2, 0.04], "\\odot": [1.2, 0.04], "\\uplus": [1.2, 0.04],
  "\\sqcup": [1.2, 0.04], "\\sqcap": [1.2, 0.04], "\\bowtie": [1.2, 0.04], "\\boxplus": [1.2, 0.04],
  "\\boxtimes": [1.2, 0.04], "\\boxdot": [1.2, 0.04], "\\preceq": [1.2, 0.04], "\\succeq": [1.2, 0.04],
  "\\subsetneq": [1.2, 0.04], "\\supsetneq": [1.2, 0.04], "\\nsubseteq": [1.2, 0.04], "\\sqsubseteq": [1.2, 0.04],
  "\\sqsupseteq": [1.2, 0.04], "\\nmid": [1.6, 0.0], "\\nparallel": [1.6, 0.0], "\\dashv": [1.6, 0.0],
  "\\asymp": [1.2, 0.04], "\\doteq": [1.05, 0.2], "\\triangleq": [1.05, 0.2], "\\leqslant": [1.2, 0.04],
  "\\geqslant": [1.2, 0.04], "\\leqq": [1.2, 0.04], "\\geqq": [1.2, 0.04], "\\lesssim": [1.2, 0.04],
  "\\gtrsim": [1.2, 0.04], "\\nless": [1.2, 0.04], "\\ngtr": [1.2, 0.04], "\\approxeq": [1.05, 0.2],
  "\\smile": [0.85, 0.4], "\\frown": [0.85, 0.4], "\\longrightarrow": [0.95, 0.3], "\\longleftarrow": [0.95, 0.3],
  "\\Longrightarrow": [1.05, 0.2], "\\Longleftarrow": [1.05, 0.2], "\\Longleftrightarrow": [1.05, 0.2],
  "\\longleftrightarrow": [0.85, 0.4], "\\longmapsto": [0.95, 0.3], "\\updownarrow": [1.6, 0.0],
  "\\nearrow": [1.2, 0.04], "\\searrow": [1.2, 0.04], "\\swarrow": [1.2, 0.04], "\\nwarrow": [1.2, 0.04],
  "\\hookrightarrow": [0.95, 0.3], "\\hookleftarrow": [0.95, 0.3], "\\rightharpoonup": [0.85, 0.4],
  "\\rightharpoondown": [0.85, 0.4], "\\leftharpoonup": [0.85, 0.4], "\\leftharpoondown": [0.85, 0.4],
  "\\rightleftarrows": [1.05, 0.2], "\\leadsto": [0.85, 0.4], "\\backslash": [1.6, 0.0], "\\Pr": [1.6, 0.0],
  "\\coth": [1.7, 0.0], "\\dim": [1.7, 0.0], "\\hom": [1.7, 0.0], "\\ker": [1.7, 0.0], "\\lg": [1.7, -0.7],
  "\\liminf": [1.7, 0.0], "\\limsup": [1.7, -0.7],
}));
export const FAR = 12.0;
export const FONTS = new Set([
  "\\bm", "\\boldsymbol", "\\hbox", "\\mathbf", "\\mathbin", "\\mathclose", "\\mathit", "\\mathnormal", "\\mathop",
  "\\mathopen", "\\mathord", "\\mathrel", "\\mathrm", "\\mathsf", "\\mathtt", "\\mbox", "\\operatorname",
  "\\operatornamewithlimits", "\\pmb", "\\text", "\\textbf", "\\textit", "\\textnormal", "\\textrm", "\\textsf",
  "\\texttt",
]);
export const FOREIGN = ["\\begin", "\\end", "\\\\", "&", "#", "%"];
export const FORWARD_STRAIGHT = 1.2;
export const FORWARD_UPRIGHT = 1.5;
export const FRAME = {"SUB": 0, "SUP": 1, "FIRST": 2, "LAST": 3, "INDEX": 4, "ACCENT": 5};
export const FULL_BEAM_STROKES = 40;
export const FUNCTION_NAMES = new Map(Object.entries({
  "\\Pr": "Pr", "\\arccos": "arccos", "\\arcsin": "arcsin", "\\arctan": "arctan", "\\arg": "arg", "\\bmod": "mod",
  "\\cos": "cos", "\\cosh": "cosh", "\\cot": "cot", "\\coth": "coth", "\\csc": "csc", "\\deg": "deg", "\\det": "det",
  "\\dim": "dim", "\\exp": "exp", "\\gcd": "gcd", "\\hom": "hom", "\\inf": "inf", "\\ker": "ker", "\\lg": "lg",
  "\\lim": "lim", "\\liminf": "lim inf", "\\limsup": "lim sup", "\\ln": "ln", "\\log": "log", "\\max": "max",
  "\\min": "min", "\\sec": "sec", "\\sin": "sin", "\\sinh": "sinh", "\\sup": "sup", "\\tan": "tan", "\\tanh": "tanh",
}));
export const GRAPHS = {
  "STROKE_MASK": "stroke_mask", "POINTS": "points", "POINT_MASK": "point_mask", "PMASK_ON": "pmask_on", "IMAGE": "image",
  "IMAGE_MASK": "image_mask", "PMASK_OFF": "pmask_off", "TOKEN": "token", "INK": "ink",
  "MEMORIES": ["mask0", "keys0", "values0"], "STATE": ["h", "gates", "coverage0"],
  "NEXT_STATE": ["next_h", "next_gates", "next_coverage0"], "MASK": "mask0", "COVERAGE": "coverage0",
  "LOG_PROBS": "log_probs", "PICTURES": "pictures", "MEASURES": "measures", "SCORES": "scores", "ANSWERS": "answers",
  "NEXT_TOKENS": "log_probs", "ALPHA": "alpha0",
};
export const GROUPS_AT_ONCE = 64;
export const GROWTH = 1.5;
export const IMAGE_MARGINS = [0.42857142857142855, 0.39285714285714285];
export const INFIX_STACKS = new Map(Object.entries({"\\over": "\\frac", "\\choose": "\\binom"}));
export const INTEGRALS = new Set(["\\iiint", "\\iint", "\\int", "\\oiint", "\\oint"]);
export const KIND = {
  "END": 0, "OPEN": 1, "CLOSE": 2, "SUB": 3, "SUP": 4, "LIMITS": 5, "SYMBOL": 6, "STACK": 7, "ROOT": 8, "ACCENT": 9,
  "BRACKET_OPEN": 10, "BRACKET_CLOSE": 11, "NEVER": 12,
};
export const KIND_OF_TOKEN = new Map(Object.entries({"<eos>": 0, "{": 1, "}": 2, "_": 3, "^": 4, "\\limits": 5, "\\sqrt": 8, "[": 10, "]": 11}));
export const LANGUAGE_GRAPH = "language.onnx";
export const LARGE = new Set([
  "\\bigcap", "\\bigcirc", "\\bigcup", "\\bigodot", "\\bigoplus", "\\bigotimes", "\\bigsqcup", "\\biguplus", "\\bigvee",
  "\\bigwedge", "\\coprod", "\\iiint", "\\iint", "\\int", "\\oiint", "\\oint", "\\prod", "\\sum",
]);
export const LEAST_SHARE = 1e-06;
export const LETTERLIKE = new Set([
  "\\#", "\\$", "\\%", "\\&", "\\AA", "\\Bbbk", "\\Delta", "\\Gamma", "\\Im", "\\Lambda", "\\Omega", "\\P", "\\Phi",
  "\\Pi", "\\Psi", "\\Re", "\\S", "\\Sigma", "\\Theta", "\\Upsilon", "\\Xi", "\\_", "\\aleph", "\\alpha", "\\angle",
  "\\backprime", "\\beta", "\\bot", "\\checkmark", "\\chi", "\\complement", "\\copyright", "\\degree", "\\delta",
  "\\ell", "\\emptyset", "\\epsilon", "\\eta", "\\eth", "\\exists", "\\flat", "\\forall", "\\gamma", "\\hbar", "\\imath",
  "\\infty", "\\iota", "\\jmath", "\\kappa", "\\lambda", "\\mho", "\\mu", "\\nabla", "\\natural", "\\nexists", "\\nu",
  "\\omega", "\\omicron", "\\partial", "\\phi", "\\pi", "\\pounds", "\\psi", "\\rho", "\\sharp", "\\sigma", "\\square",
  "\\tau", "\\theta", "\\top", "\\triangle", "\\upsilon", "\\varepsilon", "\\varkappa", "\\varphi", "\\varpi",
  "\\varrho", "\\varsigma", "\\vartheta", "\\wp", "\\xi", "\\zeta",
]);
export const LETTERS = new Set([
  "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N",
  "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z", "\\Delta", "\\Gamma", "\\Lambda", "\\Omega", "\\Phi",
  "\\Pi", "\\Psi", "\\Sigma", "\\Theta", "\\Upsilon", "\\Xi", "\\alpha", "\\beta", "\\chi", "\\delta", "\\epsilon",
  "\\eta", "\\gamma", "\\iota", "\\kappa", "\\lambda", "\\mathbb{C}", "\\mathbb{N}", "\\mathbb{Q}", "\\mathbb{R}",
  "\\mathbb{Z}", "\\mu", "\\nu", "\\omega", "\\omicron", "\\phi", "\\pi", "\\psi", "\\rho", "\\sigma", "\\tau",
  "\\theta", "\\upsilon", "\\varepsilon", "\\varkappa", "\\varphi", "\\varpi", "\\varrho", "\\varsigma", "\\vartheta",
  "\\xi", "\\zeta", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t",
  "u", "v", "w", "x", "y", "z",
]);
export const LIMIT_FUNCTIONS = new Set(["\\Pr", "\\det", "\\gcd", "\\inf", "\\lim", "\\liminf", "\\limsup", "\\max", "\\min", "\\sup"]);
export const LIMIT_TAKERS = new Set([
  "\\Pr", "\\arccos", "\\arcsin", "\\arctan", "\\arg", "\\bigcap", "\\bigcup", "\\bigodot", "\\bigoplus", "\\bigotimes",
  "\\bigsqcup", "\\biguplus", "\\bigvee", "\\bigwedge", "\\bmod", "\\coprod", "\\cos", "\\cosh", "\\cot", "\\coth",
  "\\csc", "\\deg", "\\det", "\\dim", "\\exp", "\\gcd", "\\hom", "\\iiint", "\\iint", "\\inf", "\\int", "\\ker", "\\lg",
  "\\lim", "\\liminf", "\\limsup", "\\ln", "\\log", "\\max", "\\min", "\\oiint", "\\oint", "\\overbrace", "\\prod",
  "\\sec", "\\sin", "\\sinh", "\\sum", "\\sup", "\\tan", "\\tanh", "\\underbrace",
]);
export const LINES = {
  "NEAR": 0.4, "SLIGHT": 0.3, "REACH": 1.2, "LIMIT_REACH": 1.0, "BAR_REACH": 2.0, "SHORTEST_BAR": 0.8, "OVERHANG": 1.0,
  "FLAT": 0.3, "MOST": 0.8, "SMALL": 0.75, "BAR_WIDTH": 0.7, "NARROW": 0.8,
};
export const LOOK_ALIKES = new Map(Object.entries({
  "0": ["O", "o", "\\theta", "\\sigma", "D", "Q", "\\circ", "\\emptyset", "\\Theta", "\\oplus", "\\square"],
  "1": ["|", "l", "(", "/", "I", "7", ">", "F", "\\uparrow", "T", "\\downarrow", "J"],
  "2": ["z", "Z", "\\alpha", "\\mathbb{Z}", "\\partial", "d", "6", "?", "7"],
  "3": ["\\}", "z", "B", "]", ")", "\\zeta", "\\xi"], "4": ["y", "9", "\\psi", "\\phi", "\\Psi"], "5": ["s", "S"],
  "6": ["b", "G", "\\sigma", "\\partial", "d", "2"], "7": ["1", ">", "F", "\\neg", "\\rceil", "]", "?", "2"],
  "8": ["\\beta", "B", "\\infty", "\\alpha", "\\delta", "d", "\\partial", "S", "\\$", "\\&"],
  "9": ["g", "q", "y", "a", "\\alpha", "d", "4", "Q", "\\&"],
  "a": ["\\alpha", "d", "9", "Q", "q", "\\&", "\\propto", "\\infty"], "b": ["6", "G", "\\sigma", "D", "P", "O"],
  "c": ["C", "(", "<", "e", "l", "[", "\\subset", "\\subseteq"],
  "d": ["a", "\\alpha", "9", "\\delta", "8", "\\partial", "S", "2", "6"],
  "e": ["\\in", "\\epsilon", "E", "l", "c", "\\varepsilon", "\\xi", "\\ell"], "f": ["t", "+", "\\int", "s", "\\}"],
  "g": ["9", "q", "y"], "h": ["\\lambda", "n", "\\hbar"], "i": ["j", "!", "\\iota", "l", ":", ";"],
  "j": ["i", "!", "J", "]", "I", ";", ","], "k": ["K", "\\kappa", "x"],
  "l": ["1", "|", "(", "/", "I", "e", "c", "\\iota", "i", "\\ell"], "m": ["n", "M"],
  "n": ["u", "v", "\\mu", "\\pi", "\\Pi", "m", "M", "h", "\\eta", "y", "\\cap", "\\wedge"],
  "o": ["0", "O", "\\theta", "\\sigma", "D", "Q", "\\circ", "\\emptyset"], "p": ["P", "\\rho", "\\varrho"],
  "q": ["9", "g", "y", "Q", "a", "\\&"],
  "r": ["\\gamma", "y", "Y", "v", "\\nu", "u", "\\tau", "t", "T", "\\Gamma", "F", "\\lceil"],
  "s": ["5", "S", "\\int", "\\}", "f"], "t": ["+", "f", "\\tau", "T", "r", "\\dagger", "\\vdash", "\\mapsto"],
  "u": ["v", "\\mu", "n", "U", "\\cup", "V", "\\nu", "r", "\\upsilon", "Y"],
  "v": [
  "u", "\\mu", "n", "r", "\\gamma", "\\forall", "U", "\\cup", "V", "\\nu", "\\upsilon", "Y", "\\vee", "\\vartheta",
  "\\theta",
],
  "w": ["W", "\\omega"], "x": ["X", "\\times", "\\chi", "K", "k", "\\kappa", "\\%", "/", "*"],
  "y": ["9", "g", "q", "\\gamma", "r", "Y", "4", "\\eta", "n"],
  "z": ["2", "Z", "\\alpha", "3", "\\}", "B", "\\mathbb{Z}", "\\zeta", "\\xi"],
  "A": ["\\Delta", "\\triangle", "\\Lambda", "\\wedge"], "B": ["\\beta", "8", "3", "\\}", "z"],
  "C": ["c", "(", "<", "\\subset", "\\subseteq", "\\mathbb{C}"],
  "E": ["\\sum", "\\Sigma", "\\in", "\\epsilon", "e", "\\varepsilon", "\\xi", "\\Xi", "\\equiv"],
  "F": ["7", "1", ">", "\\Gamma", "r", "T", "\\lceil", "\\models", "\\vdash"], "G": ["6", "b", "\\sigma"],
  "H": ["\\#", "+"], "I": ["1", "|", "l", "(", "/", "J", "j", "]"], "L": ["\\angle", "<", "\\lfloor", "["],
  "M": ["m", "n"], "N": ["\\mathbb{N}", "\\aleph", "X"], "P": ["p", "\\rho", "D", "b", "O"], "R": ["\\mathbb{R}"],
  "S": ["5", "s", "\\delta", "d", "8", "\\partial", "\\$"],
  "T": ["\\tau", "t", "r", "\\Gamma", "F", "\\lceil", "\\perp", "+", "\\bot", "\\uparrow", "1"],
  "V": ["U", "u", "v", "\\cup", "\\nabla", "\\vee", "\\Delta", "\\nu"], "X": ["x", "\\times", "\\chi", "\\aleph", "N"],
  "Y": ["\\gamma", "y", "r", "\\upsilon", "v", "u", "\\Upsilon"],
  "\\Delta": ["\\triangle", "A", "\\nabla", "V", "\\vee"],
  "\\alpha": ["2", "z", "Z", "a", "d", "9", "\\infty", "8", "\\propto", "\\&"], "\\beta": ["B", "8"],
  "\\cdot": [".", ",", "\\prime", "\\bullet", "\\circ"], "\\cdots": ["\\ldots", "-"], "\\div": ["-"],
  "\\exists": ["\\ni", "\\supset"], "\\forall": ["v"], "\\gamma": ["y", "r", "Y", "v", "\\Upsilon"],
  "\\geq": [">", "\\succeq", "\\supseteq"], "\\in": ["\\epsilon", "E", "e", "\\varepsilon", "\\xi", "\\notin"],
  "\\infty": ["\\alpha", "8", "\\propto", "a"], "\\int": ["s", "\\}", "f", "\\oint", "\\phi", "\\iint", "\\iiint"],
  "\\lambda": ["h"], "\\ldots": ["\\cdots", "-", "\\therefore", "\\because"], "\\leq": ["<", "\\preceq", "\\subseteq"],
  "\\mu": ["u", "v", "n"], "\\neq": ["="],
  "\\phi": ["\\theta", "\\Phi", "\\varphi", "\\psi", "\\rho", "\\Psi", "4", "\\emptyset", "\\oint", "\\int"],
  "\\pi": ["\\Pi", "n", "\\prod"], "\\pm": ["\\mp"], "\\prime": [".", ",", "\\cdot", "\"", "'"],
  "\\rightarrow": ["\\Rightarrow", "=", "\\gg", "\\mapsto", "\\vdash", "\\hookrightarrow"],
  "\\sigma": ["0", "O", "o", "\\theta", "6", "b", "G", "D", "Q", "\\circ", "\\emptyset"], "\\sum": ["\\Sigma", "E"],
  "\\theta": ["0", "O", "o", "\\sigma", "\\phi", "\\Phi", "D", "Q", "\\circ", "\\emptyset", "\\Theta", "\\oplus", "\\vartheta", "v"],
  "\\times": ["x", "X", "\\chi", "*"], "\\{": ["("], "\\}": ["3", "z", "B", "\\int", "s", "f", ")"], "!": ["i", "j"],
  "'": ["\"", "\\prime"], "(": ["1", "|", "l", "/", "I", "c", "C", "<", "[", "\\{", "\\langle"],
  ")": ["]", "3", "\\}", "\\supset", "\\supseteq", ">", "\\rangle"],
  "+": ["t", "f", "\\perp", "T", "\\bot", "\\dagger", "\\#", "H"], ",": [".", "\\cdot", "\\prime", ";", "j"],
  "-": ["\\div", "\\ldots", "\\cdots"], ".": [",", "\\cdot", "\\prime", "\\bullet", "\\circ"],
  "/": ["1", "|", "l", "(", "I", "\\setminus", "\\%", "x"],
  "<": ["c", "C", "(", "\\leq", "\\subset", "\\subseteq", "\\angle", "L", "\\langle", "\\ll", "\\prec"],
  "=": ["\\neq", "\\approx", "\\sim", "\\simeq", "\\equiv", "\\Rightarrow", "\\rightarrow", "\\gg", "\\rightleftharpoons"],
  ">": ["7", "1", "F", "\\geq", "\\supset", ")", "\\supseteq", "\\rangle", "\\gg", "\\succ"],
  "[": ["(", "c", "\\lfloor", "L", "\\lceil"], "]": [")", "3", "J", "j", "I", "\\rfloor", "\\rceil", "7"],
  "|": ["1", "l", "(", "/", "I", "\\setminus", "\\|", "\\mid"],
  "D": ["0", "O", "o", "\\theta", "\\sigma", "Q", "\\circ", "\\emptyset", "P", "b", "\\square"],
  "J": ["j", "]", "I", "\\rfloor", "\\downarrow", "1"], "K": ["k", "\\kappa", "x"],
  "O": ["0", "o", "\\theta", "\\sigma", "D", "Q", "\\circ", "\\emptyset", "P", "b"],
  "Q": ["0", "O", "o", "\\theta", "\\sigma", "D", "\\circ", "\\emptyset", "9", "a", "q", "\\&", "\\mathbb{Q}"],
  "U": ["u", "v", "\\cup", "V", "\\bigcup"], "W": ["w", "\\omega"], "Z": ["2", "z", "\\alpha", "\\mathbb{Z}"],
  "\\delta": ["d", "8", "\\partial", "S"], "\\epsilon": ["\\in", "E", "e", "\\varepsilon", "\\xi"],
  "\\varepsilon": ["\\epsilon", "e", "E", "\\in", "\\xi"], "\\zeta": ["\\xi", "z", "3"], "\\eta": ["n", "y"],
  "\\vartheta": ["\\theta", "v"], "\\iota": ["i", "l"], "\\kappa": ["K", "k", "x"],
  "\\nu": ["v", "u", "r", "\\vee", "V", "\\cup"],
  "\\xi": ["\\epsilon", "\\varepsilon", "e", "E", "\\in", "\\zeta", "z", "3"],
  "\\rho": ["p", "P", "\\varphi", "\\phi", "\\psi", "\\varrho"], "\\tau": ["t", "T", "r"], "\\upsilon": ["v", "u", "Y"],
  "\\varphi": ["\\phi", "\\psi", "\\rho", "\\Phi"], "\\chi": ["x", "X", "\\times"],
  "\\psi": ["\\varphi", "\\phi", "\\rho", "\\Psi", "4"], "\\omega": ["w", "W"], "\\Gamma": ["r", "T", "F", "\\lceil"],
  "\\Theta": ["\\theta", "0", "\\emptyset", "\\oplus"], "\\Lambda": ["A", "\\wedge", "\\Omega"],
  "\\Xi": ["\\equiv", "E"], "\\Pi": ["\\pi", "n", "\\prod"], "\\Sigma": ["\\sum", "E"], "\\Upsilon": ["Y", "\\gamma"],
  "\\Phi": ["\\phi", "\\theta", "\\varphi", "\\oplus", "\\otimes"], "\\Psi": ["\\psi", "\\phi", "4"],
  "\\Omega": ["\\Lambda"], "\\mathbb{C}": ["C"], "\\mathbb{N}": ["N"], "\\mathbb{Q}": ["Q"], "\\mathbb{R}": ["R"],
  "\\mathbb{Z}": ["Z", "z", "2"], "\\partial": ["\\delta", "d", "8", "S", "2", "6"],
  "\\nabla": ["V", "\\vee", "\\Delta"], "\\hbar": ["h"], "\\ell": ["l", "e"], "\\aleph": ["N", "X"],
  "\\emptyset": ["0", "O", "o", "\\theta", "\\sigma", "D", "Q", "\\circ", "\\Theta", "\\oplus", "\\phi"],
  "\\angle": ["<", "L"], "\\triangle": ["\\Delta", "A"], "\\square": ["0", "D"], "\\prod": ["\\Pi", "\\pi"],
  "\\bigcup": ["U", "\\cup"], "\\bigcap": ["\\cap"], "\\bigoplus": ["\\oplus"], "\\bigotimes": ["\\otimes"],
  "\\iint": ["\\int", "\\iiint", "\\parallel", "\\|"], "\\iiint": ["\\iint", "\\int"], "\\oint": ["\\int", "\\phi"],
  "*": ["\\star", "x", "\\times"],
  "\\circ": ["0", "O", "o", "\\theta", "\\sigma", "D", "Q", "\\emptyset", "\\bullet", "\\cdot", "."],
  "\\bullet": ["\\cdot", "\\circ", "."], "\\star": ["*"], "\\dagger": ["+", "t"], "\\mp": ["\\pm"],
  "\\oplus": ["\\Theta", "\\theta", "0", "\\emptyset", "\\otimes", "\\Phi", "\\bigoplus"],
  "\\otimes": ["\\oplus", "\\Phi", "\\bigotimes"], "\\cup": ["U", "u", "v", "V", "\\vee", "\\nu", "\\bigcup"],
  "\\cap": ["n", "\\wedge", "\\bigcap"], "\\vee": ["\\nabla", "V", "\\Delta", "v", "\\nu", "\\cup"],
  "\\wedge": ["\\Lambda", "A", "\\cap", "n"], "\\neg": ["7", "\\rceil"], "\\setminus": ["/", "|", "\\|", "\\mid"],
  "\\approx": ["\\sim", "=", "\\simeq", "\\cong"], "\\equiv": ["\\Xi", "E", "="], "\\cong": ["\\simeq", "\\approx"],
  "\\sim": ["\\approx", "=", "\\simeq"], "\\simeq": ["\\approx", "\\sim", "=", "\\cong"],
  "\\propto": ["\\alpha", "\\infty", "a"], "\\ll": ["<"], "\\gg": ["\\Rightarrow", "=", "\\rightarrow", ">"],
  "\\prec": ["<"], "\\succ": [">"], "\\subset": ["c", "C", "\\subseteq", "<"],
  "\\supset": [")", "\\supseteq", ">", "\\ni", "\\exists"], "\\subseteq": ["\\subset", "c", "C", "<", "\\leq"],
  "\\supseteq": ["\\supset", ")", ">", "\\geq"], "\\notin": ["\\in"], "\\ni": ["\\exists", "\\supset"],
  "\\parallel": ["\\|", "\\iint"], "\\perp": ["T", "+", "\\bot"],
  "\\vdash": ["\\mapsto", "\\rightarrow", "t", "\\models", "F"], "\\models": ["\\vdash", "F"],
  "\\therefore": ["\\because", "\\ldots"], "\\because": ["\\therefore", "\\ldots"],
  "\\leftarrow": ["\\leftrightarrow", "\\Leftarrow"],
  "\\leftrightarrow": ["\\Leftrightarrow", "\\Rightarrow", "\\leftarrow", "\\Leftarrow"],
  "\\Rightarrow": ["=", "\\rightarrow", "\\gg", "\\Leftrightarrow", "\\leftrightarrow", "\\rightleftharpoons"],
  "\\Leftarrow": ["\\leftarrow", "\\leftrightarrow"], "\\Leftrightarrow": ["\\leftrightarrow", "\\Rightarrow"],
  "\\mapsto": ["\\rightarrow", "\\vdash", "t", "\\hookrightarrow"], "\\uparrow": ["1", "T"], "\\downarrow": ["1", "J"],
  "\\rightleftharpoons": ["=", "\\Rightarrow"], "\\langle": ["<", "("], "\\rangle": [">", ")"], "\\lfloor": ["[", "L"],
  "\\rfloor": ["]", "J"], "\\lceil": ["\\Gamma", "r", "T", "F", "["], "\\rceil": ["\\neg", "7", "]"],
  "\\|": ["|", "\\setminus", "\\mid", "\\parallel", "\\iint"], ":": [";", "i"], ";": [":", "i", "j", ","],
  "?": ["7", "2"], "\"": ["'", "\\prime"], "\\%": ["/", "x"], "\\$": ["S", "8"], "\\#": ["+", "H"],
  "\\&": ["Q", "9", "a", "q", "8", "\\alpha"], "\\varrho": ["\\rho", "p"], "\\bot": ["\\perp", "T", "+"],
  "\\preceq": ["\\leq"], "\\succeq": ["\\geq"], "\\mid": ["|", "\\setminus", "\\|"],
  "\\hookrightarrow": ["\\rightarrow", "\\mapsto"],
}));
export const LOW = new Map(Object.entries({"\\cdot": {"point": ".", "height": 0.15}, "\\cdots": {"point": "\\ldots", "height": 0.0}}));
export const MARKS = new Set(["\"", "'", ".", "/", "?", "\\backslash", "\\prime"]);
export const MAX_COORDINATE = 1000000000.0;
export const MAX_DEPTH = 64;
export const MAX_FENCES = 100;
export const MAX_INK_POINTS = 200000;
export const MAX_INK_STROKES = 10000;
export const MAX_LATEX_LENGTH = 25000;
export const MAX_PIXELS = 1500000;
export const MAX_POINTS_PER_STROKE = 512;
export const MAX_SHEET_STROKES = 2000;
export const MAX_STROKES = 1000;
export const MAX_TRACE_POINTS = 20000;
export const MENDED_EACH = 0.1;
export const MENDED_RUN = 6;
export const MENDED_SLACK = 1e-06;
export const MENDED_STROKES = 40;
export const MENDED_WORTH = 4.0;
export const MODEL_FORMAT = "inkscan-model-1";
export const MODEL_JSON = "model.json";
export const MOST_DASHES_AND_DOTS = 3;
export const NEAR = 1;
export const OFFLINE_STRIDE = 16;
export const ONLINE_STRIDE = 4;
export const OPENING = new Set(["(", "[", "\\langle", "\\lceil", "\\lfloor", "\\llbracket", "\\{"]);
export const OPENS = new Map(Object.entries({"3": 0, "4": 1, "7": 2, "9": 5}));
export const OPERATORS = new Set([
  "*", "+", "-", ":", "\\amalg", "\\bowtie", "\\boxdot", "\\boxplus", "\\boxtimes", "\\bullet", "\\cap", "\\cdot",
  "\\circ", "\\cup", "\\dagger", "\\ddagger", "\\diamond", "\\div", "\\ltimes", "\\mp", "\\neg", "\\odot", "\\ominus",
  "\\oplus", "\\oslash", "\\otimes", "\\pm", "\\rtimes", "\\setminus", "\\sqcap", "\\sqcup", "\\star", "\\times",
  "\\uplus", "\\vee", "\\wedge", "\\wr",
]);
export const OVERHANG = 2;
export const OVERSETS = new Map(Object.entries({"\\overset": "above", "\\stackrel": "above", "\\underset": "below"}));
export const PERMITTED = new Map(Object.entries({
  "0 0 0 -1": 0, "0 0 0 0": 3136, "0 0 0 1": 3136, "0 0 0 2": 3136, "0 0 0 3": 3136, "0 0 0 4": 3136, "0 0 0 5": 3136,
  "0 0 0 6": 3136, "0 0 0 7": 3136, "0 0 0 8": 3136, "0 0 1 -1": 0, "0 0 1 0": 3136, "0 0 1 1": 3136, "0 0 1 2": 3136,
  "0 0 1 3": 3904, "0 0 1 4": 3904, "0 0 1 5": 3904, "0 0 1 6": 4032, "0 0 1 7": 4032, "0 0 1 8": 4032, "0 2 0 -1": 0,
  "0 2 0 0": 3136, "0 2 0 1": 3136, "0 2 0 2": 3136, "0 2 0 3": 3136, "0 2 0 4": 3136, "0 2 0 5": 3136, "0 2 0 6": 3136,
  "0 2 0 7": 3136, "0 2 0 8": 3136, "0 2 1 -1": 0, "0 2 1 0": 3136, "0 2 1 1": 3136, "0 2 1 2": 3136, "0 2 1 3": 3904,
  "0 2 1 4": 3904, "0 2 1 5": 3904, "0 2 1 6": 4032, "0 2 1 7": 4032, "0 2 1 8": 4032, "0 11 0 -1": 0, "0 11 0 0": 1088,
  "0 11 0 1": 1088, "0 11 0 2": 1088, "0 11 0 3": 1088, "0 11 0 4": 1088, "0 11 0 5": 1088, "0 11 0 6": 1088,
  "0 11 0 7": 1088, "0 11 0 8": 1088, "0 11 1 -1": 0, "0 11 1 0": 1088, "0 11 1 1": 1088, "0 11 1 2": 1088,
  "0 11 1 3": 1856, "0 11 1 4": 1856, "0 11 1 5": 1856, "0 11 1 6": 1984, "0 11 1 7": 1984, "0 11 1 8": 1984,
  "1 0 0 -1": 0, "1 0 0 0": 1, "1 0 0 1": 3137, "1 0 0 2": 3137, "1 0 0 3": 3137, "1 0 0 4": 3137, "1 0 0 5": 3137,
  "1 0 0 6": 3137, "1 0 0 7": 3137, "1 0 0 8": 3137, "1 0 1 -1": 0, "1 0 1 0": 1, "1 0 1 1": 3137, "1 0 1 2": 3137,
  "1 0 1 3": 3137, "1 0 1 4": 3929, "1 0 1 5": 3961, "1 0 1 6": 3961, "1 0 1 7": 4089, "1 0 1 8": 4089, "1 2 0 -1": 0,
  "1 2 0 0": 4, "1 2 0 1": 3140, "1 2 0 2": 3140, "1 2 0 3": 3140, "1 2 0 4": 3140, "1 2 0 5": 3140, "1 2 0 6": 3140,
  "1 2 0 7": 3140, "1 2 0 8": 3140, "1 2 1 -1": 0, "1 2 1 0": 4, "1 2 1 1": 3140, "1 2 1 2": 3140, "1 2 1 3": 3140,
  "1 2 1 4": 3932, "1 2 1 5": 3964, "1 2 1 6": 3964, "1 2 1 7": 4092, "1 2 1 8": 4092, "1 11 0 -1": 0, "1 11 0 0": 2048,
  "1 11 0 1": 3136, "1 11 0 2": 3136, "1 11 0 3": 3136, "1 11 0 4": 3136, "1 11 0 5": 3136, "1 11 0 6": 3136,
  "1 11 0 7": 3136, "1 11 0 8": 3136, "1 11 1 -1": 0, "1 11 1 0": 2048, "1 11 1 1": 3136, "1 11 1 2": 3136,
  "1 11 1 3": 3136, "1 11 1 4": 3928, "1 11 1 5": 3960, "1 11 1 6": 3960, "1 11 1 7": 4088, "1 11 1 8": 4088,
  "2 0 0 -1": 0, "2 0 0 0": 1, "2 0 0 1": 3137, "2 0 0 2": 3137, "2 0 0 3": 3137, "2 0 0 4": 3137, "2 0 0 5": 3137,
  "2 0 0 6": 3137, "2 0 0 7": 3137, "2 0 0 8": 3137, "2 0 1 -1": 0, "2 0 1 0": 1, "2 0 1 1": 3137, "2 0 1 2": 3137,
  "2 0 1 3": 3137, "2 0 1 4": 3929, "2 0 1 5": 3929, "2 0 1 6": 3929, "2 0 1 7": 4057, "2 0 1 8": 4057, "2 2 0 -1": 0,
  "2 2 0 0": 4, "2 2 0 1": 3140, "2 2 0 2": 3140, "2 2 0 3": 3140, "2 2 0 4": 3140, "2 2 0 5": 3140, "2 2 0 6": 3140,
  "2 2 0 7": 3140, "2 2 0 8": 3140, "2 2 1 -1": 0, "2 2 1 0": 4, "2 2 1 1": 3140, "2 2 1 2": 3140, "2 2 1 3": 3140,
  "2 2 1 4": 3932, "2 2 1 5": 3932, "2 2 1 6": 3932, "2 2 1 7": 4060, "2 2 1 8": 4060, "2 11 0 -1": 0, "2 11 0 0": 2048,
  "2 11 0 1": 3136, "2 11 0 2": 3136, "2 11 0 3": 3136, "2 11 0 4": 3136, "2 11 0 5": 3136, "2 11 0 6": 3136,
  "2 11 0 7": 3136, "2 11 0 8": 3136, "2 11 1 -1": 0, "2 11 1 0": 2048, "2 11 1 1": 3136, "2 11 1 2": 3136,
  "2 11 1 3": 3136, "2 11 1 4": 3928, "2 11 1 5": 3928, "2 11 1 6": 3928, "2 11 1 7": 4056, "2 11 1 8": 4056,
  "3 0 0 -1": 0, "3 0 0 0": 0, "3 0 0 1": 0, "3 0 0 2": 0, "3 0 0 3": 0, "3 0 0 4": 0, "3 0 0 5": 0, "3 0 0 6": 0,
  "3 0 0 7": 0, "3 0 0 8": 0, "3 0 1 -1": 0, "3 0 1 0": 24, "3 0 1 1": 24, "3 0 1 2": 24, "3 0 1 3": 24, "3 0 1 4": 24,
  "3 0 1 5": 24, "3 0 1 6": 24, "3 0 1 7": 24, "3 0 1 8": 24, "3 2 0 -1": 0, "3 2 0 0": 0, "3 2 0 1": 0, "3 2 0 2": 0,
  "3 2 0 3": 0, "3 2 0 4": 0, "3 2 0 5": 0, "3 2 0 6": 0, "3 2 0 7": 0, "3 2 0 8": 0, "3 2 1 -1": 0, "3 2 1 0": 24,
  "3 2 1 1": 24, "3 2 1 2": 24, "3 2 1 3": 24, "3 2 1 4": 24, "3 2 1 5": 24, "3 2 1 6": 24, "3 2 1 7": 24, "3 2 1 8": 24,
  "3 11 0 -1": 0, "3 11 0 0": 0, "3 11 0 1": 0, "3 11 0 2": 0, "3 11 0 3": 0, "3 11 0 4": 0, "3 11 0 5": 0,
  "3 11 0 6": 0, "3 11 0 7": 0, "3 11 0 8": 0, "3 11 1 -1": 0, "3 11 1 0": 24, "3 11 1 1": 24, "3 11 1 2": 24,
  "3 11 1 3": 24, "3 11 1 4": 24, "3 11 1 5": 24, "3 11 1 6": 24, "3 11 1 7": 24, "3 11 1 8": 24, "4 0 0 -1": 0,
  "4 0 0 0": 1, "4 0 0 1": 3137, "4 0 0 2": 3137, "4 0 0 3": 3137, "4 0 0 4": 3137, "4 0 0 5": 3137, "4 0 0 6": 3137,
  "4 0 0 7": 3137, "4 0 0 8": 3137, "4 0 1 -1": 0, "4 0 1 0": 1, "4 0 1 1": 3137, "4 0 1 2": 3137, "4 0 1 3": 3137,
  "4 0 1 4": 3921, "4 0 1 5": 3921, "4 0 1 6": 3921, "4 0 1 7": 4049, "4 0 1 8": 4049, "4 2 0 -1": 0, "4 2 0 0": 4,
  "4 2 0 1": 3140, "4 2 0 2": 3140, "4 2 0 3": 3140, "4 2 0 4": 3140, "4 2 0 5": 3140, "4 2 0 6": 3140, "4 2 0 7": 3140,
  "4 2 0 8": 3140, "4 2 1 -1": 0, "4 2 1 0": 4, "4 2 1 1": 3140, "4 2 1 2": 3140, "4 2 1 3": 3140, "4 2 1 4": 3924,
  "4 2 1 5": 3924, "4 2 1 6": 3924, "4 2 1 7": 4052, "4 2 1 8": 4052, "4 11 0 -1": 0, "4 11 0 0": 2048, "4 11 0 1": 3136,
  "4 11 0 2": 3136, "4 11 0 3": 3136, "4 11 0 4": 3136, "4 11 0 5": 3136, "4 11 0 6": 3136, "4 11 0 7": 3136,
  "4 11 0 8": 3136, "4 11 1 -1": 0, "4 11 1 0": 2048, "4 11 1 1": 3136, "4 11 1 2": 3136, "4 11 1 3": 3136,
  "4 11 1 4": 3920, "4 11 1 5": 3920, "4 11 1 6": 3920, "4 11 1 7": 4048, "4 11 1 8": 4048, "5 0 0 -1": 0, "5 0 0 0": 1,
  "5 0 0 1": 3137, "5 0 0 2": 3137, "5 0 0 3": 3137, "5 0 0 4": 3137, "5 0 0 5": 3137, "5 0 0 6": 3137, "5 0 0 7": 3137,
  "5 0 0 8": 3137, "5 0 1 -1": 0, "5 0 1 0": 1, "5 0 1 1": 3137, "5 0 1 2": 3137, "5 0 1 3": 3137, "5 0 1 4": 3905,
  "5 0 1 5": 3905, "5 0 1 6": 3905, "5 0 1 7": 4033, "5 0 1 8": 4033, "5 2 0 -1": 0, "5 2 0 0": 4, "5 2 0 1": 3140,
  "5 2 0 2": 3140, "5 2 0 3": 3140, "5 2 0 4": 3140, "5 2 0 5": 3140, "5 2 0 6": 3140, "5 2 0 7": 3140, "5 2 0 8": 3140,
  "5 2 1 -1": 0, "5 2 1 0": 4, "5 2 1 1": 3140, "5 2 1 2": 3140, "5 2 1 3": 3140, "5 2 1 4": 3908, "5 2 1 5": 3908,
  "5 2 1 6": 3908, "5 2 1 7": 4036, "5 2 1 8": 4036, "5 11 0 -1": 0, "5 11 0 0": 2048, "5 11 0 1": 3136,
  "5 11 0 2": 3136, "5 11 0 3": 3136, "5 11 0 4": 3136, "5 11 0 5": 3136, "5 11 0 6": 3136, "5 11 0 7": 3136,
  "5 11 0 8": 3136, "5 11 1 -1": 0, "5 11 1 0": 2048, "5 11 1 1": 3136, "5 11 1 2": 3136, "5 11 1 3": 3136,
  "5 11 1 4": 3904, "5 11 1 5": 3904, "5 11 1 6": 3904, "5 11 1 7": 4032, "5 11 1 8": 4032, "6 0 0 -1": 0, "6 0 0 0": 2,
  "6 0 0 1": 2, "6 0 0 2": 2, "6 0 0 3": 2, "6 0 0 4": 2, "6 0 0 5": 2, "6 0 0 6": 2, "6 0 0 7": 2, "6 0 0 8": 2,
  "6 0 1 -1": 0, "6 0 1 0": 2, "6 0 1 1": 2, "6 0 1 2": 2, "6 0 1 3": 2, "6 0 1 4": 2, "6 0 1 5": 2, "6 0 1 6": 2,
  "6 0 1 7": 2, "6 0 1 8": 2, "6 2 0 -1": 0, "6 2 0 0": 2, "6 2 0 1": 2, "6 2 0 2": 2, "6 2 0 3": 2, "6 2 0 4": 2,
  "6 2 0 5": 2, "6 2 0 6": 2, "6 2 0 7": 2, "6 2 0 8": 2, "6 2 1 -1": 0, "6 2 1 0": 2, "6 2 1 1": 2, "6 2 1 2": 2,
  "6 2 1 3": 2, "6 2 1 4": 2, "6 2 1 5": 2, "6 2 1 6": 2, "6 2 1 7": 2, "6 2 1 8": 2, "6 11 0 -1": 0, "6 11 0 0": 2,
  "6 11 0 1": 2, "6 11 0 2": 2, "6 11 0 3": 2, "6 11 0 4": 2, "6 11 0 5": 2, "6 11 0 6": 2, "6 11 0 7": 2, "6 11 0 8": 2,
  "6 11 1 -1": 0, "6 11 1 0": 2, "6 11 1 1": 2, "6 11 1 2": 2, "6 11 1 3": 2, "6 11 1 4": 2, "6 11 1 5": 2,
  "6 11 1 6": 2, "6 11 1 7": 2, "6 11 1 8": 2, "7 0 0 -1": 0, "7 0 0 0": 2, "7 0 0 1": 2, "7 0 0 2": 2, "7 0 0 3": 1026,
  "7 0 0 4": 1026, "7 0 0 5": 1026, "7 0 0 6": 1026, "7 0 0 7": 1026, "7 0 0 8": 1026, "7 0 1 -1": 0, "7 0 1 0": 2,
  "7 0 1 1": 2, "7 0 1 2": 2, "7 0 1 3": 1026, "7 0 1 4": 1026, "7 0 1 5": 1026, "7 0 1 6": 1026, "7 0 1 7": 1026,
  "7 0 1 8": 1026, "7 2 0 -1": 0, "7 2 0 0": 2, "7 2 0 1": 2, "7 2 0 2": 2, "7 2 0 3": 1026, "7 2 0 4": 1026,
  "7 2 0 5": 1026, "7 2 0 6": 1026, "7 2 0 7": 1026, "7 2 0 8": 1026, "7 2 1 -1": 0, "7 2 1 0": 2, "7 2 1 1": 2,
  "7 2 1 2": 2, "7 2 1 3": 1026, "7 2 1 4": 1026, "7 2 1 5": 1026, "7 2 1 6": 1026, "7 2 1 7": 1026, "7 2 1 8": 1026,
  "7 11 0 -1": 0, "7 11 0 0": 2, "7 11 0 1": 2, "7 11 0 2": 2, "7 11 0 3": 1026, "7 11 0 4": 1026, "7 11 0 5": 1026,
  "7 11 0 6": 1026, "7 11 0 7": 1026, "7 11 0 8": 1026, "7 11 1 -1": 0, "7 11 1 0": 2, "7 11 1 1": 2, "7 11 1 2": 2,
  "7 11 1 3": 1026, "7 11 1 4": 1026, "7 11 1 5": 1026, "7 11 1 6": 1026, "7 11 1 7": 1026, "7 11 1 8": 1026,
}));
export const PICTURES = {
  "SIDE": 32, "FILLED": 22, "SMALLEST": 0.35, "WINDOW": 4.0, "PEN_STEP": 0.4, "CHANNELS": 4, "MEASURES": 3,
  "LEAST_MEASURE": 0.02, "MOST_STROKES": 8,
};
export const PLACE = {"ROW_START": 0, "BASE": 1, "ARGUMENT_BASE": 2, "LIMITS": 3, "SUB": 4, "SUP": 5, "GROUP": 6, "ROOT": 7};
export const PLACE_AFTER = [4, 5, 6, 2, 6, 1];
export const PLACE_COST = [1, 0, 0, 4, 0, 0, 2, 3];
export const POSITION_UNIT = 4.0;
export const PRIME = "\\prime";
export const PUNCTUATION = new Set([",", ";"]);
export const RANGES = {
  "beam": {"whole": true, "least": 1, "most": 100}, "n_best": {"whole": true, "least": 1, "most": null},
  "max_tokens": {"whole": true, "least": 1, "most": null}, "margin": {"whole": false, "least": 0, "most": null},
  "spread": {"whole": false, "least": 0, "most": null}, "both_cases": {"whole": false, "least": 0, "most": 1000.0},
  "integral_limits": {"whole": false, "least": 0, "most": 1000.0},
  "bare_times": {"whole": false, "least": 0, "most": 1000.0}, "standing": {"whole": false, "least": 0, "most": 1000.0},
  "length_power": {"whole": false, "least": 0, "most": 2}, "repeats": {"whole": false, "least": 0, "most": 10},
  "shapes": {"whole": false, "least": 0, "most": 10}, "fluency": {"whole": false, "least": 0, "most": 10},
  "doubt": {"whole": false, "least": 0, "most": 1},
};
export const RASTER_TOLERANCE = 1e-06;
export const REACH_IN_PARTS = new Map(Object.entries({
  "!": 1.3, "\"": 1.3, "%": 1.3, ":": 1.3, ";": 1.3, "=": 0.8, "?": 1.3, "\\Leftrightarrow": 1.3, "\\Pr": 1.4,
  "\\Rightarrow": 1.3, "\\Xi": 1.3, "\\approx": 0.8, "\\arccos": 1.4, "\\arcsin": 1.4, "\\arctan": 1.4, "\\arg": 1.4,
  "\\because": 2.5, "\\bmod": 1.4, "\\cdots": 2.5, "\\cong": 0.8, "\\cos": 1.4, "\\cosh": 1.4, "\\cot": 1.4,
  "\\coth": 1.4, "\\csc": 1.4, "\\ddots": 2.5, "\\deg": 1.4, "\\det": 1.4, "\\dim": 1.4, "\\div": 0.8, "\\equiv": 0.8,
  "\\exp": 1.4, "\\frac": 0.8, "\\gcd": 1.4, "\\geq": 0.8, "\\hom": 1.4, "\\inf": 1.4, "\\ker": 1.4, "\\ldots": 2.5,
  "\\leq": 0.8, "\\lg": 1.4, "\\lim": 1.4, "\\liminf": 1.4, "\\limsup": 1.4, "\\ln": 1.4, "\\log": 1.4, "\\max": 1.4,
  "\\min": 1.4, "\\mp": 0.8, "\\neq": 0.8, "\\pm": 0.8, "\\sec": 1.4, "\\simeq": 0.8, "\\sin": 1.4, "\\sinh": 1.4,
  "\\sqrt": 0.8, "\\subseteq": 0.8, "\\sum": 0.8, "\\sup": 1.4, "\\supseteq": 0.8, "\\tan": 1.4, "\\tanh": 1.4,
  "\\therefore": 2.5, "\\vdots": 2.5, "i": 1.3, "j": 1.3,
}));
export const REACH_OF_WHOLE = 0.3;
export const RELATIONS = new Set([
  "<", "=", ">", "\\Downarrow", "\\Leftarrow", "\\Leftrightarrow", "\\Longleftarrow", "\\Longleftrightarrow",
  "\\Longrightarrow", "\\Rightarrow", "\\Uparrow", "\\Vdash", "\\approx", "\\approxeq", "\\asymp", "\\because",
  "\\circlearrowleft", "\\circlearrowright", "\\cong", "\\dashv", "\\doteq", "\\downarrow", "\\equiv", "\\fallingdotseq",
  "\\frown", "\\geq", "\\geqq", "\\geqslant", "\\gg", "\\gtrsim", "\\hookleftarrow", "\\hookrightarrow", "\\in",
  "\\leadsto", "\\leftarrow", "\\leftharpoondown", "\\leftharpoonup", "\\leftrightarrow", "\\leq", "\\leqq",
  "\\leqslant", "\\lesssim", "\\ll", "\\longleftarrow", "\\longleftrightarrow", "\\longmapsto", "\\longrightarrow",
  "\\mapsto", "\\mid", "\\models", "\\multimap", "\\nearrow", "\\neq", "\\ngtr", "\\ni", "\\nless", "\\nmid", "\\notin",
  "\\nparallel", "\\nrightarrow", "\\nsubseteq", "\\nwarrow", "\\parallel", "\\perp", "\\prec", "\\preceq", "\\propto",
  "\\rightarrow", "\\rightharpoondown", "\\rightharpoonup", "\\rightleftarrows", "\\rightleftharpoons", "\\risingdotseq",
  "\\searrow", "\\sim", "\\simeq", "\\smile", "\\sqsubseteq", "\\sqsupseteq", "\\subset", "\\subseteq", "\\subsetneq",
  "\\succ", "\\succeq", "\\supset", "\\supseteq", "\\supsetneq", "\\swarrow", "\\therefore", "\\triangleleft",
  "\\trianglelefteq", "\\triangleq", "\\triangleright", "\\trianglerighteq", "\\twoheadrightarrow", "\\uparrow",
  "\\updownarrow", "\\vartriangleleft", "\\vartriangleright", "\\vdash",
]);
export const RIVALS = 2;
export const ROOT = "\\sqrt";
export const SCRIPTS = new Set(["\\limits", "^", "_"]);
export const SEARCH_DEFAULTS = {
  "beam": 6, "n_best": 5, "length_power": 0.0, "margin": 5.0, "spread": 5.0, "both_cases": 1.0, "integral_limits": 3.0,
  "bare_times": 2.0, "standing": 3.0, "repeats": 1.0, "shapes": 0.2, "fluency": 0.1, "doubt": 0.6, "max_tokens": 400,
  "allow": null, "forbid": [],
};
export const SECOND_MODEL = "mmscan-wide";
export const SECOND_STROKES = 60;
export const SHAPE_FLOOR = -10.0;
export const SPACING = new Set([
  "\\\t", "\\\n", "\\ ", "\\!", "\\(", "\\)", "\\,", "\\/", "\\:", "\\;", "\\>", "\\[", "\\]", "\\bf", "\\cal",
  "\\displaystyle", "\\enspace", "\\it", "\\mathstrut", "\\n", "\\negthinspace", "\\nolimits", "\\nonumber", "\\qquad",
  "\\quad", "\\relax", "\\rm", "\\scriptscriptstyle", "\\scriptstyle", "\\sf", "\\strut", "\\t", "\\textstyle",
  "\\thinspace", "\\tt",
]);
export const SPELLED_FUNCTIONS = ["arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan", "log", "lim"];
export const STACKED = new Set([
  "\\Pr", "\\bigcap", "\\bigcirc", "\\bigcup", "\\bigodot", "\\bigoplus", "\\bigotimes", "\\bigsqcup", "\\biguplus",
  "\\bigvee", "\\bigwedge", "\\coprod", "\\det", "\\gcd", "\\inf", "\\lim", "\\liminf", "\\limsup", "\\max", "\\min",
  "\\overbrace", "\\prod", "\\sum", "\\sup", "\\underbrace",
]);
export const STACKS = new Set(["\\binom", "\\frac"]);
export const STEP = "step.onnx";
export const STRUCTURE = new Set(["\\limits", "^", "_", "{", "}"]);
export const STYLED = ["\\mathbb", "\\mathcal", "\\mathfrak", "\\mathscr"];
export const SURE = -0.15;
export const TALL = new Set([
  "\\bigcap", "\\bigcirc", "\\bigcup", "\\bigodot", "\\bigoplus", "\\bigotimes", "\\bigsqcup", "\\biguplus", "\\bigvee",
  "\\bigwedge", "\\binom", "\\coprod", "\\frac", "\\iiint", "\\iint", "\\int", "\\oiint", "\\oint", "\\prod", "\\sqrt",
  "\\sum",
]);
export const TINY = 1e-12;
export const TOKENS_ARE = "a token is a character, a command such as \\alpha, or a letter such as \\mathbb{R}, without blanks";
export const TOKENS_AT_ONCE = 8000;
export const TOKENS_PER_STROKE = 8;
export const TRUST = 3.0;
export const TWICE_STROKES = 250;
export const UNDER = new Set(["\\underbrace", "\\underline"]);
export const UNREAD = 0.45;
export const UNWRITABLE = new Set(["'", "\\choose", "\\over", "\\overset", "\\stackrel", "\\underset"]);
export const UPRIGHT = new Set([
  "\\#", "\\$", "\\%", "\\&", "\\AA", "\\Delta", "\\Gamma", "\\Im", "\\Lambda", "\\Omega", "\\P", "\\Phi", "\\Pi",
  "\\Psi", "\\Re", "\\S", "\\Sigma", "\\Theta", "\\Upsilon", "\\Xi", "\\_", "\\aleph", "\\angle", "\\backprime", "\\bot",
  "\\cdots", "\\checkmark", "\\complement", "\\copyright", "\\ddots", "\\degree", "\\emptyset", "\\exists", "\\flat",
  "\\forall", "\\infty", "\\ldots", "\\mho", "\\nabla", "\\natural", "\\nexists", "\\partial", "\\pounds", "\\sharp",
  "\\square", "\\top", "\\triangle", "\\vdots", "\\wp",
]);
export const UPRIGHT_INK = {"SLOPE": 0.12, "STEEP": 0.7, "LEAN": 0.35, "USUAL_LEAN": 0.1, "APART": 2.0, "PAIRS": 6, "FEW": 3};
export const WIDE = new Set([
  "\\overbrace", "\\overleftarrow", "\\overleftrightarrow", "\\overline", "\\overrightarrow", "\\underbrace",
  "\\underline", "\\widehat", "\\widetilde",
]);
export const WIDEST = 5.0;
export const WINDOW = 24;
export const WITHOUT_STROKES = -2.0;
