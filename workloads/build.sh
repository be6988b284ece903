#!/usr/bin/env bash
# build.sh - builds the workloads for any number of targets.
#
#   build.sh OUTDIR [TARGET...] [--size test|small|ref] [--only NAME]...
#            [--console testdev|semihost|htif|uart]
#   build.sh --list          prints the targets, each with its compiler
#
# Writes OUTDIR/TARGET/NAME.elf; without a TARGET, for all of them. A target
# that cannot be built here is skipped with a note. --console chooses how a
# bare-metal program prints and exits (MIPS: testdev or semihost, which is UHI).
# EXTRA_CFLAGS are added to every compile; CC is the compiler of target native.
set -u

here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/runtime
jobs=2

all_targets=(rv32im rv32imac rv32imafdc rv32imafdc-picolibc rv32im-linux rv32imac-linux
    mips1el mips1eb mips32el mips32eb mips32el-linux mips32eb-linux
    mipsel-glibc native rv32imf_zba_zbb_zbs_zicond-clang-linux hexagon-clang-linux)

read -ra extra_cflags <<< "${EXTRA_CFLAGS:-}"
# -ffp-contract: every target must compute the same bits, so no fused multiply-add.
common=(-std=c17 -O2 -g -ffp-contract=off -fno-math-errno
    -Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion "-I$runtime")
# The last option keeps memcpy's loop from being turned into a call of memcpy.
freestanding=(-ffreestanding -fno-pic -fno-tree-loop-distribute-patterns)
nolibs=(-nostdlib -static -no-pie "-Wl,--build-id=none")

usage()
{
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# Says how a target is built: cc and ar, cflags, ldflags, libs, start (linked
# first) and parts (the runtime's other sources). Returns 1 for an unknown target.
describe_target()
{
    start="" libs=() ldflags=() parts=(workload.c)
    case $1 in
    *-picolibc) cc=riscv64-unknown-elf-gcc ar=riscv64-unknown-elf-ar ;;
    rv32*-clang-linux | hexagon-clang-linux) cc=clang-19 ar=llvm-ar-19 ;;
    rv32*)
        cc=riscv64-unknown-elf-gcc ar=riscv64-unknown-elf-ar
        cflags=("-march=${1%-linux}" "${freestanding[@]}")
        ldflags=("${nolibs[@]}" -T "$runtime/rv32.ld")
        libs=(-lgcc)
        parts+=(string.c softfp_sqrt.c)
        ;;
    mips*el*) cc=mipsel-linux-gnu-gcc ar=mipsel-linux-gnu-ar ;;
    mips*eb*) cc=mips-linux-gnu-gcc ar=mips-linux-gnu-ar ;;
    esac

    case $1 in
    rv32*-clang-linux | hexagon-clang-linux)
        cflags=(-ffreestanding -fuse-ld=lld -Wno-unused-command-line-argument)
        ldflags=("${nolibs[@]}")
        libs=()
        parts=(workload.c string.c softfp_sqrt.c sys_linux.c libcalls_float.c)
        case $1 in
        hexagon-*)
            # Without -fno-pic: by absolute addresses, lzw fails under QEMU 7.2.
            cflags+=(--target=hexagon-unknown-elf -mv62 -G0)
            start=start_hexagon_linux.S
            parts+=(libcalls_hexagon_divide.c libcalls_hexagon_copy.c)
            ;;
        *)
            cflags+=(--target=riscv32-unknown-elf "-march=${1%-clang-linux}" -mabi=ilp32)
            start=start_rv32_linux.S
            ;;
        esac
        ;;
    rv32im | rv32imac | rv32imafdc)
        case $1 in
        rv32imafdc) cflags+=(-mabi=ilp32d) ;;
        *) cflags+=(-mabi=ilp32) ;;
        esac
        cflags+=(-DWORKLOAD_BARE_METAL)
        start=start_rv32.S
        case $console in
        testdev) parts+=(sys_testdev.c) ;;
        *) parts+=("sys_rv32_$console.c") ;;
        esac
        ;;
    rv32imafdc-picolibc)
        cflags=(-march=rv32imafdc -mabi=ilp32d --specs=picolibc.specs)
        ldflags=(--oslib=semihost --crt0=hosted
            "-Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=1M"
            "-Wl,--defsym=__ram=0x80100000,--defsym=__ram_size=3M")
        parts+=(sys_host.c)
        ;;
    rv32im-linux | rv32imac-linux)
        cflags+=(-mabi=ilp32)
        ldflags+=("-Wl,--defsym=RAM_BASE=0x10000")
        start=start_rv32_linux.S
        parts+=(sys_linux.c)
        ;;
    mips1el | mips1eb | mips32el | mips32eb)
        cflags=(-mabi=32 -msoft-float -mno-abicalls -G0 "${freestanding[@]}" -DWORKLOAD_BARE_METAL)
        case $1 in
        mips1e?) cflags+=(-march=mips1) ;;
        *) cflags+=(-march=mips32r2) ;;
        esac
        ldflags=("${nolibs[@]}" -T "$runtime/mips.ld")
        start=start_mips.S
        # The cross compilers' libgcc is for hard float and MIPS32r2: bring our own.
        parts+=(string.c softfp_sqrt.c libcalls_float.c libcalls_shift.c)
        case $console in
        semihost) parts+=(sys_mips_uhi.c) ;;
        *) parts+=(sys_testdev.c) ;;
        esac
        ;;
    mips32el-linux | mips32eb-linux)
        cflags=(-march=mips32r2 -mabi=32 -mhard-float "${freestanding[@]}")
        ldflags=("${nolibs[@]}" "-Wl,-e,_start")
        libs=(-lgcc)
        start=start_mips_linux.S
        parts+=(string.c sys_linux.c)
        ;;
    mipsel-glibc)
        cflags=(-march=mips32r2)
        ldflags=(-static)
        parts+=(sys_host.c)
        ;;
    native)
        cc=${CC:-cc} ar=ar
        cflags=()
        parts+=(sys_host.c)
        ;;
    *) return 1 ;;
    esac
}

# Prints why the described target cannot be built here; nothing if it can.
obstacle()
{
    if ! command -v "$cc" > /dev/null; then
        echo "$cc is not installed"
    elif [[ $1 = *-picolibc ]] && [ "$("$cc" -print-file-name=picolibc.specs)" = picolibc.specs ]; then
        echo "picolibc is not installed"
    elif [[ $1 =~ ^mips(1|32)e.$ && $console =~ ^(htif|uart)$ ]]; then
        echo "there is no $console console for MIPS"
    fi
}

compile()
{
    "$cc" "${common[@]}" "${cflags[@]}" "${extra_cflags[@]}" "$@"
}

# Compiles the runtime into an archive, so that a program links only what it uses.
build_runtime()
{
    local dir=$outdir/$target/runtime part objects=()
    rm -rf "$dir"
    mkdir -p "$dir" || return 1
    for part in "${parts[@]}"; do
        compile -c "$runtime/$part" -o "$dir/${part%.*}.o" || return 1
        objects+=("$dir/${part%.*}.o")
    done
    if [ -n "$start" ]; then
        compile -c "$runtime/$start" -o "$dir/start.o" || return 1
    fi
    "$ar" rcs "$dir/libruntime.a" "${objects[@]}"
}

build_program()
{
    local dir=$outdir/$target name=$1
    compile "-DWORKLOAD_SIZE=$size" "${ldflags[@]}" ${start:+"$dir/runtime/start.o"} \
        "$here/$name.c" "$dir/runtime/libruntime.a" "${libs[@]}" -o "$dir/$name.elf" && return 0
    echo "build.sh: $target/$name failed" >&2
    return 1
}

outdir="" targets=() programs=() size=0 console=testdev
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
        [ -f "$here/${2:-}.c" ] || { echo "build.sh: no program named '${2:-}'" >&2; exit 2; }
        programs+=("$here/$2.c")
        shift
        ;;
    --console)
        console=${2:-}
        case $console in testdev | semihost | htif | uart) ;; *) usage ;; esac
        shift
        ;;
    --list)
        for target in "${all_targets[@]}"; do
            describe_target "$target" && echo "$target $cc"
        done
        exit 0
        ;;
    -*) usage ;;
    *) if [ -z "$outdir" ]; then outdir=$1; else targets+=("$1"); fi ;;
    esac
    shift
done
[ -n "$outdir" ] || usage
[ ${#targets[@]} -gt 0 ] || targets=("${all_targets[@]}")

[ ${#programs[@]} -gt 0 ] || programs=("$here"/*.c)

failed=0
for target in "${targets[@]}"; do
    describe_target "$target" || { echo "build.sh: unknown target '$target'" >&2; exit 2; }
    why=$(obstacle "$target")
    if [ -n "$why" ]; then
        echo "build.sh: $target skipped: $why" >&2
        continue
    fi
    if ! build_runtime; then
        echo "build.sh: $target/runtime failed" >&2
        failed=1
        continue
    fi
    running=0
    for program in "${programs[@]}"; do
        if [ $running -ge $jobs ]; then
            wait -n || failed=1
            running=$((running - 1))
        fi
        build_program "$(basename "$program" .c)" &
        running=$((running + 1))
    done
    while [ $running -gt 0 ]; do
        wait -n || failed=1
        running=$((running - 1))
    done
done
exit $failed
