# Thinking in Trees: everything a reader or a contributor runs. `make` alone lists the targets.
# Needs Python 3.11 or newer, git and make. Uses uv when it is on the PATH, pip otherwise.
# Another Python beside the first one: make test PYTHON=python3.13 VENV=.venv-3.13
# What each target does is in tools/targets.toml; without make: python -m tools.run book

PYTHON ?= python3
VENV ?= .venv
# Words that were typed behind a target, and no variable of the environment: many shells have a LANGUAGE.
GIVEN = $(foreach word,$(.VARIABLES),$(if $(filter command,$(origin $(word))),'$(word)=$(subst ','\'',$($(word)))'))
RUN = @GOALS='$(GOALS)' $(PYTHON) -m tools.run
GOALS := $(filter-out $(VENV)/%,$(or $(MAKECMDGOALS),help))

.DEFAULT_GOAL := help
.PHONY: $(GOALS)
$(GOALS):
	$(RUN) $@ VENV='$(VENV)' $(GIVEN)

$(VENV)/.installed: pyproject.toml requirements.lock
	$(RUN) installed VENV='$(VENV)'
