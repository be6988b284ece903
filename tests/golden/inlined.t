# An inlined hot loop. On a core where an instruction takes a cycle, what programs/inlined.c says:
#
#   _start   jal, lui, sw                                                       3, line 22
#   hot      li, which the compiler gives to the brace                          1, line 15
#            1,000 times addi and bnez, the loop's own          1,000 * 2 = 2,000, line 16
#            ret                                                                1, line 18
#   seven    1 nop, inlined into hot in line 17                 1,000 * 1 = 1,000, line 10
#   three    3 nops, inlined into seven in lines 9 and 11   2 * 1,000 * 3 = 6,000, line 4
#
# 9,005 in all. hot has 9,002 of them with what is inlined, all but li and ret in a loop of 1,000
# iterations of 9. An inlined function is never called.
$ riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -Wl,-Ttext=0x80000000,--build-id=none -o inlined.elf $ROOT/tests/golden/programs/inlined.c
$ gumshoe run -q --core ideal -o inlined.db inlined.elf
$ gumshoe report --wide --by line --inlines inlined.db
inlined.elf on ideal, run 1
9,005 cycles, 90.050 us at 100 MHz; 9,005 instructions, CPI 1.000
cycles by source lines, as often executed as the most executed instruction in them

   self                        cycles  executions    CPI  line
 33.31%  #######.............   3,000       1,000  1.000  inlined.c:4  three at inlined.c:9, seven at inlined.c:17 in hot
 33.31%  #######.............   3,000       1,000  1.000  inlined.c:4  three at inlined.c:11, seven at inlined.c:17 in hot
 22.21%  ####................   2,000       1,000  1.000  inlined.c:16  hot
 11.10%  ##..................   1,000       1,000  1.000  inlined.c:10  seven at inlined.c:17 in hot
  0.03%  ....................       3           1  1.000  inlined.c:22  _start
  0.01%  ....................       1           1  1.000  inlined.c:15  hot
  0.01%  ....................       1           1  1.000  inlined.c:18  hot
100.00%                         9,005              1.000  (all)
$ gumshoe report --by call --inlines inlined.db
inlined.elf on ideal, run 1
9,005 cycles, 90.050 us at 100 MHz; 9,005 instructions, CPI 1.000
cycles by call paths: total is a function with all it called there, self without

   self                     cycles    total  calls    CPI  call path
  0.03%  #################       3  100.00%      1  1.000  _start
 22.23%  #################   2,002   99.97%      1  1.000    hot
 11.10%  #############....   1,000   77.73%      0  1.000      seven (inlined)
 66.63%  ###########......   6,000   66.63%      0  1.000        three (inlined)
100.00%                      9,005                  1.000  (all)
$ gumshoe report --format folded --inlines inlined.db
_start 3
_start;hot 2002
_start;hot;seven_[i] 1000
_start;hot;seven_[i];three_[i] 6000
# On a narrower screen, the innermost.
$ gumshoe report --by line --inlines inlined.db
inlined.elf on ideal, run 1
9,005 cycles, 90.050 us at 100 MHz; 9,005 instructions, CPI 1.000
cycles by source lines, as often executed as the most executed instruction in
them

   self  cycles  executions    CPI  line
 33.31%   3,000       1,000  1.000  inlined.c:4  three at inlined.c:9 in hot
 33.31%   3,000       1,000  1.000  inlined.c:4  three at inlined.c:11 in hot
 22.21%   2,000       1,000  1.000  inlined.c:16  hot
 11.10%   1,000       1,000  1.000  inlined.c:10  seven at inlined.c:17 in hot
  0.03%       3           1  1.000  inlined.c:22  _start
  0.01%       1           1  1.000  inlined.c:15  hot
  0.01%       1           1  1.000  inlined.c:18  hot
100.00%   9,005              1.000  (all)
# Without, all of it is the function's whose code it is.
$ gumshoe report --by function inlined.db
inlined.elf on ideal, run 1
9,005 cycles, 90.050 us at 100 MHz; 9,005 instructions, CPI 1.000
cycles by functions: self is their own instructions, total with all they called

   self                      cycles    total  calls    CPI  function
 99.97%  ##################   9,002   99.97%      1  1.000  hot  inlined.c:15
  0.03%  ..................       3  100.00%      1  1.000  _start  inlined.c:22
100.00%                       9,005                  1.000  (all)
$ gumshoe report --by loop inlined.db
inlined.elf on ideal, run 1
9,005 cycles, 90.050 us at 100 MHz; 9,005 instructions, CPI 1.000
cycles by loops: total is with the loops inside and all they called; trips are
the fewest, the mean and the most iterations of an entry

   self  cycles    total  entries  iterations  trips    CPI  loop
 99.94%   9,000   99.94%        1       1,000  1,000  1.000  hot  inlined.c:4
  0.06%       5    0.06%                              1.000  (outside loops)
100.00%   9,005                                       1.000  (all)
