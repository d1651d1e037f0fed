"""Terminal output in Portuguese and Chinese has no raw English ids."""

import re
from argparse import Namespace

import pytest
from tests.often import often

from selo.cli.commands.law import law_divergences

#: One case of each game with bets, as it is typed.
CASES = {
    "bacara": ("--player", "KH,QS,9D", "--banker", "2H,3S", "--bet", "player:100"),
    "fish-prawn-crab": ("--throw", "fish,fish,crab", "--bet", "figure=fish:100"),
    "three-card-baccarat": (
        "--banker", "KH,QS,9D", "--seat", "1=KC,QD,JH", "--bet", "beat-banker@1:101",
    ),
    "craps": ("--throw", "3,4", "--bet", "pass-line:100"),
}  # fmt: skip
GAMES = (*CASES, "fortune-three-card-poker", "pai-kao")
#: Games whose plan is made in a second.
QUICK = ("fish-prawn-crab", "pai-kao")
#: Provisions, open points with their readings, our own statements, digests, options, files.
ALLOWED = re.compile(
    r"(?:portaria|despacho)-[\w/-]+|\d+-(?:\d+-m|2\d{3})-[\w=-]+|\d+-\d{4}-[\w=-]+"
    r"|bacara-drawing-rule/[\w-]+|[0-9a-f]{64}|--[\w-]+|\w+\.(?:yaml|json)|selo \w+"
)
#: Words that the law itself prints in English, or that both languages use.
LOAN_WORDS = {"jackpot", "croupier", "shoe", "total", "craps", "id", "bits", "bet", "draw"}
WORD = re.compile(r"(?<![\w-])[a-z][a-z-]*(?![\w-])")
IDENTIFIER = re.compile(r"(?<![\w’'-])[a-z]+(?:[-_][a-z]+)+(?![\w-])")


def english_ids(law):
    """Return every id of a game, a bet and a value of the law files that is an English word."""
    from selo.rules.checks import list_games  # noqa: PLC0415 - slow to import
    from selo.rules.readings import Readings  # noqa: PLC0415 - slow to import
    from selo.rules.settlement import Game, compile_game  # noqa: PLC0415 - slow to import

    found = set(list_games(law))
    for name in list_games(law):
        game = compile_game(law, name, Readings(law, {}))
        if name in CASES:
            found |= set((game if isinstance(game, Game) else game.game).bets)
    found |= {"fish", "prawn", "gourd", "coin", "crab", "rooster", "red", "green", "blue", "flat"}
    found |= {"dice", "throws", "figures", "colours", "numbers", "lying", "banker", "player"}
    found |= {"outcome", "stake", "place", "persons", "repetition", "order", "names", "additions"}
    return found - LOAN_WORDS


def raw_words(text, ids):
    """Return the English ids in `text`; lines that quote the law are left out."""
    words = set()
    for line in text.splitlines():
        bare = re.sub("«[^»]*»|“[^”]*”|「[^」]*」", "", ALLOWED.sub("", line))
        words |= set(IDENTIFIER.findall(bare))
        words |= ids & set(WORD.findall(bare))
    return {word for word in words if word not in LOAN_WORDS and not is_portuguese(word)}


def is_portuguese(word):
    # Verbs with a pronoun, such as «liquidam-se», are not ids.
    return re.search(r"-(?:se|lo|la|os|as|lhe|o|a|me|no|na)$", word) is not None


@pytest.fixture(scope="module")
def ids(law):
    return english_ids(law)


def quoted_law(law):
    return {
        line.strip()
        for located in law.provisions.values()
        for words in (located.provision.text.pt, located.provision.text.zh)
        if words
        for line in words.splitlines()
    }


@pytest.mark.parametrize("language", ["pt", "zh"])
@pytest.mark.parametrize("game", CASES)
def test_an_explanation_has_no_raw_ids(selo, law, ids, game, language):
    done = selo("explain", game, *CASES[game], "--lang", language, environment={"COLUMNS": "2000"})

    quoted = quoted_law(law)
    own = "\n".join(line for line in done.stdout.splitlines() if line.strip() not in quoted)
    assert done.returncode == 0, done.stderr
    assert raw_words(own, ids) == set()


@pytest.mark.parametrize("language", ["pt", "zh"])
@pytest.mark.parametrize(
    "game",
    [game if game in QUICK else pytest.param(game, marks=pytest.mark.full) for game in GAMES],
)
def test_a_plan_has_no_raw_ids(selo, ids, game, language):
    done = selo("plan", "--game", game, "--lang", language, environment={"COLUMNS": "2000"})

    assert done.returncode == 0, done.stderr
    assert raw_words(done.stdout, ids) == set()


@pytest.mark.parametrize("language", ["pt", "zh"])
@pytest.mark.parametrize("game", ["fish-prawn-crab", "craps", "fortune-three-card-poker"])
def test_odds_have_no_raw_ids_and_the_decimal_sign_of_the_language(selo, ids, game, language):
    done = selo("odds", game, "--lang", language, environment={"COLUMNS": "200"})

    assert done.returncode == 0, done.stderr
    assert raw_words(done.stdout, ids) == set()
    assert bool(re.search(r"\d,\d{4}\s%", done.stdout)) == (language == "pt")
    assert bool(re.search(r"\d\.\d", done.stdout)) == (language == "zh")


@pytest.mark.parametrize("language", ["pt", "zh"])
@pytest.mark.parametrize("command", ["readings", "steps"])
@pytest.mark.parametrize("game", often(GAMES, "three-card-baccarat"))
def test_readings_and_steps_have_no_raw_ids(selo, ids, command, game, language):
    done = selo(command, game, "--lang", language, environment={"COLUMNS": "2000"})

    assert done.returncode == 0, done.stderr
    assert raw_words(done.stdout, ids) == set()


@pytest.mark.parametrize("language", ["pt", "zh"])
@pytest.mark.parametrize(
    "provision", ["portaria-21-96-m/5/c", "portaria-22-96-m/8/1", "despacho-2-2009/17/5"]
)
def test_a_provision_is_shown_without_raw_ids(selo, law, ids, provision, language):
    done = selo("law", "show", provision, "--lang", language, environment={"COLUMNS": "2000"})

    quoted = quoted_law(law)
    own = "\n".join(line for line in done.stdout.splitlines() if line.strip() not in quoted)
    assert done.returncode == 0, done.stderr
    assert raw_words(own, ids) == set()


@pytest.mark.full
@pytest.mark.parametrize("language", ["pt", "zh"])
def test_a_point_of_the_register_is_shown_without_raw_ids(law, ids, capsys, language):
    """Of its readings only what can be typed is an id."""
    quoted = quoted_law(law)
    readings = {reading.id for point in law.divergences for reading in point.readings}
    # One of each game and kind of result.
    points = {
        (point.situation.game, result.result): point
        for point in law.divergences
        for result in point.situation.results.values()
    }
    for point in {one.id: one for one in points.values()}.values():
        law_divergences.run(
            Namespace(id=point.id, severity=None, instrument=None, json=False, lang=language)
        )
        lines = []
        for line in capsys.readouterr().out.splitlines():
            first, _, rest = re.sub(
                "[:：]| → ", "\0", line.strip().lstrip("* "), count=1
            ).partition("\0")
            bare = rest if first in readings else line
            names_default = any(
                bare.endswith(f"{mark}{one}") for mark in ": ：" for one in readings
            )
            quotes = {part for quote in point.quotes for part in (quote.pt, quote.zh)}
            if bare.strip() not in quoted | quotes and not names_default:
                lines.append(bare)
        assert raw_words("\n".join(lines), ids) == set(), point.id


@pytest.mark.parametrize(
    "command", [("law", "list"), pytest.param(("law", "divergences"), marks=pytest.mark.full)]
)
def test_chinese_output_has_no_colons_of_another_script(selo, command):
    done = selo(*command, "--lang", "zh", environment={"COLUMNS": "2000"})

    own = [line for line in done.stdout.splitlines() if re.search(r"[\u4e00-\u9fff]: ", line)]
    assert done.returncode == 0, done.stderr
    assert own == []


def test_the_bet_on_the_player_of_bacara_has_its_name(selo):
    done = selo("explain", "bacara", *CASES["bacara"], "--lang", "zh")

    assert "閒家：投注100" in done.stdout
    assert "博彩者：投注" not in done.stdout


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_reconstructed_rules_stand_apart_and_name_the_statement_used(selo, law, language):
    done = selo("explain", "bacara", *CASES["bacara"], "--lang", language)

    statement = next(
        one
        for _, part in law.reconstructions
        if part.reconstructed == "bacara-drawing-rule"
        for one in part.statements
        if one.id == "points"
    )
    banner = {"pt": "RECONSTRUÍDO", "zh": "重建內容"}[language]
    _, after = done.stdout.split(banner)
    assert "bacara-drawing-rule/points" in after
    assert "".join(statement.says.get(language).split()) in "".join(after.split())


def test_a_raw_id_is_found(ids):
    text = "  dice: fish, crab\n  Peixe: liquidam-se\n  every-throw (completo)\n"

    assert raw_words(text, ids) == {"dice", "fish", "crab", "every-throw"}
