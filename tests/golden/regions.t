# Firmware whose devices nothing models.
$ riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -Wl,-Ttext=0x80000000,--build-id=none -o startup.elf $ROOT/tests/golden/programs/startup.c
$ printf 'name: %s\narch: rv32\nclock_hz: 8_000_000\nmemory:\n- {base: 0x8000_0000, size: 64K}\ndevices:\n- {type: test, base: 0xfff0_0000}\n' bare >bare.yaml
$ sed s/bare/chip/ bare.yaml >chip.yaml; echo '- {type: region, name: clocks, base: 0x4002_1000, size: 1K, read: 3}' >>chip.yaml
$ sed 's/read: 3/write: trap/' chip.yaml >fuse.yaml; gumshoe boards show ./chip.yaml
chip
  isa          rv32
  clock        8 MHz
  memory       0x80000000-0x8000ffff
  test         0xfff00000-0xfff00fff
  region       0x40021000-0x400213ff  clocks

$ gumshoe boards
NAME          ISA
mips-bare     mips32, the default
    MIPS32 with RAM in kuseg and kseg0, and a UART where the Malta board has it
rp2350        rv32
    RP2350 (Raspberry Pi Pico 2) with SRAM, flash, UARTs and timers
rv-virt       rv32, the default
    RV32 with RAM, UART, CLINT and PLIC where QEMU's virt machine has them

# Nothing is there: the first access is the end, unless it is to be ignored; then the clock is never stable.
$ gumshoe run --core none --top 0 --board bare.yaml startup.elf
gumshoe: startup.elf was ended by signal 11 (SEGV): load from unmapped memory, address 0x40021000 at pc 0x8000000c in set_up_clock+0x4
gumshoe: that was after 6 instructions
gumshoe: the program may touch files below the working directory
gumshoe: the board bare has nothing at 0x40021000: --unmapped ignore goes on behind such accesses, and a board file can name a region there
[139]
$ gumshoe run --core none --top 0 --board bare.yaml --unmapped ignore --max-instructions 100 startup.elf
gumshoe: startup.elf was stopped by its limit after 100 instructions
gumshoe: the program may touch files below the working directory
gumshoe: nothing is at 0x40021000: ignored 31 loads and 1 store, the first at pc 0x8000000c in set_up_clock
[124]

# With the clock as a region only the watchdog is missing.
$ gumshoe run --core none --top 0 --board chip.yaml startup.elf
gumshoe: startup.elf was ended by signal 11 (SEGV): store to unmapped memory, address 0x40003000 at pc 0x80000038 in stop_watchdog+0xc
gumshoe: that was after 18 instructions
gumshoe: the program may touch files below the working directory
gumshoe: the board chip has nothing at 0x40003000: --unmapped ignore goes on behind such accesses, and a board file can name a region there
[139]
$ for engine in reference fast; do gumshoe run --engine $engine --top 0 --board chip.yaml --unmapped ignore startup.elf; done
gumshoe: startup.elf exited with 0 after 22 instructions
gumshoe: 152 cycles on flatfoot, 3.040 us at 50 MHz, 6.909 per instruction:
   14.47%  issue            instructions going through
   55.92%  i-miss           instruction cache miss or slow instruction memory
   13.16%  d-read-miss      data read miss or slow data memory
    9.87%  d-write          store waiting for the write buffer or memory
    4.61%  branch           jump or taken branch
    1.97%  structural       a part of the core is busy or takes several steps
gumshoe: flatfoot is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory
gumshoe: nothing is at 0x40003000: ignored 0 loads and 1 store, the first at pc 0x80000038 in stop_watchdog
gumshoe: startup.elf exited with 0 after 22 instructions
gumshoe: 152 cycles on flatfoot, 3.040 us at 50 MHz, 6.909 per instruction:
   14.47%  issue            instructions going through
   55.92%  i-miss           instruction cache miss or slow instruction memory
   13.16%  d-read-miss      data read miss or slow data memory
    9.87%  d-write          store waiting for the write buffer or memory
    4.61%  branch           jump or taken branch
    1.97%  structural       a part of the core is busy or takes several steps
gumshoe: flatfoot is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory
gumshoe: nothing is at 0x40003000: ignored 0 loads and 1 store, the first at pc 0x80000038 in stop_watchdog
$ gumshoe run --core none --top 0 --board fuse.yaml --unmapped ignore startup.elf
gumshoe: startup.elf was ended by signal 11 (SEGV): store that no device answers, address 0x40021000 at pc 0x80000018 in set_up_clock+0x10
gumshoe: that was after 9 instructions
gumshoe: the program may touch files below the working directory
[139]
$ gumshoe run --board chip.yaml --unmapped never startup.elf
gumshoe run: --unmapped is trap or ignore, not 'never'
Try 'gumshoe run --help'.
[125]
$ ls
bare.yaml
chip.yaml
fuse.yaml
startup.elf

# The RP2350 from its boot ROM on, with alarms and interrupts, on both engines.
$ for engine in reference fast; do echo -n ping | gumshoe run --engine $engine --core hazard3 --board rp2350 --top 5 $PROGRAMS/bare/rp2350_hello.elf; done
Hello from an RP2350, chip 20004927, core 0
alarm [spare] was interrupted
later
after a millisecond
received ping
00008000
gumshoe: rp2350_hello.elf exited with 0 after 2,275 instructions
gumshoe: 152,531 cycles on hazard3, 1.017 ms at 150 MHz, 67.047 per instruction:
    1.49%  issue            instructions going through
   98.26%  idle             asleep, waiting for an interrupt
    0.11%  load-use         waiting for a loaded value
    0.07%  branch           jump or taken branch
    0.02%  mul-div          multiplier or divider busy
    0.02%  fetch-alignment  instruction across a fetch boundary
    0.01%  trap             entering a trap or interrupt
    0.01%  mispredict       branch predicted wrongly
    0.01%  i-miss           instruction cache miss or slow instruction memory
    0.00%  structural       a part of the core is busy or takes several steps
gumshoe: tightly coupled memory
gumshoe: the program may touch files below the working directory

   self                          total  calls      CPI  function
 98.38%  ####################   98.75%      3  857.480  vectors
  0.71%  ....................    0.71%     15    1.206  host_put
  0.29%  ....................   99.97%      1    1.023  reset
  0.13%  ....................    0.20%      1    1.123  runtime_init
  0.12%  ....................   99.47%      1    1.185  main

What stands out:
 - 98.7% of all cycles are spent in handlers of traps and interrupts, of which
   there were 3.
 - vectors takes 98.4% of all cycles, more than all other functions together.
 - For 98.3% of all cycles the core is asleep, waiting for an interrupt.
Hello from an RP2350, chip 20004927, core 0
alarm [spare] was interrupted
later
after a millisecond
received ping
00008000
gumshoe: rp2350_hello.elf exited with 0 after 2,275 instructions
gumshoe: 152,531 cycles on hazard3, 1.017 ms at 150 MHz, 67.047 per instruction:
    1.49%  issue            instructions going through
   98.26%  idle             asleep, waiting for an interrupt
    0.11%  load-use         waiting for a loaded value
    0.07%  branch           jump or taken branch
    0.02%  mul-div          multiplier or divider busy
    0.02%  fetch-alignment  instruction across a fetch boundary
    0.01%  trap             entering a trap or interrupt
    0.01%  mispredict       branch predicted wrongly
    0.01%  i-miss           instruction cache miss or slow instruction memory
    0.00%  structural       a part of the core is busy or takes several steps
gumshoe: tightly coupled memory
gumshoe: the program may touch files below the working directory

   self                          total  calls      CPI  function
 98.38%  ####################   98.75%      3  857.480  vectors
  0.71%  ....................    0.71%     15    1.206  host_put
  0.29%  ....................   99.97%      1    1.023  reset
  0.13%  ....................    0.20%      1    1.123  runtime_init
  0.12%  ....................   99.47%      1    1.185  main

What stands out:
 - 98.7% of all cycles are spent in handlers of traps and interrupts, of which
   there were 3.
 - vectors takes 98.4% of all cycles, more than all other functions together.
 - For 98.3% of all cycles the core is asleep, waiting for an interrupt.
