"""Runs these tests in an environment of their own, made from the index: `make test-doors`."""

import subprocess
import sys

from tools.run import ROOT, install, python_of

VENV = ".venv-doors"
PROGRAMS = ("llm", "langchain-openai", "pydantic-ai-slim[openai]", "mcp-server-git", "mcp-server-time", "pyarrow")

if __name__ == "__main__":
    stamp = ROOT / VENV / ".installed"
    if not stamp.exists() or stamp.stat().st_mtime < (ROOT / "pyproject.toml").stat().st_mtime:
        if status := install(VENV, "-e", ".[lm,mcp,inspect]", "pytest", *PROGRAMS):
            sys.exit(status)
        stamp.touch()
    command = [python_of(VENV), "-m", "pytest", "-q", "--confcutdir=tests/programs", "tests/programs", *sys.argv[1:]]
    sys.exit(subprocess.run(command, cwd=ROOT).returncode)
