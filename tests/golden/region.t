# A region of interest: between functions, addresses and markers.
$ gumshoe run --top 3 --core flatfoot --set isa=rv32imac_zicsr_zifencei --between-markers --timeline 20K -o region.db $PROGRAMS/bare/markers.elf 2>&1 | grep -vE "reference engine|may touch"
1910478343
gumshoe: markers.elf exited with 0 after 87,446 instructions
gumshoe: counted from marker to marker, 300 times: 74,100 of these instructions
gumshoe: 99,645 cycles on flatfoot, 1.993 ms at 50 MHz, 1.345 per instruction:
   74.36%  issue            instructions going through
   24.09%  branch           jump or taken branch
    1.51%  d-write          store waiting for the write buffer or memory
    0.05%  i-miss           instruction cache miss or slow instruction memory
gumshoe: this is run 1 of region.db

   self                          total  calls    CPI  function
 97.29%  ###################.   97.29%    300  1.319  measured
  2.71%  #...................  100.00%      0  4.500  main

600 markers: 1 at cycle 115, 2 at cycle 492, 1 at cycle 596, 2 at cycle 928, ...

What stands out:
 - measured takes 97.3% of all cycles, more than all other functions together;
   98% of that is the loop at marked.h:16, 8.0 cycles per iteration, 40
   iterations each time it is entered.
 - 24.1% of all cycles are lost to branch (jump or taken branch); 98% of that at
   marked.h:16 in measured.
$ gumshoe report region.db
markers.elf on flatfoot, run 1, counted from marker to marker
99,645 cycles, 1.993 ms at 50 MHz; 74,100 instructions, CPI 1.345
cycles by functions: self is their own instructions, total with all they called

   self                     cycles    total  calls    CPI  function
 97.29%  #################  96,945   97.29%    300  1.319  measured  marked.h:16
  2.71%  .................   2,700  100.00%      0  4.500  main  markers.c:5
  0.00%  .................       0  100.00%      0         _start  start_rv.S:8
100.00%                     99,645                  1.345  (all)

600 markers: 1 at cycle 115, 2 at cycle 492, 1 at cycle 596, 2 at cycle 928, ...
$ gumshoe report --by loop region.db
markers.elf on flatfoot, run 1, counted from marker to marker
99,645 cycles, 1.993 ms at 50 MHz; 74,100 instructions, CPI 1.345
cycles by loops: total is with the loops inside and all they called; trips are
the fewest, the mean and the most iterations of an entry

   self  cycles    total  iterations     trips    CPI  loop
 95.75%  95,415   95.75%      12,000  ? 40.0 ?  1.325  measured  marked.h:16
  4.25%   4,230    4.25%                        2.014  (outside loops)
100.00%  99,645                                 1.345  (all)
(not shown, for lack of room: entries; --wide shows all)

600 markers: 1 at cycle 115, 2 at cycle 492, 1 at cycle 596, 2 at cycle 928, ...
$ gumshoe report --format perfetto region.db | grep -c '"marker [12]"'
600
$ gumshoe report --format phases region.db | grep -c '<title>marker [12] at cycle'
600
$ sqlite3 region.db "SELECT region FROM run; SELECT value, count(*), min(instruction), max(cycle) FROM marker GROUP BY value"
from marker to marker
1|300|18|118130
2|300|265|118462
$ gumshoe run -q --json - --core flatfoot --set isa=rv32imac_zicsr_zifencei --from measured --to between $PROGRAMS/bare/markers.elf | python3 -c 'import json, sys; text = sys.stdin.read(); print(json.loads(text[text.index("{"):])["region"])'
1910478343
{'from': 'measured', 'to': 'between', 'times': 300, 'cycles': 99645, 'instructions': 74100, 'i-misses': 3, 'd-misses': 0, 'branches': 12000, 'taken': 11700, 'mispredicted': 0, 'traps': 0, 'energy-fj': 0, 'stall:i-miss': 45, 'stall:d-read-miss': 0, 'stall:d-write': 1500, 'stall:load-use': 0, 'stall:data-hazard': 0, 'stall:mul-div': 0, 'stall:branch': 24000, 'stall:mispredict': 0, 'stall:fetch-alignment': 0, 'stall:structural': 0, 'stall:trap': 0, 'stall:idle': 0, 'stall:bus': 0}
$ gumshoe unit snoopp --range measured --range main --core flatfoot --set isa=rv32imac_zicsr_zifencei --from marker:1 --to marker:2 $PROGRAMS/bare/markers.elf
1910478343
snoopp:range=measured,range=main

What each counter shows:
cycles   exact  difference   share       first        last  range
96,945  96,945           0  97.29%  0x80000034  0x80000053  measured
 2,700   2,700           0   2.71%  0x80000070  0x800000bb  main
$ gumshoe unit leap --top 3 --count instructions --to main $PROGRAMS/bare/markers.elf
1910478343
leap:count=instructions

What each function has:
instructions  exact  difference    share  function
           5      5           0  100.00%  _start

       hardware
   11  functions listed
   16  entries
    8  bits of tab               displacements that make the hash perfect
  128  bits of tab as published  a byte for every entry
  512  bits of counter storage
  128  bits of call stack
  648  bits in all
4,608  bits in all as published  tab and stack in a memory of 4096
$ gumshoe run -q --top 3 --core mips-4k --from measured --to measured -o region.db $PROGRAMS/bare/mips_markers.elf
1910478343
$ gumshoe report --top 3 region.db
mips_markers.elf on mips-4k, run 2, counted from measured to measured
59,480 cycles, 594.800 us at 100 MHz; 45,528 instructions, CPI 1.306
cycles by functions: self is their own instructions, total with all they called

   self                    cycles    total  calls    CPI  function
 82.58%  #############...  49,118   82.58%    150  1.326  measured  marked.h:16
 12.07%  ##..............   7,179   12.07%    150  1.007  between  marked.h:22
  5.35%  #...............   3,183  100.00%      0  2.358  main  mips_markers.c:5
  0.00%                         0                         (1 more)
100.00%                    59,480                  1.306  (all)

600 markers: 1 at cycle 105, 2 at cycle 526, 1 at cycle 675, 2 at cycle 1,012, ...

# Without a core instructions are counted, and what never begins is said.
$ gumshoe run --from main $PROGRAMS/rv32im/dhry.elf 2>&1 | grep -vE "reference engine|may touch"
dhry: ok d26c7301
gumshoe: dhry.elf exited with 0 after 927,563 instructions
gumshoe: counted from main, 1 time: 926,833 of these instructions
gumshoe: 1,468,632 cycles on flatfoot, 29.373 ms at 50 MHz, 1.585 per instruction:
   63.11%  issue            instructions going through
   15.55%  branch           jump or taken branch
   15.25%  mul-div          multiplier or divider busy
    4.26%  d-write          store waiting for the write buffer or memory
    1.56%  load-use         waiting for a loaded value
    0.14%  i-miss           instruction cache miss or slow instruction memory
    0.07%  d-read-miss      data read miss or slow data memory
    0.06%  data-hazard      waiting for another result
gumshoe: flatfoot is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing

   self                          total  calls     CPI  function
 26.35%  #####...............   26.35%  1,842   1.391  copy_string
 21.88%  ####................   28.62%  4,400   2.087  make_order
 20.92%  ####................   57.77%  4,400   1.519  execute
 13.29%  ###.................  100.00%      1   1.227  main
  6.74%  #...................    6.74%  4,400   1.849  find_rich
  4.25%  #...................    4.25%    867  12.003  interest.isra.0
  2.32%  ....................    2.32%  4,258   1.143  book
  2.06%  ....................   28.56%    913   1.325  rename_account
  1.60%  ....................    2.50%    872   1.479  move_money
  0.38%  ....................    0.38%    913   1.217  next_letter

What stands out:
 - copy_string takes 26.4% of all cycles; 100% of that is the loop at dhry.c:44,
   7.0 cycles per iteration, 30 iterations each time it is entered.
 - 15.6% of all cycles are lost to branch (jump or taken branch); 48% of that at
   dhry.c:44 in copy_string.
 - Of what copy_string costs, 99% is on behalf of rename_account, one of its 2
   callers.
$ gumshoe run --from 0x80000ffe $PROGRAMS/bare/markers.elf 2>&1 | grep -vE "reference engine|may touch"
1910478343
gumshoe: markers.elf exited with 0 after 87,446 instructions
gumshoe: counted from 0x80000ffe, 0 times: 0 of these instructions
gumshoe: 0 cycles on ibex-small, 0.000 s at 50 MHz
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: nothing was counted: the program never came to '0x80000ffe'

600 markers: 1 at cycle 30, 2 at cycle 477, 1 at cycle 562, 2 at cycle 1,009, ...
$ gumshoe run --from make_ordre $PROGRAMS/rv32im/dhry.elf
gumshoe: $PROGRAMS/rv32im/dhry.elf has no function 'make_ordre' where the region could begin or end; give its name in the symbol table, or an address
[125]
$ gumshoe run --from 0x80000001 $PROGRAMS/rv32im/dhry.elf
gumshoe: '0x80000001' is not the address of an instruction
[125]
$ gumshoe run --from marker:one $PROGRAMS/rv32im/dhry.elf
gumshoe: 'marker:one' is no marker: a number belongs behind the colon
[125]
$ gumshoe run --between-markers --to main $PROGRAMS/rv32im/dhry.elf
gumshoe run: --between-markers is --from marker --to marker: it goes with neither
Try 'gumshoe run --help'.
[125]
