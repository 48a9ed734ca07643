"""Exported models: the folder's layout, its check by hash, and the weights that come with the package."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from inkscan.errors import DamagedModel, InkscanError, UnknownModel
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.calibration import Calibration
from inkscan.runtime.contract import Contract, Look
from inkscan.runtime.graph_file import check_graph

FORMAT = "inkscan-model-1"
MODEL_JSON, ENCODER, STEP, CARD = "model.json", "encoder.onnx", "step.onnx", "card.md"
CLASSIFIER_JSON, CLASSIFIER_GRAPH = "classifier.json", "classifier.onnx"
LANGUAGE_GRAPH = "language.onnx"  # in a classifier's folder, if it has one
WEIGHTS = Path(__file__).parent / "weights"
DEFAULT = "onscan-wide"
SECOND = "mmscan-wide"  # asked where the default is in doubt
CLASSIFIER = "symbols-wide"  # tells what single symbols look like; with a language model beside it
MAX_JSON_BYTES = 16_000_000  # the largest vocabulary takes 100 kB
MAX_GRAPH_BYTES = 1_000_000_000
_VIEWS = frozenset({"points", "on-strokes", "pixels", "off-strokes"})
_REGRESSIONS = ("expression", "without_lead", "symbol")  # of a calibration
_KINDS: Mapping[type, tuple[str, ...]] = {
    str: ("name", "system", "licence"),
    bool: ("online", "offline", "reading_order"),
    dict: ("sizes", "provenance", "sha256", "summary"),
}


@dataclass(frozen=True)
class ModelInfo:
    """model.json: all that is known of an exported model beside its graphs."""

    name: str
    system: str
    views: tuple[str, ...]  # what each attention looks at: points, on-strokes, pixels or off-strokes
    online: bool
    offline: bool
    vocabulary: Vocabulary
    features: FeatureSettings
    sizes: Mapping[str, Any]
    provenance: Mapping[str, Any]
    licence: str
    sha256: Mapping[str, str]  # of each file of the folder
    calibration: Calibration | None = None
    length_power: float = 0.0
    reading_order: bool = False  # trained on ink in reading order too, so that it may be read in other orders
    summary: Mapping[str, Any] = field(default_factory=dict)  # measured results, for lists of models
    looks: tuple[Look, ...] = ()  # where the decoder attends; where none are given, one look at each view

    @property
    def contract(self) -> Contract:
        """What its graphs take and give."""
        looks = self.looks or tuple(map(Look, range(len(self.views))))
        return Contract(self.online, self.offline, len(self.vocabulary), looks)

    @property
    def variant(self) -> str:
        """What the model has, or was trained with, other than the paper's system of its name."""
        context = "stroke context" if self.sizes.get("context_layers") else ""
        paper = self.features.image_height >= 28 and self.sizes.get("offline_layers", 16) >= 16
        images = "" if paper or not self.offline else "smaller image branch"
        banks = self.provenance.get("bank") or self.provenance.get("init_bank")
        return ", ".join(filter(None, (context, images, "extra symbols" if banks else "")))

    def to_json(self) -> str:
        values = {"format": FORMAT} | {name: getattr(self, name) for name in self.__dataclass_fields__}
        values["vocabulary"] = list(self.vocabulary.tokens)
        values["features"] = asdict(self.features)
        values["calibration"] = None if self.calibration is None else asdict(self.calibration)
        values["looks"] = [asdict(look) for look in self.looks]
        return json.dumps(values, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> ModelInfo:
        """What `to_json` wrote; anything else is refused."""
        try:
            values = json.loads(text)
            if not isinstance(values, dict) or values.pop("format", None) != FORMAT:
                raise DamagedModel(
                    f"model.json is not of the format {FORMAT}; export the model with this inkscan"
                )
            calibration = values["calibration"]
            if calibration is not None:
                weights = {name: tuple(map(float, calibration[name])) for name in _REGRESSIONS}
                calibration = Calibration(**{**calibration, **weights})
            info = cls(**{
                **values,
                "views": tuple(values["views"]),
                "vocabulary": Vocabulary(tuple(values["vocabulary"])),
                "features": FeatureSettings(**values["features"]),
                "calibration": calibration,
                "looks": tuple(Look(**look) for look in values.get("looks", ())),
            })  # fmt: skip
            info._check()
            return info
        except DamagedModel:
            raise
        except (
            InkscanError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            OverflowError,
            RecursionError,
        ) as error:
            raise DamagedModel(f"model.json is damaged or of another version: {error}") from error

    def _check(self) -> None:
        for kind, names in _KINDS.items():
            for name in names:
                if not isinstance(value := getattr(self, name), kind):
                    raise TypeError(f"{name} cannot be {value!r}")
        if not all(isinstance(token, str) for token in self.vocabulary.tokens):
            raise TypeError("a vocabulary is a list of texts")
        if not _VIEWS.issuperset(self.views) or not 0 <= self.length_power <= 2:
            raise ValueError(f"views={self.views}, length_power={self.length_power}")
        if len(self.contract.views) != len(self.views):
            raise ValueError(f"views={self.views}, looks={self.looks}")


@dataclass(frozen=True)
class ExportedModel:
    """A folder's content after its check."""

    info: ModelInfo
    encoder: bytes
    step: bytes


def read_info(folder: Path) -> ModelInfo:
    """What an exported model says of itself; its graphs are not looked at."""
    made_by = f"`inkscan export CHECKPOINT -o {folder}` makes a model"
    return ModelInfo.from_json(read_description(folder / MODEL_JSON, made_by))


def read_description(path: Path, made_by: str) -> str:
    """The text of the file that describes a folder; `made_by` tells who has none how to get one."""
    if not path.is_file():
        raise UnknownModel(f"{path.parent} holds no {path.name}; {made_by}")
    try:
        return _limited_content(path, MAX_JSON_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedModel(f"{path} is not UTF-8 text; copy or export it again") from error


def read_model(folder: Path) -> ExportedModel:
    """Read an exported model and verify its files against model.json."""
    info = read_info(folder)
    encoder, step = (verified_content(folder / name, info.sha256.get(name, "")) for name in (ENCODER, STEP))
    _check_roles(encoder, step, folder)
    return ExportedModel(info, encoder, step)


def _check_roles(encoder: bytes, step: bytes, folder: Path) -> None:
    """Graphs hold what export writes, and neither stands in the other's place."""
    names = {name: check_graph(graph, name) for name, graph in ((ENCODER, encoder), (STEP, step))}
    if "log_probs" not in names[STEP].outputs or "log_probs" in names[ENCODER].outputs:
        raise DamagedModel(
            f"{folder}: {ENCODER} and {STEP} are not the graphs of these names; export the model again"
        )


def _limited_content(path: Path, most: int) -> bytes:
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise DamagedModel(f"{path} has more than {most} bytes, the limit for such a file")
    return content


def verified_content(path: Path, sha256: str, description: str = MODEL_JSON) -> bytes:
    """A file's bytes, if they are those whose hash the folder's description has."""
    if not path.is_file():
        raise DamagedModel(f"{path} is missing; copy or export the model again")
    content = _limited_content(path, MAX_GRAPH_BYTES)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise DamagedModel(
            f"{path} is not the file that {description} describes (its SHA-256 differs): damaged, cut or "
            "from another model; copy or export the whole folder again"
        )
    return content


def bundled_models() -> dict[str, Path]:
    """The models that come with the package, by name."""
    if not WEIGHTS.is_dir():
        return {}
    return {path.name: path for path in sorted(WEIGHTS.iterdir()) if (path / MODEL_JSON).is_file()}


def find_model(name: str | Path | None = None) -> Path:
    """The folder of a bundled model's name, or the folder given; the default without a name."""
    bundled = bundled_models()
    if name is None:
        name = DEFAULT
    if str(name) in bundled:
        return bundled[str(name)]
    folder = Path(name)
    if folder.is_dir():
        return folder
    known = f"bundled are {', '.join(bundled)}" if bundled else "this installation comes without weights"
    raise UnknownModel(
        f"there is no model {str(name)!r}: {known}; give one of them or the folder of an exported model "
        "(`inkscan export CHECKPOINT -o FOLDER`)"
    )


@dataclass(frozen=True)
class ModelFolders:
    """The models of a recogniser: those that decide together, the one that they ask in doubt, and the classifier of
    single symbols that weighs their answers, if there are any."""

    together: tuple[Path, ...]
    second: Path | None = None
    classifier: Path | None = None


def find_models(names: Sequence[str | Path], classifier: str | Path | None = None) -> ModelFolders:
    """The folders of models by name or path; without any the default, which has a second and a classifier where they
    are installed."""
    weigher = None if classifier is None else find_classifier(classifier)
    if names:
        return ModelFolders(tuple(map(find_model, names)), classifier=weigher)
    return ModelFolders((find_model(),), bundled_models().get(SECOND), weigher or bundled_classifier())


def bundled_classifier() -> Path | None:
    """The folder of the classifier that comes with the package, if it does."""
    folder = WEIGHTS / CLASSIFIER
    return folder if (folder / CLASSIFIER_JSON).is_file() else None


def find_classifier(name: str | Path) -> Path:
    """The folder of the bundled classifier, by its name, or the folder given."""
    folder = WEIGHTS / CLASSIFIER if str(name) == CLASSIFIER else Path(name)
    if not folder.is_dir():
        raise UnknownModel(
            f"there is no classifier {str(name)!r}: give {CLASSIFIER}, if it is installed, or the folder of one "
            "(`inkscan classifier` makes it)"
        )
    return folder
