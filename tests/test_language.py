"""The texts of the interface: translations are complete, faults are told, and no word stands anywhere else."""

import ast
import io
import re
import subprocess
from pathlib import Path

import pytest
from vms import compiled

from host_tools import interface
from host_tools.errors import CommandError
from host_tools.firmware import FIRMWARE, LANGUAGES, folded_modules, sources
from tableside.ui import attack_flow, campaign_texts, language, settings_texts, texts
from tableside.ui.failures import words
from tableside.ui.widgets import BIG_COLUMNS, COLUMNS, fits

TRANSLATIONS = sorted((FIRMWARE / LANGUAGES).glob("*.toml"))
GERMAN = FIRMWARE / LANGUAGES / "de.toml"


@pytest.fixture(scope="module")
def english() -> dict[interface.Id, interface.Text]:
    return interface.english(sources())


@pytest.mark.parametrize("file", TRANSLATIONS, ids=lambda file: file.stem)
def test_a_translation_is_complete(file: Path, english: dict[interface.Id, interface.Text]) -> None:
    name, there = interface.translate(file, english)
    assert name and list(there) == list(english)


@pytest.mark.parametrize(("old", "new", "fault"), [
    ('RESUME = "Weiter"\n', "", "texts.RESUME: is missing"),
    ("%d Befehle", "Befehle", "must have the fields of '%d commands'"),
    ("Neues Spiel", "Новая", "the device cannot draw 'Н'"),
    ('"Widerstand", "Schutzwurf",', '"Widerstand",', "must be a list"),
    ('contrast = "Helligkeit"', 'kontrast = "Helligkeit"', "'contrast' is missing"),
    ("[settings_texts.VALUES]\n", '[settings_texts.VALUES]\nnothing = ["a"]\n', "VALUES.nothing: there is no such"),
    ("[campaign_texts]\n", '[campaign_texts]\nNOTHING = "x"\n', "campaign_texts.NOTHING: there is no such text"),
    ('name = "Deutsch"', "", "needs name"),
    ('miss = "fehl"', 'miss = "' + "x" * 160 + '"', "too long: 'miss'"),
    ('OPEN = "öffnen"', 'OPEN = ""', "texts.OPEN: ''"),
])
def test_faults_of_a_translation(old: str, new: str, fault: str, tmp_path: Path,
                                 english: dict[interface.Id, interface.Text]) -> None:
    source = GERMAN.read_text()
    assert old in source
    file = tmp_path / "de.toml"
    file.write_text(source.replace(old, new, 1))
    with pytest.raises(CommandError, match=re.escape(fault)):
        interface.translate(file, english)


@pytest.mark.parametrize("file", TRANSLATIONS, ids=lambda file: file.stem)
def test_words_have_the_room_that_they_need(file: Path, english: dict[interface.Id, interface.Text]) -> None:
    """What stands in a line of its own or beside something: never longer than that, or than English is there."""
    _, there = interface.translate(file, english)
    long = []
    for key, text in there.items():
        old, name = english[key], str(key)
        if isinstance(text, dict):
            most = {"stage_words._BINS": 7, "stage_words._NUMBERS": 15, "settings_texts.NAMES": BIG_COLUMNS,
                    "stage_words._WORDS": COLUMNS}.get(name, 3 * COLUMNS)
            long += [f"{name}.{one}" for one, word in text.items() if len(word) > most]
        elif isinstance(text, str):
            rows = next(rows for rows in (1, 2, 3, 6) if fits(str(old), rows))
            long += [name] if not fits(text, rows) else []
        else:
            long += [f"{name}: {word}" for word in text if len(word) > COLUMNS + 3]
    assert not long, long


@pytest.mark.parametrize("file", TRANSLATIONS, ids=lambda file: file.stem)
def test_no_word_that_is_to_be_capital_begins_with_a_letter_that_micropython_leaves_small(
        file: Path, english: dict[interface.Id, interface.Text]) -> None:
    _, there = interface.translate(file, english)
    tables = [text for key, text in there.items() if str(key).startswith("stage_words") and isinstance(text, dict)]
    assert [word for table in tables for word in table.values() if ord(word[0]) > 127] == []


def test_errors_that_are_translated_are_those_of_the_core(english: dict[interface.Id, interface.Text]) -> None:
    _, there = interface.translate(GERMAN, english)
    errors = next(text for key, text in there.items() if str(key) == "errors._WORDS")
    core = "\n".join(source for name, source in sources().items() if name.startswith("tableside."))
    assert [code for code in errors if f'"{code}"' not in core] == []


# --- in use ------------------------------------------------------------------------------------------------------


def test_texts_follow_the_language_and_come_back() -> None:
    data = interface.languages(sources(), FIRMWARE / LANGUAGES)
    before = texts.HISTORY, texts.UNIT_NUMBERS, texts.OS_ERRORS, settings_texts.VALUES["turn"], campaign_texts.OVER
    try:
        language.use(io.BytesIO(data["de"]))
        assert (texts.HISTORY, texts.UNIT_NUMBERS[0], settings_texts.VALUES["turn"]) == ("Verlauf", "Modelle",
                                                                                       ("nein", "ja"))
        assert words(OSError(28)) == "Speicher voll (28)" and attack_flow.title("miss") == "Daneben"
        with pytest.raises(language.LanguageError):
            language.use(io.BytesIO(data["de"][:9]))
        assert texts.HISTORY == "Verlauf"
    finally:
        language.use(None)
    after = texts.HISTORY, texts.UNIT_NUMBERS, texts.OS_ERRORS, settings_texts.VALUES["turn"], campaign_texts.OVER
    assert before == after
    assert language.name(io.BytesIO(data["de"])) == "Deutsch"


def test_a_compiled_firmware_reads_what_the_sources_say(micropython: str, tmp_path: Path,
                                                        english: dict[interface.Id, interface.Text]) -> None:
    """Every text by its number, in every language, on MicroPython; and a file of another version is refused."""
    folder = compiled(tmp_path)
    (folder / "other.tsl").write_bytes(interface.encode("x", dict(list(english.items())[:5])))
    program = """
import sys
from tableside.ui import language as l
for code in sys.argv[1:]:
    file = open("languages/" + code + ".tsl", "rb")
    texts = len(l.head(file)) - 1
    file.seek(0)
    l.use(file)
    for n in range(2, texts):
        print(repr(l.spoken(n)))
    print(repr(l.Row(ROW)[1]), repr(l.Table(TABLE).get("28")), repr(l.Table(TABLE).get("29", "-")))
try:
    l.use(open("other.tsl", "rb"))
except l.LanguageError as error:
    print(error)
""".replace("ROW", str(_number(english, "UNIT_NUMBERS"))).replace("TABLE", str(_number(english, "OS_ERRORS")))
    (folder / "program.py").write_text(program)
    codes = [interface.ENGLISH, *(file.stem for file in TRANSLATIONS)]
    done = subprocess.run([micropython, "program.py", *codes], cwd=folder, capture_output=True, encoding="utf-8",
                          env={"MICROPYPATH": str(folder)}, timeout=60, check=True)
    lines = [ast.literal_eval(line) if line[0] in "'\"" and line.count("'") == 2 else line
             for line in done.stdout.splitlines()]
    assert lines[-1] == "language of another version"
    for code in codes:
        there = english if code == interface.ENGLISH else interface.translate(FIRMWARE / LANGUAGES / f"{code}.toml",
                                                                              english)[1]
        assert {text for text in there.values() if isinstance(text, str) and text.isalpha()} <= set(lines)


def _number(english: dict[interface.Id, interface.Text], name: str) -> int:
    return [key.name for key in english].index(name) + 2


def test_no_text_is_left_in_a_compiled_firmware(english: dict[interface.Id, interface.Text]) -> None:
    code = "\n".join(folded_modules().values())
    found = {node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)}
    long = {text for text in english.values() if isinstance(text, str) and " " in text}
    assert len(long) > 50 and not long & found


# --- no words anywhere else --------------------------------------------------------------------------------------

DRAWS = {"text", "right", "status", "hint", "paragraph", "tell", "say", "ask", "Sure", "pages", "append", "toast"}
# What is no word of a language: keys, units, the name of what reads the numbers.
ALLOWED = {"OK", "BACK", "UP", "DOWN", "min", "s", "d", "V", "KB", "MB", "KiB", "x", "R", "kB"}


def drawn_words(source: str) -> list[str]:
    """Words in literals that a module of the interface draws: arguments of what draws, titles, parts of rows."""
    found = []
    for node in ast.walk(ast.parse(source)):
        literals: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            literals = list(node.args) if name in DRAWS else []
        elif isinstance(node, ast.Assign) and any(
                getattr(target, "attr", getattr(target, "id", "")) in ("title", "verb", "leave", "toast")
                for target in node.targets):
            literals = [node.value]
        keys = {id(key.slice) for literal in literals for key in ast.walk(literal) if isinstance(key, ast.Subscript)}
        for literal in literals:
            for part in ast.walk(literal):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in keys:
                    text = re.sub(r"%\d*[sdrx]|\b[a-z_]+\.[A-Z]\w+", " ", part.value)
                    found += [word for word in re.findall(r"[^\W\d_]+", text) if word not in ALLOWED]
    return found


def test_every_word_that_is_drawn_is_a_text() -> None:
    wrong = {name: drawn_words(source) for name, source in sources().items()
             if name.startswith("tableside.ui.") and not name.endswith("texts")}
    assert {name: found for name, found in wrong.items() if found} == {}
    assert drawn_words('hint(canvas, "OK go")\nclass A:\n    title = "Here"') == ["go", "Here"]
