#!/usr/bin/env bash
# count.sh - instructions each workload executes, for the table in README.md.
#
#   count.sh BUILDDIR [test|small|ref...]
#
# Builds target rv32im-linux into BUILDDIR and runs it under qemu-riscv32 with a
# counting plugin. Prints a line per program with a column per size (all three
# unless told); ref takes minutes.
set -eu

[ $# -ge 1 ] || { sed -n '4s/^# *//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
builddir=$1
shift
[ $# -gt 0 ] || set -- test small ref
mkdir -p "$builddir"

plugin=$(cd "$builddir" && pwd)/qemu_insn_count.so
"${CC:-cc}" -O2 -shared -fPIC "$here/tools/qemu_insn_count.c" -o "$plugin"
for size in "$@"; do
    "$here/build.sh" "$builddir/$size" rv32im-linux --size "$size"
done

printf '%-12s' program
printf '%15s' "$@"
echo
for program in "$here"/*.c; do
    name=$(basename "$program" .c)
    printf '%-12s' "$name"
    for size in "$@"; do
        # The program's line goes away, the plugin's total on stderr stays.
        count=$(qemu-riscv32 -plugin "$plugin" "$builddir/$size/rv32im-linux/$name.elf" 2>&1 > /dev/null) || count=failed
        printf '%15s' "$count"
    done
    echo
done
