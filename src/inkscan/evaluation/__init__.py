"""Evaluation: a recogniser on data, or anybody's predictions against truths. No torch; counting and scoring alone need
no data either."""
