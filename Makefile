# Everything a user needs: make demo, make test. Each target installs the Debian packages it needs, once.
.DEFAULT_GOAL := help
.PHONY: help demo build test test-all lint bench viewer viewer-modules install format format-check clean

PREFIX ?= /usr/local
DESTDIR ?=
export DESTDIR
JOBS ?= $(shell nproc)
PICUS := build/release/bin/picus
PACKAGES := sh tools/install-packages.sh
DEMO := picus-woodpecker

help:
	@echo "make demo     install packages, build, simulate the woodpecker, make its page"
	@echo "make test     install packages, build, run the tests of the library and the command"
	@echo "make test-all install packages, run what make test leaves out: ASan and UBSan, fuzzers, the page in Chromium, the"
	@echo "              installed package, formatting"
	@echo "make build    install packages, build $(PICUS)"
	@echo "make bench    build and run the benchmarks, also beside Siconos; tables and pictures"
	@echo "make install  install command, library and headers under PREFIX (now $(PREFIX))"
	@echo "make viewer   build the report page from viewer/ (needs the npm registry); the command has it built in"
	@echo "make format   format the sources; make lint runs clang-tidy; make clean removes build/"

build/release/CMakeCache.txt:
	@$(PACKAGES) tools/packages/build.txt
	@cmake --preset release >/dev/null

build: build/release/CMakeCache.txt
	@$(PACKAGES) tools/packages/build.txt
	@cmake --build --preset release --parallel $(JOBS)

demo: build
	@echo
	@$(PICUS) run woodpecker --out $(DEMO) --plot $(DEMO)/limit-cycle.svg:omega_S@phi_S
	@echo
	@echo "Now open $(DEMO)/report.html in a browser: the woodpecker on its way down, plots, and what was proven."
	@echo "  $(PICUS) view $(DEMO)   opens it, or serves it where there is no screen"
	@echo "Beside it: limit-cycle.svg for a paper; states.csv, events.csv, energy.csv for your own tools."
	@echo "Then try: $(PICUS) run woodpecker --set eN1=0.8 --end 5"

# One build tree for command, tests and benchmarks; tests and benchmarks join it when they are first asked for.
RELEASE_TESTS = cmake --preset release -DPICUS_TESTS=ON >/dev/null && cmake --build --preset release --parallel $(JOBS)
test:
	@$(PACKAGES) tools/packages/build.txt tools/packages/test.txt
	@$(RELEASE_TESTS)
	ctest --preset user --parallel $(JOBS)

# What make test leaves out, because it needs large packages or a build of its own.
test-all:
	@$(PACKAGES) tools/packages/build.txt tools/packages/test.txt tools/packages/test-all.txt tools/packages/viewer.txt
	@$(MAKE) --no-print-directory viewer-modules
	@$(RELEASE_TESTS)
	ctest --preset rest --parallel $(JOBS)
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz --parallel $(JOBS)
	ctest --preset fuzz --parallel $(JOBS)
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan --parallel $(JOBS)
	ctest --preset asan --parallel $(JOBS)

lint:
	@$(PACKAGES) tools/packages/build.txt tools/packages/test-all.txt tools/packages/lint.txt
	@cmake --preset lint >/dev/null
	@run-clang-tidy -quiet -j $(JOBS) -p build/lint '/(src|apps)/.*\.cpp$$'

# The page's own libraries, as package-lock.json names them.
viewer-modules:
	@$(PACKAGES) tools/packages/viewer.txt
	@cmp -s viewer/package-lock.json viewer/node_modules/.picus-lock || \
	  { cd viewer && npm ci --loglevel=error && cp package-lock.json node_modules/.picus-lock; }

viewer: viewer-modules
	@cd viewer && npm run --silent build

BENCH := build/bench
bench:
	@$(PACKAGES) tools/packages/build.txt tools/packages/bench.txt
	@cmake --preset release -DPICUS_BENCHMARKS=ON >/dev/null
	@cmake --build --preset release --parallel $(JOBS)
	@cmake -S benchmarks/siconos -B build/siconos >/dev/null && cmake --build build/siconos
	@mkdir -p $(BENCH)
	build/release/bin/picus_bench_woodpecker
	build/release/bin/picus_bench_models
	build/release/bin/picus_bench_chain $(BENCH)/chain.csv
	@/usr/bin/python3 benchmarks/plot_chain.py $(BENCH)/chain.csv $(BENCH)/chain.png
	/usr/bin/python3 benchmarks/siconos/compare.py $(PICUS) build/siconos/siconos_models $(BENCH)
	/usr/bin/python3 benchmarks/siconos/groove.py $(PICUS) 1
	build/release/bin/picus_bench_kernels --benchmark_min_time=0.2
	build/release/bin/picus_bench_spheres $(BENCH)/spheres.csv 128
	build/release/bin/picus_bench_hopper $(BENCH)/hopper.csv 3000 2
	@/usr/bin/python3 benchmarks/plot_hopper.py $(BENCH)/hopper.csv $(BENCH)/hopper.png
	@echo "Pictures: $(BENCH)/chain.png, $(BENCH)/siconos.png, $(BENCH)/hopper.png"

install: build
	@cmake --install build/release --prefix $(PREFIX)

SOURCES = $(shell git ls-files '*.cpp' '*.hpp')
format:
	clang-format -i $(SOURCES)
format-check:
	clang-format --dry-run -Werror $(SOURCES)

clean:
	rm -rf build
