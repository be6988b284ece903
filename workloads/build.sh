#!/usr/bin/env bash
# build.sh - builds the workloads for any number of targets.
#
#   build.sh OUTDIR [TARGET...] [--size test|small|ref] [--only NAME]
#            [--console testdev|semihost|htif|uart]
#
# Writes OUTDIR/TARGET/NAME.elf; without a TARGET, for all of them. A target
# whose compiler is missing is skipped with a note. --console chooses how a
# bare-metal program prints and exits. EXTRA_CFLAGS are added to every compile.
set -u

here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/runtime
jobs=2

all_targets="rv32im rv32imac rv32imafdc rv32im-linux rv32imac-linux
             mips1el mips1eb mips32el mips32eb mips32el-linux mips32eb-linux
             mipsel-glibc native"

warnings="-Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion"
# Every target must compute the same bits: no fused multiply-add.
common="-std=c17 -O2 -g -ffp-contract=off -fno-math-errno $warnings -I$runtime ${EXTRA_CFLAGS:-}"
# The last option keeps memcpy's loop from being turned into a call of memcpy.
freestanding="-ffreestanding -fno-pic -fno-tree-loop-distribute-patterns"
nolibs="-nostdlib -static -no-pie -Wl,--build-id=none"

usage()
{
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# Sets cc, cflags, ldflags, libs, start (linked first) and parts (the runtime's
# sources) for a target; returns 1 for an unknown one.
describe_target()
{
    local target=$1 base="workload.c string.c"
    start="" libs="" ldflags=""
    case $target in
    rv32im | rv32imac | rv32imafdc)
        cc=riscv64-unknown-elf-gcc
        cflags="$(rv32_flags "$target") $freestanding -DWORKLOAD_BARE_METAL"
        ldflags="$nolibs -T $runtime/rv32.ld"
        start=start_rv32.S
        parts="$base softfp_sqrt.c $(rv32_console)"
        libs=-lgcc
        ;;
    rv32im-linux | rv32imac-linux)
        cc=riscv64-unknown-elf-gcc
        cflags="$(rv32_flags "${target%-linux}") $freestanding"
        ldflags="$nolibs -T $runtime/rv32.ld -Wl,--defsym=RAM_BASE=0x10000"
        start=start_rv32_linux.S
        parts="$base softfp_sqrt.c sys_linux.c"
        libs=-lgcc
        ;;
    mips1el | mips1eb | mips32el | mips32eb)
        cc=$(mips_compiler "$target")
        cflags="$(mips_arch "$target") -mabi=32 -msoft-float -mno-abicalls -G0 $freestanding -DWORKLOAD_BARE_METAL"
        ldflags="$nolibs -T $runtime/mips.ld"
        start=start_mips.S
        # The cross compilers' libgcc is for hard float and MIPS32r2.
        parts="$base softfp_sqrt.c libcalls_float.c libcalls_shift.c $(mips_console)"
        ;;
    mips32el-linux | mips32eb-linux)
        cc=$(mips_compiler "${target%-linux}")
        cflags="-march=mips32r2 -mabi=32 -mhard-float $freestanding"
        ldflags="$nolibs -Wl,-e,_start"
        start=start_mips_linux.S
        parts="$base sys_linux.c"
        libs=-lgcc
        ;;
    mipsel-glibc)
        cc=mipsel-linux-gnu-gcc
        cflags="-march=mips32r2"
        ldflags=-static
        parts="workload.c sys_host.c"
        ;;
    native)
        cc=${CC:-cc}
        cflags=""
        parts="workload.c sys_host.c"
        ;;
    *) return 1 ;;
    esac
}

rv32_flags()
{
    case $1 in
    rv32imafdc) echo "-march=$1 -mabi=ilp32d" ;;
    *) echo "-march=$1 -mabi=ilp32" ;;
    esac
}

mips_compiler()
{
    case $1 in
    *el) echo mipsel-linux-gnu-gcc ;;
    *eb) echo mips-linux-gnu-gcc ;;
    esac
}

mips_arch()
{
    case $1 in
    mips1*) echo "-march=mips1" ;;
    mips32*) echo "-march=mips32r2" ;;
    esac
}

rv32_console()
{
    case $console in
    testdev) echo sys_testdev.c ;;
    *) echo "sys_rv32_$console.c" ;;
    esac
}

mips_console()
{
    case $console in
    semihost) echo sys_mips_uhi.c ;;
    *) echo sys_testdev.c ;;
    esac
}

# Compiles the runtime into an archive, so that a program links only what it uses.
build_runtime()
{
    local dir=$outdir/$target/runtime part objects=""
    rm -rf "$dir"
    mkdir -p "$dir" || return 1
    for part in $parts; do
        $cc $common $cflags -c "$runtime/$part" -o "$dir/${part%.*}.o" || return 1
        objects="$objects $dir/${part%.*}.o"
    done
    if [ -n "$start" ]; then
        $cc $common $cflags -c "$runtime/$start" -o "$dir/start.o" || return 1
    fi
    ar rcs "$dir/libruntime.a" $objects
}

build_program()
{
    local dir=$outdir/$target name=$1
    $cc $common $cflags -DWORKLOAD_SIZE="$size" $ldflags \
        ${start:+"$dir/runtime/start.o"} "$here/$name.c" "$dir/runtime/libruntime.a" $libs \
        -o "$dir/$name.elf" && return 0
    echo "build.sh: $target/$name failed" >&2
    return 1
}

outdir="" targets="" size=0 only="" console=testdev
while [ $# -gt 0 ]; do
    case $1 in
    --size)
        case ${2:-} in
        test) size=0 ;;
        small) size=1 ;;
        ref) size=2 ;;
        *) usage ;;
        esac
        shift
        ;;
    --only)
        only=${2:-}
        [ -f "$here/$only.c" ] || { echo "build.sh: no program named '$only'" >&2; exit 2; }
        shift
        ;;
    --console)
        console=${2:-}
        case $console in testdev | semihost | htif | uart) ;; *) usage ;; esac
        shift
        ;;
    -*) usage ;;
    *)
        if [ -z "$outdir" ]; then outdir=$1; else targets="$targets $1"; fi
        ;;
    esac
    shift
done
[ -n "$outdir" ] || usage

programs=$only
[ -n "$only" ] || programs=$(cd "$here" && ls *.c | sed 's/\.c$//')

failed=0
for target in ${targets:-$all_targets}; do
    describe_target "$target" || { echo "build.sh: unknown target '$target'" >&2; exit 2; }
    if ! command -v "$cc" > /dev/null; then
        echo "build.sh: $target skipped: $cc is not installed" >&2
        continue
    fi
    if ! build_runtime; then
        echo "build.sh: $target/runtime failed" >&2
        failed=1
        continue
    fi
    running=0
    for name in $programs; do
        if [ $running -ge $jobs ]; then
            wait -n || failed=1
            running=$((running - 1))
        fi
        build_program "$name" &
        running=$((running + 1))
    done
    while [ $running -gt 0 ]; do
        wait -n || failed=1
        running=$((running - 1))
    done
done
exit $failed
