"""From an evaluation to the rows of the tables that it fills."""

from __future__ import annotations

from datetime import date

from inkscan.errors import BadRequest
from inkscan.evaluation.evaluate import Evaluation
from inkscan.evaluation.score import Score
from inkscan.models.systems import SYSTEMS
from inkscan.runtime.recognizer import Recognizer
from research.marks import marks_of
from research.paper import OFFICIAL_COUNTS
from research.records import MeasuredRow


def measured_rows(
    evaluation: Evaluation, recognizer: Recognizer, command: str, *, extra_data: bool = False
) -> list[MeasuredRow]:
    """A row for each family; a set that is not whole is refused, and so is more than one model."""
    name, count = evaluation.dataset.name, evaluation.report.count
    if len(recognizer.members) != 1:
        raise BadRequest("the paper's tables are of single models")
    info = recognizer.members[0].info
    if info.system not in SYSTEMS:
        raise BadRequest(f"there is no system {info.system!r}, so no table has a place for it")
    if evaluation.dataset.condition:
        raise BadRequest("the paper's tables are of ink as it was written, from which nothing was learnt")
    official = OFFICIAL_COUNTS.get(name)
    if official is not None and count != official:
        raise BadRequest(
            f"{name} has {official} expressions but {count} were scored; only the whole set is recorded"
        )
    if count == 0:
        raise BadRequest("no expressions were scored, so there is nothing to record")
    marks = marks_of(info, recognizer.settings, extra_data=extra_data)
    seed = info.provenance.get("recipe", {}).get("seed")

    def row(family: str, score: Score) -> MeasuredRow:
        rates = {name: round(found.value, 2) for name, found in score.estimates.items() if found}
        return MeasuredRow(
            system=info.system,
            dataset=name,
            family=family,
            count=count,
            exp_rate=rates["exp_rate"],
            le1=rates["le1"],
            le2=rates["le2"],
            le3=rates["le3"],
            stru_rate=rates.get("stru_rate"),
            date=date.today().isoformat(),
            command=command,
            fingerprint=evaluation.dataset.metadata.fingerprint,
            model=info.name,
            marks=marks,
            seed=seed,
        )

    return [row("token", evaluation.report.token), row("symlg", evaluation.report.symlg)]
