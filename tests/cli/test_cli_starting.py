"""Ctrl-C while ``tot`` starts or ends. It is pressed by an import, so that it comes at the same place every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRESS = "import os, signal; os.kill(os.getpid(), signal.SIGINT)\n"
CAUGHT = f"try:\n    {PRESS}except KeyboardInterrupt:\n    print('kept', flush=True)\n"
AT_IMPORT = f"""
import sys

class Press:
    def find_spec(self, name, path=None, target=None):
        if name == "{{name}}":
            {PRESS.strip()}

sys.meta_path.insert(0, Press())
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C here")


def python(tmp_path, *arguments, site=""):
    (tmp_path / "sitecustomize.py").write_text(site, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}
    )
    return done.returncode, done.stdout, done.stderr


def script(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


@pytest.mark.parametrize("imported", ["tot.budget", "tot.cli", "argparse"])
def test_while_the_command_is_imported_it_is_one_line(tmp_path, imported):
    found = python(tmp_path, "-m", "tot", "tasks", site=AT_IMPORT.format(name=imported))
    assert found == (130, "", "tot: interrupted\n")


@pytest.mark.parametrize("name", ["tot", "tot.exe"])
def test_so_it_is_for_the_installed_program(tmp_path, name):
    program = script(tmp_path, name, "import tot.starting\n" + PRESS)
    assert python(tmp_path, program) == (130, "", "tot: interrupted\n")


@pytest.mark.parametrize("name", ["mine.py", "tottering", "not-tot"])
def test_whoever_uses_the_package_keeps_the_usual_exception(tmp_path, name):
    program = script(tmp_path, name, "import tot.starting\n" + CAUGHT)
    assert python(tmp_path, program) == (0, "kept\n", "")
    assert python(tmp_path, program, "-m", "tot") == (0, "kept\n", "")  # an argument of the program's own


def test_once_the_command_runs_it_is_an_exception_again_and_at_the_end_not(tmp_path):
    text = f"from tot import starting\nstarting.over()\n{CAUGHT}starting.watch()\n{PRESS}print('never')\n"
    program = script(tmp_path, "tot", text)
    assert python(tmp_path, program) == (130, "kept\n", "tot: interrupted\n")


def test_in_the_background_of_a_script_kill_is_as_ctrl_c_all_the_same(tmp_path):
    ignored = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nfrom tot import starting\nstarting.over()\n"
    program = script(tmp_path, "tot", ignored + CAUGHT.replace("SIGINT", "SIGTERM"))
    assert python(tmp_path, program) == (0, "kept\n", "")


def test_a_handler_of_somebody_else_stays(tmp_path):
    own = "import signal\nsignal.signal(signal.SIGINT, lambda *_: print('mine'))\n"
    program = script(tmp_path, "tot", f"{own}from tot import starting\n{PRESS}starting.over()\n{PRESS}")
    assert python(tmp_path, program) == (0, "mine\nmine\n", "")


def test_in_another_thread_there_is_nothing_to_watch(tmp_path):
    threaded = "import threading\nthread = threading.Thread(target=__import__, args=('tot.starting',))\n"
    program = script(tmp_path, "tot", f"{threaded}thread.start()\nthread.join()\nprint('well')\n")
    assert python(tmp_path, program) == (0, "well\n", "")
