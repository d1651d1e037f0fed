"""Spoils law files by type: numbers out of range, other names, doubled and missing parts."""

import copy
import random
import re

import yaml

#: Files whose bare numbers are numbers.
TYPED = {"declarations.yaml", "situations.yaml"}
#: Files that are words for people, or made by a command.
PASSED_OVER = {"words.yaml", "order.yaml"}
WHOLE = re.compile(r"-?\d+")
NUMBERS = ["0", "-1", "1", "12", "1000000000", "1.5", "x", ""]


def parts_of(plain, steps=()):
    """Yield the steps to every part of a document below its top."""
    items = plain.items() if isinstance(plain, dict) else enumerate(plain)
    for step, part in items:
        yield (*steps, step)
        if isinstance(part, dict | list):
            yield from parts_of(part, (*steps, step))


class TypedSpoiler:
    """One document, and one change of one of its parts by the type of that part."""

    def __init__(self, plain, chance):
        self.plain, self.chance = copy.deepcopy(plain), chance
        self.parts = list(parts_of(plain))
        self.words = sorted(
            {
                str(part)
                for steps in self.parts
                if not isinstance(part := self.at(steps), dict | list) and " " not in str(part)
            }
        )

    def at(self, steps):
        below = self.plain
        for step in steps:
            below = below[step]
        return below

    def changes_of(self, holder, step):
        part, chance = holder[step], self.chance
        changes = {"taken away": lambda: holder.pop(step)}
        if isinstance(holder, list):
            changes["doubled"] = lambda: holder.insert(step, copy.deepcopy(part))
            changes["other order"] = holder.reverse
        else:
            changes["renamed"] = lambda: holder.update({f"{step}s": holder.pop(step)})
            changes["values exchanged"] = lambda: self.exchange(holder, step)
        if isinstance(part, dict | list):
            changes["emptied"] = part.clear
            changes["another type"] = lambda: holder.__setitem__(step, "x")
        else:
            changes["another value"] = lambda: holder.__setitem__(step, self.another(str(part)))
            changes["another name"] = lambda: holder.__setitem__(step, chance.choice(self.words))
        return changes

    def exchange(self, holder, step):
        other = self.chance.choice(list(holder))
        holder[step], holder[other] = holder[other], holder[step]

    def another(self, part):
        """Return a value of the same type that a slip could write: one number, one word of it."""
        chance = self.chance
        if part in {"true", "false", "yes", "no", "True", "False"}:
            return "false" if part in {"true", "True", "yes"} else "true"
        places = list(WHOLE.finditer(part))
        if places:
            found = chance.choice(places)
            return part[: found.start()] + chance.choice(NUMBERS) + part[found.end() :]
        words = part.split(" ")
        words[chance.randrange(len(words))] = chance.choice(["", "x", *words])
        return " ".join(words)

    def spoil(self):
        """Change one part so that the document is another; return what was done to which."""
        before = copy.deepcopy(self.plain)
        while self.plain == before:
            *above, step = self.chance.choice(self.parts)
            changes = self.changes_of(self.at(above), step)
            what = self.chance.choice(sorted(changes))
            changes[what]()
        return f"{'.'.join(map(str, [*above, step]))}: {what}"


def typed_spoilings(folder, count, seed):
    """Yield `count` spoilings of an instrument: the file, its new text, and what was changed."""
    chance = random.Random(f"{folder.name}/typed/{seed}")  # noqa: S311 - it repeats on purpose
    files = [
        path
        for path in sorted(folder.rglob("*.yaml"))
        if path.name not in PASSED_OVER and "messages" not in path.parts
    ]
    for _ in range(count):
        path = chance.choice(files)
        loader = yaml.CSafeLoader if path.name in TYPED else yaml.CBaseLoader
        plain = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - safe
        what = (spoiler := TypedSpoiler(plain, chance)).spoil()
        yield path, yaml.safe_dump(spoiler.plain, allow_unicode=True, sort_keys=False), what
