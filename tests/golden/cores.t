# Listing and showing processor cores. Empty lines of a page are left out here.
$ gumshoe cores
NAME              ISA                         CLOCK  VERIFIED
flatfoot          rv32im_zicsr_zifencei      50 MHz  against RTL
    Gumshoe's own RV32IM core, five stages, caches of 8 KB
hazard3           rv32imacb_zbkb_zcb_...    150 MHz  against RTL
    Hazard3 as in the RP2350, tightly coupled memory
ibex-small        rv32imc_zicsr_zifencei     50 MHz  against RTL
    Ibex, small configuration, tightly coupled memory
ideal             any                       100 MHz  no
    one instruction per cycle, RISC-V or MIPS; a lower bound
mips-24kf         mips32r2_fpu              400 MHz  no
    MIPS32 with FPU after the 24Kf, caches of 32 KB; not verified against RTL
mips-4k           mips32r2                  100 MHz  no
    MIPS32 after the 4K family, caches of 16 KB; not verified against RTL
picorv32          rv32imc_zicsr             100 MHz  against RTL
    PicoRV32 with MUL, DIV, barrel shifter and compressed code
picorv32-fast     rv32imc_zicsr             100 MHz  against RTL
    PicoRV32 with the fast multiplier, shifting bit by bit
risc5             rv32im_zicsr_zifencei     100 MHz  estimate
    a five-stage RISC with interlocks and a branch predictor
risc5-exposed     rv32im_zicsr_zifencei     100 MHz  estimate
    a five-stage RISC without interlocks
rocket-rv32       rv32imafdc_zifencei       100 MHz  no
    RV32IMAFDC after Rocket, caches of 16 KB; not verified against RTL
tiger-mips        mips1                      25 MHz  against RTL
    Tiger MIPS, caches of 8 KB, separate memory ports
tiger-mips-b      mips1                      25 MHz  no
    Tiger MIPS with LEAP's energy table for pipeline stalls
tiger-mips-board  mips1                      25 MHz  no
    Tiger MIPS with one SDRAM for instructions and data
vexriscv          rv32im_zicsr_zifencei     100 MHz  no
    VexRiscv, LiteX standard, caches of 4 KB
vliw-hexagon      rv32imfb_zicsr_...        500 MHz  estimate
    four slots and compound operations after Hexagon; packets
vliw4             rv32im_zicsr_zifencei     100 MHz  estimate
    a VLIW processor of four slots, exposed pipeline
vliw4-dsp         rv32im_zicsr_zifencei     100 MHz  estimate
    vliw4 with multiply-accumulate, shift-and-add and software pipelining

$ gumshoe cores show flatfoot | grep .
flatfoot: Gumshoe's own RV32IM core, five stages, caches of 8 KB
  isa         rv32im_zicsr_zifencei; misaligned accesses trap
  clock       50 MHz
  pipeline    classic: fetch, decode, execute, memory, write back, in order
  fetch       through the instruction cache
  verified    yes, against RTL
  evidence    docs/flatfoot.md, from which both this model and the Verilog in
              rtl/flatfoot are written; tests/diff/lockstep compares every cycle
              of the two
Instruction classes, in cycles
  class                           cycles  result  why
  ALU SHIFT CSR FENCE SYSTEM           1          forwarded in time for the next
                                                  instruction
  MUL                                  1      +1  two stages, execute and memory
  MULH                                 1      +1  as MUL
  DIV                                 33          1 to start and 32 for 32 bits,
                                                  whatever the operands
  LOAD                                 1      +1  the value leaves M one cycle
                                                  after the next instruction
                                                  would read it
  STORE                                1          goes into the write buffer;
                                                  waits when that is full
  BRANCH                               1          decided in execute
  JUMP                                 1          redirected in decode
  JUMP_REG                             1          redirected in execute
  FENCE_I                              1          redirected in execute, and
                                                  empties the instruction cache
  result: how long an instruction right behind that needs it waits
Branches, cycles on top of the class's
  decided in  execute
  prediction  none: fetch goes straight on
  taken       +2
  jump        +1
  by register +2
  why         fetch goes on behind a branch; when it is taken the two fetched
              instructions are dropped
Caches
  instruction 8 KB, direct-mapped, lines of 16 bytes
  data        8 KB, direct-mapped, lines of 16 bytes, write-through, a store
              allocates nothing
Memory
  first word  8 cycles
  next words  1 cycle each
  bus         4 bytes wide
  i-miss      13 cycles
  d-miss      13 cycles
  write       4 cycles a word
  buffer      2 stores may be on their way
  why         one port; an instruction miss waits until everything ahead has
              finished
Energy
  table       none: nothing is known of this core's energy

$ gumshoe cores show mips-4k | grep .
mips-4k: MIPS32 after the 4K family, caches of 16 KB; not verified against RTL
  isa         mips32r2; misaligned accesses trap
  clock       100 MHz
  pipeline    classic: fetch, decode, execute, memory, write back, in order
  fetch       through the instruction cache
  verified    no
  evidence    latencies of the MIPS32 4K Software User's Manual (MD00016) as
              compilers use them; not verified against RTL
Instruction classes, in cycles
  class                           cycles  result  again  unit              why
  ALU SHIFT STORE ATOMIC CSR           1
  BRANCH JUMP JUMP_REG FENCE
  FENCE_I SYSTEM
  MUL                                  3      +1         multiply-divide
        holds the pipeline 2 cycles for 32 x 32 bits, and a user right behind it
        one more
  MULT                                 1      +1      2  multiply-divide
        2 cycles for 32 x 32 bits, beside the pipeline
  DIV                                  1     +33     34  multiply-divide
        up to 34 cycles, beside the pipeline; small dividends are faster on the
        4Kc, but not here
  HILO                                 1      +1
        mfhi and mflo deliver one cycle late
  LOAD                                 1      +1
        load-use 1
  result: how long an instruction right behind that needs it waits
  again: cycles until the next one of its class or unit can begin
Branches, cycles on top of the class's
  delay slot  one instruction
  decided in  decode
  prediction  none: fetch goes straight on
  taken       +0
  jump        +0
  by register +1
  why         the delay slot fills the one cycle that a decision in decode costs
Caches
  instruction 16 KB, 4 ways, LRU, lines of 16 bytes
  data        16 KB, 4 ways, LRU, lines of 16 bytes, write-through, a store
              allocates nothing
Memory
  first word  10 cycles
  next words  1 cycle each
  bus         4 bytes wide
  i-miss      15 cycles
  d-miss      15 cycles
  write       4 cycles a word
  buffer      4 stores may be on their way
Energy
  table       none: nothing is known of this core's energy

$ gumshoe cores show tiger-mips-board | grep .
tiger-mips-board: Tiger MIPS with one SDRAM for instructions and data
  isa         mips1; misaligned accesses trap
  clock       25 MHz
  pipeline    tiger: Tiger MIPS's five stages, in order, branches in decode
  fetch       through the instruction cache
  start       the first instruction retires in cycle 4, were there no misses
  verified    no
  evidence    the core as tiger-mips; the memory from the stalls the LEAP paper
              reports, which suggest 24 to 41 cycles per miss. This combination
              has not been measured
  extends     tiger-mips
Instruction classes, in cycles
  class                           cycles  result  why
  ALU SHIFT HILO STORE JUMP            1
  CSR FENCE_I SYSTEM
  MULT                                 1          a combinational multiplier
  DIV                                  1     +11  pipelined; mfhi and mflo leave
                                                  execute no earlier than 12
                                                  cycles after it
  LOAD                                 1      +1  the value is there after the
                                                  memory stage
  BRANCH                               1          decided in decode, the delay
                                                  slot fills the gap; sources
                                                  are read without a bypass
  JUMP_REG                             1          as BRANCH
  result: how long an instruction right behind that needs it waits
Branches, cycles on top of the class's
  delay slot  one instruction
  decided in  decode: +0, taken or not
Caches
  instruction 8 KB, direct-mapped, lines of 16 bytes
  data        8 KB, direct-mapped, lines of 16 bytes, write-through, a store
              allocates nothing
Memory
  first word  27 cycles
  next words  1 cycle each
  bus         4 bytes wide
  i-miss      32 cycles
  d-miss      32 cycles
  ports       one for instructions and data, data first
  store       0 wait states
  why         32 cycles for a miss, the middle of what the paper's stalls
              suggest
Energy
  source      LEAP, table III (a), cache stalls only; Cyclone II, measured at 25
              MHz
  measured    at 25 MHz
  stall         31.850 mW  in cycles lost to caches and memory; others cost as
                           their instruction
  A             47.270 mW
              slti mfhi mflo div divu
  B             57.320 mW
              or xor slt sltu sltiu xori mult multu beq blez bgtz bltz bgez
              bltzal bgezal
  C             62.140 mW
              sra add addu nor andi mthi mtlo jal bne lwl lw lwr swl swr syscall
              break mfc0 mtc0 di ei eret wait cache
  D             66.020 mW
              sll srl srlv srav sub addi addiu lui j lbu sw
  E             71.070 mW
              subu and ori jr jalr lb lhu nop
  F             83.740 mW
              sllv lh sb sh

$ gumshoe cores show ibex-small | grep . | sed -n '/^Branches/,$p'
Branches, cycles on top of the class's
  not taken   +0
  taken       +1, and +1 for the instruction behind it
  jump        +1
  by register +1
  why         no branch target ALU, so a taken branch computes its target in a
              cycle of its own, and has retired when that is fetched; a jump is
              in decode for as long as the fetch takes
Caches
  instruction none
  data        none
Memory
  access      0 wait states
  crossing    +1 for an access that leaves its aligned word
  why         an access that crosses a word is made of two
Energy
  table       none: nothing is known of this core's energy

# What is changed is shown, merged and checked.
$ gumshoe cores show flatfoot --set dcache.size=16K --set memory.first=20 | grep -e changed -e data -e miss
  changed     dcache.size=16K, memory.first=20
  data        16 KB, direct-mapped, lines of 16 bytes, write-through, a store
  i-miss      25 cycles
  d-miss      25 cycles
  why         one port; an instruction miss waits until everything ahead has

$ printf 'extends: flatfoot\ndcache: {ways: 2, write: back}\nbranch: {predictor: {scheme: gshare, entries: 1K, btb_entries: 64, return_stack: 8}}\n' > my.yaml; gumshoe cores show my.yaml | grep -e my: -e evidence -e extends -e data -e prediction -e targets -e returns
my: a variant of flatfoot
  evidence    as flatfoot, with changes: docs/flatfoot.md, from which both this
  extends     flatfoot
  prediction  gshare, 1024 counters of 2 bits that start at 1, 10 bits of
  targets     branch target buffer of 64 entries
  returns     return stack of 8 entries
  data        8 KB, 2 ways, LRU, lines of 16 bytes, write-back, a store

$ gumshoe cores show my.yaml --yaml | tail -32
  BRANCH:
    why: decided in execute
  JUMP:
    why: redirected in decode
  JUMP_REG:
    why: redirected in execute
  FENCE_I:
    why: redirected in execute, and empties the instruction cache
branch:
  resolve: execute
  predictor:
    scheme: gshare
    entries: 1K
    btb_entries: 64
    return_stack: 8
  why: fetch goes on behind a branch; when it is taken the two fetched instructions are dropped
icache:
  size: 8K
  line: 16
dcache:
  size: 8K
  line: 16
  ways: 2
  write: back
  allocate: no
memory:
  first: 8
  next: 1
  width: 4
  write: 4
  buffer: 2
  why: one port; an instruction miss waits until everything ahead has finished

$ gumshoe cores show my.yaml --yaml > again.yaml; gumshoe cores show again.yaml --set name=my --yaml | diff - again.yaml

$ gumshoe cores show picorv32-fast --json | head -12
{
  "schema": "gumshoe-core-1",
  "name": "picorv32-fast",
  "summary": "PicoRV32 with the fast multiplier, shifting bit by bit",
  "evidence": "measured on its RTL with 206 microbenchmarks, all exact; without wait states no wrong instruction in 6.7 million",
  "verified": true,
  "extends": "picorv32",
  "isa": "rv32imc_zicsr",
  "clock_hz": 100000000,
  "pipeline": "picorv32",
  "misaligned": "trap",
  "first_retire": 7,

# Mistakes.
$ gumshoe cores show z80
gumshoe: there is no core 'z80'; built in are flatfoot, hazard3, ibex-small, ideal, mips-24kf, mips-4k, picorv32, picorv32-fast, risc5, risc5-exposed, rocket-rv32, tiger-mips, tiger-mips-b, tiger-mips-board, vexriscv, vliw-hexagon, vliw4, vliw4-dsp; a file's name ends in .yaml
[3]

$ gumshoe cores show flatfoot --set dcache.size=5000
gumshoe: --set dcache.size=5000: dcache.size: a cache of 5000 bytes is not possible: allowed are powers of two from its line size, 16, to 67108864
[3]

$ printf 'extends: flatfoot\nicache:\n  sise: 3\n' > bad.yaml; gumshoe cores show bad.yaml
gumshoe: bad.yaml:3: icache: unknown key 'sise'; allowed: size, line, ways, replacement, seed
[3]

$ gumshoe cores show flatfoot --set fetch.jump_misaligned=1
gumshoe: --set fetch.jump_misaligned=1: fetch.jump_misaligned: this key has no meaning for pipeline classic; it has for sequential
[3]

$ gumshoe cores show
gumshoe cores: show takes one core
Try 'gumshoe cores --help'.
[2]

$ gumshoe cores show flatfoot --json --yaml
gumshoe cores: --json and --yaml are two different things
Try 'gumshoe cores --help'.
[2]

$ gumshoe cores show flatfoot --colour
gumshoe cores: there is no option --colour; did you mean --color?
Try 'gumshoe cores --help'.
[2]

$ gumshoe cores explain flatfoot
gumshoe cores: show or nothing, not 'explain'
Try 'gumshoe cores --help'.
[2]

# Cores with an FPU run what compilers make for them: static glibc programs for MIPS in both byte orders, and
# picolibc for RV32IMAFDC.
$ for target in mipsel mips; do gumshoe run -q --core mips-24kf $PROGRAMS/libc/maths.$target | cmp - $PROGRAMS/libc/maths.expected && echo $target; done
mipsel
mips
$ gumshoe run -q --core rocket-rv32 $PROGRAMS/libc/maths.rv32imafdc | cmp - $PROGRAMS/libc/maths.expected && echo rv32imafdc
rv32imafdc
$ gumshoe run --core flatfoot --set isa=rv32imafdc $PROGRAMS/libc/maths.rv32imafdc
gumshoe: --set isa=rv32imafdc: isa: 'rv32imafdc' has instructions of class FP_MOVE, and the core does not say what they cost; give classes.FP_MOVE, or classes.FP_DEFAULT for all floating point classes that have no key of their own
[125]

# A program that needs what the core lacks is refused before it starts, unless it is to trap.
$ gumshoe run --core flatfoot $PROGRAMS/libc/maths.rv32imac
gumshoe: $PROGRAMS/libc/maths.rv32imac: was compiled with C; flatfoot is rv32im_zicsr_zifencei. Take a core that has that (hazard3, ibex-small, ideal, picorv32, picorv32-fast, rocket-rv32), or compile with -march=rv32im -mabi=ilp32
[126]
$ gumshoe run --core mips-4k $PROGRAMS/libc/maths.mipsel
gumshoe: $PROGRAMS/libc/maths.mipsel: was compiled with an FPU; mips-4k is mips32r2. Take a core that has that (ideal, mips-24kf), or compile with -march=mips32r2 -mabi=32 -msoft-float, the C library as well
[126]
$ gumshoe run --core flatfoot --missing trap --top 0 $PROGRAMS/libc/maths.rv32imac 2>&1 | head -1 | sed 's/pc 0x.*/pc .../'
gumshoe: maths.rv32imac was ended by signal 7 (BUS): jump to a misaligned address, to 0x800018da at pc ...
$ echo 'int main(void) { return 42; }' > main.c; riscv64-unknown-elf-gcc -nostdlib -Wl,-emain main.c -o main64; gumshoe run main64
gumshoe: main64: is a 64-bit RISC-V program, and Gumshoe runs 32-bit programs: compile with -march=rv32im -mabi=ilp32
[126]
$ flags=$(gumshoe run main64 2>&1 | grep -o -- '-march=.*'); riscv64-unknown-elf-gcc $flags --specs=picolibc.specs --oslib=semihost --crt0=hosted -Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=1M,--defsym=__ram=0x80100000,--defsym=__ram_size=1M main.c -o main32; gumshoe run -q --core flatfoot main32
[42]
