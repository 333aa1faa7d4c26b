# Battlewright. `make play` and `make test` prepare everything they need in .venv; Python 3.11 and make are enough.

BIN := .venv/bin
ARGS ?=

.PHONY: help play test browser fuzz bench clean setup setup-dev generated

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' Makefile

play: setup ## open the table in the browser, a battle ready to start (ARGS="--edition 4 --seed 7 --no-open" are passed on)
	$(BIN)/battlewright play $(ARGS)

test: setup-dev ## lint, types, rooms, and every test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/build_web.py --if-older --check
	$(BIN)/python -m pytest -n auto --ignore=tests/browser $(ARGS)
	$(BIN)/python -m pytest -n auto --reruns 1 tests/browser

# A browser on a busy machine fails at times for reasons of its own: it is tried once more, and the report tells so.
browser: setup-dev ## the tests of the table in a real browser alone, which run apart: a browser's loop would run in others' tests
	$(BIN)/python -m pytest -n auto --reruns 1 tests/browser $(ARGS)

fuzz: setup-dev ## search for failures: whole battles by random and heuristic players (ARGS="--battles 500"), then far more examples of each property, then a table that is killed 50 times
	$(BIN)/python tools/fuzz_battles.py $(ARGS)
	$(BIN)/python tools/fuzz.py
	$(BIN)/python tools/fuzz_table.py

bench: setup-dev ## measure, as docs/performance.md tells
	$(BIN)/python tools/bench.py $(ARGS)

clean: ## remove everything that was made here
	rm -rf .venv build dist web/node_modules src/battlewright/server/static .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .import_linter_cache
	rm -f $(filter-out src/battlewright/rulebook/coverage.json, $(wildcard src/battlewright/rulebook/*.json))
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

# The routines are compiled while the page is built: each has a core to itself.
setup:
	@sh tools/set_up.sh play
	@$(BIN)/python tools/build_rulebook.py --if-older
	@$(BIN)/python tools/warm_up.py --if-older & warm=$$!; $(BIN)/python tools/build_web.py --if-older && wait $$warm

setup-dev:
	@sh tools/set_up.sh test
	@$(BIN)/python tools/build_rulebook.py --if-older
	@$(BIN)/python tools/warm_up.py --if-older & warm=$$!; $(BIN)/python tools/build_web.py --if-older && wait $$warm
