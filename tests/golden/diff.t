# What changed from one run to another.
$ gumshoe diff
gumshoe: gumshoe.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]
$ gumshoe run -q --core flatfoot --label before $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
$ gumshoe diff
gumshoe: gumshoe.db: there are not two runs in it to compare; 'gumshoe run -o' adds one
[3]
$ gumshoe run -q --core flatfoot --label slow --set memory.first=60 --set dcache.size=256 $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
$ gumshoe run -q --core tiger-mips -o other.db $PROGRAMS/mips1el/dhry.elf
dhry: ok d26c7301

# The last two; only functions; two files.
$ gumshoe diff --top 3
before: dhry.elf on flatfoot, run 1 (before)
after:  dhry.elf on flatfoot, run 2 (slow)
note: the core is not set up the same in both runs

                          before      after      change
cycles                 1,469,903  4,459,650  +2,989,747   +203.40%
instructions             927,563    927,563           0     +0.00%
cycles per instruction     1.585      4.808      +3.223   +203.40%
d-misses                     890     85,776     +84,886        96x
stall:i-miss               2,044      8,700      +6,656   +325.64%
stall:d-read-miss            968  2,989,655  +2,988,687      3088x
stall:d-write             62,556     58,046      -4,510     -7.21%
stall:branch             228,875    227,789      -1,086     -0.47%

2,989,747 cycles more than before: 203.40%.

cycles by functions (their own instructions): 16 with more, 1 with less
    change     of all     before      after  of its own
+1,197,233    +26.85%    307,184  1,504,417   +389.74%  execute  dhry.c:97
  +643,032    +14.42%     98,953    741,985   +649.84%  find_rich  dhry.c:126
  +384,960     +8.63%    321,394    706,354   +119.78%  make_order  dhry.c:141
       ...  (14 more; --top 0 shows all)

cycles by loops (without the loops inside): 12 with more, 0 with less
    change     of all     before      after  of its own
+1,825,800    +40.94%    805,829  2,631,629   +226.57%  (outside loops)
  +642,980    +14.42%     81,038    724,018   +793.43%  find_rich  dhry.c:129
  +376,688     +8.45%    193,800    570,488   +194.37%  main  workload.h:86
       ...  (9 more; --top 0 shows all)

cycles by source lines: 73 with more, 2 with less
    change     of all     before      after  of its own
  +564,902    +12.67%     41,221    606,123        15x  dhry.c:129  find_rich
  +439,535     +9.86%     45,804    485,339        11x  dhry.c:99  execute
  +436,168     +9.78%     61,032    497,200   +714.65%  dhry.c:120  execute
       ...  (72 more; --top 0 shows all)
$ gumshoe diff slow before --by function --top 2
before: dhry.elf on flatfoot, run 2 (slow)
after:  dhry.elf on flatfoot, run 1 (before)
note: the core is not set up the same in both runs

                          before      after      change
cycles                 4,459,650  1,469,903  -2,989,747    -67.04%
instructions             927,563    927,563           0     +0.00%
cycles per instruction     4.808      1.585      -3.223    -67.04%
d-misses                  85,776        890     -84,886    -98.96%
stall:i-miss               8,700      2,044      -6,656    -76.51%
stall:d-read-miss      2,989,655        968  -2,988,687    -99.97%
stall:d-write             58,046     62,556      +4,510     +7.77%
stall:branch             227,789    228,875      +1,086     +0.48%

2,989,747 cycles less than before: 67.04%.

cycles by functions (their own instructions): 1 with more, 16 with less
    change     of all     before      after  of its own
-1,197,233    -26.85%  1,504,417    307,184    -79.58%  execute  dhry.c:97
  -643,032    -14.42%    741,985     98,953    -86.66%  find_rich  dhry.c:126
       ...  (15 more; --top 0 shows all)
$ gumshoe diff before other.db --by function --top 5 --metric instructions
before: dhry.elf on flatfoot, run 1 (before)
after:  dhry.elf on tiger-mips, run 1
note: the runs are not on the same core

                                  before              after              change
cycles                         1,469,903          1,166,493            -303,410    -20.64%
instructions                     927,563            975,018             +47,455     +5.12%
cycles per instruction             1.585              1.196              -0.388    -24.50%
i-misses                             128                141                 +13    +10.16%
d-misses                             890                880                 -10     -1.12%
branches                          92,806            112,148             +19,342    +20.84%
taken                             71,700             92,668             +20,968    +29.24%
energy-fj                              0  3,028,983,168,000  +3,028,983,168,000        new
stall:i-miss                       2,044                923              -1,121    -54.84%
stall:d-read-miss                    968                504                -464    -47.93%
stall:d-write                     62,556                  0             -62,556   -100.00%
stall:load-use                    22,955              9,975             -12,980    -56.55%
stall:data-hazard                    907             60,163             +59,256        66x
stall:mul-div                    224,032             38,326            -185,706    -82.89%
stall:branch                     228,875                  0            -228,875   -100.00%
stall:structural                       3             81,584             +81,581     27195x

47,455 instructions retired more than before: 5.12%.

instructions retired by functions (their own instructions): 10 with more, 4 with less
  change     of all   before    after  of its own
 +56,918     +5.84%   53,514  110,432   +106.36%  find_rich  dhry.c:126
 +31,212     +3.20%  159,074  190,286    +19.62%  main  dhry.c:156
 -29,957     -3.07%  202,276  172,319    -14.81%  execute  dhry.c:99
 -17,600     -1.81%  154,000  136,400    -11.43%  make_order  dhry.c:141
  +8,670     +0.89%    5,202   13,872   +166.67%  interest.isra.0  dhry.c:92
     ...  (9 more; --top 0 shows all)
$ gumshoe diff gumshoe.db:1 :before --by line
before: dhry.elf on flatfoot, run 1 (before)
after:  dhry.elf on flatfoot, run 1 (before)

                          before      after      change
cycles                 1,469,903  1,469,903           0     +0.00%
instructions             927,563    927,563           0     +0.00%
cycles per instruction     1.585      1.585      +0.000     +0.00%

As many cycles as before.

cycles by source lines: 0 with more, 0 with less
$ gumshoe diff --json --by loop | grep -c '"before":'
13

# The file before the runs in it.
$ cp gumshoe.db first.db; gumshoe diff first.db before --top 1 | head -n 2
before: dhry.elf on flatfoot, run 1 (before)
after:  dhry.elf on flatfoot, run 2 (slow)
$ gumshoe diff first.db slow before --top 1 | head -n 2
before: dhry.elf on flatfoot, run 2 (slow)
after:  dhry.elf on flatfoot, run 1 (before)

# What is asked for wrongly.
$ gumshoe diff other.db
gumshoe: other.db: there are not two runs in it to compare; 'gumshoe run -o' adds one
[3]
$ gumshoe diff before never
gumshoe: gumshoe.db: no run has the number or label 'never'; 'gumshoe runs' lists them
[3]
$ gumshoe diff none.db:1 before
gumshoe: none.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]
$ gumshoe diff --by call
gumshoe diff: --by is function, loop or line, not 'call'
Try 'gumshoe diff --help'.
[2]
$ gumshoe diff a b c
gumshoe diff: two runs at a time, and the file that has them both before them or with -p
Try 'gumshoe diff --help'.
[2]
$ gumshoe diff --metric luck 2>&1 | head -c 50
gumshoe diff: there is no metric 'luck'; there are
