# The command line of `run`: wrong usage, wrong files, limits, statuses.
$ gumshoe run
gumshoe run: which program?
Try 'gumshoe run --help'.
[125]
$ gumshoe run --nonsense x
gumshoe run: there is no option --nonsense
Try 'gumshoe run --help'.
[125]
$ gumshoe run --env windows x
gumshoe run: --env is auto, bare or linux, not 'windows'
Try 'gumshoe run --help'.
[125]
$ gumshoe run --max-instructions none x
gumshoe run: --max-instructions wants a number such as 10M, not 'none'
Try 'gumshoe run --help'.
[125]
$ gumshoe run --pipeline 5 x
gumshoe run: --pipeline wants two numbers such as 100:120, not '5'
Try 'gumshoe run --help'.
[125]
$ gumshoe run --timeline 0 x
gumshoe run: --timeline wants a number of cycles such as 10K, not '0'
Try 'gumshoe run --help'.
[125]
$ gumshoe run --timeline 10K x
gumshoe run: --timeline needs --core
Try 'gumshoe run --help'.
[125]
$ gumshoe run --set dcache.size=1K x
gumshoe run: --set needs --core
Try 'gumshoe run --help'.
[125]
$ gumshoe run nowhere.elf
gumshoe: nowhere.elf: cannot be opened: No such file or directory
[127]
$ echo text > text; gumshoe run text
gumshoe: text: is not an ELF file: give a RISC-V or MIPS ELF program
[126]
$ gumshoe run .
gumshoe: .: cannot be read: Is a directory
[126]
$ gumshoe frobnicate
gumshoe: there is no command 'frobnicate'; 'gumshoe --help' lists them
[2]

# A program that ends well, one with a status, one that faults.
$ gumshoe run $PROGRAMS/bare/hello_test.elf
hello by test device
0
gumshoe: hello_test.elf exited with 42 after 160 instructions
gumshoe: the program may touch files below the working directory
[42]
$ gumshoe run $PROGRAMS/bare/exit_semihost.elf
about to fail
gumshoe: exit_semihost.elf exited with 1 after 24 instructions
gumshoe: the program may touch files below the working directory
[1]
$ gumshoe run $PROGRAMS/bare/no_handler.elf
last words
gumshoe: no_handler.elf was ended by signal 4 (ILL): illegal instruction 0xffffffff at pc 0x80000042 in main+0xe
gumshoe: that was after 18 instructions
gumshoe: the program may touch files below the working directory
[132]
$ gumshoe run --max-instructions 5 $PROGRAMS/bare/hello_test.elf
gumshoe: hello_test.elf was stopped by its limit after 5 instructions
gumshoe: the program may touch files below the working directory
[124]
$ gumshoe run --trace=/dev/null --max-instructions 5 $PROGRAMS/bare/hello_test.elf
gumshoe: hello_test.elf was stopped by its limit after 5 instructions
gumshoe: the reference engine ran all of it: a trace is told of every instruction
gumshoe: the program may touch files below the working directory
[124]
$ gumshoe run -q --trace=/dev/null --json - --max-instructions 5 $PROGRAMS/bare/hello_test.elf | grep reference
  "engine": "reference",
  "reference_reason": "a trace is told of every instruction",
$ gumshoe run -q --engine fast --trace=/dev/null $PROGRAMS/bare/hello_test.elf
gumshoe: cannot use the fast engine: a trace is told of every instruction
[125]
$ gumshoe run -q --json - --max-instructions 5 $PROGRAMS/bare/hello_test.elf
{
  "schema": "gumshoe-run-1",
  "program": "$PROGRAMS/bare/hello_test.elf",
  "isa": "rv32",
  "byte_order": "little",
  "environment": "bare",
  "inherited": "nothing",
  "variables": [],
  "engine": "reference",
  "translated_instructions": 0,
  "sandbox": {
    "files": "listed",
    "paths": [
      {
        "path": "$DIRECTORY",
        "read_only": false
      }
    ]
  },
  "exit": {
    "kind": "limit"
  },
  "instructions": 5,
  "markers": []
}
[124]
$ gumshoe run -q --trace - --max-instructions 4 $PROGRAMS/bare/hello_test.elf
0	80000000	_start+0x0	auipc gp, 0x2	gp=80002000
1	80000004	_start+0x4	addi gp, gp, -2048	gp=80001800
2	80000008	_start+0x8	auipc sp, 0x5	sp=80005008
3	8000000c	_start+0xc	addi sp, sp, -8	sp=80005000
[124]
# What goes to standard output is whole: what the program prints there goes to standard error.
$ gumshoe run -q --json - $PROGRAMS/bare/hello_test.elf 2>printed | python3 -m json.tool >/dev/null && cat printed
hello by test device
0
$ gumshoe run -q --trace - $PROGRAMS/bare/hello_test.elf 2>/dev/null | grep -vc "^[0-9]"
0
[1]

# At the end of its input a C library that cannot tell goes on for ever, if it may.
$ gumshoe run $PROGRAMS/bare/pico_stdin.elf 2>&1 >/dev/null
gumshoe: pico_stdin.elf halted: it goes on reading standard input, which is at its end; its C library takes the answer of SYS_READC for a character; after 104,793 instructions
gumshoe: the program may touch files below the working directory
[124]

# A program that lies where the default board has a device has no use for it.
$ riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -Wl,-Ttext=0x10000000,--build-id=none -o there.elf $ROOT/tests/golden/programs/inlined.c
$ gumshoe run --max-instructions 3 there.elf
gumshoe: there.elf was stopped by its limit after 3 instructions
gumshoe: the program may touch files below the working directory
[124]
$ gumshoe run --board rv-virt --max-instructions 3 there.elf
gumshoe: there.elf was stopped by its limit after 3 instructions
gumshoe: the program may touch files below the working directory
gumshoe: the uart16550 at 0x10000000 of the board rv-virt is left out: the program itself lies there
[124]

# The name of a function does not reach the terminal as it is.
$ riscv64-unknown-elf-objcopy --redefine-sym _start="$(printf '_start\033[31m')" there.elf evil.elf; gumshoe run -q --trace - --max-instructions 1 evil.elf | cat -v; rm evil.elf there.elf printed
0	1000002c	_start?[31m+0x0	jal 0x10000000	ra=10000030

$ gumshoe run -q --json nowhere/x.json $PROGRAMS/bare/hello_test.elf; ls
gumshoe: nowhere/x.json: cannot create: No such file or directory
text

# Nothing is left under the final name when a run fails, and a full disk is said.
$ gumshoe run -q --json /dev/full $PROGRAMS/bare/hello_test.elf
hello by test device
0
gumshoe: cannot write the JSON report: No space left on device
[125]

# Options: names that are nearly right, shortened, or with a value where none belongs.
$ gumshoe run --ouput x.db program.elf
gumshoe run: there is no option --ouput; did you mean --output?
Try 'gumshoe run --help'.
[125]
$ gumshoe run --max 5 program.elf
gumshoe run: --max is short for more than one option
Try 'gumshoe run --help'.
[125]
$ gumshoe run --quiet=no program.elf
gumshoe run: --quiet takes no value
Try 'gumshoe run --help'.
[125]
$ gumshoe run -x program.elf
gumshoe run: there is no option -x
Try 'gumshoe run --help'.
[125]
$ gumshoe run --timel
gumshoe run: --timel wants a value
Try 'gumshoe run --help'.
[125]
$ gumshoe unit leap --tagd program.elf
gumshoe unit: leap has no option --tagd; did you mean --tagged?
Try 'gumshoe unit --help'.
[2]
$ gumshoe unit leap --label 5 program.elf
gumshoe unit: --label wants a name, not a number or 'last': '5'
Try 'gumshoe unit --help'.
[2]
$ gumshoe energy counts --correct
gumshoe energy: --correct means nothing to 'counts'
Try 'gumshoe energy --help'.
[2]
$ gumshoe cores --json
gumshoe cores: --json is for 'show'
Try 'gumshoe cores --help'.
[2]
$ gumshoe cores --help --nonsense | head -1
Usage: gumshoe cores
$ gumshoe reprot
gumshoe: there is no command 'reprot'; did you mean 'report'?
[2]
$ gumshoe completion
gumshoe completion: bash, zsh or fish?
Try 'gumshoe completion --help'.
[2]
$ gumshoe completion tcsh
gumshoe completion: bash, zsh or fish, not 'tcsh'
Try 'gumshoe completion --help'.
[2]
