# Reports on profile files: what is asked for wrongly.
$ gumshoe report
gumshoe: gumshoe.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]

$ gumshoe report --by luck
gumshoe report: --by is function, call, line, loop, block, instruction, stall, thread, unit or live, not 'luck'
Try 'gumshoe report --help'.
[2]

$ gumshoe report --metric cycels
gumshoe report: there is no metric 'cycels'; did you mean 'cycles'?
Try 'gumshoe report --help'.
[2]
$ gumshoe report --metric luck
gumshoe report: there is no metric 'luck'; there are cycles, instructions, i-misses, d-misses, branches, taken, mispredicted, traps, energy-fj, stall:i-miss, stall:d-read-miss, stall:d-write, stall:load-use, stall:data-hazard, stall:mul-div, stall:branch, stall:mispredict, stall:fetch-alignment, stall:structural, stall:trap, stall:idle, stall:bus
Try 'gumshoe report --help'.
[2]

$ gumshoe report --format luck
gumshoe report: --format is text, json, csv, folded, callgrind, flamegraph, speedscope, gprof, pprof, perfetto or phases, not 'luck'
Try 'gumshoe report --help'.
[2]

$ gumshoe report --top many
gumshoe report: --top wants a number, not 'many'
Try 'gumshoe report --help'.
[2]

$ gumshoe report --format folded --by line
gumshoe report: --by is for text, json and csv, not for folded
Try 'gumshoe report --help'.
[2]

$ gumshoe report --by stall --metric taken
gumshoe report: --by stall counts cycles, not 'taken'
Try 'gumshoe report --help'.
[2]

$ gumshoe report --positions line
gumshoe report: --positions is for callgrind, not for text
Try 'gumshoe report --help'.
[2]

$ gumshoe report one two
gumshoe report: one profile file at a time
Try 'gumshoe report --help'.
[2]

$ echo nothing > notes.txt; gumshoe report notes.txt
gumshoe: notes.txt: not a profile file
[3]
