# On-chip profilers beside the exact profile.
$ gumshoe unit | cut -d' ' -f1
leap
snoopp
stats
loops

$ gumshoe unit leap --core flatfoot --top 5 $PROGRAMS/rv32im/dhry.elf 2>/dev/null
leap

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
   32  entries
   10  bits of tab               displacements that make the hash perfect
  256  bits of tab as published  a byte for every entry
1,024  bits of counter storage
  160  bits of call stack
1,194  bits in all
5,120  bits in all as published  tab and stack in a memory of 4096

4 times: control went to another function without a call

$ gumshoe unit leap --hier --depth 2 --core flatfoot --top 5 $PROGRAMS/rv32im/dhry.elf 2>/dev/null
leap:hier,depth=2

What each function has, with all it called:
 cycles      exact  difference    overflow  tail call    share  function
      0  1,469,903  -1,469,903  -1,469,903          0  100.00%  _start
      0  1,468,607  -1,468,607  -1,468,607          0   99.91%  main
851,862    848,403      +3,459      +3,459          0   57.72%  execute
420,347    420,347           0           0          0   28.60%  make_order
419,370    419,370           0           0          0   28.53%  rename_account
(and 12 more)

       hardware
   21  functions listed
   32  entries
   10  bits of tab               displacements that make the hash perfect
  256  bits of tab as published  a byte for every entry
1,024  bits of counter storage
   74  bits of call stack
1,108  bits in all
5,184  bits in all as published  tab and stack in a memory of 4096

8,803 times: a return found its frame lost from a stack that was full
1,768 times: a call found the stack of 2 frames full, and a frame was lost;
calls were 4 deep

$ gumshoe unit leap --core tiger-mips --count energy --top 3 $PROGRAMS/mips1el/dhry.elf 2>/dev/null
leap:count=energy

What each function has:
 energy    exact  difference  tail call   share  function
334,455  334,455           0          0  28.67%  copy_string
208,602  208,236        +366       +366  17.85%  main
196,177  196,177           0          0  16.82%  execute
(and 14 more)

The same by what was counted:
    A       B       C        D        E       F  stall  energy in nJ  function
    0       0  55,260  110,520  113,275  55,260    140   936510.8980  copy_string
    0  44,173  66,458   70,966   26,522      26    457   529940.9212  main
8,663  43,123  64,140   63,335   16,680       0    236   489652.4348  execute
(and 13 more)

        hardware
    21  functions listed
    32  entries
    20  bits of tab               displacements that make the hash perfect
   256  bits of tab as published  a byte for every entry
 7,168  bits of counter storage
   160  bits of call stack
 7,348  bits in all
11,264  bits in all as published  tab and stack in a memory of 4096

4 times: control went to another function without a call

$ gumshoe unit leap --core none --hash text $PROGRAMS/rv32im/dhry.elf | grep -v '^[0-9#]'
entries 32
V 0x3c6ef372
A1 15
A2 27
B1 2
B2 0x1
tab 2 entries of 5 bits

$ gumshoe unit snoopp --core flatfoot --range main --range dhry.c:9999 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: snoopp: $PROGRAMS/rv32im/dhry.elf has no code for dhry.c:9999; is it compiled with -g?
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit snoopp --core flatfoot --range main --range _start..main --range 0x80000000-0x80000010 --width 32 $PROGRAMS/rv32im/dhry.elf 2>/dev/null
snoopp:range=main,range=_start..main,range=0x80000000-0x80000010,width=32

What each counter shows:
   cycles      exact  difference   share       first  range
  195,171    195,171           0  13.28%  0x800003cc  main
1,468,609  1,468,609           0  99.91%  0x80000000  _start..main
       20         20           0   0.00%  0x80000000  0x80000000-0x80000010
(not shown, for lack of room: last; --wide shows all)

main and _start..main overlap: what is in both counts in both
_start..main and 0x80000000-0x80000010 overlap: what is in both counts in both

$ gumshoe unit snoopp --core flatfoot --range copy_string --range dhry.c:42-46 $PROGRAMS/rv32im/dhry.elf 2>/dev/null
snoopp:range=copy_string,range=dhry.c:42-46

What each counter shows:
 cycles    exact  difference   share       first        last  range
387,017  387,017           0  26.33%  0x80000038  0x8000004f  copy_string
387,017  387,017           0  26.33%  0x80000038  0x8000004f  dhry.c:42-46

copy_string and dhry.c:42-46 overlap: what is in both counts in both

$ gumshoe unit snoopp --core flatfoot --data --range accounts --range today --range 0x80001000+0x2c0 $PROGRAMS/rv32im/dhry.elf 2>/dev/null
snoopp:range=accounts,range=today,range=0x80001000+0x2c0,data

What each counter shows:
accesses    exact  difference  share       first        last  range
 114,051  114,051           0         0x80001000  0x800012bf  accounts
   8,802    8,802           0         0x80001360  0x80001363  today
 114,051  114,051           0         0x80001000  0x800012bf  0x80001000+0x2c0

accounts and 0x80001000+0x2c0 overlap: what is in both counts in both
the exact profile knows no data addresses: exact is what went by on the trace
port

$ gumshoe unit snoopp --core flatfoot --counters 3 $PROGRAMS/rv32im/dhry.elf 2>/dev/null
snoopp:counters=3

What each counter shows:
 cycles    exact  difference   share       first        last  range
387,017  387,017           0  26.33%  0x80000038  0x8000004f  copy_string
321,394  321,394           0  21.86%  0x800001c4  0x8000024f  make_order
307,184  307,184           0  20.90%  0x80000268  0x800003cb  execute

$ gumshoe unit snoopp --hunt --counters 4 --threshold 10 --core flatfoot $PROGRAMS/rv32im/dhry.elf 2>/dev/null
snoopp:counters=4,hunt,threshold=10

Hot functions found:
counted    exact  difference   share  found in run  function
387,017  387,017           0  26.33%             6  copy_string
321,394  321,394           0  21.86%             4  make_order
307,184  307,184           0  20.90%             3  execute
195,171  195,171           0  13.28%             2  main

6 runs with 4 counters: 4 functions with 82.37% of all that was counted

$ gumshoe run -q --core flatfoot --unit leap --unit snoopp:range=main -o units.db $PROGRAMS/rv32im/dhry.elf >/dev/null; sqlite3 units.db "SELECT kind, options, count(*) > 10 FROM unit JOIN unit_cell ON unit = id GROUP BY id"
leap||1
snoopp|range=main|0

# What is in a profile file is what was printed after the run.
$ gumshoe report units.db --by unit --top 3
leap

What each function has:
 cycles    exact  difference  tail call   share  function
387,017  387,017           0          0  26.33%  copy_string
321,394  321,394           0          0  21.86%  make_order
307,184  307,184           0          0  20.90%  execute
(and 14 more)

       hardware
   21  functions listed
   32  entries
   10  bits of tab               displacements that make the hash perfect
  256  bits of tab as published  a byte for every entry
1,024  bits of counter storage
  160  bits of call stack
1,194  bits in all
5,120  bits in all as published  tab and stack in a memory of 4096

4 times: control went to another function without a call

snoopp:range=main

What each counter shows:
 cycles    exact  difference   share       first        last  range
195,171  195,171           0  13.28%  0x800003cc  0x8000062b  main
$ gumshoe run --core flatfoot --top 5 --unit leap:hier --unit stats --unit loops -o again.db $PROGRAMS/rv32im/dhry.elf 2>&1 >/dev/null | sed -n '/^leap/,$p' >printed.txt; gumshoe report again.db --by unit --top 5 | diff - printed.txt && wc -l <printed.txt | awk '$1 > 40 { print "the same" }'
the same
$ gumshoe run -q --core flatfoot --unit loops --json run.json -o again.db $PROGRAMS/rv32im/dhry.elf >/dev/null; gumshoe report again.db --by unit --format json >report.json; python3 -c 'import json; print(json.load(open("run.json"))["units"] == json.load(open("report.json"))["units"])'
True
$ gumshoe report units.db --by unit --table ranges
snoopp:range=main

What each counter shows:
 cycles    exact  difference   share       first        last  range
195,171  195,171           0  13.28%  0x800003cc  0x8000062b  main
$ gumshoe report units.db --by unit --table ranges --format csv
counted,exact,difference,share,first,last,name
195171,195171,0,0.132778149,0x800003cc,0x8000062b,"main"
$ gumshoe report units.db --by unit --table rooms
gumshoe: there is no table 'rooms'; there are functions, hardware, ranges
[3]
$ gumshoe report units.db --by unit --format csv
gumshoe report: --by unit as csv is one table: say which with --table
Try 'gumshoe report --help'.
[2]
$ gumshoe report units.db --by unit --metric cycles
gumshoe report: --metric is not for --by unit: units count what they are made for
Try 'gumshoe report --help'.
[2]
$ gumshoe report units.db --by unit --format json --top 3
gumshoe report: --by unit knows --top as text only
Try 'gumshoe report --help'.
[2]
$ gumshoe report units.db --table ranges
gumshoe report: --table is for --by unit
Try 'gumshoe report --help'.
[2]
$ gumshoe run -q --core flatfoot -o none.db $PROGRAMS/rv32im/dhry.elf >/dev/null; gumshoe report none.db --by unit
gumshoe: no on-chip profiler watched that run; 'gumshoe run --unit KIND' attaches one
[3]

# What units say is in the JSON of a run, as 'gumshoe unit --json' has it.
$ gumshoe run -q --core flatfoot --unit leap --unit snoopp:range=main --json run.json $PROGRAMS/rv32im/dhry.elf >/dev/null 2>&1; python3 -c 'import json; print([(u["kind"], u["options"], list(u["tables"])) for u in json.load(open("run.json"))["units"]])'
[('leap', '', ['functions', 'hardware']), ('snoopp', 'range=main', ['ranges'])]
$ gumshoe unit snoopp --range main --core flatfoot --json $PROGRAMS/rv32im/dhry.elf 2>/dev/null >unit.json; python3 -c 'import json; print(json.load(open("run.json"))["units"][1] == json.load(open("unit.json"))["units"][0])'
True
$ gumshoe run -q --core flatfoot --json - $PROGRAMS/rv32im/dhry.elf 2>/dev/null | grep -c '"units"'
0
[1]

# What is asked for wrongly.
$ gumshoe unit lamp x
gumshoe unit: there is no unit 'lamp'; there are leap, snoopp, stats, loops
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit leap --core none --functions 8 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: leap: $PROGRAMS/rv32im/dhry.elf has 21 functions, more than 8 entries; functions=32 has room, or name some with only=FUNCTION
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit leap --core none --functions 9 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: leap: functions wants a power of two from 1 to 65536 or auto, not '9'
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit leap --core none --luck $PROGRAMS/rv32im/dhry.elf
gumshoe unit: leap has no option --luck
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit leap --count energy --core flatfoot $PROGRAMS/rv32im/dhry.elf
gumshoe unit: leap: flatfoot has no energy table to count by
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit leap --core none --only missing $PROGRAMS/rv32im/dhry.elf
gumshoe unit: leap: $PROGRAMS/rv32im/dhry.elf has no function 'missing'
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit snoopp --core none --range missing $PROGRAMS/rv32im/dhry.elf
gumshoe unit: snoopp: $PROGRAMS/rv32im/dhry.elf has no function 'missing'
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit snoopp --core none --range dhry.c:1-9999 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: snoopp: the code of dhry.c:1-9999 is in several functions, copy_string and compare_strings; give their names or addresses
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit snoopp --core none --range main --map 0x80000000 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: snoopp: map=0x80000000 is taken: the machine has memory or a device at 0x80000000
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit snoopp --core none --range main --hunt $PROGRAMS/rv32im/dhry.elf
gumshoe unit: snoopp: range, auto and hunt exclude each other
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit snoopp
gumshoe unit: which program?
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit leap nowhere.elf
gumshoe: nowhere.elf: cannot be opened: No such file or directory
[3]

$ gumshoe run --core none -q --unit snoopp:range= $PROGRAMS/rv32im/dhry.elf
gumshoe: snoopp: range wants a value: range=RANGE
[125]
