"""Links that start a notebook elsewhere: Binder, Colab, Codespaces, a JupyterHub.

They all need one thing, the address of the repository: ``repository`` in ``book/launch.toml``, or ``TOT_REPOSITORY`` in
the environment, which wins. While there is none, no page has a link. A notebook that is handed out begins with a cell
that says what it needs where the book is not around it, and with an address fetches it, on Colab for example; Colab
opens these copies from the branch that the pages are published on.

The theme has launch buttons, too. They are not used: its menu opens by a script only, it knows no Codespaces, stops at
any host but three, and would send Colab to the stored notebook, which cannot find the book there.
"""

import html
import json
import os
import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from sphinx.errors import ConfigError
from sphinx.locale import _ as translated

from tools.written import template

FILE = "launch.toml"
VARIABLE = "TOT_REPOSITORY"
FOLDER = "thinking-in-trees"  # what a notebook by itself calls the clone that it fetches
GITHUB = re.compile(r"https://(www\.)?github\.com/", re.I | re.A)
# An owner and a name; elsewhere than on GitHub perhaps groups between them. Not the address of a page within it.
REPOSITORY = re.compile(r"https://(github\.com(/[\w.-]+){2}|(?!github\.com/)[\w.-]+(:\d+)?(/(?!-/)[\w.~-]+){2,})", re.A)
BRANCH = re.compile(r"[\w.][\w./-]*", re.A)
SITE = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w.~-]+)*", re.A)
SETTINGS = {  # what each is like, and an example
    "repository": (REPOSITORY, "https://github.com/you/thinking-in-trees"),
    "branch": (BRANCH, "main"),
    "pages_branch": (BRANCH, "gh-pages"),
    "binderhub": (SITE, "https://mybinder.org"),
    "jupyterhub": (SITE, "https://hub.example.edu"),
}


class Launch(NamedTuple):
    """Where the repository is, and what may start it; addresses have no slash at their end."""

    repository: str = ""  # "" for none: then nothing else counts
    branch: str = "main"
    pages_branch: str = ""
    binderhub: str = ""
    jupyterhub: str = ""


def read(path: Path, environ: Mapping[str, str]) -> Launch:
    """The settings in the file, with the repository of the environment if it names one.

    Raises ConfigError, in one sentence that says what is expected.
    """
    try:
        found = [(path.name, key, value) for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items()]
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f'{path.name} is not TOML ({error}): write lines such as branch = "main"') from None
    if named := environ.get(VARIABLE, "").strip():
        found.append((VARIABLE, "repository", named))
    settings = {}
    for place, key, value in found:
        if key not in SETTINGS:
            raise ConfigError(f"{place} knows no {key!r}: it takes {', '.join(SETTINGS)}")
        pattern, example = SETTINGS[key]
        plain = value.strip().rstrip("/") if isinstance(value, str) else "?"
        if key == "repository":
            plain = GITHUB.sub("https://github.com/", plain).removesuffix(".git")
        if not (pattern.fullmatch(plain) if plain else key != "branch"):
            empty = "" if key == "branch" else ", or empty"
            raise ConfigError(f"{place}: {key} is {value!r} and should be like {example!r}{empty}")
        settings[key] = plain
    return Launch(**settings)


def links(launch: Launch, notebook: str) -> dict[str, str]:
    """The name and the address of each service that can start ``notebook``, a path such as ``notebooks/06_x.ipynb``."""
    if not launch.repository:
        return {}
    host, path = urlsplit(launch.repository).netloc, urlsplit(launch.repository).path.strip("/")
    branch, on_github = quote(launch.branch, safe=""), host == "github.com"
    found = {}
    if launch.binderhub:
        kind = {"github.com": f"gh/{path}", "gitlab.com": f"gl/{quote(path, safe='')}"}
        source = kind.get(host, f"git/{quote(launch.repository, safe='')}")
        found["Binder"] = f"{launch.binderhub}/v2/{source}/{branch}?{urlencode({'labpath': notebook})}"
    if on_github and launch.pages_branch:
        place = f"{path}/blob/{quote(launch.pages_branch)}/{quote(notebook)}"
        found["Colab"] = f"https://colab.research.google.com/github/{place}"
    if on_github:
        found["Codespaces"] = f"https://codespaces.new/{path}/tree/{quote(launch.branch)}"
    if launch.jupyterhub:
        target = f"lab/tree/{path.rpartition('/')[2]}/{notebook}"
        query = urlencode({"repo": launch.repository, "branch": launch.branch, "urlpath": target})
        found["JupyterHub"] = f"{launch.jupyterhub}/hub/user-redirect/git-pull?{query}"
    return found


def line(launch: Launch, notebook: str) -> str:
    """``Open in Binder, Colab`` as HTML, or nothing."""
    open_in = translated("Open in {service}").format
    found = [
        f'<a href="{html.escape(address)}" aria-label="{open_in(service=name)}">{name}</a>'
        for name, address in links(launch, notebook).items()
    ]
    return f'<span class="tot-launch d-print-none">{open_in(service=", ".join(found))}</span>' if found else ""


def cell(repository: str, branch: str) -> str:
    """The code of the cell in front of a notebook that may be opened without the book around it.

    A clone and no bare installation: chapters replay ``cassettes/``, and some read ``../studies``. What is there is
    used, so the cell can be run again, and it does nothing inside the repository.
    """
    made = {"folder": FOLDER, "source": repository, "branch": branch}
    return template(Path(__file__).with_name("launch_cell.py.jinja")).render(made)


def travelling(stored: str, launch: Launch) -> str:
    """The text of a notebook file with that cell in front; Colab and JupyterLab fold it."""
    notebook = json.loads(stored)
    first = {
        "cell_type": "code",
        "execution_count": None,
        "id": "launch",
        "metadata": {"cellView": "form", "jupyter": {"source_hidden": True}, "tags": ["set-up", "nbval-ignore-output"]},
        "outputs": [],
        "source": cell(launch.repository, launch.branch).splitlines(keepends=True),
    }
    notebook["cells"].insert(0, first)
    return json.dumps(notebook, indent=1) + "\n"


def main(chapter: str = "", *where: str) -> None:
    """Whether the setting can be used, before anything long starts: the links of chapter 1, or what is wrong.

    With a notebook, a repository and a branch: that notebook as it travels, for ``make test-launch``.
    """
    if chapter:
        sys.exit(print(travelling(Path(chapter).read_text(encoding="utf-8"), Launch(*where)), end=""))
    try:
        launch = read(Path(__file__).resolve().parents[2] / "book" / FILE, os.environ)
    except ConfigError as error:
        sys.exit(str(error))
    for name, address in links(launch, "notebooks/01_reading_and_replaying.ipynb").items():
        print(f"{name} will open chapter 1 at {address}")


def look_up(app: Any, config: Any) -> None:
    config.launch = read(Path(app.confdir, FILE), os.environ)._asdict()


def setup(app: Any) -> dict[str, bool]:
    app.add_config_value("launch", {}, "html", [dict])  # another address: all pages are written again
    app.connect("config-inited", look_up)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    main(*sys.argv[1:])
