// What the page knows of LaTeX text.

/** Where each token begins in the LaTeX, which has spaces between some of them. */
export function placesOf(tokens, latex) {
  let end = 0;
  return tokens.map((token) => {
    const begin = latex.indexOf(token, end);
    end = begin + token.length;
    return begin;
  });
}
