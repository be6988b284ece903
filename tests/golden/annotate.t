# Functions in detail.
$ gumshoe run -q --core flatfoot -o gumshoe.db --label first $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
$ gumshoe annotate copy_string
dhry.elf on flatfoot, run 1 (first)
shares are of the function; > marks 10% or more of it

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
> 14.28%   55,260      55,260                              :   80000048  bnez a5, 0x80000038  (taken 97%)
                                                        45 |         ;
   0.48%    1,842       1,842                           46 | }
   0.48%    1,842       1,842                              :   8000004c  ret

# By another metric, as disassembly, and for programs.
$ gumshoe annotate --metric instructions --disassembly copy_string
dhry.elf on flatfoot, run 1 (first)
shares are of the function; > marks 10% or more of it

copy_string  dhry.c:44
278,142 instructions retired, 29.99% of all; 1,842 calls, 151 each; CPI 1.391
28.1% of its cycles are stalls: branch 28.1%

   share  instructions  executions  stalls, mostly        address   instruction
> 19.87%        55,260      55,260   66% branch           80000038  lbu a5, 0(a1)  ; dhry.c:44
> 19.87%        55,260      55,260                        8000003c  addi a0, a0, 1
> 19.87%        55,260      55,260   <1% i-miss           80000040  addi a1, a1, 1
> 19.87%        55,260      55,260                        80000044  sb a5, -1(a0)
> 19.87%        55,260      55,260                        80000048  bnez a5, 0x80000038  (taken 97%)
   0.66%         1,842       1,842                        8000004c  ret  ; dhry.c:46
$ gumshoe annotate --json --top 1 | grep -c '"instruction":'
6

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
