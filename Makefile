# The front door: each target sets up what it needs, then asks Meson and Ninja.
#
#   make demo     build, and run a bundled program
#   make test     everything: unit tests, comparisons with QEMU, fuzz corpora
#   make check    the quick part of it
#   make bench    speed against peers, in one run
#   make bench-growth  how cost grows with length, code, functions, depth, observers
#   make bench-page  how fast the page of gumshoe serve is, and how large
#   make bench-live  what sending intervals costs, and how many a second are collected
#   make accuracy engines, models, hardware and compilers against each other, into docs/accuracy*.md
#   make vliw-figures  VLIW cores compared, into docs/vliw-figures.md
#   make rtl-report  synthesize the hardware, and what it takes into docs/hardware.md
#   make fmt      format the sources
#   make install  install (PREFIX, DESTDIR)
#   make uninstall  remove what the last `make install` installed
#   make fuzz     look for new crashing inputs, for FUZZ_SECONDS each, on all processors
#   make coverage how much of the parsers the fuzzers' inputs and the unit tests reach

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
BUILD := build/release
TEST_BUILD := build/test

.PHONY: all demo test check bench bench-growth bench-page bench-live accuracy vliw-figures rtl-report fmt install uninstall fuzz coverage clean

all:
	@tools/setup build page
	tools/build $(BUILD) release

demo:
	@tools/setup demo
	tools/build $(BUILD) release
	tools/demo $(BUILD)

test:
	@tools/setup test
	tools/build $(TEST_BUILD) sanitize
	tools/run-tests $(TEST_BUILD) all

check:
	@tools/setup check
	tools/build $(TEST_BUILD) sanitize
	tools/run-tests $(TEST_BUILD) quick

bench:
	@tools/setup bench
	tools/build $(BUILD) release
	bench/run $(BUILD)

bench-growth:
	@tools/setup bench
	tools/build $(BUILD) release
	bench/growth $(BUILD)

bench-page:
	@tools/setup bench test
	tools/build $(BUILD) release
	bench/page $(BUILD)

bench-live:
	@tools/setup bench
	tools/build $(BUILD) release
	bench/live $(BUILD)

accuracy:
	@tools/setup accuracy
	tools/build $(BUILD) release tests/diff/lockstep tests/diff/microtime
	tools/accuracy $(BUILD)

vliw-figures:
	@tools/setup demo
	tools/build $(BUILD) release
	tools/vliw-figures $(BUILD)

rtl-report:
	@tools/setup rtl-report
	tools/build $(BUILD) release tests/diff/rtl_units
	tools/rtl-report $(BUILD) build/rtl

fmt:
	@tools/setup fmt
	git ls-files '*.c' '*.cpp' '*.h' | xargs clang-format -i

install: all
	meson install -C $(BUILD) --no-rebuild
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || ldconfig

uninstall:
	@[ -f $(BUILD)/meson-logs/install-log.txt ] || { echo "make uninstall: nothing was installed from $(BUILD)" >&2; exit 1; }
	ninja -C $(BUILD) uninstall

fuzz:
	@tools/setup fuzz
	tools/fuzz $(FUZZ_SECONDS)

coverage:
	@tools/setup coverage
	tools/coverage

clean:
	rm -rf build
