# What the programs in examples/ print, and what they say when something is wrong.
$ cycles flatfoot $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
It exited with 0.
      927563 instructions
     1469903 cycles on flatfoot
      927563   in which an instruction was issued
        2044   lost: instruction cache miss or slow instruction memory
         968   lost: data read miss or slow data memory
       62556   lost: store waiting for the write buffer or memory
       22955   lost: waiting for a loaded value
         907   lost: waiting for another result
      224032   lost: multiplier or divider busy
      228875   lost: jump or taken branch
           3   lost: a part of the core is busy or takes several steps
         128 instruction cache misses in 927563 accesses
         890 data cache misses in 345556 accesses
       92806 conditional branches, 71700 of them taken

$ cycles ideal $PROGRAMS/bare/hello_test.elf
hello by test device
0
It exited with 42.
         160 instructions
         160 cycles on ideal
         160   in which an instruction was issued
          27 conditional branches, 20 of them taken

$ cycles flatfoot nowhere.elf
cycles: nowhere.elf: cannot be opened: No such file or directory
[1]

$ own_event $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
The next instruction uses what was loaded after 22956 of 196074 loads.
     12204  blt a5, a1, 0x800001b0   find_rich+20
      7953  beq a4, a0, 0x800001c0   find_rich+12
       913  andi s0, s0, 7           rename_account+40
       880  blt a4, a5, 0x800002d8   execute+252
       872  bge a5, a2, 0x80000164   move_money+4

$ own_event $PROGRAMS/mips1el/dhry.elf
dhry: ok d26c7301
The next instruction uses what was loaded after 0 of 152987 loads.

$ instruction_mix flatfoot $PROGRAMS/rv32im/dhry.elf reference
dhry: ok d26c7301
      365859  ALU
      196074  LOAD
      149501  STORE
       92806  BRANCH
       48448  SHIFT
       30826  JUMP
       27325  JUMP_REG
        9723  MUL
        7001  DIV
      927563  of 927563 instructions

$ instruction_mix flatfoot $PROGRAMS/rv32im/dhry.elf fast
dhry: ok d26c7301
      365859  ALU
      196074  LOAD
      149501  STORE
       92806  BRANCH
       48448  SHIFT
       30826  JUMP
       27325  JUMP_REG
        9723  MUL
        7001  DIV
      927563  of 927563 instructions

$ instruction_mix mips-4k $PROGRAMS/mips1el/dhry.elf
dhry: ok d26c7301
      399378  ALU
      152987  LOAD
      138099  SHIFT
      112148  BRANCH
      106418  STORE
       27325  JUMP_REG
       22927  JUMP
        7868  HILO
        7001  DIV
         867  MULT
      975018  of 975018 instructions

$ instruction_mix flatfoot $PROGRAMS/rv32im/dhry.elf quick
usage: instruction_mix CORE PROGRAM [auto|reference|fast]
[1]

$ hottest_loop flatfoot $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
The hottest loop is in copy_string, at 0x80000038, line 44 of dhry.c
  26.2% of all cycles, 6.97 cycles an iteration, 30.0 iterations an entry
  28.2% of its cycles lost: jump or taken branch

$ hottest_loop flatfoot $PROGRAMS/mips1el/dhry.elf
hottest_loop: $PROGRAMS/mips1el/dhry.elf is a mips32 program, but core flatfoot runs rv32im_zicsr_zifencei; 'gumshoe cores' lists others
[1]

$ compare_cores $PROGRAMS/rv32im/dhry.elf | grep -E '^(core|flatfoot|picorv32|vexriscv) '
core             instructions       cycles      CPI         ms
flatfoot               927563      1469903    1.585     29.398
picorv32               927563      4318006    4.655     43.180
vexriscv               927563      1471654    1.587     14.717

$ compare_cores $PROGRAMS/mips1el/dhry.elf tiger-mips mips-4k
dhry: ok d26c7301
dhry: ok d26c7301
core             instructions       cycles      CPI         ms
tiger-mips             975018      1166493    1.196     46.660
mips-4k                975018      1216870    1.248     12.169

$ compare_cores $PROGRAMS/mips1el/dhry.elf flatfoot
compare_cores: $PROGRAMS/mips1el/dhry.elf is a mips32 program, but core flatfoot runs rv32im_zicsr_zifencei; 'gumshoe cores' lists others
[1]

$ attach_unit leap:functions=64 flatfoot $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
leap:functions=64

What each function has:
 cycles    exact  difference  tail call   share  function
387,017  387,017           0          0  26.33%  copy_string
321,394  321,394           0          0  21.86%  make_order
307,184  307,184           0          0  20.90%  execute
195,715  195,171        +544       +544  13.28%  main
 98,953   98,953           0          0   6.73%  find_rich
(and 12 more)

       hardware
   21  functions listed
   64  entries
   12  bits of tab               displacements that make the hash perfect
  512  bits of tab as published  a byte for every entry
2,048  bits of counter storage
  192  bits of call stack
2,252  bits in all
6,144  bits in all as published  tab and stack in a memory of 4096

4 times: control went to another function without a call

$ attach_unit luck flatfoot $PROGRAMS/rv32im/dhry.elf
attach_unit: there is no unit 'luck'; there are leap, snoopp, stats, loops
[1]

$ gumshoe run -q --core flatfoot --label first -o gumshoe.db $PROGRAMS/rv32im/dhry.elf; own_report gumshoe.db
dhry: ok d26c7301
## Runs in gumshoe.db

1. first on flatfoot: 1469903 cycles

| function | cycles | share | data misses |
|---|---:|---:|---:|
| `copy_string` | 387017 | 26.3% | 524 |
| `make_order` | 321394 | 21.9% | 12 |
| `execute` | 307184 | 20.9% | 12 |
| `main` | 195171 | 13.3% | 55 |
| `find_rich` | 98953 | 6.7% | 19 |
| `interest.isra.0` | 62438 | 4.2% | 0 |

and 11 more.

- `_start` 100.0%, called 1 times
  - `main` 99.9%, called 1 times
    - `execute` 57.7%, called 4400 times
      - `rename_account` 28.5%, called 913 times
        - `copy_string` 26.1%, called 1826 times
    - `make_order` 28.6%, called 4400 times
# gumshoe.db

1. first on flatfoot: 1469903 cycles

| function | cycles | share | data misses |
|---|---:|---:|---:|
| `copy_string` | 387017 | 26.3% | 524 |
| `make_order` | 321394 | 21.9% | 12 |
| `execute` | 307184 | 20.9% | 12 |
| `main` | 195171 | 13.3% | 55 |
| `find_rich` | 98953 | 6.7% | 19 |
| `interest.isra.0` | 62438 | 4.2% | 0 |

and 11 more.

- `_start` 100.0%, called 1 times
  - `main` 99.9%, called 1 times
    - `execute` 57.7%, called 4400 times
      - `rename_account` 28.5%, called 913 times
        - `copy_string` 26.1%, called 1826 times
    - `make_order` 28.6%, called 4400 times
# gumshoe.db

1. first on flatfoot: 1469903 cycles

| function | cycles | share | data misses |
|---|---:|---:|---:|
| `copy_string` | 387017 | 26.3% | 524 |
| `make_order` | 321394 | 21.9% | 12 |
| `execute` | 307184 | 20.9% | 12 |
| `main` | 195171 | 13.3% | 55 |
| `find_rich` | 98953 | 6.7% | 19 |
| `interest.isra.0` | 62438 | 4.2% | 0 |

and 11 more.

- `_start` 100.0%, called 1 times
  - `main` 99.9%, called 1 times
    - `execute` 57.7%, called 4400 times
      - `rename_account` 28.5%, called 913 times
        - `copy_string` 26.1%, called 1826 times
    - `make_order` 28.6%, called 4400 times

$ own_report gumshoe.db second
own_report: gumshoe.db: no run has the number or label 'second'; 'gumshoe runs' lists them
## Runs in gumshoe.db

1. first on flatfoot: 1469903 cycles
[1]
# gumshoe.db

1. first on flatfoot: 1469903 cycles
[1]
# gumshoe.db

1. first on flatfoot: 1469903 cycles
[1]

$ own_report nowhere.db
own_report: nowhere.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[1]
