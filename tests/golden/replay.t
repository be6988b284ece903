# Traces, written and replayed.
$ gumshoe run -q --core flatfoot --record dhry.trace $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301

$ gumshoe replay --top 3 --elf $PROGRAMS/rv32im/dhry.elf dhry.trace
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
gumshoe: a trace in the format gumshoe, whose cycles these are

   self                          total  calls    CPI  function
 26.33%  #####...............   26.33%  1,842  1.391  copy_string
 21.86%  ####................   28.60%  4,400  2.087  make_order
 20.90%  ####................   57.72%  4,400  1.519  execute

What stands out:
 - copy_string takes 26.3% of all cycles; 100% of that is the loop at dhry.c:44,
   7.0 cycles per iteration, 30 iterations each time it is entered.
 - 15.6% of all cycles are lost to branch (jump or taken branch); 47% of that at
   dhry.c:44 in copy_string.
 - Of what copy_string costs, 99% is on behalf of rename_account, one of its 2
   callers.

$ gumshoe run -q --core flatfoot -o ran.db $PROGRAMS/rv32im/dhry.elf; gumshoe replay -q -o played.db --elf $PROGRAMS/rv32im/dhry.elf dhry.trace; for db in ran played; do gumshoe report --by loop $db.db | sed s/$db//; done | sort | uniq -u
dhry: ok d26c7301

$ gumshoe replay --elf $PROGRAMS/bare/hello_test.elf dhry.trace
gumshoe: dhry.trace is a trace of another program than $PROGRAMS/bare/hello_test.elf: that of $PROGRAMS/rv32im/dhry.elf, for rv32
[3]

$ head -c 3000 dhry.trace | gumshoe replay -q --elf $PROGRAMS/rv32im/dhry.elf -
gumshoe: standard input: record 0 (byte 0 of the trace, decompressed): the file ends in the middle of the trace: it has been cut, or what wrote it was stopped
[3]

$ printf 'core   0: 3 0x80000000 (0x00000297) x5  0x80000000\n' | gumshoe replay -q --elf $PROGRAMS/rv32im/dhry.elf -
gumshoe: the trace is of another program: at 0x80000000 it has executed the bytes 97020000, and $PROGRAMS/rv32im/dhry.elf has 97210000 there (if the program changes its own code, say --changing-code)
[3]

$ echo nothing | gumshoe replay --elf $PROGRAMS/rv32im/dhry.elf -
gumshoe: standard input is no trace in a format that is known by its beginning; --format says which it is
[3]

$ gumshoe replay --elf $PROGRAMS/rv32im/dhry.elf --format lines dhry.trace
gumshoe replay: --format wants gumshoe, vcd, rvfi, spike, ibex, cva6, tarmac or qemu, not 'lines'
Try 'gumshoe replay --help'.
[2]

$ gumshoe replay dhry.trace
gumshoe replay: --elf has to say which program was run
Try 'gumshoe replay --help'.
[2]
