# SPDX-License-Identifier: BSD-3-Clause
# The front door: `make help` lists the targets. The building itself is CMake's (CMakeLists.txt, CMakePresets.json).

# One more than there are processors: some jobs wait for a disk, a network or a clock.
JOBS ?= $(shell expr $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) + 1)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 1
FUZZ_TARGETS ?=

# $(call build,preset[,target]) and $(call check,preset[,options of ctest])
define build
cmake --preset $(1) --log-level=NOTICE
cmake --build --preset $(1) --parallel $(JOBS) $(if $(2),--target $(2))
endef
check = ctest --preset $(1) --parallel $(JOBS) $(2)

MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.PHONY: release test test-all demo facts pictures papers truth reproducible bench clang debug coverage fuzz format clean install help

release: ## build the library, the command, tests, benchmarks and examples (the default)
	@tools/setup.sh build
	$(call build,release)

test: ## build and run the tests, optimised and under the sanitizers, but for long studies (eight minutes on two cores)
	@tools/setup.sh test
	$(call build,release,quick_tests)
	$(call build,asan-ubsan,quick_tests)
	$(call check,release,-LE long)
	$(call check,asan-ubsan,-LE 'long|optimised|unsanitized')

test-all: ## build and run what `make test` leaves out
	@tools/setup.sh test-all
	$(call build,release)
	$(call build,asan-ubsan)
	$(call check,release,-L long)
	$(call check,asan-ubsan,-L 'long|optimised' -LE unsanitized)

demo: ## run the built-in four-bar linkage through all formulations, side by side, and write a page about it
	@tools/setup.sh demo
	$(call build,release,holon_command)
	@if [ -s build/release/cli/page.html ]; then \
	    build/release/holon compare four-bar --rounds 3 --report build/four-bar.html && \
	    echo && echo "build/four-bar.html shows it: open it in a browser"; \
	else \
	    build/release/holon compare four-bar --rounds 3; \
	fi

facts: ## measure holon beside MuJoCo, Simbody, ODE and Bullet: the table of the README (two minutes)
	@tools/setup.sh facts
	$(call build,release,holon_command)
	@python3 -B bench/peers/facts.py build/release/holon build/facts

pictures: ## draw the pictures of the README and of all models, with a browser
	@tools/setup.sh pictures
	$(call build,release)
	build/release/examples/four_bar_picture docs/pictures/four-bar.svg
	node build/release/cli/viewer/tools/animation.mjs build/release/holon docs/pictures/page.png
	node build/release/cli/viewer/tools/pictures.mjs build/release/holon models

papers: release ## run the mechanisms of papers and write docs/papers, verdicts and figures (about ten minutes)
	@tools/setup.sh papers
	@set -e; for tool in tools/papers/[0-9]*.py; do python3 -B $$tool; done

truth: ## judge 5000 runs against references and write docs/truth.md (five minutes)
	@tools/setup.sh test
	$(call build,release,sweep)
	build/release/tests/sweep --runs 5000 --seed 1 --csv build/sweep.csv --page docs/truth.md

reproducible: ## compare all models, bit by bit, between builds by gcc and clang with and without optimisation
	@tools/setup.sh clang
	@JOBS=$(JOBS) tools/reproducible.sh build/reproducible

bench: release ## run all benchmarks
	@set -e; for program in build/release/bench/bench_*; do echo "== $$program"; $$program; done

clang: ## build and test with clang
	@tools/setup.sh clang
	$(call build,clang)
	$(call check,clang)

debug: ## build and test without optimisation, with assertions
	@tools/setup.sh test
	$(call build,debug)
	$(call check,debug)

coverage: ## line coverage of src/ by all tests
	@tools/setup.sh test
	$(call build,coverage)
	find build/coverage -name '*.gcda' -delete
	$(call check,coverage)
	@find build/coverage/CMakeFiles/holon.dir -name '*.gcno' -exec gcov -n {} + 2>/dev/null | awk -F "[':% ]" ' \
	    /^File/ { file = $$3; known = file ~ /\/src\/.*\.c$$/; sub(/.*\/src\//, "src/", file) } \
	    /^Lines executed/ && known { printf "%6.1f %% of %4d lines  %s\n", $$3, $$6, file; hit += $$3 * $$6; all += $$6; known = 0 } \
	    END { printf "%6.1f %% of %d lines of src/\n", all ? hit / all : 0, all }'

fuzz: ## run every target of fuzzing for FUZZ_SECONDS (60), FUZZ_JOBS (1) at a time, by clang with libFuzzer
	@tools/setup.sh fuzz
	$(call build,fuzz,fuzz_targets)
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_JOBS='$(FUZZ_JOBS)' tools/fuzz.sh $(FUZZ_TARGETS)

format: ## format all sources in place
	@tools/setup.sh test
	find src include compare results tests bench examples cli -name '*.[ch]' 2>/dev/null | xargs clang-format -i

install: release ## install below PREFIX (and DESTDIR)
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

clean: ## remove everything built
	rm -rf build

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
