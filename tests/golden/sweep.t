# Many variants of a core, with one that cannot be.
$ cp $PROGRAMS/bare/hello_test.elf .; printf 'programs: hello_test.elf\naxes:\n  core: [rocket-rv32, ibex-small]\n  memory.first: {from: 10, to: 30, step: 10}\nwhere: core != "ibex-small" || memory.first == 30\nobjectives: [cycles, storage_bits]\n' > s.yaml
$ gumshoe sweep --dry-run s.yaml
s: 4 designs, 4 points, 4 runs
$ gumshoe sweep --jobs 2 -o s.db s.yaml 2>&1 | sed 's/in [0-9.]* s/in N s/'
gumshoe: s: 4 points in N s; 'gumshoe runs s.db' lists them
gumshoe: points with an error instead: 1; the first: --set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger
$ gumshoe sweep -o s.db s.yaml > out 2>&1; echo $?; sed "s/in [0-9.]* s/in N s/" out
1
gumshoe: s: 0 points in N s, 4 were there; 'gumshoe runs s.db' lists them
gumshoe: points with an error instead: 1; the first: --set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger
$ gumshoe sweep status s.db
s: 4 of 4 points, 1 with an error (--set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger), complete
$ gumshoe runs s.db | cut -c1-70
 run  label                             core         cycles  program
   1  core=rocket-rv32 memory.first=10  rocket-rv32     505  hello_tes
   2  core=rocket-rv32 memory.first=20  rocket-rv32     605  hello_tes
   3  core=rocket-rv32 memory.first=30  rocket-rv32     705  hello_tes
(not shown, for lack of room: started (UTC), instructions, ended, comm
$ sqlite3 s.db 'SELECT id, run, settings, storage_bits, error FROM sweep_point'
0|1|{"core":"rocket-rv32","memory.first":"10"}|275778|
1|2|{"core":"rocket-rv32","memory.first":"20"}|275778|
2|3|{"core":"rocket-rv32","memory.first":"30"}|275778|
3||{"core":"ibex-small","memory.first":"30"}|0|--set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger
$ gumshoe report --run 1 s.db
gumshoe: s.db: run 1 is a point of a sweep, of which there are totals only; 'gumshoe run' with its settings records all of it
[3]
# What is wrong with a description.
$ printf 'programs: hello_test.elf\naxes: {icache.sise: [1K]}\n' > bad.yaml; gumshoe sweep bad.yaml
gumshoe: bad.yaml:2: axes.icache.sise: no core has this key; docs/cores.md lists those there are, and besides them there are core, board, ram and flags
[3]
$ printf 'programs: none.elf\naxes: {icache.size: [1K]}\n' > bad.yaml; gumshoe sweep bad.yaml
gumshoe: cannot open none.elf: No such file or directory
[3]
$ gumshoe sweep nowhere.yaml
gumshoe: cannot open nowhere.yaml: No such file or directory
[3]
$ gumshoe sweep
gumshoe sweep: which sweep? A YAML file has to follow
Try 'gumshoe sweep --help'.
[2]
$ gumshoe sweep --json s.yaml
gumshoe sweep: --json means nothing to 'run'
Try 'gumshoe sweep --help'.
[2]
$ gumshoe sweep s.yaml t.yaml
gumshoe sweep: one file at a time, and not 't.yaml'
Try 'gumshoe sweep --help'.
[2]
$ gumshoe sweep status s.yaml
gumshoe: s.yaml: not a profile file
[3]
$ gumshoe sweep -j 0 s.yaml
gumshoe sweep: --jobs wants a number of processes, not '0'
Try 'gumshoe sweep --help'.
[2]
