# A program in the bundles of a VLIW core.
$ gumshoe schedule $PROGRAMS/rv32im/dhry.elf | head -5
$PROGRAMS/rv32im/dhry.elf on vliw4 (estimate)

instructions  operations  bundles  RISC-V bytes  bytes  per bundle  function
          14          14       15            56    240        0.93  _start
           6           6        8            24    128        0.75  copy_string

$ gumshoe schedule $PROGRAMS/rv32im/dhry.elf copy_string
copy_string on vliw4 (estimate)

80000038  loop, 5 cycles, 5 instructions, 5 operations, 80 bytes
  limited by the longest chain of dependences: 5 of 5 cycles
     0  addi a1, a1, 1              addi a0, a0, 1              lbu a5, 0(a1)               .
     1  .                           .                           .                           .
     2  bnez a5, 0x80000038         sb a5, -1(a0)               .                           .
     3  .                           .                           .                           .
     4  .                           .                           .                           .

8000004c  3 cycles, 1 instruction, 1 operation, 48 bytes
  limited by the longest chain of dependences: 3 of 3 cycles
     0  ret                         .                           .                           .
     1  .                           .                           .                           .
     2  .                           .                           .                           .

$ gumshoe schedule $PROGRAMS/rv32im/dhry.elf copy_string --core vliw4-dsp --set issue_width=2 --set vliw.delay=0
copy_string on vliw4-dsp (estimate)

80000038  loop, 3 cycles, 5 instructions, 5 operations, 24 bytes
  limited by the longest chain of dependences: 3 of 3 cycles
     0  addi a0, a0, 1              lbu a5, 0(a1)
     1  addi a1, a1, 1              .
     2  bnez a5, 0x80000038         sb a5, -1(a0)

8000004c  1 cycle, 1 instruction, 1 operation, 8 bytes
  limited by the longest chain of dependences: 1 of 1 cycle
     0  ret                         .

$ gumshoe schedule $PROGRAMS/rv32im/dhry.elf copy_string --json | head -27
{
  "core": "vliw4",
  "estimate": true,
  "slots": 4,
  "functions": [
    {
      "name": "copy_string",
      "regions": [
        {
          "address": 2147483704,
          "cycles": 5,
          "bundles": 5,
          "loop": true,
          "operations": 5,
          "spilled": 0,
          "bytes": 80,
          "instructions": [
            {
              "address": 2147483704,
              "text": "lbu a5, 0(a1)",
              "cycle": 0,
              "slot": 2,
              "operation": 0
            },
            {
              "address": 2147483708,
              "text": "addi a0, a0, 1",
$ gumshoe schedule $PROGRAMS/rv32im/dhry.elf nothing
gumshoe: $PROGRAMS/rv32im/dhry.elf has no function 'nothing'
[3]

$ gumshoe schedule $PROGRAMS/rv32im/dhry.elf --core flatfoot
gumshoe: core flatfoot is not scheduled by its compiler; this is for cores with 'pipeline: vliw', such as vliw4
[3]

$ gumshoe schedule --core vliw4
gumshoe schedule: it wants a program, and at most one function
Try 'gumshoe schedule --help'.
[2]

# Everything that has cycles of it says that they are an estimate.
$ gumshoe run --top 0 --core vliw4 -o gumshoe.db $PROGRAMS/rv32im/dhry.elf 2>&1 | grep cycles
gumshoe: 1,054,911 cycles on vliw4 (estimate), 10.549 ms at 100 MHz, 1.137 per instruction:

$ gumshoe run -q --core risc5 -o gumshoe.db $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301

$ gumshoe runs | cut -c1-100
 run  label  core                 cycles  instructions  ended   program
   1         vliw4 (estimate)  1,054,911       927,563  exit 0  dhry.elf
   2         risc5 (estimate)  1,178,447       927,563  exit 0  dhry.elf
(not shown, for lack of room: started (UTC), commit; --wide shows all)

$ gumshoe report --top 1
dhry.elf on risc5 (estimate), run 2
1,178,447 cycles, 11.784 ms at 100 MHz; 927,563 instructions, CPI 1.270
cycles by functions: self is their own instructions, total with all they called

   self                    cycles    total  calls    CPI  function
 24.23%  ###..........    285,512   24.23%  1,842  1.026  copy_string  dhry.c:44
 75.77%                   892,935                  1.375  (16 more)
100.00%                 1,178,447                  1.270  (all)

$ gumshoe annotate copy_string | head -4
dhry.elf on risc5 (estimate), run 2
shares are of the function's own cost; > marks 10% or more of it

copy_string  dhry.c:44

$ gumshoe diff | head -3
before: dhry.elf on vliw4 (estimate), run 1
after:  dhry.elf on risc5 (estimate), run 2
note: the runs are not on the same core



$ printf 'program:\n  cycles: 1\n' > budgets.yaml; gumshoe check --budget budgets.yaml | head -1
dhry.elf on risc5 (estimate), run 2


$ gumshoe cores show vliw4-dsp | sed -n '1p; /^Bundles/,/^Caches/p' | grep .
vliw4-dsp (estimate): vliw4 with multiply-accumulate, shift-and-add and software
Bundles, as the compiler makes them
  results     waited for by the code, in bundles of nothing
  registers   32, and 32 for floating point
  regions     basic blocks, and loops of one block are pipelined
  memory      accesses through different registers may overlap
  code        4 bytes a slot, empty ones too
  slot 0      ALU SHIFT MUL MULH DIV LOAD STORE BRANCH JUMP JUMP_REG CSR FENCE
              FENCE_I SYSTEM
  slot 1      ALU SHIFT MUL MULH DIV LOAD STORE BRANCH JUMP JUMP_REG CSR FENCE
              FENCE_I SYSTEM
  slot 2      ALU SHIFT MUL MULH DIV LOAD STORE BRANCH JUMP JUMP_REG CSR FENCE
              FENCE_I SYSTEM
  slot 3      ALU SHIFT MUL MULH DIV LOAD STORE BRANCH JUMP JUMP_REG CSR FENCE
              FENCE_I SYSTEM
  mac         mul + add, at most 3 inputs
  msub        mul + sub, at most 3 inputs
  shift-add   slli + add, at most 2 inputs
  why         as vliw4; a multiply-accumulate takes what a multiplication takes
Caches

# A name that a terminal would take for a command.
$ riscv64-unknown-elf-objcopy --redefine-sym execute=$'\e[2Jexecute' $PROGRAMS/rv32im/dhry.elf evil.elf
$ gumshoe schedule evil.elf | grep -o '.\[2Jexecute'
?[2Jexecute
$ gumshoe schedule evil.elf $'\e[2Jexecute' | head -1
?[2Jexecute on vliw4 (estimate)
