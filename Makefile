# Commands for users and developers. They run in .venv/, which the first of them creates.
.DEFAULT_GOAL := help
.PHONY: help setup web wheel prepare prepare-web serve test test-web durations screenshots fuzz prove load check check-fast check-types check-others image-check schema release perft bench font icons lock

BIN := .venv/bin

# Servers and commands that a test starts would compile all of Ludarium each time.
unexport PYTHONDONTWRITEBYTECODE

TITLE ?= game-of-kingdoms
GAMES ?= 10000
SEATS ?=
ONLY ?=
ROUNDS ?=
TABLES ?=
SEED ?=
JOBS ?= 3
ORDER ?=
PLAYERS ?= 40
SPECTATORS ?= 40
SECONDS ?= 30
MINUTES ?=
DEPTH ?= 3
OUT ?= dist

help: ## list these commands: at once
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## create .venv/ with Ludarium and the development tools: 2 minutes, later at once
	@scripts/setup dev

web: setup ## build the web client into the server's package: half a minute
	@scripts/web build

wheel: setup ## build the four Python wheels into build/wheel/: 2 seconds
	@scripts/wheel

prepare: wheel ## build what `make test` needs; run it once before you call pytest: half a minute, later at once
	@scripts/web prepare

prepare-web: web ## build what `make test-web` needs: half a minute, later at once
	@scripts/web tools

serve: ## start Ludarium with its own database at http://localhost:8000: 3 minutes, later 10 seconds
	@scripts/setup serve
	@scripts/web build
	@exec $(BIN)/ludarium serve

SUITE = $(BIN)/python -m tests.support.suite
SPLIT = --jobs $(JOBS) $(if $(ORDER),--order $(ORDER))
test: prepare ## run all tests that need no browser: 12 minutes
	@$(SUITE) run test tests --leave-out tests/web $(SPLIT)

test-web: prepare-web ## run the tests of the web client in browsers: 8 minutes
	@$(SUITE) run test-web tests/web $(SPLIT)

durations: setup ## save how long each test module took, to divide the next run evenly: at once
	@$(SUITE) record

screenshots: web ## take the pictures in docs/images/: some minutes
	$(BIN)/python -m tests.web.screenshots

fuzz: setup ## play 10,000 random games of a title and check each event: 15 minutes
	$(BIN)/python -m ludarium_engine.testkit fuzz $(TITLE) --games $(GAMES) $(if $(SEATS),--seats $(SEATS))

prove: $(if $(ONLY)$(filter-out file,$(origin TITLE)),prepare,setup) $(if $(filter web,$(ONLY)),web) ## list the long proofs; ONLY=name runs one of them: minutes to an hour
	$(BIN)/python -m tests.prove $(if $(ONLY),--only $(ONLY)) $(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(TABLES),--tables $(TABLES)) $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(filter-out file,$(origin TITLE)),--title $(TITLE))

load: setup ## let 40 players and 40 spectators use a new server, then check the log: 1 minute
	$(BIN)/python -m tests.load --players $(PLAYERS) --spectators $(SPECTATORS) --seconds $(SECONDS) --title $(TITLE)

check: setup ## check types, style, imports, generated files, web client and deployment files: 90 seconds
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-types check-fast check-others

check-fast: setup ## run the part of `make check` that takes 15 seconds; the pre-commit hook runs the same
	$(BIN)/ruff check
	$(BIN)/lint-imports
	$(BIN)/python -m devtools.commits log
	$(BIN)/python -m tests.records.signatures
	scripts/web lint
	$(BIN)/python -m devtools schema --check
	$(BIN)/codespell
	$(BIN)/python -m devtools.words wording
	$(BIN)/python -m devtools.words spelling

check-types: setup
	$(BIN)/mypy

check-others: setup
	scripts/web check
	PATH="$(CURDIR)/$(BIN):$$PATH" deploy/validate

image-check: setup ## build the container image and start it, as root on Debian: some minutes
	scripts/image-check

schema: setup ## write the API documents, client types and generated pages of docs/: 5 seconds
	$(BIN)/python -m devtools schema

release: web ## build all files of a release from a clean checkout into dist/: 1 minute
	@scripts/web verifier
	$(BIN)/python -m devtools release $(OUT)

perft: setup ## count the action sequences from the start of a game, to compare two states of the rules: 3 seconds
	$(BIN)/python -m devtools perft $(TITLE) $(if $(SEATS),--seats $(SEATS)) $(if $(SEED),--seed $(SEED)) --depth $(DEPTH)

bench: setup $(if $(filter-out web replays,$(ONLY)),,prepare-web) ## run one benchmark (ONLY=name) or all; results go to benchmarks/latest.json: some minutes each
	$(BIN)/python -m benchmarks $(if $(ONLY),--only $(ONLY))

font: ## make the typeface of headings as small as our languages allow: seconds
	@scripts/web font

icons: ## copy the icons that titles name in icons/names.json into their folders: seconds
	@scripts/web icons

lock: setup ## update locks/ after a change of dependencies: 1 minute
	scripts/lock
