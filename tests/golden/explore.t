# Counting the misses of all caches in one run. Empty lines of a page are left out here.
$ gumshoe explore cache --core rocket-rv32 --time 3 $PROGRAMS/bare/hello_test.elf 2>/dev/null | grep . | cut -c1-80
hello_test.elf on rocket-rv32: 160 instructions
Misses of instruction caches with lines of 64 bytes, LRU, in 160 lookups
  size  1 way  2 ways  4 ways  8 ways  16 ways
 256 B      5       5       6       -        -
 512 B      5       5       5       5        -
  1 KB      5       5       5       5        5
  2 KB      5       5       5       5        5
  4 KB      5       5       5       5        5
  8 KB      5       5       5       5        5
 16 KB      5       5       5       5        5
 32 KB      5       5       5       5        5
 64 KB      5       5       5       5        5
128 KB      5       5       5       5        5
256 KB      5       5       5       5        5
Misses of data caches with lines of 64 bytes, LRU, in 35 lookups;
6 of them are stores, which allocate a line
  size  1 way  2 ways  4 ways  8 ways  16 ways
 256 B      2       2       2       -        -
 512 B      2       2       2       2        -
  1 KB      2       2       2       2        2
  2 KB      2       2       2       2        2
  4 KB      2       2       2       2        2
  8 KB      2       2       2       2        2
 16 KB      2       2       2       2        2
 32 KB      2       2       2       2        2
 64 KB      2       2       2       2        2
128 KB      2       2       2       2        2
256 KB      2       2       2       2        2
Cycles with both caches, exactly; *: no pair below takes fewer in as few bytes
together  cycles  best  instruction cache        data cache
   512 B     605  *     256 B 1-way, 64 B line   256 B 1-way, 64 B line
   768 B     569  *     512 B 1-way, 128 B line  256 B 1-way, 64 B line
$ gumshoe explore cache --core rocket-rv32 --format csv $PROGRAMS/bare/hello_test.elf 2>/dev/null | sed -n '1p; /data,4096,32,/p'
cache,size,line,ways,reads,writes,read_misses,write_misses
data,4096,32,1,29,6,1,2
data,4096,32,2,29,6,1,2
data,4096,32,4,29,6,1,2
data,4096,32,8,29,6,1,2
data,4096,32,16,29,6,1,2
$ gumshoe explore cache --core rocket-rv32 --format json --time 1 $PROGRAMS/bare/hello_test.elf 2>/dev/null | sed '/"instruction": \[/,/"points"/d'
{
  "schema": "gumshoe-caches-1",
  "program": "$PROGRAMS/bare/hello_test.elf",
  "core": "rocket-rv32",
  "instructions": 160,
  "saw_time": false,
  "write_allocate": true,
    {
      "instruction": {
        "size": 256,
        "line": 64,
        "ways": 1
      },
      "data": {
        "size": 256,
        "line": 64,
        "ways": 1
      },
      "cycles": 605,
      "best": true
    }
  ]
}
$ gumshoe explore cache --core rocket-rv32 --format svg -o caches.svg $PROGRAMS/bare/hello_test.elf && head -3 caches.svg | cut -c1-100
hello by test device
0
<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="1040" height="660" viewBox="0 0 1040 66
<rect width="100%" height="100%" fill="white"/>
$ gumshoe explore cache --core ibex-small $PROGRAMS/bare/hello_test.elf
gumshoe: core ibex-small has a pipeline without caches; take one with caches, such as flatfoot, rocket-rv32, mips-4k or mips-24kf
[3]
$ gumshoe explore
gumshoe explore: 'cache' has to follow
Try 'gumshoe explore --help'.
[2]
$ gumshoe explore caches $PROGRAMS/bare/hello_test.elf
gumshoe explore: cache, not 'caches'
Try 'gumshoe explore --help'.
[2]
$ gumshoe explore cache --line 24 $PROGRAMS/bare/hello_test.elf
gumshoe explore: --line wants 8, 16, 32, 64 or 128
Try 'gumshoe explore --help'.
[2]
$ gumshoe explore cache --core none $PROGRAMS/bare/hello_test.elf
gumshoe explore: caches need a core, and --core none is none
Try 'gumshoe explore --help'.
[2]
$ gumshoe explore cache
gumshoe explore: which program?
Try 'gumshoe explore --help'.
[2]
$ gumshoe explore cache nowhere.elf
gumshoe: nowhere.elf: cannot be opened: No such file or directory
[3]
