# Functions in detail.
$ gumshoe run -q --core flatfoot -o gumshoe.db --label first $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
$ gumshoe annotate copy_string
dhry.elf on flatfoot, run 1 (first)
shares are of the function's own cost; > marks 10% or more of it

copy_string  dhry.c:44
387,017 cycles, 26.33% of all; 1,842 calls, 210.1 each; CPI 1.391
28.1% of its cycles are stalls: branch 28.1%

   share   cycles  executions  stalls, mostly         line   source and instructions
                                                        42 | static NOINLINE void copy_string(char *to, const char *from)
                                                        43 | {
> 99.52%  385,175      55,260   28% branch              44 |     while ((*to++ = *from++))
> 42.41%  164,120      55,260   66% branch                 :   80000038  lbu a5, 0(a1)
> 14.28%   55,260      55,260                              :   8000003c  addi a0, a0, 1
> 14.28%   55,275      55,260   <1% i-miss                 :   80000040  addi a1, a1, 1
> 14.28%   55,260      55,260                              :   80000044  sb a5, -1(a0)
> 14.28%   55,260      55,260                              :   80000048  bnez a5, 0x80000038 <copy_string>  (taken 97%)
                                                        45 |         ;
   0.48%    1,842       1,842                           46 | }
   0.48%    1,842       1,842                              :   8000004c  ret

# By another metric, as disassembly, and for programs.
$ gumshoe annotate --metric instructions --disassembly copy_string
dhry.elf on flatfoot, run 1 (first)
shares are of the function's own cost; > marks 10% or more of it

copy_string  dhry.c:44
278,142 instructions retired, 29.99% of all; 1,842 calls, 151 each; CPI 1.391
28.1% of its cycles are stalls: branch 28.1%

   share  instructions  executions  stalls, mostly        address   instruction
> 19.87%        55,260      55,260   66% branch           80000038  lbu a5, 0(a1)  ; dhry.c:44
> 19.87%        55,260      55,260                        8000003c  addi a0, a0, 1
> 19.87%        55,260      55,260   <1% i-miss           80000040  addi a1, a1, 1
> 19.87%        55,260      55,260                        80000044  sb a5, -1(a0)
> 19.87%        55,260      55,260                        80000048  bnez a5, 0x80000038 <copy_string>  (taken 97%)
   0.66%         1,842       1,842                        8000004c  ret  ; dhry.c:46
$ gumshoe annotate --json --top 1 | grep -c '"instruction":'
6

# What a line and an instruction called, and where it is: self, and the total with all of that.
$ gumshoe annotate rename_account
dhry.elf on flatfoot, run 1 (first)
shares are of the function's own cost; > marks 10% or more of it
total is with everything called from there; => a called function, and its calls

rename_account  dhry.c:68
30,238 cycles, 2.06% of all; 913 calls, 33.12 each; CPI 1.325
24.5% of its cycles are stalls: branch 21.1%, load-use 3.0%, i-miss 0.3%

   share  cycles    total  executions  stalls, mostly         line   source and instructions
                                                                67 | static NOINLINE void rename_account(account *a)
> 18.23%   5,512                  913   17% branch              68 | {
   6.04%   1,826                  913   50% branch                 :   800000d4  addi sp, sp, -48
   3.02%     913                  913                              :   800000d8  sw s1, 36(sp)
   3.08%     931                  913    2% i-miss                 :   800000e0  sw s0, 40(sp)
   3.02%     913                  913                              :   800000e8  mv s0, a0
   3.07%     929                  913    2% i-miss                 :   800000f0  sw ra, 44(sp)
                                                                69 |     char fresh[NAME_BYTES];
> 12.08%   3,652  195,512         913                           70 |     copy_string(fresh, a->owner);
   3.02%     913                  913                              :   800000dc  addi s1, a0, 10
   3.02%     913                  913                              :   800000e4  mv a1, s1
   3.02%     913                  913                              :   800000ec  mv a0, sp
   3.02%     913  192,773         913                              :   800000f4  jal 0x80000038 <copy_string>
                  191,860         913                              :             => copy_string
> 39.39%  11,910   17,439         913   39% branch              71 |     fresh[a->movements % 8] = next_letter(fresh[a->movements % 8]);
   9.06%   2,739                  913   67% branch                 :   800000f8  lhu s0, 8(s0)
   6.04%   1,826                  913   50% load-use               :   800000fc  andi s0, s0, 7
   3.07%     928                  913    2% i-miss                 :   80000100  addi a5, s0, 32
   3.02%     913                  913                              :   80000104  add s0, a5, sp
   3.06%     926                  913    1% d-read-miss            :   80000108  lbu a0, -32(s0)
   3.02%     913    6,442         913                              :   8000010c  jal 0x80000094 <next_letter>
                    5,529         913                              :             => next_letter
   9.10%   2,752                  913   67% branch                 :   80000110  mv a5, a0
   3.02%     913                  913                              :   8000011c  sb a5, -32(s0)
   9.12%   2,758  194,501         913   <1% i-miss              72 |     copy_string(a->owner, fresh);
   3.02%     913                  913                              :   80000114  mv a1, sp
   3.02%     913                  913                              :   80000118  mv a0, s1
   3.08%     932  192,675         913    2% i-miss                 :   80000120  jal 0x80000038 <copy_string>
                  191,743         913                              :             => copy_string
> 21.19%   6,406                  913   29% branch              73 | }
   9.06%   2,739                  913   67% branch                 :   80000124  lw ra, 44(sp)
   3.02%     913                  913                              :   80000128  lw s0, 40(sp)
   3.02%     913                  913                              :   8000012c  lw s1, 36(sp)
   3.07%     928                  913    2% i-miss                 :   80000130  addi sp, sp, 48
   3.02%     913                  913                              :   80000134  ret
$ gumshoe annotate --json rename_account | grep -A3 -m1 '"target":'
              "target": {
                "address": "0x80000038",
                "function": "copy_string",
                "offset": 0
$ gumshoe annotate --json rename_account | grep -A4 -m1 '"calls": \['
              "calls": [
                {
                  "function": "copy_string",
                  "calls": 913,
                  "inclusive": {

# What is asked for wrongly.
$ gumshoe annotate nonsense
gumshoe: no function 'nonsense' was executed; 'gumshoe report --top 0' lists those that were
[3]
$ gumshoe annotate --run second
gumshoe: gumshoe.db: no run has the number or label 'second'; 'gumshoe runs' lists them
[3]
$ gumshoe annotate --metric luck 2>&1 | head -c 60
gumshoe annotate: there is no metric 'luck'; there are cycle
$ gumshoe annotate --top 0
gumshoe annotate: --top wants a number, not '0'
Try 'gumshoe annotate --help'.
[2]
$ gumshoe annotate --profile
gumshoe annotate: --profile wants a value
Try 'gumshoe annotate --help'.
[2]
$ gumshoe annotate -p nowhere.db
gumshoe: nowhere.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]

# Inlined functions told apart.
$ gumshoe report --by line --inlines --top 4
dhry.elf on flatfoot, run 1 (first)
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by source lines, as often executed as the most executed instruction in
them

   self                       cycles  executions     CPI  line
 26.20%  ####............    385,175      55,260   1.394  dhry.c:44  copy_string
 10.78%  ##..............    158,400       4,400  18.000  dhry.c:139  make_order
  5.69%  #...............     83,628       4,400   2.715  dhry.c:97  execute
  4.15%  #...............     61,032       4,400   1.136  dhry.c:120  execute
 53.18%                      781,668               1.401  (118 more)
100.00%                    1,469,903               1.585  (all)
$ gumshoe report --by call --inlines --top 6
dhry.elf on flatfoot, run 1 (first)
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by call paths: total is a function with all it called there, self without

   self                      cycles    total  calls    CPI  call path
  0.09%  ###############      1,274  100.00%      1  1.743  _start
  9.64%  ###############    141,675   99.91%      1  1.235    main
 20.90%  #########......    307,184   57.72%  4,400  1.519      execute
  2.06%  ####...........     30,238   28.53%    913  1.325        rename_account
 26.10%  ####...........    383,603   26.10%  1,826  1.391          copy_string
 21.86%  ####...........    321,394   28.60%  4,400  2.087      make_order
 19.36%                     284,535                  1.808  (23 more)
100.00%                   1,469,903                  1.585  (all)
$ gumshoe report --format folded --inlines | grep -F '_[i]' | head -n 3
_start;main;random_next_[i] 35213
_start;main;checksum_add_[i] 17955
_start;main;open_accounts_[i] 328
$ gumshoe report --inlines
gumshoe report: --inlines is for --by line and --by call, and for folded, flamegraph and speedscope
Try 'gumshoe report --help'.
[2]

# Files are named with -p.
$ gumshoe annotate gumshoe.db
gumshoe: no function 'gumshoe.db' was executed; 'gumshoe report --top 0' lists those that were
gumshoe: gumshoe.db is a file; if it is the profile file, say '-p gumshoe.db'
[3]
$ rm gumshoe.db; touch app.db; gumshoe annotate app.db
gumshoe: gumshoe.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
gumshoe: app.db is a file; if it is the profile file, say '-p app.db'
[3]
