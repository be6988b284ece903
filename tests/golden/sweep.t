# Many variants of a core, with one that cannot be.
$ cp $PROGRAMS/bare/hello_test.elf .; printf 'programs: hello_test.elf\naxes:\n  core: [rocket-rv32, ibex-small]\n  memory.first: {from: 10, to: 30, step: 10}\nwhere: core != "ibex-small" || memory.first == 30\nobjectives: [cycles, storage_bits]\n' > s.yaml
$ gumshoe sweep --dry-run s.yaml
s: 4 designs, 4 points in 4 groups that share runs
$ gumshoe sweep --jobs 2 -o s.db s.yaml 2>&1 | sed 's/in [0-9.]* s/in N s/'
gumshoe: s: 4 points in N s; 'gumshoe sweep report s.db' compares them
gumshoe: points with an error instead: 1; the first: --set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger, vliw
$ gumshoe sweep -o s.db s.yaml > out 2>&1; echo $?; sed "s/in [0-9.]* s/in N s/" out
1
gumshoe: s: 0 points in N s, 4 were there; 'gumshoe sweep report s.db' compares them
gumshoe: points with an error instead: 1; the first: --set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger, vliw
$ gumshoe sweep status s.db
s: 4 of 4 points, 1 with an error (--set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger, vliw), complete
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
3||{"core":"ibex-small","memory.first":"30"}|0|--set memory.first=30: memory.first: this key has no meaning for pipeline sequential; it has for classic, vexriscv, tiger, vliw
$ gumshoe report --run 1 s.db
gumshoe: s.db: run 1 is a point of a sweep, of which there are totals only: 'gumshoe sweep report s.db' compares the points, and 'gumshoe run' with the settings of one records all of it
[3]
# Texts that a terminal would take for commands.
$ cp s.db evil.db; sqlite3 evil.db "UPDATE sweep SET name = char(27) || '[2Js'; UPDATE sweep_point SET error = error || char(155) || '2J' WHERE id = 3"
$ gumshoe sweep status evil.db | cat -v | cut -c1-60
?[2Js: 4 of 4 points, 1 with an error (--set memory.first=30
$ gumshoe sweep status evil.db | grep -c '[[:cntrl:]]'
0
[1]
# Which designs are worth it.
$ gumshoe sweep report s.db
s: 4 designs, 1 with an error

Best: cycles 505 with
  core=rocket-rv32 memory.first=10
Within 5% of that, least storage_bits: 275,778, cycles 505 with
  core=rocket-rv32 memory.first=10

No other design is as good in cycles and storage_bits and better in one: 1 of 3

cycles  storage_bits  design
   505       275,778  core=rocket-rv32 memory.first=10

What each step along an axis does to cycles, in the mean of all designs that differ in
nothing else:

memory.first: 10 (+19.80%) 20 (+16.53%) 30; no step gains 1%
$ gumshoe sweep report --format csv --objective 'ns = time * 1e9' --objective memory.first s.db
core,memory.first,ns,memory.first,front
rocket-rv32,10,5050,10,1
rocket-rv32,20,6050,20,0
rocket-rv32,30,7050,30,0
$ gumshoe sweep report --format json --within 0 s.db | sed -n '1,/"axes"/p'
{
  "schema": "gumshoe-sweep-1",
  "name": "s",
  "designs": 4,
  "failed": 1,
  "missing": 0,
  "within_percent": 0,
  "best": {
    "settings": {
      "core": "rocket-rv32",
      "memory.first": "10"
    },
    "objectives": {
      "cycles": 505,
      "storage_bits": 275778
    },
    "front": true
  },
  "cheapest": {
    "settings": {
      "core": "rocket-rv32",
      "memory.first": "10"
    },
    "objectives": {
      "cycles": 505,
      "storage_bits": 275778
    },
    "front": true
  },
  "axes": [
$ gumshoe sweep report --format svg -o s.svg s.db && grep -c circle s.svg
3
$ gumshoe sweep report --objective energy s.db
gumshoe: objective energy: there is no energy: the core has no energy table
[3]
$ gumshoe sweep report --objective colour s.db
gumshoe: objective colour: 'colour' is neither a metric (cycles, d_misses, time, energy, code_size, storage_bits ...) nor an axis, and the core's description does not say it
[3]
$ gumshoe sweep report --objective '1 +' s.db
gumshoe: formula '1 +', at character 4: it ends too early
[3]
$ gumshoe sweep report --sweep none s.db
gumshoe: s.db: there is no sweep none in it
[3]
$ gumshoe sweep report --jobs 2 s.db
gumshoe sweep: --jobs means nothing to 'report'
Try 'gumshoe sweep --help'.
[2]
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
