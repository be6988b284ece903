# What standard output is. script(1) is a terminal of 80 columns; its line ends are taken off, and
# escapes are shown as ^[.
$ gumshoe run -q --core flatfoot -o t.db $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301

# On a terminal there is colour, and a pager.
$ export TERM=xterm GUMSHOE_PAGER="sed s/^/page:/"; unset NO_COLOR; script -qec "gumshoe report t.db --top 1" /dev/null | tr -d '\r' | cat -v
page:dhry.elf on flatfoot, run 1
page:1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
page:cycles by functions: self is their own instructions, total with all they called
page:
page:^[[1m   self                    cycles    total  calls    CPI  function^[[0m
page: 26.33%  ^[[36m###..........^[[0m    387,017   26.33%  1,842  1.391  copy_string  dhry.c:44
page: 73.67%                 1,082,886                  1.667  (16 more)
page:100.00%                 1,469,903                  1.585  (all)

# NO_COLOR, a dumb terminal and --color never are obeyed, and so is --color always.
$ TERM=xterm NO_COLOR=1 script -qec "gumshoe report t.db --top 1 --no-pager" /dev/null | tr -d '\r' | cat -v
dhry.elf on flatfoot, run 1
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by functions: self is their own instructions, total with all they called

   self                    cycles    total  calls    CPI  function
 26.33%  ###..........    387,017   26.33%  1,842  1.391  copy_string  dhry.c:44
 73.67%                 1,082,886                  1.667  (16 more)
100.00%                 1,469,903                  1.585  (all)
$ unset NO_COLOR; TERM=dumb GUMSHOE_PAGER="sed s/^/page:/" script -qec "gumshoe report t.db --top 1" /dev/null | tr -d '\r' | cat -v
dhry.elf on flatfoot, run 1
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by functions: self is their own instructions, total with all they called

   self                    cycles    total  calls    CPI  function
 26.33%  ###..........    387,017   26.33%  1,842  1.391  copy_string  dhry.c:44
 73.67%                 1,082,886                  1.667  (16 more)
100.00%                 1,469,903                  1.585  (all)
$ unset NO_COLOR; TERM=xterm PAGER=cat script -qec "gumshoe report t.db --top 1 --color never" /dev/null | tr -d '\r' | cat -v
dhry.elf on flatfoot, run 1
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by functions: self is their own instructions, total with all they called

   self                    cycles    total  calls    CPI  function
 26.33%  ###..........    387,017   26.33%  1,842  1.391  copy_string  dhry.c:44
 73.67%                 1,082,886                  1.667  (16 more)
100.00%                 1,469,903                  1.585  (all)
$ gumshoe report t.db --top 1 --color always | cat -v
dhry.elf on flatfoot, run 1
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by functions: self is their own instructions, total with all they called

^[[1m   self                    cycles    total  calls    CPI  function^[[0m
 26.33%  ^[[36m###..........^[[0m    387,017   26.33%  1,842  1.391  copy_string  dhry.c:44
 73.67%                 1,082,886                  1.667  (16 more)
100.00%                 1,469,903                  1.585  (all)
$ gumshoe report t.db --color sometimes
gumshoe report: --color is auto, always or never, not 'sometimes'
Try 'gumshoe report --help'.
[2]

# A pipe gets plain text, and a reader that leaves early is no error.
$ gumshoe report t.db --top 1 | cat -v
dhry.elf on flatfoot, run 1
1,469,903 cycles, 29.398 ms at 50 MHz; 927,563 instructions, CPI 1.585
cycles by functions: self is their own instructions, total with all they called

   self                    cycles    total  calls    CPI  function
 26.33%  ###..........    387,017   26.33%  1,842  1.391  copy_string  dhry.c:44
 73.67%                 1,082,886                  1.667  (16 more)
100.00%                 1,469,903                  1.585  (all)
$ set -o pipefail; gumshoe report t.db --by instruction --format json | head -n 1
{
$ gumshoe report t.db > /dev/full
gumshoe: cannot write the report: No space left on device
[3]

# The pager may leave early, too. The status is the command's, not the pager's.
$ TERM=xterm PAGER="head -n 1; exit 7" script -qec "gumshoe report t.db --by instruction --top 0" /dev/null | tr -d '\r'
dhry.elf on flatfoot, run 1

# What is not text stays away from a terminal.
$ script -qec "gumshoe report t.db --format pprof" /dev/null | tr -d '\r'
gumshoe report: pprof is compressed, nothing for a terminal: say where it goes with -o
Try 'gumshoe report --help'.

# What is listed fits into 80 columns.
$ { gumshoe cores; gumshoe boards; for core in $(gumshoe cores | grep -o '^[a-z][^ ]*'); do gumshoe cores show $core; done; } | grep -E '.{81}| $'
[1]
$ { for unit in loops 'loops --explore' stats 'snoopp --hunt' 'leap --functions 64'; do gumshoe unit $unit --core flatfoot $PROGRAMS/rv32im/dhry.elf; done; gumshoe explore cache --core flatfoot $PROGRAMS/rv32im/dhry.elf; } 2>&1 | grep -E '.{81}'
[1]
