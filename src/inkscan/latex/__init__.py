"""LaTeX tokens, the symbol layout tree and what is read from it; standard library only."""
