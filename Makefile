# What one can do here. Everything runs in .venv/, which is made when it is first needed.
.DEFAULT_GOAL := help
.PHONY: help setup web wheel prepare prepare-web serve test test-web durations screenshots fuzz prove load check check-types check-others image-check schema release perft bench icons lock

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

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## the virtual environment in .venv/, with the tools for development
	@scripts/setup dev

web: setup ## the web client, from clients/web/ into services/src/ludarium/web/
	@scripts/web build

wheel: setup ## the wheel that is released, into build/wheel/
	@scripts/wheel

prepare: wheel ## build what the tests run; they never install or compile themselves
	@scripts/web prepare

prepare-web: web ## the same for the tests in browsers
	@scripts/web tools

serve: ## PostgreSQL, Valkey and Ludarium on http://localhost:8000
	@scripts/setup serve
	@scripts/web build
	@exec $(BIN)/ludarium serve

SUITE = $(BIN)/python -m tests.support.suite
SPLIT = --jobs $(JOBS) $(if $(ORDER),--order $(ORDER))
test: prepare ## run the test suite: JOBS=3 processes, ORDER=reversed
	@$(SUITE) run test tests --leave-out tests/web $(SPLIT)

test-web: prepare-web ## test the web client in Debian's Chromium and Firefox: JOBS=3 ORDER=reversed
	@$(SUITE) run test-web tests/web $(SPLIT)

durations: setup ## record how long each test module took in the last run, for the split of the next
	@$(SUITE) record

screenshots: web ## each title on a phone and at a desk, into docs/images/
	$(BIN)/python -m tests.web.screenshots

fuzz: setup ## random games: TITLE=game-of-kingdoms GAMES=10000 SEATS=2-6
	$(BIN)/python -m ludarium_engine.testkit fuzz $(TITLE) --games $(GAMES) $(if $(SEATS),--seats $(SEATS))

prove: $(if $(ONLY)$(filter-out file,$(origin TITLE)),prepare,setup) $(if $(filter web,$(ONLY)),web) ## list the long proofs; ONLY=name runs one of them: minutes to an hour
	$(BIN)/python -m tests.prove $(if $(ONLY),--only $(ONLY)) $(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(TABLES),--tables $(TABLES)) $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(filter-out file,$(origin TITLE)),--title $(TITLE))

load: setup ## people and spectators at a house of their own: PLAYERS=40 SPECTATORS=40 TITLE=game-of-kingdoms SECONDS=30
	$(BIN)/python -m tests.load --players $(PLAYERS) --spectators $(SPECTATORS) --seconds $(SECONDS) --title $(TITLE)

check: setup ## lint, types, import rules, generated files, the web client and its verifier, deployment files
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-types check-others

check-types: setup
	$(BIN)/mypy

check-others: setup
	$(BIN)/ruff check
	$(BIN)/lint-imports
	$(BIN)/python -m devtools schema --check
	$(BIN)/python -m tests.records.signatures
	scripts/web check
	PATH="$(CURDIR)/$(BIN):$$PATH" deploy/validate

image-check: setup ## builds the image of deploy/Dockerfile and starts it; as root, on Debian, without a registry
	scripts/image-check

schema: setup ## write api-schema/ and the generated pages of docs/
	$(BIN)/python -m devtools schema

release: web ## wheels, sources, npm package, SBOMs, notes and checksums of a clean checkout, into OUT=dist
	@scripts/web verifier
	$(BIN)/python -m devtools release $(OUT)

perft: setup ## count the action sequences from the start of a game: TITLE=game-of-kingdoms SEATS=2 SEED=1 DEPTH=3
	$(BIN)/python -m devtools perft $(TITLE) $(if $(SEATS),--seats $(SEATS)) $(if $(SEED),--seed $(SEED)) --depth $(DEPTH)

bench: setup $(if $(filter-out web replays,$(ONLY)),,prepare-web) ## what is fast, as ratios, also to benchmarks/latest.json: ONLY=name,…
	$(BIN)/python -m benchmarks $(if $(ONLY),--only $(ONLY))

icons: ## the paths of the icons that titles name in icons/names.json
	@scripts/web icons

lock: setup ## resolve the dependencies of pyproject.toml anew into locks/
	scripts/lock
