"""The learning rate over a run: a warm-up, a plateau, and a cool-down to zero.

The plateau's length is free: a run may be resumed with more epochs, or with fewer to cool down now.
"""

from __future__ import annotations

from inkscan.training.recipes import Recipe


def learning_rate(recipe: Recipe, step: int, epochs_done: float) -> float:
    """The rate of the step after `step` steps and `epochs_done` epochs."""
    warm = min(1.0, (step + 1) / recipe.warmup_steps) if recipe.warmup_steps else 1.0
    cool_from = recipe.epochs * (1 - recipe.cooldown)
    left = 1.0
    if recipe.cooldown and epochs_done > cool_from:
        left = max(0.0, (recipe.epochs - epochs_done) / (recipe.epochs - cool_from))
    return recipe.learning_rate * warm * left
