"""Spoils law files in many small ways, as a slip of the hand would."""

import random
import re

#: Words of conditions and clauses that a slip may exchange.
EXCHANGES = [
    ("==", "!="), ("<=", "<"), (">=", ">"), ("<=", ">="), ("&&", "||"), ("win", "lose"),
    ("lose", "push"), ("lose", "void"), ("result: lose", "result: stands"), ("over:", "unless:"),
    ("wins:", "loses:"), ("when:", "where:"), ("bet:", "option:"), ("option:", "bet:"),
    ("prize:", "limit:"), ("on:", "prize:"), ("under:", "over:"), ("choice", "choise"),
    ("total", "totals"), ("banker", "bank"), ("player", "players"), ("dice:", "cards:"),
    ("cards:", "dice:"), ("!", ""), ("step: precedes", "step: follows"), ("before:", "after:"),
    ("per: ", "pro: "), ("values: [", "values: [x, "),
]  # fmt: skip
NUMBER = re.compile(r"(?<![\w/.-])\d+(?![\w/-])")
NAME = re.compile(r"(?<=: )[a-z][a-z-]+(?=[,}]|$)")
OPTIONS = ["bank", "packs", "speed"]
TWINS = [("result: lose", "result: win"), ("result: win", "result: lose"), (":1", "7:1")]


class SpoiledRules:
    """The rules of an article file, and one change of them."""

    def __init__(self, text, chance):
        self.lines, self.chance = text.split("\n"), chance
        #: The lines of each clause, from its dash on.
        self.clauses = []
        inside = False
        for at, line in enumerate(self.lines):
            if line.startswith("    rule:"):
                inside = True
            elif inside and line.startswith("      - "):
                self.clauses.append([at, at + 1])
            elif inside and line.startswith("        ") and self.clauses:
                self.clauses[-1][1] = at + 1
            elif inside and not line.startswith("      #"):
                inside = False

    def any_line(self, pattern):
        """Return a line of some clause in which a pattern stands, and one place of it."""
        places = [
            (at, found)
            for start, end in self.clauses
            for at in range(start, end)
            for found in pattern.finditer(self.lines[at])
        ]
        return self.chance.choice(places) if places else (None, None)

    def put(self, at, found, new):
        line = self.lines[at]
        self.lines[at] = line[: found.start()] + new + line[found.end() :]

    def number(self):
        at, found = self.any_line(NUMBER)
        if found:
            self.put(at, found, str(max(0, int(found[0]) + self.chance.choice([-2, -1, 1, 2, 10]))))

    def exchange(self):
        old, new = self.chance.choice(EXCHANGES)
        at, found = self.any_line(re.compile(re.escape(old)))
        if found:
            self.put(at, found, new)

    def name(self):
        names = [name for one in self.lines for name in NAME.findall(one)]
        at, found = self.any_line(NAME)
        if found:
            self.put(at, found, self.chance.choice(names))

    def delete(self):
        if len(self.clauses) > 1:
            start, end = self.chance.choice(self.clauses)
            del self.lines[start:end]

    def double(self):
        start, end = self.chance.choice(self.clauses)
        self.lines[start:start] = self.lines[start:end]

    def twin(self):
        """Write a clause again with another result or prize: a contradiction."""
        start, end = self.chance.choice(self.clauses)
        clause = "\n".join(self.lines[start:end])
        for old, new in TWINS:
            if old in clause:
                self.lines[start:start] = clause.replace(old, new, 1).split("\n")
                return

    def order(self):
        if len(self.clauses) > 1:
            (start, end), (other, last) = sorted(self.chance.sample(self.clauses, 2))
            one, two = self.lines[start:end], self.lines[other:last]
            self.lines[other:last], self.lines[start:end] = one, two

    def option(self):
        start, _ = self.chance.choice(self.clauses)
        self.lines.insert(start, f"      - {{option: {self.chance.choice(OPTIONS)}}}")

    def spoil(self):
        """Return the text with one change, and in which manner; nothing if none was possible."""
        manners = ["number", "exchange", "name", "delete", "double", "twin", "order", "option"]
        manner, before = self.chance.choice(manners), list(self.lines)
        if self.clauses:
            getattr(self, manner)()
        return None if self.lines == before else ("\n".join(self.lines), manner)


def spoilings(folder, count, seed):
    """Yield `count` spoilings of an instrument: the file, its new text, and what was changed."""
    chance = random.Random(f"{folder.name}/{seed}")  # noqa: S311 - it repeats itself on purpose
    files = sorted((folder / "articles").glob("*.yaml"))
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    # Files with more clauses are spoiled more often.
    weights = [len(SpoiledRules(text, chance).clauses) for text in texts.values()]
    done = 0
    while done < count:
        (path,) = chance.choices(files, weights)
        spoiled = SpoiledRules(texts[path], chance).spoil()
        if spoiled is not None:
            done += 1
            yield path, *spoiled
