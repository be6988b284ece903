# Firmware whose devices nothing models.
$ riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -Wl,-Ttext=0x80000000,--build-id=none -o startup.elf $ROOT/tests/golden/programs/startup.c
$ printf 'name: %s\narch: rv32\nclock_hz: 8_000_000\nmemory:\n- {base: 0x8000_0000, size: 64K}\ndevices:\n- {type: test, base: 0xfff0_0000}\n' bare >bare.yaml
$ sed s/bare/chip/ bare.yaml >chip.yaml; echo '- {type: region, name: clocks, base: 0x4002_1000, size: 1K, read: 3}' >>chip.yaml
$ sed 's/read: 3/write: trap/' chip.yaml >fuse.yaml; gumshoe boards show ./chip.yaml
chip
  isa        rv32
  clock      8 MHz
  memory     0x80000000-0x8000ffff
  test       0xfff00000-0xfff00fff
  region     0x40021000-0x400213ff  clocks

$ gumshoe boards
NAME          ISA
mips-bare     mips32, the default
    MIPS32 with RAM in kuseg and kseg0, and a UART where the Malta board has it
rv-virt       rv32, the default
    RV32 with RAM, UART and CLINT where QEMU's virt machine has them

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
