"""LaTeX tokens, the symbol layout tree and what is read from it; beside the standard library only defusedxml."""
