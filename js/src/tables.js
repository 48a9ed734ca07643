// Made by js/make_tables.py from the tables of the Python package. Edit those and make it again.

export const ACCENTS = new Set([
  "\\acute", "\\bar", "\\boxed", "\\breve", "\\check", "\\ddot", "\\dot", "\\grave", "\\hat", "\\mathring",
  "\\overbrace", "\\overleftarrow", "\\overleftrightarrow", "\\overline", "\\overrightarrow", "\\tilde", "\\underbrace",
  "\\underline", "\\vec", "\\widehat", "\\widetilde",
]);
export const ACCENT_CHARACTERS = new Map(Object.entries({
  "\\hat": "^", "\\widehat": "^", "\\bar": "¯", "\\overline": "‾", "\\underline": "_", "\\vec": "→", "\\tilde": "~",
  "\\widetilde": "~", "\\dot": "˙", "\\ddot": "¨", "\\check": "ˇ", "\\breve": "˘", "\\acute": "´", "\\grave": "`",
  "\\mathring": "˚", "\\overrightarrow": "→", "\\overleftarrow": "←", "\\overleftrightarrow": "↔", "\\overbrace": "⏞",
  "\\underbrace": "⏟",
}));
export const BARS = new Set(["\\Vert", "\\backslash", "\\vert", "\\|", "|"]);
export const BINARY = new Set(["*", "+", "-", ":", "<", "=", ">", "\\neg"]);
export const CANONICAL = new Map(Object.entries({
  "𝒵": "\\mathcal{Z}", "𝒴": "\\mathcal{Y}", "𝒳": "\\mathcal{X}", "𝒲": "\\mathcal{W}", "𝒱": "\\mathcal{V}",
  "𝒰": "\\mathcal{U}", "𝒯": "\\mathcal{T}", "𝒮": "\\mathcal{S}", "ℛ": "\\mathcal{R}", "𝒬": "\\mathcal{Q}", "℘": "\\wp",
  "𝒪": "\\mathcal{O}", "𝒩": "\\mathcal{N}", "ℳ": "\\mathcal{M}", "ℒ": "\\mathcal{L}", "𝒦": "\\mathcal{K}",
  "𝒥": "\\mathcal{J}", "ℐ": "\\mathcal{I}", "ℋ": "\\mathcal{H}", "𝒢": "\\mathcal{G}", "ℱ": "\\mathcal{F}",
  "ℰ": "\\mathcal{E}", "𝒟": "\\mathcal{D}", "𝒞": "\\mathcal{C}", "ℬ": "\\mathcal{B}", "𝒜": "\\mathcal{A}",
  "𝓏": "\\mathcal{z}", "𝓎": "\\mathcal{y}", "𝓍": "\\mathcal{x}", "𝓌": "\\mathcal{w}", "𝓋": "\\mathcal{v}",
  "𝓊": "\\mathcal{u}", "𝓉": "\\mathcal{t}", "𝓈": "\\mathcal{s}", "𝓇": "\\mathcal{r}", "𝓆": "\\mathcal{q}",
  "𝓅": "\\mathcal{p}", "ℴ": "\\mathcal{o}", "𝓃": "\\mathcal{n}", "𝓂": "\\mathcal{m}", "ℓ": "\\ell", "𝓀": "\\mathcal{k}",
  "𝒿": "\\mathcal{j}", "𝒾": "\\mathcal{i}", "𝒽": "\\mathcal{h}", "ℊ": "\\mathcal{g}", "𝒻": "\\mathcal{f}",
  "ℯ": "\\mathcal{e}", "𝒹": "\\mathcal{d}", "𝒸": "\\mathcal{c}", "𝒷": "\\mathcal{b}", "𝒶": "\\mathcal{a}",
  "ℨ": "\\mathfrak{Z}", "𝔜": "\\mathfrak{Y}", "𝔛": "\\mathfrak{X}", "𝔚": "\\mathfrak{W}", "𝔙": "\\mathfrak{V}",
  "𝔘": "\\mathfrak{U}", "𝔗": "\\mathfrak{T}", "𝔖": "\\mathfrak{S}", "ℜ": "\\Re", "𝔔": "\\mathfrak{Q}",
  "𝔓": "\\mathfrak{P}", "𝔒": "\\mathfrak{O}", "𝔑": "\\mathfrak{N}", "𝔐": "\\mathfrak{M}", "𝔏": "\\mathfrak{L}",
  "𝔎": "\\mathfrak{K}", "𝔍": "\\mathfrak{J}", "ℑ": "\\Im", "ℌ": "\\mathfrak{H}", "𝔊": "\\mathfrak{G}",
  "𝔉": "\\mathfrak{F}", "𝔈": "\\mathfrak{E}", "𝔇": "\\mathfrak{D}", "ℭ": "\\mathfrak{C}", "𝔅": "\\mathfrak{B}",
  "𝔄": "\\mathfrak{A}", "𝔷": "\\mathfrak{z}", "𝔶": "\\mathfrak{y}", "𝔵": "\\mathfrak{x}", "𝔴": "\\mathfrak{w}",
  "𝔳": "\\mathfrak{v}", "𝔲": "\\mathfrak{u}", "𝔱": "\\mathfrak{t}", "𝔰": "\\mathfrak{s}", "𝔯": "\\mathfrak{r}",
  "𝔮": "\\mathfrak{q}", "𝔭": "\\mathfrak{p}", "𝔬": "\\mathfrak{o}", "𝔫": "\\mathfrak{n}", "𝔪": "\\mathfrak{m}",
  "𝔩": "\\mathfrak{l}", "𝔨": "\\mathfrak{k}", "𝔧": "\\mathfrak{j}", "𝔦": "\\mathfrak{i}", "𝔥": "\\mathfrak{h}",
  "𝔤": "\\mathfrak{g}", "𝔣": "\\mathfrak{f}", "𝔢": "\\mathfrak{e}", "𝔡": "\\mathfrak{d}", "𝔠": "\\mathfrak{c}",
  "𝔟": "\\mathfrak{b}", "𝔞": "\\mathfrak{a}", "ℤ": "\\mathbb{Z}", "𝕐": "\\mathbb{Y}", "𝕏": "\\mathbb{X}",
  "𝕎": "\\mathbb{W}", "𝕍": "\\mathbb{V}", "𝕌": "\\mathbb{U}", "𝕋": "\\mathbb{T}", "𝕊": "\\mathbb{S}", "ℝ": "\\mathbb{R}",
  "ℚ": "\\mathbb{Q}", "ℙ": "\\mathbb{P}", "𝕆": "\\mathbb{O}", "ℕ": "\\mathbb{N}", "𝕄": "\\mathbb{M}", "𝕃": "\\mathbb{L}",
  "𝕂": "\\mathbb{K}", "𝕁": "\\mathbb{J}", "𝕀": "\\mathbb{I}", "ℍ": "\\mathbb{H}", "𝔾": "\\mathbb{G}", "𝔽": "\\mathbb{F}",
  "𝔼": "\\mathbb{E}", "𝔻": "\\mathbb{D}", "ℂ": "\\mathbb{C}", "𝔹": "\\mathbb{B}", "𝔸": "\\mathbb{A}", "𝕫": "\\mathbb{z}",
  "𝕪": "\\mathbb{y}", "𝕩": "\\mathbb{x}", "𝕨": "\\mathbb{w}", "𝕧": "\\mathbb{v}", "𝕦": "\\mathbb{u}", "𝕥": "\\mathbb{t}",
  "𝕤": "\\mathbb{s}", "𝕣": "\\mathbb{r}", "𝕢": "\\mathbb{q}", "𝕡": "\\mathbb{p}", "𝕠": "\\mathbb{o}", "𝕟": "\\mathbb{n}",
  "𝕞": "\\mathbb{m}", "𝕝": "\\mathbb{l}", "𝕜": "\\Bbbk", "𝕛": "\\mathbb{j}", "𝕚": "\\mathbb{i}", "𝕙": "\\mathbb{h}",
  "𝕘": "\\mathbb{g}", "𝕗": "\\mathbb{f}", "𝕖": "\\mathbb{e}", "𝕕": "\\mathbb{d}", "𝕔": "\\mathbb{c}", "𝕓": "\\mathbb{b}",
  "𝕒": "\\mathbb{a}", "‖": "\\|", "⟧": "\\rrbracket", "⌉": "\\rceil", "⌋": "\\rfloor", "⟩": "\\rangle",
  "⟦": "\\llbracket", "⌈": "\\lceil", "⌊": "\\lfloor", "⟨": "\\langle", "↻": "\\circlearrowright",
  "↺": "\\circlearrowleft", "⊸": "\\multimap", "↛": "\\nrightarrow", "↠": "\\twoheadrightarrow", "⇝": "\\leadsto",
  "⇄": "\\rightleftarrows", "⇌": "\\rightleftharpoons", "↽": "\\leftharpoondown", "↼": "\\leftharpoonup",
  "⇁": "\\rightharpoondown", "⇀": "\\rightharpoonup", "↩": "\\hookleftarrow", "↪": "\\hookrightarrow", "↖": "\\nwarrow",
  "↙": "\\swarrow", "↘": "\\searrow", "↗": "\\nearrow", "↕": "\\updownarrow", "⇓": "\\Downarrow", "⇑": "\\Uparrow",
  "↓": "\\downarrow", "↑": "\\uparrow", "⟼": "\\longmapsto", "⟷": "\\longleftrightarrow", "⟺": "\\Longleftrightarrow",
  "⟸": "\\Longleftarrow", "⟹": "\\Longrightarrow", "⟵": "\\longleftarrow", "⟶": "\\longrightarrow", "↦": "\\mapsto",
  "⇔": "\\Leftrightarrow", "⇐": "\\Leftarrow", "⇒": "\\Rightarrow", "↔": "\\leftrightarrow", "←": "\\leftarrow",
  "→": "\\rightarrow", "≓": "\\risingdotseq", "≒": "\\fallingdotseq", "⌢": "\\frown", "⌣": "\\smile", "∵": "\\because",
  "∴": "\\therefore", "⊳": "\\vartriangleright", "⊲": "\\vartriangleleft", "▹": "\\triangleright", "◃": "\\triangleleft",
  "⊵": "\\trianglerighteq", "⊴": "\\trianglelefteq", "≊": "\\approxeq", "≯": "\\ngtr", "≮": "\\nless", "≳": "\\gtrsim",
  "≲": "\\lesssim", "≧": "\\geqq", "≦": "\\leqq", "⩾": "\\geqslant", "⩽": "\\leqslant", "≜": "\\triangleq",
  "≐": "\\doteq", "≍": "\\asymp", "⊩": "\\Vdash", "⊨": "\\models", "⊣": "\\dashv", "⊢": "\\vdash", "⊥": "\\bot",
  "∦": "\\nparallel", "∥": "\\parallel", "∤": "\\nmid", "∣": "\\mid", "∋": "\\ni", "∉": "\\notin", "∈": "\\in",
  "⊒": "\\sqsupseteq", "⊑": "\\sqsubseteq", "⊈": "\\nsubseteq", "⊋": "\\supsetneq", "⊊": "\\subsetneq",
  "⊇": "\\supseteq", "⊆": "\\subseteq", "⊃": "\\supset", "⊂": "\\subset", "⪰": "\\succeq", "⪯": "\\preceq",
  "≻": "\\succ", "≺": "\\prec", "≫": "\\gg", "≪": "\\ll", "∝": "\\propto", "≃": "\\simeq", "∼": "\\sim", "≅": "\\cong",
  "≈": "\\approx", "≡": "\\equiv", "≠": "\\neq", "≥": "\\geq", "≤": "\\leq", "⋱": "\\ddots", "⋮": "\\vdots",
  "⋯": "\\cdots", "…": "\\ldots", "⊡": "\\boxdot", "⊠": "\\boxtimes", "⊞": "\\boxplus", "⋈": "\\bowtie", "⋊": "\\rtimes",
  "⋉": "\\ltimes", "⨿": "\\amalg", "≀": "\\wr", "∖": "\\setminus", "¬": "\\neg", "∧": "\\wedge", "∨": "\\vee",
  "⊓": "\\sqcap", "⊔": "\\sqcup", "⊎": "\\uplus", "∩": "\\cap", "∪": "\\cup", "⊙": "\\odot", "⊘": "\\oslash",
  "⊗": "\\otimes", "⊖": "\\ominus", "⊕": "\\oplus", "⋅": "\\cdot", "∓": "\\mp", "±": "\\pm", "÷": "\\div",
  "×": "\\times", "⋄": "\\diamond", "‡": "\\ddagger", "†": "\\dagger", "∗": "\\ast", "⋆": "\\star", "∙": "\\bullet",
  "∘": "\\circ", "◯": "\\bigcirc", "⨆": "\\bigsqcup", "⨄": "\\biguplus", "⨀": "\\bigodot", "⨂": "\\bigotimes",
  "⨁": "\\bigoplus", "⋀": "\\bigwedge", "⋁": "\\bigvee", "⋂": "\\bigcap", "⋃": "\\bigcup", "∯": "\\oiint", "∮": "\\oint",
  "∭": "\\iiint", "∬": "\\iint", "∫": "\\int", "∐": "\\coprod", "∏": "\\prod", "∑": "\\sum", "°": "\\degree",
  "℧": "\\mho", "ð": "\\eth", "ℏ": "\\hbar", "∁": "\\complement", "Å": "\\AA", "£": "\\pounds", "©": "\\copyright",
  "¶": "\\P", "§": "\\S", "✓": "\\checkmark", "♮": "\\natural", "♭": "\\flat", "♯": "\\sharp", "‵": "\\backprime",
  "′": "'", "□": "\\square", "△": "\\triangle", "∠": "\\angle", "⊤": "\\top", "∄": "\\nexists", "∃": "\\exists",
  "∀": "\\forall", "∅": "\\emptyset", "ℵ": "\\aleph", "ȷ": "\\jmath", "ı": "\\imath", "∇": "\\nabla", "∂": "\\partial",
  "∞": "\\infty", "Ω": "\\Omega", "Ψ": "\\Psi", "Φ": "\\Phi", "Υ": "\\Upsilon", "Σ": "\\Sigma", "Π": "\\Pi", "Ξ": "\\Xi",
  "Λ": "\\Lambda", "Θ": "\\Theta", "Δ": "\\Delta", "Γ": "\\Gamma", "ω": "\\omega", "ψ": "\\psi", "χ": "\\chi",
  "φ": "\\varphi", "ϕ": "\\phi", "υ": "\\upsilon", "τ": "\\tau", "ς": "\\varsigma", "σ": "\\sigma", "ϱ": "\\varrho",
  "ρ": "\\rho", "ϖ": "\\varpi", "π": "\\pi", "ο": "\\omicron", "ξ": "\\xi", "ν": "\\nu", "μ": "\\mu", "λ": "\\lambda",
  "ϰ": "\\varkappa", "κ": "\\kappa", "ι": "\\iota", "ϑ": "\\vartheta", "θ": "\\theta", "η": "\\eta", "ζ": "\\zeta",
  "ε": "\\varepsilon", "ϵ": "\\epsilon", "δ": "\\delta", "γ": "\\gamma", "β": "\\beta", "α": "\\alpha",
  "\\to": "\\rightarrow", "\\gets": "\\leftarrow", "\\lt": "<", "\\gt": ">", "\\le": "\\leq", "\\ge": "\\geq",
  "\\ne": "\\neq", "\\dots": "\\ldots", "\\dotsc": "\\ldots", "\\dotsb": "\\cdots", "\\dotsm": "\\cdots",
  "\\dotsi": "\\cdots", "\\iff": "\\Leftrightarrow", "\\implies": "\\Rightarrow", "\\lbrace": "\\{", "\\rbrace": "\\}",
  "\\lbrack": "[", "\\rbrack": "]", "\\vert": "|", "\\lvert": "|", "\\rvert": "|", "\\Vert": "\\|", "\\lVert": "\\|",
  "\\rVert": "\\|", "\\land": "\\wedge", "\\lor": "\\vee", "\\lnot": "\\neg", "\\owns": "\\ni", "\\dfrac": "\\frac",
  "\\tfrac": "\\frac", "\\cfrac": "\\frac", "\\dbinom": "\\binom", "\\tbinom": "\\binom", "−": "-", "’": "'", "“": "\"",
}));
export const CHARACTERS = new Map(Object.entries({
  "\\alpha": "α", "\\beta": "β", "\\gamma": "γ", "\\delta": "δ", "\\epsilon": "ϵ", "\\varepsilon": "ε", "\\zeta": "ζ",
  "\\eta": "η", "\\theta": "θ", "\\vartheta": "ϑ", "\\iota": "ι", "\\kappa": "κ", "\\varkappa": "ϰ", "\\lambda": "λ",
  "\\mu": "μ", "\\nu": "ν", "\\xi": "ξ", "\\omicron": "ο", "\\pi": "π", "\\varpi": "ϖ", "\\rho": "ρ", "\\varrho": "ϱ",
  "\\sigma": "σ", "\\varsigma": "ς", "\\tau": "τ", "\\upsilon": "υ", "\\phi": "ϕ", "\\varphi": "φ", "\\chi": "χ",
  "\\psi": "ψ", "\\omega": "ω", "\\Gamma": "Γ", "\\Delta": "Δ", "\\Theta": "Θ", "\\Lambda": "Λ", "\\Xi": "Ξ",
  "\\Pi": "Π", "\\Sigma": "Σ", "\\Upsilon": "Υ", "\\Phi": "Φ", "\\Psi": "Ψ", "\\Omega": "Ω", "\\infty": "∞",
  "\\partial": "∂", "\\nabla": "∇", "\\hbar": "ℏ", "\\ell": "ℓ", "\\imath": "ı", "\\jmath": "ȷ", "\\Re": "ℜ",
  "\\Im": "ℑ", "\\aleph": "ℵ", "\\wp": "℘", "\\emptyset": "∅", "\\varnothing": "∅", "\\forall": "∀", "\\exists": "∃",
  "\\nexists": "∄", "\\top": "⊤", "\\bot": "⊥", "\\angle": "∠", "\\triangle": "△", "\\square": "□", "\\Box": "□",
  "\\prime": "′", "\\backprime": "‵", "\\sharp": "♯", "\\flat": "♭", "\\natural": "♮", "\\checkmark": "✓", "\\S": "§",
  "\\P": "¶", "\\copyright": "©", "\\pounds": "£", "\\AA": "Å", "\\complement": "∁", "\\Bbbk": "𝕜", "\\hslash": "ℏ",
  "\\eth": "ð", "\\mho": "℧", "\\degree": "°", "\\sum": "∑", "\\prod": "∏", "\\coprod": "∐", "\\int": "∫", "\\iint": "∬",
  "\\iiint": "∭", "\\oint": "∮", "\\oiint": "∯", "\\bigcup": "⋃", "\\bigcap": "⋂", "\\bigvee": "⋁", "\\bigwedge": "⋀",
  "\\bigoplus": "⨁", "\\bigotimes": "⨂", "\\bigodot": "⨀", "\\biguplus": "⨄", "\\bigsqcup": "⨆", "\\bigcirc": "◯",
  "\\circ": "∘", "\\bullet": "∙", "\\star": "⋆", "\\ast": "∗", "\\dagger": "†", "\\ddagger": "‡", "\\diamond": "⋄",
  "\\times": "×", "\\div": "÷", "\\pm": "±", "\\mp": "∓", "\\cdot": "⋅", "\\oplus": "⊕", "\\ominus": "⊖",
  "\\otimes": "⊗", "\\oslash": "⊘", "\\odot": "⊙", "\\cup": "∪", "\\cap": "∩", "\\uplus": "⊎", "\\sqcup": "⊔",
  "\\sqcap": "⊓", "\\vee": "∨", "\\wedge": "∧", "\\lor": "∨", "\\land": "∧", "\\neg": "¬", "\\lnot": "¬",
  "\\setminus": "∖", "\\wr": "≀", "\\amalg": "⨿", "\\ltimes": "⋉", "\\rtimes": "⋊", "\\bowtie": "⋈", "\\boxplus": "⊞",
  "\\boxtimes": "⊠", "\\boxdot": "⊡", "\\ldots": "…", "\\cdots": "⋯", "\\vdots": "⋮", "\\ddots": "⋱", "\\colon": ":",
  "\\leq": "≤", "\\geq": "≥", "\\neq": "≠", "\\equiv": "≡", "\\approx": "≈", "\\cong": "≅", "\\sim": "∼", "\\simeq": "≃",
  "\\propto": "∝", "\\ll": "≪", "\\gg": "≫", "\\prec": "≺", "\\succ": "≻", "\\preceq": "⪯", "\\succeq": "⪰",
  "\\subset": "⊂", "\\supset": "⊃", "\\subseteq": "⊆", "\\supseteq": "⊇", "\\subsetneq": "⊊", "\\supsetneq": "⊋",
  "\\nsubseteq": "⊈", "\\sqsubseteq": "⊑", "\\sqsupseteq": "⊒", "\\in": "∈", "\\notin": "∉", "\\ni": "∋", "\\mid": "∣",
  "\\nmid": "∤", "\\parallel": "∥", "\\nparallel": "∦", "\\perp": "⊥", "\\vdash": "⊢", "\\dashv": "⊣", "\\models": "⊨",
  "\\vDash": "⊨", "\\Vdash": "⊩", "\\asymp": "≍", "\\doteq": "≐", "\\triangleq": "≜", "\\leqslant": "⩽",
  "\\geqslant": "⩾", "\\leqq": "≦", "\\geqq": "≧", "\\lesssim": "≲", "\\gtrsim": "≳", "\\nless": "≮", "\\ngtr": "≯",
  "\\approxeq": "≊", "\\trianglelefteq": "⊴", "\\trianglerighteq": "⊵", "\\triangleleft": "◃", "\\triangleright": "▹",
  "\\vartriangleleft": "⊲", "\\vartriangleright": "⊳", "\\therefore": "∴", "\\because": "∵", "\\smile": "⌣",
  "\\frown": "⌢", "\\fallingdotseq": "≒", "\\risingdotseq": "≓", "\\rightarrow": "→", "\\leftarrow": "←",
  "\\leftrightarrow": "↔", "\\Rightarrow": "⇒", "\\Leftarrow": "⇐", "\\Leftrightarrow": "⇔", "\\mapsto": "↦",
  "\\longrightarrow": "⟶", "\\longleftarrow": "⟵", "\\Longrightarrow": "⟹", "\\Longleftarrow": "⟸",
  "\\Longleftrightarrow": "⟺", "\\longleftrightarrow": "⟷", "\\longmapsto": "⟼", "\\uparrow": "↑", "\\downarrow": "↓",
  "\\Uparrow": "⇑", "\\Downarrow": "⇓", "\\updownarrow": "↕", "\\nearrow": "↗", "\\searrow": "↘", "\\swarrow": "↙",
  "\\nwarrow": "↖", "\\hookrightarrow": "↪", "\\hookleftarrow": "↩", "\\rightharpoonup": "⇀", "\\rightharpoondown": "⇁",
  "\\leftharpoonup": "↼", "\\leftharpoondown": "↽", "\\rightleftharpoons": "⇌", "\\rightleftarrows": "⇄",
  "\\leadsto": "⇝", "\\rightsquigarrow": "⇝", "\\twoheadrightarrow": "↠", "\\nrightarrow": "↛", "\\multimap": "⊸",
  "\\circlearrowleft": "↺", "\\circlearrowright": "↻", "\\langle": "⟨", "\\lfloor": "⌊", "\\lceil": "⌈", "\\lbrace": "{",
  "\\llbracket": "⟦", "(": "(", "[": "[", "\\{": "{", "\\rangle": "⟩", "\\rfloor": "⌋", "\\rceil": "⌉", "\\rbrace": "}",
  "\\rrbracket": "⟧", ")": ")", "]": "]", "\\}": "}", "|": "|", "\\|": "‖", "\\Vert": "‖", "\\vert": "|",
  "\\backslash": "\\", "\\%": "%", "\\&": "&", "\\#": "#", "\\$": "$", "\\_": "_", "\\mathbb{a}": "𝕒",
  "\\mathbb{b}": "𝕓", "\\mathbb{c}": "𝕔", "\\mathbb{d}": "𝕕", "\\mathbb{e}": "𝕖", "\\mathbb{f}": "𝕗", "\\mathbb{g}": "𝕘",
  "\\mathbb{h}": "𝕙", "\\mathbb{i}": "𝕚", "\\mathbb{j}": "𝕛", "\\mathbb{k}": "𝕜", "\\mathbb{l}": "𝕝", "\\mathbb{m}": "𝕞",
  "\\mathbb{n}": "𝕟", "\\mathbb{o}": "𝕠", "\\mathbb{p}": "𝕡", "\\mathbb{q}": "𝕢", "\\mathbb{r}": "𝕣", "\\mathbb{s}": "𝕤",
  "\\mathbb{t}": "𝕥", "\\mathbb{u}": "𝕦", "\\mathbb{v}": "𝕧", "\\mathbb{w}": "𝕨", "\\mathbb{x}": "𝕩", "\\mathbb{y}": "𝕪",
  "\\mathbb{z}": "𝕫", "\\mathbb{A}": "𝔸", "\\mathbb{B}": "𝔹", "\\mathbb{C}": "ℂ", "\\mathbb{D}": "𝔻", "\\mathbb{E}": "𝔼",
  "\\mathbb{F}": "𝔽", "\\mathbb{G}": "𝔾", "\\mathbb{H}": "ℍ", "\\mathbb{I}": "𝕀", "\\mathbb{J}": "𝕁", "\\mathbb{K}": "𝕂",
  "\\mathbb{L}": "𝕃", "\\mathbb{M}": "𝕄", "\\mathbb{N}": "ℕ", "\\mathbb{O}": "𝕆", "\\mathbb{P}": "ℙ", "\\mathbb{Q}": "ℚ",
  "\\mathbb{R}": "ℝ", "\\mathbb{S}": "𝕊", "\\mathbb{T}": "𝕋", "\\mathbb{U}": "𝕌", "\\mathbb{V}": "𝕍", "\\mathbb{W}": "𝕎",
  "\\mathbb{X}": "𝕏", "\\mathbb{Y}": "𝕐", "\\mathbb{Z}": "ℤ", "\\mathcal{a}": "𝒶", "\\mathcal{b}": "𝒷",
  "\\mathcal{c}": "𝒸", "\\mathcal{d}": "𝒹", "\\mathcal{e}": "ℯ", "\\mathcal{f}": "𝒻", "\\mathcal{g}": "ℊ",
  "\\mathcal{h}": "𝒽", "\\mathcal{i}": "𝒾", "\\mathcal{j}": "𝒿", "\\mathcal{k}": "𝓀", "\\mathcal{l}": "ℓ",
  "\\mathcal{m}": "𝓂", "\\mathcal{n}": "𝓃", "\\mathcal{o}": "ℴ", "\\mathcal{p}": "𝓅", "\\mathcal{q}": "𝓆",
  "\\mathcal{r}": "𝓇", "\\mathcal{s}": "𝓈", "\\mathcal{t}": "𝓉", "\\mathcal{u}": "𝓊", "\\mathcal{v}": "𝓋",
  "\\mathcal{w}": "𝓌", "\\mathcal{x}": "𝓍", "\\mathcal{y}": "𝓎", "\\mathcal{z}": "𝓏", "\\mathcal{A}": "𝒜",
  "\\mathcal{B}": "ℬ", "\\mathcal{C}": "𝒞", "\\mathcal{D}": "𝒟", "\\mathcal{E}": "ℰ", "\\mathcal{F}": "ℱ",
  "\\mathcal{G}": "𝒢", "\\mathcal{H}": "ℋ", "\\mathcal{I}": "ℐ", "\\mathcal{J}": "𝒥", "\\mathcal{K}": "𝒦",
  "\\mathcal{L}": "ℒ", "\\mathcal{M}": "ℳ", "\\mathcal{N}": "𝒩", "\\mathcal{O}": "𝒪", "\\mathcal{P}": "℘",
  "\\mathcal{Q}": "𝒬", "\\mathcal{R}": "ℛ", "\\mathcal{S}": "𝒮", "\\mathcal{T}": "𝒯", "\\mathcal{U}": "𝒰",
  "\\mathcal{V}": "𝒱", "\\mathcal{W}": "𝒲", "\\mathcal{X}": "𝒳", "\\mathcal{Y}": "𝒴", "\\mathcal{Z}": "𝒵",
  "\\mathfrak{a}": "𝔞", "\\mathfrak{b}": "𝔟", "\\mathfrak{c}": "𝔠", "\\mathfrak{d}": "𝔡", "\\mathfrak{e}": "𝔢",
  "\\mathfrak{f}": "𝔣", "\\mathfrak{g}": "𝔤", "\\mathfrak{h}": "𝔥", "\\mathfrak{i}": "𝔦", "\\mathfrak{j}": "𝔧",
  "\\mathfrak{k}": "𝔨", "\\mathfrak{l}": "𝔩", "\\mathfrak{m}": "𝔪", "\\mathfrak{n}": "𝔫", "\\mathfrak{o}": "𝔬",
  "\\mathfrak{p}": "𝔭", "\\mathfrak{q}": "𝔮", "\\mathfrak{r}": "𝔯", "\\mathfrak{s}": "𝔰", "\\mathfrak{t}": "𝔱",
  "\\mathfrak{u}": "𝔲", "\\mathfrak{v}": "𝔳", "\\mathfrak{w}": "𝔴", "\\mathfrak{x}": "𝔵", "\\mathfrak{y}": "𝔶",
  "\\mathfrak{z}": "𝔷", "\\mathfrak{A}": "𝔄", "\\mathfrak{B}": "𝔅", "\\mathfrak{C}": "ℭ", "\\mathfrak{D}": "𝔇",
  "\\mathfrak{E}": "𝔈", "\\mathfrak{F}": "𝔉", "\\mathfrak{G}": "𝔊", "\\mathfrak{H}": "ℌ", "\\mathfrak{I}": "ℑ",
  "\\mathfrak{J}": "𝔍", "\\mathfrak{K}": "𝔎", "\\mathfrak{L}": "𝔏", "\\mathfrak{M}": "𝔐", "\\mathfrak{N}": "𝔑",
  "\\mathfrak{O}": "𝔒", "\\mathfrak{P}": "𝔓", "\\mathfrak{Q}": "𝔔", "\\mathfrak{R}": "ℜ", "\\mathfrak{S}": "𝔖",
  "\\mathfrak{T}": "𝔗", "\\mathfrak{U}": "𝔘", "\\mathfrak{V}": "𝔙", "\\mathfrak{W}": "𝔚", "\\mathfrak{X}": "𝔛",
  "\\mathfrak{Y}": "𝔜", "\\mathfrak{Z}": "ℨ", "\\mathscr{a}": "𝒶", "\\mathscr{b}": "𝒷", "\\mathscr{c}": "𝒸",
  "\\mathscr{d}": "𝒹", "\\mathscr{e}": "ℯ", "\\mathscr{f}": "𝒻", "\\mathscr{g}": "ℊ", "\\mathscr{h}": "𝒽",
  "\\mathscr{i}": "𝒾", "\\mathscr{j}": "𝒿", "\\mathscr{k}": "𝓀", "\\mathscr{l}": "ℓ", "\\mathscr{m}": "𝓂",
  "\\mathscr{n}": "𝓃", "\\mathscr{o}": "ℴ", "\\mathscr{p}": "𝓅", "\\mathscr{q}": "𝓆", "\\mathscr{r}": "𝓇",
  "\\mathscr{s}": "𝓈", "\\mathscr{t}": "𝓉", "\\mathscr{u}": "𝓊", "\\mathscr{v}": "𝓋", "\\mathscr{w}": "𝓌",
  "\\mathscr{x}": "𝓍", "\\mathscr{y}": "𝓎", "\\mathscr{z}": "𝓏", "\\mathscr{A}": "𝒜", "\\mathscr{B}": "ℬ",
  "\\mathscr{C}": "𝒞", "\\mathscr{D}": "𝒟", "\\mathscr{E}": "ℰ", "\\mathscr{F}": "ℱ", "\\mathscr{G}": "𝒢",
  "\\mathscr{H}": "ℋ", "\\mathscr{I}": "ℐ", "\\mathscr{J}": "𝒥", "\\mathscr{K}": "𝒦", "\\mathscr{L}": "ℒ",
  "\\mathscr{M}": "ℳ", "\\mathscr{N}": "𝒩", "\\mathscr{O}": "𝒪", "\\mathscr{P}": "℘", "\\mathscr{Q}": "𝒬",
  "\\mathscr{R}": "ℛ", "\\mathscr{S}": "𝒮", "\\mathscr{T}": "𝒯", "\\mathscr{U}": "𝒰", "\\mathscr{V}": "𝒱",
  "\\mathscr{W}": "𝒲", "\\mathscr{X}": "𝒳", "\\mathscr{Y}": "𝒴", "\\mathscr{Z}": "𝒵",
}));
export const CLOSING = new Set([")", "\\rangle", "\\rbrace", "\\rceil", "\\rfloor", "\\rrbracket", "\\}", "]"]);
export const CLOSING_COST = [1, 1, 4, 1, 4, 1];
export const DEAREST = 8;
export const DEFAULT_FORMATS = ["mathml", "alternatives", "symbols"];
export const DEFAULT_MODEL = "onscan-extra";
export const DELIMITER_SIZES = new Set(["\\left", "\\middle", "\\right"]);
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
  "BadRequest": "request.invalid", "NothingAllowed": "request.nothing_allowed",
  "NotAcceptable": "request.not_acceptable", "Overloaded": "request.overloaded", "TimedOut": "request.timeout",
  "Unauthorized": "request.unauthorized", "Unavailable": "request.unavailable", "WorkerCrashed": "request.crashed",
  "ServeError": "serve", "NoSuchAddress": "serve.address", "PortInUse": "serve.port_in_use",
  "MissingExtra": "install.extra",
};
export const FAR = 12.0;
export const FONTS = new Set([
  "\\bm", "\\boldsymbol", "\\hbox", "\\mathbf", "\\mathbin", "\\mathclose", "\\mathit", "\\mathnormal", "\\mathop",
  "\\mathopen", "\\mathord", "\\mathrel", "\\mathrm", "\\mathsf", "\\mathtt", "\\mbox", "\\operatorname",
  "\\operatornamewithlimits", "\\pmb", "\\text", "\\textbf", "\\textit", "\\textnormal", "\\textrm", "\\textsf",
  "\\texttt",
]);
export const FOREIGN = ["\\begin", "\\end", "\\\\", "&", "#", "%"];
export const FRAME = {"SUB": 0, "SUP": 1, "FIRST": 2, "LAST": 3, "INDEX": 4, "ACCENT": 5};
export const FUNCTIONS = new Set([
  "\\Pr", "\\arccos", "\\arcsin", "\\arctan", "\\arg", "\\cos", "\\cosh", "\\cot", "\\coth", "\\csc", "\\deg", "\\det",
  "\\dim", "\\exp", "\\gcd", "\\hom", "\\inf", "\\ker", "\\lg", "\\lim", "\\liminf", "\\limsup", "\\ln", "\\log",
  "\\max", "\\min", "\\sec", "\\sin", "\\sinh", "\\sup", "\\tan", "\\tanh",
]);
export const INFIX_STACKS = new Map(Object.entries({"\\over": "\\frac", "\\choose": "\\binom"}));
export const INTEGRALS = new Set(["\\iiint", "\\iint", "\\int", "\\oiint", "\\oint"]);
export const KIND = {
  "END": 0, "OPEN": 1, "CLOSE": 2, "SUB": 3, "SUP": 4, "LIMITS": 5, "SYMBOL": 6, "STACK": 7, "ROOT": 8, "ACCENT": 9,
  "BRACKET_OPEN": 10, "BRACKET_CLOSE": 11, "NEVER": 12,
};
export const KIND_OF_TOKEN = new Map(Object.entries({"<eos>": 0, "{": 1, "}": 2, "_": 3, "^": 4, "\\limits": 5, "\\sqrt": 8, "[": 10, "]": 11}));
export const LARGE = new Set([
  "\\bigcap", "\\bigcirc", "\\bigcup", "\\bigodot", "\\bigoplus", "\\bigotimes", "\\bigsqcup", "\\biguplus", "\\bigvee",
  "\\bigwedge", "\\coprod", "\\iiint", "\\iint", "\\int", "\\oiint", "\\oint", "\\prod", "\\sum",
]);
export const LETTERLIKE = new Set([
  "\\AA", "\\Bbbk", "\\Box", "\\Delta", "\\Gamma", "\\Im", "\\Lambda", "\\Omega", "\\P", "\\Phi", "\\Pi", "\\Psi",
  "\\Re", "\\S", "\\Sigma", "\\Theta", "\\Upsilon", "\\Xi", "\\aleph", "\\alpha", "\\angle", "\\backprime", "\\beta",
  "\\bot", "\\checkmark", "\\chi", "\\complement", "\\copyright", "\\degree", "\\delta", "\\ell", "\\emptyset",
  "\\epsilon", "\\eta", "\\eth", "\\exists", "\\flat", "\\forall", "\\gamma", "\\hbar", "\\hslash", "\\imath", "\\infty",
  "\\iota", "\\jmath", "\\kappa", "\\lambda", "\\mho", "\\mu", "\\nabla", "\\natural", "\\nexists", "\\nu", "\\omega",
  "\\omicron", "\\partial", "\\phi", "\\pi", "\\pounds", "\\prime", "\\psi", "\\rho", "\\sharp", "\\sigma", "\\square",
  "\\tau", "\\theta", "\\top", "\\triangle", "\\upsilon", "\\varepsilon", "\\varkappa", "\\varnothing", "\\varphi",
  "\\varpi", "\\varrho", "\\varsigma", "\\vartheta", "\\wp", "\\xi", "\\zeta",
]);
export const LIMIT_FUNCTIONS = new Set(["\\Pr", "\\det", "\\gcd", "\\inf", "\\lim", "\\liminf", "\\limsup", "\\max", "\\min", "\\sup"]);
export const LOOK_ALIKES = [
  ["x", "X", "\\times", "\\chi"], ["0", "O", "o", "\\theta", "\\sigma"], ["1", "|", "l", "(", "/", "I"],
  ["2", "z", "Z", "\\alpha"], ["5", "s", "S"], ["9", "g", "q", "y"], ["6", "b", "G", "\\sigma"], ["u", "v", "\\mu", "n"],
  ["t", "+", "f"], ["c", "C", "(", "<"], ["k", "K"], ["p", "P", "\\rho"], ["w", "W", "\\omega"],
  ["a", "\\alpha", "d", "9"], ["\\beta", "B", "8"], ["\\Delta", "\\triangle", "A"], ["\\pi", "\\Pi", "n"],
  ["\\sum", "\\Sigma", "E"], ["\\phi", "\\theta", "\\Phi"], ["-", "\\_", "\\div"], ["\\in", "\\epsilon", "E", "e"],
  ["\\gamma", "y", "r", "Y"], ["7", "1", ">", "F"], ["4", "y", "9"], ["3", "\\}", "z", "B"], ["i", "j", "!"],
  [".", ",", "\\cdot", "\\prime"], ["\\ldots", "\\cdots", "-"], ["\\rightarrow", "\\to"], ["\\leq", "<"], ["\\geq", ">"],
  ["=", "\\neq"], ["\\lambda", "h"], ["m", "n", "M"], ["y", "Y", "\\gamma"], ["e", "l", "c"], ["h", "n"],
  ["r", "\\gamma", "v"], ["\\forall", "v"], ["\\infty", "\\alpha", "8"], ["\\int", "s", "\\}", "f"], ["[", "(", "c"],
  ["]", ")", "3"], ["\\{", "("], ["\\}", ")"],
];
export const MAX_BEAM = 100;
export const MAX_COORDINATE = 1000000000.0;
export const MAX_DEPTH = 64;
export const MAX_FENCES = 100;
export const MAX_INK_POINTS = 200000;
export const MAX_INK_STROKES = 10000;
export const MAX_LATEX_LENGTH = 25000;
export const MAX_POINTS_PER_STROKE = 512;
export const MAX_STROKES = 1000;
export const MAX_TRACE_POINTS = 20000;
export const MODEL_FORMAT = "inkscan-model-1";
export const MODEL_JSON = "model.json";
export const MOST_DASHES_AND_DOTS = 3;
export const ONLINE_STRIDE = 4;
export const OPENING = new Set(["(", "[", "\\langle", "\\lbrace", "\\lceil", "\\lfloor", "\\llbracket", "\\{"]);
export const OPENS = new Map(Object.entries({"3": 0, "4": 1, "7": 2, "9": 5}));
export const OPERATORS = new Set([
  "\\amalg", "\\ast", "\\bowtie", "\\boxdot", "\\boxplus", "\\boxtimes", "\\bullet", "\\cap", "\\cdot", "\\cdots",
  "\\circ", "\\colon", "\\cup", "\\dagger", "\\ddagger", "\\ddots", "\\diamond", "\\div", "\\land", "\\ldots", "\\lnot",
  "\\lor", "\\ltimes", "\\mp", "\\neg", "\\odot", "\\ominus", "\\oplus", "\\oslash", "\\otimes", "\\pm", "\\rtimes",
  "\\setminus", "\\sqcap", "\\sqcup", "\\star", "\\times", "\\uplus", "\\vdots", "\\vee", "\\wedge", "\\wr",
]);
export const ORDINARY_OPERATORS = new Set(["\\cdots", "\\ddots", "\\ldots", "\\vdots"]);
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
export const PLACE = {"ROW_START": 0, "BASE": 1, "ARGUMENT_BASE": 2, "LIMITS": 3, "SUB": 4, "SUP": 5, "GROUP": 6, "ROOT": 7};
export const PLACE_AFTER = [4, 5, 6, 2, 6, 1];
export const PLACE_COST = [1, 0, 0, 4, 0, 0, 2, 3];
export const POSITION_UNIT = 4.0;
export const PRIME = "\\prime";
export const RELATIONS = new Set([
  "\\Downarrow", "\\Leftarrow", "\\Leftrightarrow", "\\Longleftarrow", "\\Longleftrightarrow", "\\Longrightarrow",
  "\\Rightarrow", "\\Uparrow", "\\Vdash", "\\approx", "\\approxeq", "\\asymp", "\\because", "\\circlearrowleft",
  "\\circlearrowright", "\\cong", "\\dashv", "\\doteq", "\\downarrow", "\\equiv", "\\fallingdotseq", "\\frown", "\\geq",
  "\\geqq", "\\geqslant", "\\gg", "\\gtrsim", "\\hookleftarrow", "\\hookrightarrow", "\\in", "\\leadsto", "\\leftarrow",
  "\\leftharpoondown", "\\leftharpoonup", "\\leftrightarrow", "\\leq", "\\leqq", "\\leqslant", "\\lesssim", "\\ll",
  "\\longleftarrow", "\\longleftrightarrow", "\\longmapsto", "\\longrightarrow", "\\mapsto", "\\mid", "\\models",
  "\\multimap", "\\nearrow", "\\neq", "\\ngtr", "\\ni", "\\nless", "\\nmid", "\\notin", "\\nparallel", "\\nrightarrow",
  "\\nsubseteq", "\\nwarrow", "\\parallel", "\\perp", "\\prec", "\\preceq", "\\propto", "\\rightarrow",
  "\\rightharpoondown", "\\rightharpoonup", "\\rightleftarrows", "\\rightleftharpoons", "\\rightsquigarrow",
  "\\risingdotseq", "\\searrow", "\\sim", "\\simeq", "\\smile", "\\sqsubseteq", "\\sqsupseteq", "\\subset", "\\subseteq",
  "\\subsetneq", "\\succ", "\\succeq", "\\supset", "\\supseteq", "\\supsetneq", "\\swarrow", "\\therefore",
  "\\triangleleft", "\\trianglelefteq", "\\triangleq", "\\triangleright", "\\trianglerighteq", "\\twoheadrightarrow",
  "\\uparrow", "\\updownarrow", "\\vDash", "\\vartriangleleft", "\\vartriangleright", "\\vdash",
]);
export const RIVALS = 2;
export const SEARCH_DEFAULTS = {
  "beam": 10, "n_best": 5, "length_power": 0.0, "margin": 5.0, "spread": 5.0, "max_tokens": 400, "allow": null,
  "forbid": [],
};
export const SPACING = new Set([
  "\\\t", "\\\n", "\\ ", "\\!", "\\(", "\\)", "\\,", "\\/", "\\:", "\\;", "\\>", "\\Big", "\\Bigg", "\\Biggl", "\\Biggr",
  "\\Bigl", "\\Bigm", "\\Bigr", "\\[", "\\]", "\\bf", "\\big", "\\bigg", "\\biggl", "\\biggr", "\\bigl", "\\bigm",
  "\\bigr", "\\cal", "\\displaystyle", "\\enspace", "\\it", "\\left", "\\mathstrut", "\\middle", "\\n", "\\negthinspace",
  "\\nolimits", "\\nonumber", "\\qquad", "\\quad", "\\relax", "\\right", "\\rm", "\\scriptscriptstyle", "\\scriptstyle",
  "\\sf", "\\strut", "\\t", "\\textstyle", "\\thinspace", "\\tt",
]);
export const SPELLED_FUNCTIONS = new Set(["cos", "lim", "log", "sin", "tan"]);
export const STACKS = new Set(["\\binom", "\\frac"]);
export const STEP = "step.onnx";
export const STRUCTURE = new Set(["\\limits", "^", "_", "{", "}"]);
export const STYLED = ["\\mathbb", "\\mathcal", "\\mathfrak", "\\mathscr"];
export const TALL = new Set([
  "\\bigcap", "\\bigcirc", "\\bigcup", "\\bigodot", "\\bigoplus", "\\bigotimes", "\\bigsqcup", "\\biguplus", "\\bigvee",
  "\\bigwedge", "\\binom", "\\coprod", "\\frac", "\\iiint", "\\iint", "\\int", "\\oiint", "\\oint", "\\prod", "\\sqrt",
  "\\sum",
]);
export const TINY = 1e-12;
export const UNDER = new Set(["\\underbrace", "\\underline"]);
export const UNWRITABLE = new Set(["'", "\\choose", "\\over", "\\overset", "\\stackrel", "\\underset"]);
export const UPRIGHT = new Set([
  "\\AA", "\\Box", "\\Delta", "\\Gamma", "\\Im", "\\Lambda", "\\Omega", "\\P", "\\Phi", "\\Pi", "\\Psi", "\\Re", "\\S",
  "\\Sigma", "\\Theta", "\\Upsilon", "\\Xi", "\\aleph", "\\angle", "\\backprime", "\\bot", "\\cdots", "\\checkmark",
  "\\complement", "\\copyright", "\\ddots", "\\degree", "\\emptyset", "\\exists", "\\flat", "\\forall", "\\infty",
  "\\ldots", "\\mho", "\\nabla", "\\natural", "\\nexists", "\\partial", "\\pounds", "\\prime", "\\sharp", "\\square",
  "\\top", "\\triangle", "\\varnothing", "\\vdots", "\\wp",
]);
export const WIDE = new Set([
  "\\overbrace", "\\overleftarrow", "\\overleftrightarrow", "\\overline", "\\overrightarrow", "\\underbrace",
  "\\underline", "\\widehat", "\\widetilde",
]);
