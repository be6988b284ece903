# What ends a run from outside: the profile is kept, and no temporary file is left.
$ cp $PROGRAMS/bare/spin.elf .; set -m; started() { until ls $1.?????? >/dev/null 2>&1; do sleep 0.1; done; }; for signal in INT TERM HUP XCPU; do gumshoe run -q --engine reference --core ideal -o x.db --json $signal.json spin.elf & started $signal.json; kill -$signal $!; wait $!; echo "$signal: $?"; done 2>/dev/null; ls
INT: 130
TERM: 143
HUP: 129
XCPU: 152
HUP.json
INT.json
TERM.json
XCPU.json
spin.elf
x.db
$ rm *.json; gumshoe runs x.db | wc -l
6
$ (trap "" HUP; gumshoe run -q --max-time 4 --json hup.json spin.elf & until ls hup.json.?????? >/dev/null 2>&1; do sleep 0.1; done; kill -HUP $!; wait $!; echo $?; rm hup.json)
124

# A second signal ends Gumshoe at once.
$ { gumshoe run -q --engine reference --json late.json spin.elf & until ls late.json.?????? >/dev/null 2>&1; do sleep 0.1; done; kill -STOP $!; kill -TERM $!; kill -HUP $!; kill -CONT $!; wait $!; } 2>/dev/null; echo $?; ls
129
spin.elf
x.db

# A file that becomes too large is an error, and what was there stays.
$ cp x.db before.db; (ulimit -f 100; gumshoe run -q --engine reference --core ideal --max-instructions 1M --trace t spin.elf); ls; cmp x.db before.db
gumshoe: t: cannot write: File too large
before.db
spin.elf
x.db
$ (ulimit -f 1; gumshoe run -q --engine reference --core ideal --max-instructions 1M -o x.db spin.elf); cmp x.db before.db
gumshoe: x.db: File too large

# The limits of time, memory and output.
$ gumshoe run --max-time 1 spin.elf 2>&1 | sed 's/ after.*//; 1q'
gumshoe: spin.elf was stopped by its limit of time
$ gumshoe run --core none --max-output 5 --json limits.json $PROGRAMS/bare/hello_test.elf; grep -A 3 '"exit"' limits.json
hello gumshoe: hello_test.elf was stopped by its limit of output after 40 instructions
gumshoe: the program may touch files below the working directory
  "exit": {
    "kind": "limit",
    "message": "of output"
  },
$ gumshoe run -q --max-memory 1M $PROGRAMS/bare/hello_test.elf
gumshoe: the program has more memory than its limit of 1048576 bytes: raise --max-memory
[125]
$ gumshoe run -q --max-time 0 spin.elf
gumshoe run: --max-time wants a number of seconds, not '0'
Try 'gumshoe run --help'.
[125]

# No file is overwritten that is not a profile.
$ printf x > one; gumshoe run -q --core ideal -o one --max-instructions 10 spin.elf; cat one; echo
gumshoe: one: not a profile file
x
$ head -c 100 x.db > cut; gumshoe run -q --core ideal -o cut --max-instructions 10 spin.elf; wc -c < cut
gumshoe: cut: damaged (database disk image is malformed)
100
$ : > empty; gumshoe run -q --core ideal -o empty --max-instructions 10 spin.elf; gumshoe runs empty | wc -l
3

# A standard error that takes nothing costs the summary, and no file.
$ gumshoe run --core ideal --max-instructions 1000 -o kept.db --json kept.json --trace kept.txt spin.elf 2>/dev/full; echo $?; ls kept.*
124
kept.db
kept.json
kept.txt
