"""Work that the tests of a session share, because it follows from a plan or from evidence alone.

Most runs are of the same plans: the rounds of a plan are generated, and the cases that decide each
provision counted, by the first process, and kept in a folder for the others. Many tests ask what
follows from the same evidence and other papers beside it: a process replays it once.
"""

# ruff: noqa: S301, SLF001 - it reads what it wrote, and takes the place of private functions
import hashlib
import os
import pickle

import msgspec

from selo.examine.conclusion import result
from selo.examine.coverage import plan_coverage, unoffered_clauses
from selo.examine.live_rounds import round_plan

#: Papers beside evidence, which say nothing of it.
BESIDE_EVIDENCE = ("result.json", "witness")
#: The evidence of so many runs is remembered.
MOST_REPLAYED = 4


def share(folder, law):
    """Let the first run that needs some work of a plan do it, and the others read its result."""
    count_game, plan_rounds = plan_coverage._count_game, round_plan.scripts_for_offers
    untried = unoffered_clauses._untried_in_game

    def count(own, terms, game):
        alone = [one for one in terms.games if one.game == game]
        key = ["counts", game, msgspec.structs.replace(terms, games=alone)]
        return shared(own, key, lambda: count_game(own, terms, game))

    def plan(own, offers, *, seed, budget):
        offers = list(offers)
        key = ["rounds", offers, seed, budget]
        return shared(own, key, lambda: plan_rounds(own, offers, seed=seed, budget=budget))

    def find_untried(own, terms, planned):
        alone = msgspec.structs.replace(terms, games=[planned])
        return shared(own, ["untried", alone], lambda: list(untried(own, terms, planned)))

    def shared(own, key, make):
        if own is not law:
            return make()
        kept = folder / hashlib.sha256(msgspec.json.encode(key, order="sorted")).hexdigest()
        if not kept.exists():
            unfinished = kept.with_suffix(f".{os.getpid()}")
            unfinished.write_bytes(pickle.dumps(make()))
            unfinished.replace(kept)
        return pickle.loads(kept.read_bytes())

    plan_coverage._count_game, round_plan.scripts_for_offers = count, plan
    unoffered_clauses._untried_in_game = find_untried


def share_replays():
    """Let a process replay the same evidence once, byte for byte the same, by the same law."""
    result.replay_evidence = _remembered(
        result.replay_evidence,
        lambda known, folder: msgspec.structs.replace(known, folder=folder),
    )
    result.read_draws = _remembered(result.read_draws, lambda known, _: known)


def _remembered(work, moved):
    known = {}

    def recall(folder, law, *others):
        key = id(law), _digest_evidence(folder)
        if key not in known:
            if len(known) == MOST_REPLAYED:
                del known[next(iter(known))]
            # The law is kept, too, so that its identity is not given to another.
            known[key] = law, work(folder, law, *others)
        return moved(known[key][1], folder)

    return recall


def _digest_evidence(folder):
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if not path.name.startswith(BESIDE_EVIDENCE):
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
