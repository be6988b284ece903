# What to move into hardware. Comments in the files for tools begin with // here.
$ cp $ROOT/tests/diff/hls/kernels.h .; sed 's/, 200)/, 200) + (unsigned)kernel(data, 100)/' -i kernels.h; gumshoe cc --compiler gcc -o crc.elf $ROOT/tests/diff/hls/crc.c -- -O2 -iquote . -include kernels.h; gumshoe run -q --core flatfoot -o crc.db crc.elf > /dev/null
$ gumshoe partition --lut 2000 --top 3 crc.db
crc.elf on flatfoot, run 1
30,519 cycles in software. Hardware is an estimate for legup-cyclone2:
LegUp on a Cyclone II, 15 ns, no pipelined loops.
A cycle of an accelerator, 15 ns, is 0.75 of the processor's at 50 MHz.

Chosen for 2,000 LUT, 33,216 FF, 70 DSP (EP2C35): 1.16 times as fast,
and 2.31 if hardware took no time

software  times  hardware  transfers  faster  LUT  DSP  candidate
  12,528      1     2,082      8,356    1.26  161    0  memset
   4,124      1     1,024      2,102    1.44  158    8  loop at kernels.h:17 i..
     344      2        91        240    1.12  588    0  strtok
     210      1         6         18    9.28   12    0  __libc_init_array
     109      1         6         18    4.84    9    0  __libc_fini_array
(not shown, for lack of room: FF; --wide shows all)

By budget, from where each choice is the best:

from 100 LUT: 1.01 times as fast with 21 LUT, 7 FF, 0 DSP: __libc_init_array,
__libc_fini_array

from 200 LUT: 1.10 times as fast with 182 LUT, 74 FF, 0 DSP: memset,
__libc_init_array, __libc_fini_array

from 300 LUT: 1.15 times as fast with 293 LUT, 135 FF, 8 DSP: loop at
memset.S:21 in memset, loop at kernels.h:17 in main, __libc_init_array

from 400 LUT: 1.16 times as fast with 340 LUT, 140 FF, 8 DSP: memset, loop at
kernels.h:17 in main, __libc_init_array, __libc_fini_array

from 1,000 LUT: 1.16 times as fast with 928 LUT, 448 FF, 8 DSP: memset, loop at
kernels.h:17 in main, strtok, __libc_init_array, __libc_fini_array


Left out, because:

_start: 30,519 cycles, 4,747 in hardware and 15,410 for transfers; is where the
program starts, start.c:21

bare_start: 30,483 cycles, 4,744 in hardware and 15,410 for transfers; needs the
processor for a system call or control register (sys_semihost), start.c:57

main: 15,696 cycles, 2,538 in hardware and 6,866 for transfers; does input,
output, or ends the program (printf), kernels.h:20

... and 31 that take less; --top 0 shows all
$ gumshoe partition --lut 2000 --write legup crc.db | sed 's,^#,//,'
// What LegUp moves into hardware, for its hybrid flow.
// First make the loop at kernels.h:17 in main a function of its own, main_line_17.
set_parameter CLOCK_PERIOD 15
set_accelerator_function "memset"
set_accelerator_function "main_line_17"
set_accelerator_function "strtok"
set_accelerator_function "__libc_init_array"
set_accelerator_function "__libc_fini_array"
$ gumshoe partition --lut 2000 --write vitis crc.db | sed 's,=/.*/,=,; s,^#,//,' | head -8
// Vitis HLS: a component for each function that is moved; this file is for the first.
// First make the loop at kernels.h:17 in main a function of its own, main_line_17.
[hls]
flow_target=vivado
clock=15ns
syn.file=./riscv64-unknown-elf/../../../newlib/libc/machine/riscv/memset.S
syn.top=memset
// syn.file=kernels.h
$ gumshoe partition --lut 2000 --write bambu crc.db | sed "s,'/.*/,',; s,^#,//," | head -6
//!/bin/sh -e
// PandA Bambu, once for each function that is moved.
// First make the loop at kernels.h:17 in main a function of its own, main_line_17.
bambu --top-fname='memset' --clock-period=15 --generate-interface=INFER --compiler=I386_GCC8 -O3 bambu.xml './riscv64-unknown-elf/../../../newlib/libc/machine/riscv/memset.S'
bambu --top-fname='main_line_17' --clock-period=15 --generate-interface=INFER --compiler=I386_GCC8 -O3 bambu.xml 'kernels.h'
bambu --top-fname='strtok' --clock-period=15 --generate-interface=INFER --compiler=I386_GCC8 -O3 bambu.xml './riscv64-unknown-elf/../../../newlib/libc/string/strtok.c'
$ gumshoe partition --lut 2000 --write bambu-xml crc.db | head -6
<?xml version="1.0"?>
<constraints>
  <HLS_constraints>
    <clock_period value="15"/>
    <top_function name="memset"/>
    <top_function name="main_line_17"/>
$ gumshoe partition --format csv crc.db | grep -e candidate -e kernel
candidate,kind,address,software_cycles,times,hardware_cycles,transfer_cycles,total_cycles,lut,ff,dsp,verdict,reason
"main",function,0x80000064,15696,1,2538.0,6866.0,8769.5,594,302,8,hindered,"does input, output, or ends the program (printf), kernels.h:20"
"kernel",function,0x80000014,5688,2,1506.0,4860.0,5989.5,328,136,0,slower,"slower by 302 cycles"
"loop at crc.c:8 in kernel",loop,0x8000002c,5657,2,1500.0,4896.0,6021.0,255,101,0,slower,"slower by 364 cycles"
"loop at kernels.h:17 in main",loop,0x800000a0,4124,1,1024.0,2102.0,2870.0,158,66,8,chosen,"chosen"
$ gumshoe partition --format svg -o crc.svg crc.db && head -c 38 crc.svg
<?xml version="1.0" encoding="UTF-8"?>

# Pipelined loops, on another device.
$ gumshoe partition --hls vitis-zynq7 --lut 3000 --top 1 crc.db | grep -A7 Chosen
Chosen for 3,000 LUT, 106,400 FF, 220 DSP (xc7z020): 2.08 times as fast,
and 4.16 if hardware took no time

software  times  hardware  transfers  faster  LUT  DSP  candidate
  12,528      1     2,082      2,140    3.94  118    0  memset
   5,688      2       310      2,500    2.14  228    0  kernel
   4,124      1     1,025        602    3.70  130    3  loop at kernels.h:17 i..
     344      2        64        161    1.78  366    0  strtok

# What cannot be moved, and why.
$ printf 'extern void *malloc(unsigned);\nint next(int x) { return x * 3 + 1; }\nint (*volatile step)(int) = next;\n__attribute__((noinline)) int down(int n) { return n < 2 ? n : down(n - 1) * 3 + down(n - 2); }\n__attribute__((noinline)) int through(int n) { int x = 0; while (n--) x = step(x); return x; }\n__attribute__((noinline)) int cells(int n) { int *p = malloc(4000), s = 0; for (int i = 0; i < n; i++) p[i %% 999] = i, s += p[i / 2 %% 999]; return s; }\nint main(void) { return (down(12) + through(500) + cells(500)) & 0; }\n' > no.c; gumshoe cc --compiler gcc no.c -- -O2; gumshoe run -q --core flatfoot -o no.db no.elf
$ gumshoe partition --top 12 no.db
no.elf on flatfoot, run 1
82,301 cycles in software. Hardware is an estimate for legup-cyclone2:
LegUp on a Cyclone II, 15 ns, no pipelined loops.
A cycle of an accelerator, 15 ns, is 0.75 of the processor's at 50 MHz.

Chosen for 33,216 LUT, 33,216 FF, 70 DSP (EP2C35): 1.47 times as fast,
and 4.94 if hardware took no time

software  times  hardware  transfers  faster    LUT  DSP  candidate
  40,363      1    18,000      6,054    2.06  1,516    0  loop at no.c:6 in ce..
  24,348      2     4,056     16,280    1.26    161    0  memset
     327      2        83        216    1.18    623    0  strtok
     276      1        34         81    2.60    797    0  __malloc_sbrk_aligned
     224      1         6         18    9.90     12    0  __libc_init_array
      95      1         6         18    4.22      9    0  __libc_fini_array
(not shown, for lack of room: FF; --wide shows all)

By budget, from where each choice is the best:

from 1,660 LUT: 1.07 times as fast with 1,602 LUT, 686 FF, 0 DSP: memset,
strtok, __malloc_sbrk_aligned, __libc_init_array, __libc_fini_array

from 3,321 LUT: 1.34 times as fast with 1,537 LUT, 3,271 FF, 0 DSP: loop at
no.c:6 in cells, __libc_init_array, __libc_fini_array

from 4,982 LUT: 1.47 times as fast with 3,118 LUT, 3,950 FF, 0 DSP: loop at
no.c:6 in cells, memset, strtok, __malloc_sbrk_aligned, __libc_init_array,
__libc_fini_array


Left out, because:

_start: 82,301 cycles, 22,721 in hardware and 10,413 for transfers; is where the
program starts, start.c:21

bare_start: 82,265 cycles, 22,718 in hardware and 10,413 for transfers; needs
the processor for a system call or control register (sys_semihost), start.c:57

main: 79,758 cycles, 22,553 in hardware and 10,018 for transfers; is recursive
(down), no.c:4

cells: 65,058 cycles, 18,003 in hardware and 6,024 for transfers; allocates
memory (malloc), no.c:6

malloc: 24,615 cycles, 4,069 in hardware and 16,116 for transfers; allocates
memory, nano-mallocr.c:317

loop at memset.S:21 in memset: 24,326 cycles, 4,052 in hardware and 16,292 for
transfers; nested with memset, which is better

down: 7,533 cycles, 1,538 in hardware and 24 for transfers; is recursive (down),
no.c:4

loop at no.c:4 in down: 7,406 cycles, 1,989 in hardware and 7,776 for transfers;
is recursive (down), no.c:4

through: 7,108 cycles, 3,002 in hardware and 4,024 for transfers; calls through
a pointer, no.c:5

loop at no.c:5 in through: 7,028 cycles, 3,000 in hardware and 4,030 for
transfers; calls through a pointer, no.c:5

next: 3,000 cycles, 500 in hardware and 12,000 for transfers; slower by 9,375
cycles

exit: 1,207 cycles, 15 in hardware and 18 for transfers; does input, output, or
ends the program, pico-exit.c:41

... and 10 that take less; --top 0 shows all

# A call through the global offset table is none through a pointer.
$ printf 'int twice(int);\nint (*volatile step)(int) = twice;\n__attribute__((noinline)) int twice(int x) { return x * 2; }\n__attribute__((noinline)) int known(int n) { int x = 0; while (n--) x += twice(n); return x; }\n__attribute__((noinline)) int through(int n) { int x = 0; while (n--) x += step(n); return x; }\nint main(void) { return known(500) + through(500) == 7; }\n' > got.c; gumshoe cc --core mips-24kf got.c -- -O1; gumshoe run -q -o got.db got.elf
$ gumshoe partition --format csv got.db | grep -e known -e through | sed 's/function.*,\([a-z]*,"\)/\1/; s/loop,0x.*,\([a-z]*,"\)/\1/'
"__libc_start_main_impl",hindered,"calls through a pointer, 0x00400b78"
"main",hindered,"calls through a pointer, got.c:5"
"through",hindered,"calls through a pointer, got.c:5"
"loop at got.c:5 in through",hindered,"calls through a pointer, got.c:5"
"known",slower,"slower by 9,883 cycles"
"loop at got.c:4 in known",slower,"slower by 10,022 cycles"
"__run_exit_handlers",hindered,"calls through a pointer, 0x00406ad8"
"loop at 0x00406ad4 in __run_exit_handlers",hindered,"calls through a pointer, 0x00406ad8"
"loop at 0x00406a28 in __run_exit_handlers",hindered,"calls through a pointer, 0x00406bc0"
"loop at 0x00406a3c in __run_exit_handlers",hindered,"calls through a pointer, 0x00406bc0"
"call_fini",hindered,"calls through a pointer, 0x00400884"
"__init_misc",hindered,"calls through a pointer, 0x00446d8c"
"loop at 0x00400b68 in __libc_start_main_impl",hindered,"calls through a pointer, 0x00400b78"
"loop at 0x0040087c in call_fini",hindered,"calls through a pointer, 0x00400884"
"rindex",hindered,"calls through a pointer, 0x00446d8c"
"loop at 0x00446d84 in rindex",hindered,"calls through a pointer, 0x00446d8c"

$ gumshoe partition --hls nothing crc.db
gumshoe: there is no description 'nothing'; built in are legup-cyclone2, vitis-zynq7; a file's name ends in .yaml
[3]
$ printf 'name: a\nclock: 3\n' > mine.yaml; gumshoe partition --hls mine.yaml crc.db
gumshoe: mine.yaml:2: unknown key 'clock'; allowed: name, summary, clock_ns, pipeline, speculation, call, memory, state, bus, device, operators
[3]
$ gumshoe partition --write legup --format csv crc.db
gumshoe partition: --format and --write do not go together
Try 'gumshoe partition --help'.
[2]
