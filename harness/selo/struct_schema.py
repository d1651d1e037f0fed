"""JSON Schemas of structs, with definitions under the names that were published for them.

A class can be renamed without changing a schema that others rely on: its published name stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Where definitions stand in a schema.
_DEFINITIONS: Final = "#/$defs/{name}"
#: The suffix of every type that ``--json`` prints; published names do without.
_OUTPUT_SUFFIX: Final = "Output"
#: Classes whose schema was published under another name.
_PUBLISHED_NAMES: Final = {
    "AdoptedReading": "Adopted",
    "AlterationSign": "Sign",
    "ArticleRecord": "Article",
    "AttachedForms": "Witnessed",
    "CaseSheet": "Sheet",
    "CategoryFrequency": "Frequency",
    "ChangedVerdict": "Changed",
    "CheckState": "State",
    "CheckedForm": "Checked",
    "ConcordanceVocabulary": "Vocabulary",
    "Confidence": "Sure",
    "CountRecord": "Count",
    "CoverageRow": "Row",
    "DatesRecord": "Dates",
    "DivergenceKind": "Kind",
    "DivergingDeclaration": "Parting",
    "DoctorState": "State",
    "DocumentKind": "Kind",
    "DossierSignatory": "Signatory",
    "DrawForecast": "Foreseen",
    "DrawResult": "Judged",
    "DrawStatistic": "Statistic",
    "EntryState": "State",
    "EntryTrust": "Signed",
    "EventOrigin": "By",
    "EvidenceSummary": "Whole",
    "ExaminationResult": "Outcome",
    "ExplainedDifference": "Explained",
    "FaultState": "State",
    "FileRecord": "File",
    "FindingGround": "Ground",
    "FindingOrigin": "Origin",
    "FlawWeight": "Weight",
    "FormEntry": "Entry",
    "FrequencyRecord": "Frequency",
    "GameRecord": "Game",
    "GateSettings": "Gate",
    "GrantedPermission": "Permitted",
    "GroundRecord": "Ground",
    "GroupRecord": "Group",
    "HelpEntry": "Entry",
    "HelpExample": "Example",
    "HouseEdge": "Edge",
    "InclusionProof": "Proof",
    "InspectedItem": "Item",
    "ItemRecord": "Item",
    "JudgedEntry": "Judged",
    "KillScore": "Kills",
    "LedgerRow": "Row",
    "LimitSettings": "Limits",
    "MethodCounts": "Counted",
    "MissingOffer": "Lacking",
    "MissingRequirement": "Missing",
    "OfferLine": "Said",
    "OfferedGameRecord": "OfferedGame",
    "OpenPoint": "Open",
    "OverallConclusion": "Conclusion",
    "PermissionStatus": "Standing",
    "PermittedProduct": "Product",
    "ProductPart": "Part",
    "ProvisionRecord": "Provision",
    "ReadingAdherence": "Followed",
    "ReceivedItem": "Received",
    "RulingSource": "Source",
    "SituationCase": "Case",
    "SituationResult": "Result",
    "SmokeState": "State",
    "StatementRecord": "Statement",
    "StatisticRecord": "Statistic",
    "UnrequestedFindings": "Outside",
    "ValueKind": "Kind",
    "VectorGame": "Game",
    "VerdictPart": "Part",
    "VerdictReason": "Reason",
    "VerdictSummary": "Summary",
    "WaivedFailure": "Waived",
    "WayResult": "Looked",
    "WitnessAnswer": "Met",
}


def schema_components(
    types: Iterable[Any], *, ref_template: str = _DEFINITIONS
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the schemas of `types` and their definitions, under published names."""
    bodies, definitions = msgspec.json.schema_components(list(types), ref_template=ref_template)
    places = {
        ref_template.format(name=name): ref_template.format(name=_published_name(name))
        for name in definitions
    }

    def rename(value: Any) -> Any:
        if isinstance(value, list):
            return [rename(item) for item in value]
        if not isinstance(value, dict):
            return value
        renamed = {key: rename(item) for key, item in value.items()}
        if isinstance(renamed.get("$ref"), str):
            renamed["$ref"] = places.get(renamed["$ref"], renamed["$ref"])
        if isinstance(renamed.get("title"), str):
            renamed["title"] = _published_name(renamed["title"])
        mapping = renamed.get("mapping")
        if isinstance(mapping, dict):
            renamed["mapping"] = {key: places.get(place, place) for key, place in mapping.items()}
        return renamed

    named = {_published_name(name): rename(body) for name, body in definitions.items()}
    return [rename(body) for body in bodies], named


def struct_schema(shape: Any) -> dict[str, Any]:
    """Return the schema of one type with its definitions inside."""
    (body,), definitions = schema_components([shape])
    return {**body, "$defs": definitions} if definitions else body


def _published_name(name: str) -> str:
    return _PUBLISHED_NAMES.get(name, name.removesuffix(_OUTPUT_SUFFIX))
