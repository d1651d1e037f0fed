"""A vendor need not tell an optional field; the provision that needs it is then not examined."""

import msgspec

from selo.examine.conclusion.result import ExaminationResult
from selo.verdict.observations import MissingOffer, NotOffered

PROVISION = "portaria-21-96-m/3/a"
VENDOR = '''
import runpy

reference = runpy.run_path({reference!r})


class Quiet(reference["ReferenceVendor"]):
    """Does not tell how the opening was called."""

    def table_act(self, params):
        result = super().table_act(params)
        for event in result["events"]:
            event.pop("sound", None)
        return result


vendor = Quiet(["fish-prawn-crab"])
'''


def test_a_provision_that_needs_what_is_not_told_is_not_examined(selo, law, root, tmp_path):
    adapter = tmp_path / "quiet.py"
    reference = str(root / "fixtures/adapters/python/reference.py")
    adapter.write_text(VENDOR.format(reference=reference))
    rulings = [
        f"--ruling={one.id}={one.default}" for one in law.divergences if PROVISION in one.provisions
    ]

    selo(
        "examine", "--vendor", f"{adapter}:vendor", "--provision", PROVISION, *rulings,
        "--out", str(tmp_path / "run"),
    )  # fmt: skip

    result = msgspec.json.decode(
        (tmp_path / "run/result.json").read_bytes(), type=ExaminationResult
    )
    (verdict,) = [one for one in result.summary.provisions if one.provision == PROVISION]
    untold = MissingOffer(kind=NotOffered.UNTOLD, name="call-open", value="sound")
    assert (verdict.result, verdict.reason, result.findings) == ("not-examined", "not-offered", [])
    assert verdict.not_offered == (untold,)
