"""deploy and doctor on an unmodified MicroPython image in an emulated Pico; slow, and only where there is an image."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host_tools.cli import main

IMAGE = os.environ.get("TABLESIDE_UF2")
_ADDRESS = re.compile(r"socket://[\w.:]+")


@pytest.fixture
def port() -> Iterator[str]:
    """An emulated Pico that has just been flashed."""
    if not IMAGE:
        pytest.skip("TABLESIDE_UF2 names no MicroPython image: the emulated Pico did not run")
    command = [str(Path(sys.executable).with_name("rp2040py")), "micropython", "--image", IMAGE, "--tcp-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pico:
        try:
            assert pico.stdout
            for line in pico.stdout:
                found = _ADDRESS.search(line)
                if found:
                    yield found[0].rstrip("`.")
                    return
            pytest.fail("the emulator does not listen")
        finally:
            pico.kill()


def test_deploy_and_doctor(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deploy", "--board", "pico", "--port", port, "dice"]) == 0, capsys.readouterr().err
    assert "all verified" in capsys.readouterr().out
    assert main(["doctor", "--port", port]) == 1  # nothing is wired to it
    out = capsys.readouterr().out
    failed = [line.split()[1] for line in out.splitlines() if line.startswith("FAILED")]
    assert failed == ["display"], out
