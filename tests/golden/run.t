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
gumshoe: x: cannot be opened: No such file or directory
[127]
$ gumshoe run --set dcache.size=1K x
gumshoe: x: cannot be opened: No such file or directory
[127]
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
gumshoe: 355 cycles on ibex-small, 7.100 us at 50 MHz, 2.219 per instruction:
   45.07%  issue            instructions going through
   20.28%  mul-div          multiplier or divider busy
   19.15%  structural       a part of the core is busy or takes several steps
   15.21%  branch           jump or taken branch
    0.28%  fetch-alignment  instruction across a fetch boundary
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory

   self                          total  calls    CPI  function
 55.21%  ###########.........   55.21%      3  1.885  host_put
 27.04%  #####...............   30.42%      1  5.333  put_dec
 10.70%  ##..................   94.08%      1  1.520  main
  3.38%  #...................  100.00%      1  2.000  _start
  1.41%  ....................    2.54%      1  1.667  finish
  1.13%  ....................    1.13%      1  2.000  host_exit
  1.13%  ....................   52.96%      2  2.000  put

2 markers: 1 at cycle 20, 2 at cycle 200

What stands out:
 - host_put takes 55.2% of all cycles, more than all other functions together;
   91% of that is the loop at hello_test.c:8, 7.7 cycles per iteration, 7.667
   iterations each time it is entered (1 to 21).
 - 20.3% of all cycles are lost to mul-div (multiplier or divider busy); 50% of
   that at rt.c:22 in put_dec.
 - Of what host_put costs, 94% is on behalf of put, one of its 2 callers.
[42]
$ gumshoe run $PROGRAMS/bare/exit_semihost.elf
about to fail
gumshoe: exit_semihost.elf exited with 1 after 24 instructions
gumshoe: 38 cycles on ibex-small, 760.000 ns at 50 MHz, 1.583 per instruction:
   63.16%  issue            instructions going through
   21.05%  branch           jump or taken branch
   13.16%  structural       a part of the core is busy or takes several steps
    2.63%  fetch-alignment  instruction across a fetch boundary
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory

   self                          total  calls    CPI  function
 34.21%  #######.............   73.68%      1  1.444  main
 26.32%  #####...............  100.00%      1  2.000  _start
 23.68%  #####...............   23.68%      2  1.500  semihost
 10.53%  ##..................   28.95%      1  1.333  host_put
  5.26%  #...................   34.21%      1  2.000  put

What stands out:
 - main takes 34.2% of all cycles.
 - 21.1% of all cycles are lost to branch (jump or taken branch); 38% of that in
   semihost.
[1]
$ gumshoe run $PROGRAMS/bare/no_handler.elf
last words
gumshoe: no_handler.elf was ended by signal 4 (ILL): illegal instruction 0xffffffff at pc 0x80000042 in main+0xe
gumshoe: that was after 18 instructions
gumshoe: 30 cycles on ibex-small, 600.000 ns at 50 MHz, 1.667 per instruction:
   60.00%  issue            instructions going through
   23.33%  branch           jump or taken branch
   16.67%  structural       a part of the core is busy or takes several steps
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory

   self                          total  calls    CPI  function
 33.33%  #######.............  100.00%      1  2.000  _start
 23.33%  #####...............   23.33%      1  1.750  semihost
 23.33%  #####...............   66.67%      1  1.400  main
 13.33%  ###.................   36.67%      1  1.333  host_put
  6.67%  #...................   43.33%      1  2.000  put

What stands out:
 - 23.3% of all cycles are lost to branch (jump or taken branch); 43% of that in
   semihost.
 - _start takes 33.3% of all cycles.
[132]
$ gumshoe run --max-instructions 5 $PROGRAMS/bare/hello_test.elf
gumshoe: hello_test.elf was stopped by its limit after 5 instructions
gumshoe: 10 cycles on ibex-small, 200.000 ns at 50 MHz, 2.000 per instruction:
   50.00%  issue            instructions going through
   40.00%  structural       a part of the core is busy or takes several steps
   10.00%  branch           jump or taken branch
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory

   self                          total  calls    CPI  function
100.00%  ####################  100.00%      1  2.000  _start

What stands out:
 - _start takes 100.0% of all cycles.
 - 40.0% of all cycles are lost to structural (a part of the core is busy or
   takes several steps); 100% of that at start_rv.S:8 in _start.
[124]
$ gumshoe run --trace=/dev/null --max-instructions 5 $PROGRAMS/bare/hello_test.elf
gumshoe: hello_test.elf was stopped by its limit after 5 instructions
gumshoe: the reference engine ran all of it: a trace is told of every instruction
gumshoe: 10 cycles on ibex-small, 200.000 ns at 50 MHz, 2.000 per instruction:
   50.00%  issue            instructions going through
   40.00%  structural       a part of the core is busy or takes several steps
   10.00%  branch           jump or taken branch
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory

   self                          total  calls    CPI  function
100.00%  ####################  100.00%      1  2.000  _start

What stands out:
 - _start takes 100.0% of all cycles.
 - 40.0% of all cycles are lost to structural (a part of the core is busy or
   takes several steps); 100% of that at start_rv.S:8 in _start.
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
  "core": "ibex-small",
  "cycles": 10,
  "issue_cycles": 5,
  "stalls": {
    "i-miss": 0,
    "d-read-miss": 0,
    "d-write": 0,
    "load-use": 0,
    "data-hazard": 0,
    "mul-div": 0,
    "branch": 1,
    "mispredict": 0,
    "fetch-alignment": 0,
    "structural": 4,
    "trap": 0,
    "idle": 0,
    "bus": 0
  },
  "caches": {},
  "branches": {
    "executed": 0,
    "taken": 0,
    "mispredicted": 0
  },
  "markers": []
}
[124]
$ gumshoe run -q --trace - --max-instructions 4 $PROGRAMS/bare/hello_test.elf
0	80000000	_start+0x0	auipc gp, 0x2	gp=80002000	cycles=5 stall:structural=4
1	80000004	_start+0x4	addi gp, gp, -2048	gp=80001800	cycles=1
2	80000008	_start+0x8	auipc sp, 0x5	sp=80005008	cycles=1
3	8000000c	_start+0xc	addi sp, sp, -8	sp=80005000	cycles=1
[124]
# What goes to standard output is whole: what the program prints there goes to standard error.
$ gumshoe run -q --json - $PROGRAMS/bare/hello_test.elf 2>printed | python3 -m json.tool >/dev/null && cat printed
hello by test device
0
$ gumshoe run -q --trace - $PROGRAMS/bare/hello_test.elf 2>/dev/null | grep -vc "^[0-9]"
0
[1]

# picolibc masks the answer of SYS_READC; its getc() sees the end of input all the same.
$ printf "1\n2" | gumshoe run -q $PROGRAMS/bare/pico_stdin.elf
hello
1 1
0 more, then 0
[1]
$ gumshoe run -q $PROGRAMS/bare/pico_stdin.elf
hello
0 more, then 0

# A C library that is not known to do so goes on for ever, if it may.
$ cp $PROGRAMS/bare/pico_stdin.elf . && riscv64-unknown-elf-strip pico_stdin.elf
$ gumshoe run --core none --top 0 pico_stdin.elf 2>&1 >/dev/null; rm pico_stdin.elf
gumshoe: pico_stdin.elf halted: it goes on reading standard input, which is at its end; its C library takes the answer of SYS_READC for a character; after 104,793 instructions
gumshoe: the program may touch files below the working directory

# A program that lies where the default board has a device has no use for it.
$ riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -Wl,-Ttext=0x10000000,--build-id=none -o there.elf $ROOT/tests/golden/programs/inlined.c
$ gumshoe run --max-instructions 3 there.elf
gumshoe: there.elf was stopped by its limit after 3 instructions
gumshoe: 34 cycles on flatfoot, 680.000 ns at 50 MHz, 11.333 per instruction:
    8.82%  issue            instructions going through
   79.41%  i-miss           instruction cache miss or slow instruction memory
    8.82%  structural       a part of the core is busy or takes several steps
    2.94%  branch           jump or taken branch
gumshoe: flatfoot is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory

   self                          total  calls     CPI  function
 50.00%  ##########..........   50.00%      1   8.500  hot
 50.00%  ##########..........  100.00%      1  17.000  _start

What stands out:
 - 79.4% of all cycles are lost to i-miss (instruction cache miss or slow
   instruction memory); 52% of that at inlined.c:15 in hot.
 - hot takes 50.0% of all cycles.
[124]
$ gumshoe run --board rv-virt --max-instructions 3 there.elf
gumshoe: there.elf was stopped by its limit after 3 instructions
gumshoe: 34 cycles on flatfoot, 680.000 ns at 50 MHz, 11.333 per instruction:
    8.82%  issue            instructions going through
   79.41%  i-miss           instruction cache miss or slow instruction memory
    8.82%  structural       a part of the core is busy or takes several steps
    2.94%  branch           jump or taken branch
gumshoe: flatfoot is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory
gumshoe: the uart16550 at 0x10000000 of the board rv-virt is left out: the program itself lies there

   self                          total  calls     CPI  function
 50.00%  ##########..........   50.00%      1   8.500  hot
 50.00%  ##########..........  100.00%      1  17.000  _start

What stands out:
 - 79.4% of all cycles are lost to i-miss (instruction cache miss or slow
   instruction memory); 52% of that at inlined.c:15 in hot.
 - hot takes 50.0% of all cycles.
[124]

# The name of a function does not reach the terminal as it is.
$ riscv64-unknown-elf-objcopy --redefine-sym _start="$(printf '_start\033[31m')" there.elf evil.elf; gumshoe run -q --trace - --max-instructions 1 evil.elf | cat -v; rm evil.elf there.elf printed
0	1000002c	_start?[31m+0x0	jal 0x10000000	ra=10000030	cycles=17 i-misses=1 stall:i-miss=13 stall:structural=3

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
$ gumshoe rnu
gumshoe: there is no command 'rnu'; did you mean 'run'?
[2]
$ gumshoe completion
gumshoe completion: bash, zsh or fish?
Try 'gumshoe completion --help'.
[2]
$ gumshoe completion tcsh
gumshoe completion: bash, zsh or fish, not 'tcsh'
Try 'gumshoe completion --help'.
[2]
