# Cycles, stalls and the pipeline of a small program on several cores.
$ gumshoe run --core flatfoot $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
gumshoe: dhry.elf exited with 0 after 927,563 instructions
gumshoe: 1,469,903 cycles on flatfoot, 29.398 ms at 50 MHz, 1.585 per instruction:
   63.10%  issue            instructions going through
   15.57%  branch           jump or taken branch
   15.24%  mul-div          multiplier or divider busy
    4.26%  d-write          store waiting for the write buffer or memory
    1.56%  load-use         waiting for a loaded value
    0.14%  i-miss           instruction cache miss or slow instruction memory
    0.07%  d-read-miss      data read miss or slow data memory
    0.06%  data-hazard      waiting for another result
    0.00%  structural       a part of the core is busy or takes several steps
gumshoe: the program may touch files below the working directory

   self                          total  calls     CPI  function
 26.33%  #####...............   26.33%  1,842   1.391  copy_string
 21.86%  ####................   28.60%  4,400   2.087  make_order
 20.90%  ####................   57.72%  4,400   1.519  execute
 13.28%  ###.................   99.91%      1   1.227  main
  6.73%  #...................    6.73%  4,400   1.849  find_rich
  4.25%  #...................    4.25%    867  12.003  interest.isra.0
  2.32%  ....................    2.32%  4,258   1.143  book
  2.06%  ....................   28.53%    913   1.325  rename_account
  1.60%  ....................    2.50%    872   1.479  move_money
  0.38%  ....................    0.38%    913   1.217  next_letter

What stands out:
 - copy_string takes 26.3% of all cycles; 100% of that is the loop at dhry.c:44,
   7.0 cycles per iteration, 30 iterations each time it is entered.
 - 15.6% of all cycles are lost to branch (jump or taken branch); 47% of that at
   dhry.c:44 in copy_string.
 - Of what copy_string costs, 99% is on behalf of rename_account, one of its 2
   callers.

# Without its data cache it is slower, unless its memory is tightly coupled; the summary says which.
$ gumshoe run --core flatfoot --top 0 --set dcache=null $PROGRAMS/rv32im/dhry.elf 2>&1 | grep -v %
dhry: ok d26c7301
gumshoe: dhry.elf exited with 0 after 927,563 instructions
gumshoe: 3,499,853 cycles on flatfoot, 69.997 ms at 50 MHz, 3.773 per instruction:
gumshoe: no data cache: a load takes 10 cycles
gumshoe: the program may touch files below the working directory
$ gumshoe run --core flatfoot --top 0 --set dcache=null --set memory.load_wait=0 $PROGRAMS/rv32im/dhry.elf 2>&1 | grep -v %
dhry: ok d26c7301
gumshoe: dhry.elf exited with 0 after 927,563 instructions
gumshoe: 1,468,848 cycles on flatfoot, 29.377 ms at 50 MHz, 1.584 per instruction:
gumshoe: tightly coupled data memory
gumshoe: the program may touch files below the working directory
$ gumshoe run -q --core flatfoot --pipeline 3000:3015 $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
   number  pc        instruction                   from cycle 4640
     3000  8000003c  addi a0, a0, 1                FDXM
     3001  80000040  addi a1, a1, 1                 FDXM
     3002  80000044  sb a5, -1(a0)                   FDXM
     3003  80000048  bnez a5, 0x80000038              FDXM
     3004  80000038  lbu a5, 0(a1)                       FDXM  branch 2
     3005  8000003c  addi a0, a0, 1                       FDXM
     3006  80000040  addi a1, a1, 1                        FDXM
     3007  80000044  sb a5, -1(a0)                          FDXM
     3008  80000048  bnez a5, 0x80000038                     FDXM
     3009  80000038  lbu a5, 0(a1)                              FDXM  branch 2
     3010  8000003c  addi a0, a0, 1                              FDXM
     3011  80000040  addi a1, a1, 1                               FDXM
     3012  80000044  sb a5, -1(a0)                                 FDXM
     3013  80000048  bnez a5, 0x80000038                            FDXM
     3014  80000038  lbu a5, 0(a1)                                     FDXM  branch 2
     3015  8000003c  addi a0, a0, 1                                     FDXM
$ gumshoe run -q --core vexriscv --pipeline 3000:3007 $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
   number  pc        instruction                   from cycle 4004
     3000  8000003c  addi a0, a0, 1                DXxx
     3001  80000040  addi a1, a1, 1                 DXxx
     3002  80000044  sb a5, -1(a0)                   DXxx
     3003  80000048  bnez a5, 0x80000038              DXxx
     3004  80000038  lbu a5, 0(a1)                      DXxx  branch 1
     3005  8000003c  addi a0, a0, 1                      DXxx
     3006  80000040  addi a1, a1, 1                       DXxx
     3007  80000044  sb a5, -1(a0)                         DXxx
$ gumshoe run -q --core picorv32 --pipeline 3000:3003 $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
   number  pc        instruction                   from cycle 13086
     3000  8000003c  addi a0, a0, 1                Xxx  structural 2
     3001  80000040  addi a1, a1, 1                   Xxx  structural 2
     3002  80000044  sb a5, -1(a0)                       X~  structural 4
     3003  80000048  bnez a5, 0x80000038                   X~  branch 4
$ gumshoe run -q --core tiger-mips --pipeline 3000:3007 $PROGRAMS/mips1el/dhry.elf
dhry: ok d26c7301
   number  pc        instruction                   from cycle 3951
     3000  00100054  addiu $a0, $a0, 1             DdXM
     3001  00100058  addiu $a1, $a1, 1               DXM
     3002  0010005c  bnez $v0, 0x100050               DXM
     3003  00100060  sb $v0, -1($a0)                   DXM
     3004  00100050  lb $v0, ($a1)                      DXxM  structural 1
     3005  00100054  addiu $a0, $a0, 1                   DdXM
     3006  00100058  addiu $a1, $a1, 1                     DXM
     3007  0010005c  bnez $v0, 0x100050                     DXM
$ gumshoe run -q --core flatfoot --max-cycles 1000 --json - $PROGRAMS/rv32im/dhry.elf
{
  "schema": "gumshoe-run-1",
  "program": "$PROGRAMS/rv32im/dhry.elf",
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
  "instructions": 577,
  "core": "flatfoot",
  "cycles": 1001,
  "issue_cycles": 577,
  "stalls": {
    "i-miss": 43,
    "d-read-miss": 0,
    "d-write": 0,
    "load-use": 0,
    "data-hazard": 0,
    "mul-div": 0,
    "branch": 378,
    "mispredict": 0,
    "fetch-alignment": 0,
    "structural": 3,
    "trap": 0,
    "idle": 0,
    "bus": 0
  },
  "caches": {
    "i": {
      "hits": 574,
      "misses": 3,
      "evictions": 0,
      "writebacks": 0
    },
    "d": {
      "hits": 0,
      "misses": 190,
      "evictions": 0,
      "writebacks": 0
    }
  },
  "branches": {
    "executed": 190,
    "taken": 189,
    "mispredicted": 0
  },
  "markers": []
}
[124]

# A program with instructions the core does not have, and one for another instruction set.
$ gumshoe run --core flatfoot --top 0 $PROGRAMS/bare/hello_test.elf
gumshoe: $PROGRAMS/bare/hello_test.elf: was compiled with C; flatfoot is rv32im_zicsr_zifencei. Take a core that has that (hazard3, ibex-small, ideal, picorv32, picorv32-fast, rocket-rv32), or compile with -march=rv32im -mabi=ilp32
[126]
$ gumshoe run --core tiger-mips $PROGRAMS/bare/hello_test.elf
gumshoe: $PROGRAMS/bare/hello_test.elf: is a RISC-V program; tiger-mips is mips1. Take a core that runs it (hazard3, ibex-small, ideal, picorv32, picorv32-fast, rocket-rv32)
[126]

# What is wrong with a core or a setting is said before anything runs.
$ gumshoe run --core nowhere x
gumshoe: there is no core 'nowhere'; built in are flatfoot, hazard3, ibex-small, ideal, mips-24kf, mips-4k, picorv32, picorv32-fast, risc5, risc5-exposed, rocket-rv32, tiger-mips, tiger-mips-b, tiger-mips-board, vexriscv, vliw-hexagon, vliw4, vliw4-dsp; a file's name ends in .yaml
[125]
$ gumshoe run --core flatfoot --set dcache.size=3000 x
gumshoe: --set dcache.size=3000: dcache.size: a cache of 3000 bytes is not possible: allowed are powers of two from its line size, 16, to 67108864
[125]
$ gumshoe run --core flatfoot --set nonsense=1 x
gumshoe: --set nonsense=1: unknown key 'nonsense'; allowed: name, summary, evidence, extends, verified, verified_over, isa, clock_hz, pipeline, misaligned, first_retire, trap_entry, csr_flush, issue_width, units, classes, fetch, branch, icache, dcache, memory, vliw, energy
[125]

# Without --core the program gets a core that has what it needs, and with none nothing is timed.
$ gumshoe run --top 0 $PROGRAMS/rv32im/dhry.elf 2>&1 | grep -v %
dhry: ok d26c7301
gumshoe: dhry.elf exited with 0 after 927,563 instructions
gumshoe: 1,469,903 cycles on flatfoot, 29.398 ms at 50 MHz, 1.585 per instruction:
gumshoe: flatfoot is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory
$ for target in rv32imac rv32imafdc mips; do gumshoe run --top 0 $PROGRAMS/libc/maths.$target 2>&1 >/dev/null | grep -o 'this is [a-z0-9-]*'; done
[1]
$ gumshoe run -q $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
$ gumshoe run --core none -o none.db $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
gumshoe: dhry.elf exited with 0 after 927,563 instructions
gumshoe: the reference engine ran all of it: a profile is told of every instruction where no core is modelled
gumshoe: the program may touch files below the working directory
gumshoe: this is run 1 of none.db
$ gumshoe report none.db --top 3
dhry.elf, run 1
927,563 instructions
instructions retired by functions: self is their own instructions, total with
all they called

   self                     instructions    total  calls  function
 29.99%  #####............       278,142   29.99%  1,842  copy_string  dhry.c:44
 21.81%  ####.............       202,276   60.09%  4,400  execute  dhry.c:97
 17.15%  ###..............       159,074   99.92%      1  main  dhry.c:156
 31.06%                          288,071                  (14 more)
100.00%                          927,563                  (all)
$ for format in json csv folded callgrind gprof speedscope flamegraph; do gumshoe report none.db --format $format; done | grep -ciE 'cycle|stall|miss|energy|CPI'
0
[1]
$ for by in call line loop block instruction; do for format in text json csv; do gumshoe report none.db --by $by --format $format; done; done | grep -ciE 'cycle|stall|miss|energy|CPI'
0
[1]
$ { gumshoe annotate -p none.db --json; gumshoe annotate -p none.db; gumshoe diff none.db none.db --json; gumshoe runs --json none.db; } | grep -ciE 'cycle|stall|miss|energy|CPI'
0
[1]
$ gumshoe report none.db --metric branches
gumshoe: this run was not timed, so it has no 'branches'; 'gumshoe run' times one unless it is told --core none
[3]
$ gumshoe annotate -p none.db find_rich | head -4
dhry.elf, run 1
shares are of the function's own cost; > marks 10% or more of it

find_rich  dhry.c:126
$ gumshoe diff none.db none.db | grep -i cycle
[1]
$ gumshoe report none.db --by stall
gumshoe: this run was not timed, so it has no stalls; 'gumshoe run' times one unless it is told --core none
[3]
$ gumshoe report none.db --metric cycles
gumshoe: this run was not timed, so it has no 'cycles'; 'gumshoe run' times one unless it is told --core none
[3]
$ gumshoe run --core none --set dcache.size=1K $PROGRAMS/rv32im/dhry.elf
gumshoe run: --set needs a core, and --core none is none
Try 'gumshoe run --help'.
[125]
$ gumshoe run --core none --timeline 10K $PROGRAMS/rv32im/dhry.elf
gumshoe run: --timeline needs a core, and --core none is none
Try 'gumshoe run --help'.
[125]
