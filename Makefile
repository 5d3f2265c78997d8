# Soglia's commands. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

release := .build/release/soglia
debug := .build/debug/soglia
swift_sources := Sources Tests Package.swift
# What .ci/run builds from nothing with; empty for builds that go on from the last one.
SWIFT_BUILD_FLAGS ?=
demo_options := $(if $(PORT),--port $(PORT)) $(if $(DATA),--data $(DATA))

.PHONY: help demo test quick bench soak lint format embedded fuzz sanitize clean release install install-demo

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

demo: install-demo release ## build, then run the whole system on this machine (PORT=8080 DATA=.demo)
	@$(release) demo $(demo_options)

test: export SOGLIA_ROOMS :=
test: install ## build and run every test: Swift, then the whole system in a browser
	swift build --build-tests $(SWIFT_BUILD_FLAGS)
	swift test --skip-build
	SOGLIA=$(debug) Scripts/stories.py

quick: install lint ## the rooms that changed and their stories, in some minutes (BASE=HEAD~3; else since origin/main, or what is not committed)
	@SOGLIA=$(debug) Scripts/quick.sh

bench: install release ## measure, beside peers in the same run
	$(release) bench http
	$(release) bench open
	for bench in idle wire ledger rights push growth home history; do $(release) bench $$bench; done

soak: install release ## the long campaigns, whole: crashes, losses, cuts, limits; every parser under the fuzzer for a minute
	SOGLIA_SOAK=1 SOGLIA=$(release) Scripts/stories.py --processes 1
	@FUZZ_SECONDS=$(or $(SECONDS_EACH),60) Scripts/fuzz.sh

lint: ## style, floors, limits against SECURITY.md, the shape of rooms, doc comments
	swift format lint --strict --recursive $(swift_sources)
	/usr/bin/python3 Scripts/floors.py --self-test
	/usr/bin/python3 Scripts/floors.py
	/usr/bin/python3 Scripts/limits.py --self-test
	/usr/bin/python3 Scripts/limits.py
	/usr/bin/python3 Scripts/changed.py --self-test
	/usr/bin/python3 Scripts/shape.py --self-test
	/usr/bin/python3 Scripts/shape.py
	/usr/bin/python3 Scripts/comments.py --self-test
	/usr/bin/python3 Scripts/comments.py

embedded: ## compile Wire as firmware and web app will use it: wasm32 and armv6m, and nothing wanted from outside
	@Scripts/embedded.sh

fuzz: install-demo ## feed every parser of outside bytes with what nobody would write (SECONDS_EACH=60 TARGETS="pass json")
	@FUZZ_SECONDS=$(or $(SECONDS_EACH),2) Scripts/fuzz.sh $(TARGETS)

sanitize: install ## run the Swift tests under Thread Sanitizer, then under Address Sanitizer
	@Scripts/sanitize.sh

format: ## rewrite the Swift sources in the project's style
	swift format --in-place --recursive $(swift_sources)

clean: ## remove what was built and what the demo stored
	rm -rf .build .build-asan .build-ci .build-fuzz .build-tsan .demo .venv

release:
	swift build -c release --product BusGuard
	swift build -c release --product soglia

install:
	@Scripts/install.sh --test

install-demo:
	@Scripts/install.sh --demo
