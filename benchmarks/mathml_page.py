"""Write a page of 100 formulas as MathML, to look at in a browser: `mathml_page.py page.html`."""

from __future__ import annotations

import argparse
from pathlib import Path

from inkscan.latex.tokens import parse_latex
from inkscan.latex.typeset import to_mathml

WRITTEN = r"""
x^{2}+y^{2}=z^{2}
\frac{-b\pm\sqrt{b^{2}-4ac}}{2a}
\sum_{n=1}^{\infty}\frac{1}{n^{2}}=\frac{\pi^{2}}{6}
\sum\limits_{i=0}^{n}i
\int_{0}^{\infty}e^{-x^{2}}dx=\frac{\sqrt{\pi}}{2}
\int\limits_{a}^{b}f(x)dx
\lim_{x\to 0}\frac{\sin x}{x}=1
\lim\limits_{n\rightarrow\infty}(1+\frac{1}{n})^{n}=e
\sin^{2}\theta+\cos^{2}\theta=1
2\sin x\cos y
\log_{2}8=3
\tan(x+y)
f'(x)=\frac{df}{dx}
y''+2y'-y=0
x\prime=y\prime
|x|+|y|\geq|x+y|
|\frac{a}{b}|=\frac{|a|}{|b|}
P(A|B)
\{1,2,\ldots,n\}
\{x\in R|x>0\}
[0,1)
(\frac{a}{b})^{n}
((a+b)c)^{2}
\sqrt[3]{x+1}
\sqrt[n]{\sqrt[m]{x}}
\sqrt{1+\sqrt{1+\sqrt{1+x}}}
\frac{1}{1+\frac{1}{1+\frac{1}{x}}}
3.14159
1.5\times 10^{-3}
12^{34}
x_{1}^{2}+x_{2}^{2}
x_{i_{j}}
2^{2^{2^{2}}}
a_{n+1}=a_{n}+d
n!=n\cdot(n-1)!
5\div 3\neq 3\div 5
-x+(-y)=-(x+y)
a=-1
a/b
\forall x\exists y
\alpha\beta\gamma\Delta\theta\lambda\mu\pi\sigma\phi
A\cup B\cap C
A\subseteq B\Rightarrow x\notin A
\overline{z}=a-bi
\hat{x}+\vec{v}+\tilde{a}
\underbrace{1+1}_{2}
\mathbb{R}\to\mathbb{C}
\mathcal{L}\mathfrak{g}
\binom{n}{k}
\prod_{k=1}^{n}k
\iint_{D}f(x,y)dxdy
\oint F\cdot ds
\max_{x}f(x)
\langle u,v\rangle
\lfloor x\rfloor\leq\lceil x\rceil
x\equiv y
\nabla\times E=-\frac{\partial B}{\partial t}
E=mc^{2}
1+2+\cdots+n
a,b,\ldots,z
x<y>z
x\leq y\geq z
\int\frac{1}{x}dx=\log|x|+C
\sum_{i=1}^{n}\sum_{j=1}^{m}a_{ij}
\frac{x^{2}}{a^{2}}+\frac{y^{2}}{b^{2}}=1
e^{i\pi}+1=0
\cos(\alpha+\beta)=\cos\alpha\cos\beta-\sin\alpha\sin\beta
\sqrt{\frac{a}{b}}
\frac{\sqrt{a}}{\sqrt{b}}
(x+y)^{n}=\sum_{k=0}^{n}\binom{n}{k}x^{k}y^{n-k}
\lim_{h\to 0}\frac{f(x+h)-f(x)}{h}
v=\frac{\Delta x}{\Delta t}
60^{\circ}
z=re^{i\theta}
[[S]]=[S]
\frac{d}{dx}a^{x}=a^{x}\log a
x=a_{0}+\frac{1}{a_{1}+\frac{1}{a_{2}}}
\sum_{n}
\int x^{2}dx
\int_{0}^{1}\int_{0}^{1}x^{2}y^{2}dxdy
B_{k+1}
\theta\rightarrow 0
G_{e_{q}}
1,000,000
x\in(0,1)
f:A\to B
\sin^{-1}x
\tan^{2}(x)
\log(\frac{a}{b})=\log(a)-\log(b)
\pm\sqrt{2}
\mp\frac{1}{2}
a\ast b
p_{1}^{\beta_{1}}p_{2}^{\beta_{2}}\ldots p_{n}^{\beta_{n}}
C=\frac{q_{1}}{q_{1}-q_{2}}
\sqrt{2}x
||x||
x^{\frac{1}{2}}
\frac{a+b}{c}^{2}
\sum_{k}^{\frac{n}{2}}k^{2}
\lim_{x\to\infty}
"""

STYLE = """body { font: 18px serif; columns: 4; margin: 12px }
p { break-inside: avoid; margin: 0 0 6px; border-bottom: 1px solid #ddd; min-height: 40px }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "DejaVu Math TeX Gyre", math }
code { font-size: 9px; color: #888 }"""


def main() -> None:
    """Write the page."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("page", type=Path)
    page: Path = arguments.parse_args().page
    formulas = [line for line in WRITTEN.splitlines() if line]
    body = "\n".join(
        f"<p><code>{latex.replace('<', '&lt;')}</code>{to_mathml(parse_latex(latex))}</p>"
        for latex in formulas
    )
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style>{body}", encoding="utf-8")
    print(f"{len(formulas)} formulas in {page}")


if __name__ == "__main__":
    main()
