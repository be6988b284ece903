# The frequent loop detector.
$ gumshoe unit loops --core none --entries 48 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: loops: entries wants a power of two from 1 to 1024, not '48'
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit loops --core none --entries 4 --ways 8 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: loops: 8 ways need 8 entries at least, not 4
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit loops --core none --json --csv loops $PROGRAMS/rv32im/dhry.elf
gumshoe unit: --json, --csv and --svg exclude each other
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit loops --core none --csv leap --max-instructions 1000 $PROGRAMS/rv32im/dhry.elf
gumshoe unit: there is no table 'leap'; there are loops, curve
Try 'gumshoe unit --help'.
[2]

$ gumshoe unit loops --core none --max-instructions 200K --top 3 $PROGRAMS/rv32im/dhry.elf 2>/dev/null | grep -c 0x8
6

$ gumshoe unit loops --core none --max-instructions 200K --csv loops $PROGRAMS/rv32im/dhry.elf 2>/dev/null | head -1
predicted,actual,frequency,taken,cycles,branch,target,name

$ gumshoe unit loops --core none --max-instructions 200K --svg curve $PROGRAMS/rv32im/dhry.elf 2>/dev/null | tail -1
</svg>

$ gumshoe unit loops --core none --explore --max-instructions 200K --csv explore $PROGRAMS/rv32im/dhry.elf 2>/dev/null | wc -l
1393
