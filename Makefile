# Soglia's commands. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

release := .build/release/soglia
debug := .build/debug/soglia
pytest := .venv/bin/python -m pytest
swift_sources := Sources Tests Package.swift
demo_options := $(if $(PORT),--port $(PORT)) $(if $(DATA),--data $(DATA))

.PHONY: help demo test bench soak lint format embedded fuzz sanitize clean release install install-demo

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

demo: install-demo release ## build, then run the whole system on this machine (PORT=8080 DATA=.demo)
	@$(release) demo $(demo_options)

test: install ## build and run every test: Swift, then the whole system in a browser
	swift build --build-tests
	swift test --skip-build
	SOGLIA=$(debug) $(pytest) Tests/EndToEnd

bench: install release ## measure, beside peers in the same run
	$(release) bench http
	$(release) bench open
	for bench in idle wire ledger rights push growth home history; do $(release) bench $$bench; done

soak: install release ## the long campaigns: crashes, lost brokers, full disks, many hours of time
	SOGLIA_SOAK=1 SOGLIA=$(release) $(pytest) Tests/EndToEnd

lint: ## style, and imports against the floors of the house
	swift format lint --strict --recursive $(swift_sources)
	/usr/bin/python3 Scripts/floors.py --self-test
	/usr/bin/python3 Scripts/floors.py

embedded: ## compile Wire as firmware and web app will use it: wasm32 and armv6m, and nothing wanted from outside
	@Scripts/embedded.sh

fuzz: install-demo ## feed every parser of outside bytes with what nobody would write (SECONDS_EACH=60 TARGETS="pass json")
	@FUZZ_SECONDS=$(or $(SECONDS_EACH),2) Scripts/fuzz.sh $(TARGETS)

sanitize: install ## run the Swift tests under Thread Sanitizer, then under Address Sanitizer
	@Scripts/sanitize.sh

format: ## rewrite the Swift sources in the project's style
	swift format --in-place --recursive $(swift_sources)

clean: ## remove what was built and what the demo stored
	rm -rf .build .build-asan .build-fuzz .build-tsan .demo .venv

release:
	swift build -c release --product soglia

install:
	@Scripts/install.sh --test

install-demo:
	@Scripts/install.sh --demo
