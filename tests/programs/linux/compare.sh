#!/bin/sh
# compare.sh - runs the programs here under Gumshoe and under QEMU's user mode, and compares
# what they print and how they end.
#
#   compare.sh GUMSHOE WORK [PROGRAM...]
#
# GUMSHOE is a command that takes a program and its arguments, such as "gumshoe run --"; WORK a
# directory for binaries and scratch files, emptied first. Programs named *_rv32.c need no libc and
# are built for RV32; the others with static glibc for MIPS in both byte orders. What has no
# compiler or no QEMU here is skipped. Exits with 1 if anything differs.
set -u

gumshoe=$1
work=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/bin" "$work/out"
work=$(cd "$work" && pwd)
failed=0
passed=0
skipped=0

# The same directory name for both, as some programs print it.
run_in_scratch() {
    rm -rf "$work/scratch"
    mkdir "$work/scratch"
    out=$1
    shift
    (
        cd "$work/scratch" || exit 99
        GUMSHOE_TEST='some value' timeout -s KILL 60 "$@" </dev/null >"$out.stdout" 2>"$out.stderr"
        echo "status $?" >>"$out.stdout"
    ) 2>/dev/null
}

compare() {
    name=$1
    qemu=$2
    program=$3
    shift 3
    run_in_scratch "$work/out/$name.qemu" "$qemu" "$program" "$@"
    # shellcheck disable=SC2086 # the command may have options
    run_in_scratch "$work/out/$name.gumshoe" $gumshoe "$program" "$@"
    if cmp -s "$work/out/$name.qemu.stdout" "$work/out/$name.gumshoe.stdout"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "--- $name: QEMU (-) and Gumshoe (+) differ"
        diff -u "$work/out/$name.qemu.stdout" "$work/out/$name.gumshoe.stdout" | tail -n +3
        tail -n 3 "$work/out/$name.gumshoe.stderr"
    fi
}

each_way() {
    name=$1
    qemu=$2
    program=$3
    case $name in
    abort.*)
        for how in abort caught exit _exit term usr1 null divide illegal jump misaligned trap \
            overflow; do
            compare "$name.$how" "$qemu" "$program" $how
        done
        ;;
    args.*) compare "$name" "$qemu" "$program" one 'two words' '' -x ;;
    *) compare "$name" "$qemu" "$program" ;;
    esac
}

build_and_compare() {
    source=$1
    target=$2
    qemu=$3
    libraries=$4
    shift 4
    name=$(basename "$source" .c).$target
    if ! command -v "$1" >/dev/null || ! command -v "$qemu" >/dev/null; then
        skipped=$((skipped + 1))
        return
    fi
    # shellcheck disable=SC2086 # there may be no libraries
    if "$@" -std=gnu17 -D_GNU_SOURCE -O1 -w -static "$source" -o "$work/bin/$name" $libraries; then
        each_way "$name" "$qemu" "$work/bin/$name"
    else
        failed=$((failed + 1))
    fi
}

[ $# -gt 0 ] || set -- "$here"/*.c
for source in "$@"; do
    case $source in
    *_rv32.c)
        build_and_compare "$source" rv32 qemu-riscv32 "" riscv64-unknown-elf-gcc -march=rv32imac \
            -mabi=ilp32 -nostdlib -nostartfiles -ffreestanding
        ;;
    *)
        build_and_compare "$source" mipsel qemu-mipsel -lm mipsel-linux-gnu-gcc
        build_and_compare "$source" mips qemu-mips -lm mips-linux-gnu-gcc
        ;;
    esac
done
echo "linux programs: $passed equal, $failed different, $skipped skipped"
[ $failed -eq 0 ]
