# The Statistics Module.
$ gumshoe unit stats --signals
 0  cycle                  clocks
 1  instruction            instructions retired
 2  i-hit                  instruction cache hits
 3  i-miss                 instruction cache misses
 4  d-hit                  data cache hits
 5  d-miss                 data cache misses
 6  read                   instructions that read memory
 7  write                  instructions that wrote memory
 8  branch                 conditional branches
 9  taken                  conditional branches taken
10  mispredict             branches predicted wrongly
11  trap                   traps and interrupts, charged to the handler
12  stall                  clocks in which nothing retired
13  stall:i-miss           instruction cache miss or slow instruction memory
14  stall:d-read-miss      data read miss or slow data memory
15  stall:d-write          store waiting for the write buffer or memory
16  stall:load-use         waiting for a loaded value
17  stall:data-hazard      waiting for another result
18  stall:mul-div          multiplier or divider busy
19  stall:branch           jump or taken branch
20  stall:mispredict       branch predicted wrongly
21  stall:fetch-alignment  instruction across a fetch boundary
22  stall:structural       a part of the core is busy or takes several steps
23  stall:trap             entering a trap or interrupt
24  stall:idle             asleep, waiting for an interrupt
25  stall:bus              another core had the bus, or it was being granted

$ gumshoe unit stats --core none --count luck@main $PROGRAMS/rv32im/dhry.elf
gumshoe unit: stats: there is no signal 'luck'; 'gumshoe unit stats --signals' lists them
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit stats --core none --count cycle@luck $PROGRAMS/rv32im/dhry.elf
gumshoe unit: stats: $PROGRAMS/rv32im/dhry.elf has no function 'luck'
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit stats --core none --count cycle@ $PROGRAMS/rv32im/dhry.elf
gumshoe unit: stats: 'cycle@': which range?
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit stats --core none --counters 1 --count cycle --count stall $PROGRAMS/rv32im/dhry.elf
gumshoe unit: stats: 2 to count with 1 counters; counters=2 has room
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit stats --core none --ranges 1 --count cycle@main --count stall $PROGRAMS/rv32im/dhry.elf
gumshoe unit: stats: there are only 1 address range registers; ranges=N has room for more
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit stats --core none --map dhry.map $PROGRAMS/rv32im/dhry.elf
gumshoe: cannot open dhry.map: No such file or directory
[3]

$ echo nothing > dhry.map; gumshoe unit stats --core none --map dhry.map $PROGRAMS/rv32im/dhry.elf
gumshoe: dhry.map: no line 'Linker script and memory map' in it; a map of GNU ld is made with -Wl,-Map=FILE
[3]

# Two functions that are not there, from a map: the first word of the program, and the rest.
$ printf 'Linker script and memory map\n\n .text.boot 0x80000000 0x4 a.o\n .text 0x80000004 0x20000 a.o\n                0x80000004   rest\n' > dhry.map

$ gumshoe unit stats --core none --map dhry.map --count instruction@boot --count instruction@rest --interval 600 --max-instructions 1000 $PROGRAMS/rv32im/dhry.elf
stats:count=instruction@boot,count=instruction@rest,interval=600,map=dhry.map

What each counter has counted in all intervals:
counted  exact  difference  saturated       first        last  counter
      1      1           0          0  0x80000000  0x80000003  instruction@boot
    999    999           0          0  0x80000004  0x80020003  instruction@rest

Interval by interval:
number  clock  instruction@boot  instruction@rest
     0    600                 1               598
     1  1,200                 0               401

# Four bits are full at once.
$ gumshoe unit stats --core none --count cycle --width 4 --interval none --max-instructions 1000 $PROGRAMS/rv32im/dhry.elf
stats:count=cycle,interval=none,width=4

What each counter has counted in all intervals:
counted  exact  difference  saturated       first        last  counter
     15  1,000        -985          1  0x00000000  0xffffffff  cycle

Interval by interval:
number  clock  cycle
     0  1,000     15

cycle was at its largest value in 1 of 1 intervals: some was not counted; a
shorter interval helps
