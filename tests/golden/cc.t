# From C source to a program for a core, with the cross compilers; and what is wrong with a source.
$ gumshoe cc
gumshoe cc: which file?
Try 'gumshoe cc --help'.
[2]
$ gumshoe run nothing.c
gumshoe: nothing.c: cannot be read: No such file or directory
[127]
$ gumshoe cc x.o
gumshoe cc: x.o is not a FILE.c; give other files behind --
Try 'gumshoe cc --help'.
[2]
$ gumshoe cc -o x -- x.c
gumshoe cc: without a FILE.c, -o belongs behind --
Try 'gumshoe cc --help'.
[2]
$ gumshoe cc x.c --core nowhere 2>&1 | cut -c1-40
gumshoe: there is no core 'nowhere'; bui
$ gumshoe cc x.c --core mips-24kf --env bare
gumshoe: there is no C library for bare MIPS hardware; --env linux makes a program for Linux on a MIPS core
[3]
$ gumshoe cc x.c --core mips-4k
gumshoe: there is no C library for mips32r2: Debian's for MIPS takes mips32r2 with an FPU, as --core mips-24kf has it. A program that brings its own is compiled with -nostdlib behind --
[3]
$ printf '#include <stdio.h>\nint main(int argc, char **argv)\n{\n    printf("%%d of %%s\\n", argc, argv[1]);\n    return argc;\n}\n' > x.c
$ gumshoe cc x.c --core ibex-small --compiler gcc && gumshoe run -q x.elf here
2 of here
[2]
$ gumshoe cc x.c --core rocket-rv32 --env linux --compiler gcc -o y.elf && gumshoe run -q y.elf there
2 of there
[2]
$ gumshoe cc x.c --core mips-24kf -o z.elf && gumshoe run -q z.elf there
2 of there
[2]
$ gumshoe cc x.c --core mips-24kf --big-endian -o z.elf && gumshoe run -q z.elf there
2 of there
[2]

$ for core in mips-4k tiger-mips; do printf 'void __start(void)\n{\n    asm volatile("li $2, 4001\\n\\tli $4, 7\\n\\tsyscall");\n}\n' > bare.c; gumshoe cc bare.c --core $core -o z.elf -- -nostdlib && gumshoe run -q --env linux --core $core z.elf; echo $?; done
7
7
$ gumshoe cc x.c --core hazard3 --compiler gcc && gumshoe run -q --core hazard3 x.elf there
2 of there
[2]
$ printf '#include <math.h>\nint main(int argc, char **argv)\n{\n    return (int)(sin(argc) * 10);\n}\n' > m.c
$ for core in mips-24kf rocket-rv32; do gumshoe cc m.c --core $core --compiler gcc -o z.elf && gumshoe run -q z.elf; echo $?; done
8
8

# Variables with initial values, of a thread, and without: none lies where another does.
$ printf '#include <errno.h>\n#include <stdio.h>\nint first = 1, rest[2] = {2, 3};\n_Thread_local int own = 4, wide[20] __attribute__((aligned(64)));\nint zero[9];\nint main(void)\n{\n    errno = 77, wide[19] = 5;\n    for (int i = 0; i < 9; i++)\n        zero[i] = -1;\n    printf("%%d %%d %%d %%d %%d %%d\\n", first, rest[0], rest[1], own, errno, wide[19]);\n    return 0;\n}\n' > thread.c
$ for env in bare linux; do gumshoe cc thread.c --compiler gcc --env $env -o thread.elf && gumshoe run -q --core none thread.elf; done
1 2 3 4 77 5
1 2 3 4 77 5

# As a compiler for makefiles.
$ gumshoe cc --compiler gcc -- -c x.c -o x.o && gumshoe cc --compiler gcc -- x.o -o w.elf && gumshoe run -q w.elf
1 of (null)
[1]

# The cache: the same program again, until a header changes. Warnings are repeated.
$ printf 'enum { STATUS = 3 };\n' > h.h; printf '#include "h.h"\n#warning look\nint main(void) { return STATUS; }\n' > s.c
$ gumshoe cc s.c --compiler gcc 2>&1 | grep -c warning; gumshoe run -q s.elf
2
[3]
$ gumshoe cc s.c --compiler gcc 2>&1 | grep -c warning; gumshoe run -q s.elf
2
[3]
$ printf 'enum { STATUS = 4 };\n' > h.h; gumshoe cc s.c --compiler gcc 2>/dev/null; gumshoe run -q s.elf
[4]

# Mistakes.
$ printf 'int main(void) { return x; }\n' > bad.c; gumshoe cc bad.c --compiler gcc 2>&1 | grep error
bad.c:1:25: error: 'x' undeclared (first use in this function)
$ gumshoe cc bad.c --compiler gcc 2>/dev/null
[1]
$ gumshoe cc x.c --compiler gcc -- -fno-such-flag
riscv64-unknown-elf-gcc: error: unrecognized command-line option '-fno-such-flag'; did you mean '-fno-mudflap'?
[1]
$ gumshoe cc missing.c --compiler gcc 2>&1 | grep missing.c | head -1
cc1: fatal error: missing.c: No such file or directory
$ printf 'int nowhere(void);\nint main(void) { return nowhere(); }\n' > open.c; gumshoe cc open.c --compiler gcc 2>&1 | grep -o 'undefined reference.*'
undefined reference to `nowhere'
$ bin=$(dirname $(command -v gumshoe)); PATH=$bin gumshoe cc x.c
gumshoe: there is no C compiler for RISC-V: neither clang with riscv64-unknown-elf-ld or ld.lld, nor riscv64-unknown-elf-gcc is on the PATH that --compiler allows; on Debian: apt install gcc-riscv64-unknown-elf; lld has to be 15 or newer
[3]
$ bin=$(dirname $(command -v gumshoe)); PATH=$bin gumshoe cc x.c --core mips-24kf
gumshoe: there is no C compiler for MIPS: mipsel-linux-gnu-gcc is not on the PATH; on Debian: apt install gcc-mipsel-linux-gnu libc6-dev-mipsel-cross
[3]
$ bin=$(dirname $(command -v gumshoe)); PATH=$bin gumshoe run x.c
gumshoe: there is no C compiler for RISC-V: neither clang with riscv64-unknown-elf-ld or ld.lld, nor riscv64-unknown-elf-gcc is on the PATH that --compiler allows; on Debian: apt install gcc-riscv64-unknown-elf; lld has to be 15 or newer
[126]
