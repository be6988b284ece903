# The front door: each target sets up what it needs, then asks Meson and Ninja.
#
#   make demo     build, and run a bundled program
#   make test     everything: unit tests, comparisons with QEMU, fuzz corpora
#   make check    the quick part of it
#   make bench    speed against peers, in one run
#   make bench-growth  how cost grows with length, code, functions, depth, observers
#   make accuracy engines, models and hardware against each other, into docs/accuracy.md
#   make rtl-report  synthesize the hardware, and what it takes into docs/hardware.md
#   make fmt      format the sources
#   make install  install (PREFIX, DESTDIR)
#   make fuzz     look for new crashing inputs, for FUZZ_SECONDS each

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
BUILD := build/release
TEST_BUILD := build/test

.PHONY: all demo test check bench bench-growth accuracy rtl-report fmt install fuzz setup clean

all: setup
	tools/build $(BUILD) release

setup:
	@tools/setup

demo: all
	tools/demo $(BUILD)

test:
	@tools/setup everything
	tools/build $(TEST_BUILD) sanitize
	tools/run-tests $(TEST_BUILD) all

check: setup
	tools/build $(TEST_BUILD) sanitize
	tools/run-tests $(TEST_BUILD) quick

bench: all
	bench/run $(BUILD)

bench-growth: all
	bench/growth $(BUILD)

accuracy: setup
	tools/build $(BUILD) release tests/diff/lockstep tests/diff/microtime
	tools/accuracy $(BUILD)

rtl-report: setup
	tools/build $(BUILD) release tests/diff/rtl_units
	tools/rtl-report $(BUILD) build/rtl

fmt: setup
	git ls-files '*.c' '*.h' | xargs clang-format -i

install: all
	meson install -C $(BUILD) --no-rebuild

fuzz: setup
	tools/fuzz $(FUZZ_SECONDS)

clean:
	rm -rf build
