"""The stand-ins for the device's modules against MicroPython's own stubs, and what the firmware asks of `machine`."""

import ast
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAKES = ROOT / "host_tools" / "sim" / "device"
STUBS = Path(sysconfig.get_path("purelib"))
SOURCES = sorted((ROOT / "firmware" / "tableside").rglob("*.py")) + [ROOT / "firmware" / "main.py"]


def parts(path: Path) -> dict[str, list[ast.stmt]]:
    """The body of a module, as "", and of its classes."""
    module = ast.parse(path.read_text())
    return {"": module.body, **{item.name: item.body for item in module.body if isinstance(item, ast.ClassDef)}}


def functions(body: list[ast.stmt]) -> dict[str, list[ast.arguments]]:
    """All signatures of a module or class, by name."""
    found: dict[str, list[ast.arguments]] = {}
    for item in body:
        if isinstance(item, ast.FunctionDef):
            found.setdefault(item.name, []).append(item.args)
    return found


def constants(body: list[ast.stmt]) -> set[str]:
    targets: list[ast.expr] = [t for item in body if isinstance(item, ast.Assign) for t in item.targets]
    targets += [item.target for item in body if isinstance(item, ast.AnnAssign)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def fits(fake: ast.arguments, real: ast.arguments) -> bool:
    """Whether whatever the fake takes, the real one takes: the same places, and no other keywords."""
    places = [arg.arg for arg in fake.posonlyargs + fake.args]
    real_places = [arg.arg for arg in real.posonlyargs + real.args]
    keywords = {arg.arg for arg in fake.kwonlyargs}
    named = {arg.arg for arg in real.kwonlyargs + real.args}
    return places == real_places[: len(places)] and keywords <= named and (
        fake.vararg is None or len(real_places) > len(places))


@pytest.mark.parametrize("name", ["machine", "framebuf"])
def test_a_stand_in_has_only_what_the_pico_has(name: str) -> None:
    real, fake = parts(STUBS / f"{name}.pyi"), parts(FAKES / f"{name}.py")
    assert set(fake) <= set(real)
    for part, body in fake.items():
        signatures = functions(real[part])
        for method, (arguments,) in functions(body).items():
            if method.startswith("_") and method != "__init__":
                continue
            assert method in signatures, f"{name}.{part}.{method} does not exist on the Pico"
            assert any(fits(arguments, other) for other in signatures[method]), (
                f"{name}.{part}.{method}({ast.unparse(arguments)}) is not how the Pico has it: "
                + " | ".join(ast.unparse(other) for other in signatures[method]))
        public = {constant for constant in constants(body) if not constant.startswith("_")}
        assert public <= constants(real[part]), f"{name}.{part}: {public - constants(real[part])} is not on the Pico"


def test_the_clock_has_only_what_the_pico_has() -> None:
    names = {"sleep", "sleep_ms", "sleep_us", "ticks_add", "ticks_diff", "ticks_ms", "ticks_us"}
    real, fake = functions(parts(STUBS / "time.pyi")[""]), functions(parts(FAKES / "host.py")[""])
    for name in names:
        assert any(len(other.posonlyargs + other.args) == len(fake[name][0].args) for other in real[name]), name


def uses(path: Path) -> Iterator[tuple[str, ast.Call | None]]:
    """Every dotted name that begins with `machine.` or with a class of it, and how it is called."""
    tree = ast.parse(path.read_text())
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node).startswith("machine."):
            yield ast.unparse(node).removeprefix("machine."), calls.get(id(node))


def takes(signature: ast.arguments, call: ast.Call, skip_self: bool) -> bool:
    """Whether a call fits a signature."""
    names = [arg.arg for arg in signature.posonlyargs + signature.args][skip_self:]
    keywords = {keyword.arg for keyword in call.keywords}
    needed = names[: len(names) - len(signature.defaults)]
    given = {*names[: len(call.args)], *keywords}
    kwonly = {arg.arg for arg in signature.kwonlyargs}
    missing = {arg.arg for arg, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if not default}
    return (keywords <= {*names, *kwonly} and {*needed, *missing} <= given
            and (len(call.args) <= len(names) or signature.vararg is not None))


def fault(real: dict[str, list[ast.stmt]], name: str, call: ast.Call | None) -> str:
    """What is wrong with a use of `machine`, or "". """
    first, _, rest = name.partition(".")
    if first in real:  # a class, or what it has
        signatures = functions(real[first]).get(rest or "__init__", [])
        if not signatures and rest not in constants(real[first]):
            return f"{name} does not exist"
    else:
        signatures = functions(real[""]).get(first, [])
        if not signatures and first not in constants(real[""]):
            return f"{name} does not exist"
    if call is not None and not any(takes(signature, call, first in real) for signature in signatures):
        return f"{ast.unparse(call)} is not how it is called"
    return ""


@pytest.mark.parametrize("folder", [STUBS, FAKES])
def test_what_the_firmware_asks_of_machine_is_there(folder: Path) -> None:
    real = parts(next(path for path in (folder / "machine.pyi", folder / "machine.py") if path.exists()))
    found = [(path.name, name, call) for path in SOURCES for name, call in uses(path)]
    assert {"I2C", "SPI", "Pin", "PWM", "ADC", "idle", "unique_id"} <= {name for _, name, _ in found}
    assert [f"{path}: {wrong}" for path, name, call in found if (wrong := fault(real, name, call))] == []


@pytest.mark.parametrize("source", [
    "machine.lightsleep_ms(5)", "machine.Pin.PULL_SIDEWAYS", "machine.I2C(0, sda=1, sclk=2)", "machine.idle(1)",
    "machine.SPI(0, 1, 2)", "machine.UART9(1)", "machine.ADC()",
])
def test_what_is_not_there_is_found(tmp_path: Path, source: str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(source)
    real = parts(STUBS / "machine.pyi")
    assert any(fault(real, name, call) for name, call in uses(file))
