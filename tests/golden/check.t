# A run held against limits.
$ gumshoe run -q --core flatfoot -o gumshoe.db $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301
$ printf 'program:\n  cycles: 1.5M\n  cpi: 1.5\nfunctions:\n  copy_string:\n    cycles-per-call: 215\n    share: 20%%\n  never:\n    calls: 0\n    optional: true\nloops:\n  - function: find_rich\n    total-cycles-per-iteration: 9\nlines:\n  dhry.c:44:\n    misses: 10\n' > budgets.yaml
$ gumshoe check --budget budgets.yaml
dhry.elf on flatfoot, run 1

                 measured            limit       used
EXCEEDED              525               10    5250.0%  dhry.c:44, misses  (budgets.yaml:16)
EXCEEDED           26.33%              20%     131.6%  copy_string, share  (budgets.yaml:7)
EXCEEDED            1.585              1.5     105.6%  program, cpi  (budgets.yaml:3)

3 of 7 limits exceeded; 1 skipped, because what they are for was not executed
[1]
$ gumshoe check --budget budgets.yaml --all
dhry.elf on flatfoot, run 1

                 measured            limit       used
EXCEEDED              525               10    5250.0%  dhry.c:44, misses  (budgets.yaml:16)
EXCEEDED           26.33%              20%     131.6%  copy_string, share  (budgets.yaml:7)
EXCEEDED            1.585              1.5     105.6%  program, cpi  (budgets.yaml:3)
ok              1,469,903             1.5M      98.0%  program, cycles  (budgets.yaml:2)
ok                210.107              215      97.7%  copy_string, cycles-per-call  (budgets.yaml:6)
skipped                 -                0             never, calls  (budgets.yaml:9)
ok                  6.640                9      73.8%  loop of find_rich, total-cycles-per-iteration  (budgets.yaml:13)

3 of 7 limits exceeded; 1 skipped, because what they are for was not executed
[1]
$ sed -i 's/: 10$/: 600/; s/: 1.5$/: 1.6/; s/: 20%/: 30%/; s/: 9$/: 10/' budgets.yaml; gumshoe check --budget budgets.yaml
dhry.elf on flatfoot, run 1

6 limits kept; 1 skipped, because what they are for was not executed
$ gumshoe check --budget budgets.yaml --json | tail -n 30
      "value": 26.3294245
    },
    {
      "of": "function",
      "name": "never",
      "limited": "calls",
      "limit": 0,
      "budget_line": 9,
      "result": "skipped"
    },
    {
      "of": "loop",
      "name": "loop of find_rich",
      "limited": "total-cycles-per-iteration",
      "limit": 10,
      "budget_line": 13,
      "result": "ok",
      "value": 6.64028187
    },
    {
      "of": "line",
      "name": "dhry.c:44",
      "limited": "misses",
      "limit": 600,
      "budget_line": 16,
      "result": "ok",
      "value": 525
    }
  ]
}

# The status is the same when the reader leaves before the end.
$ echo 'program: {cycles: 1}' > tight.yaml; gumshoe check --budget tight.yaml | head -n 1; echo ${PIPESTATUS[0]}
dhry.elf on flatfoot, run 1
1

# What is wrong with a budget.
$ gumshoe check
gumshoe check: which limits? --budget names their file
Try 'gumshoe check --help'.
[2]
$ gumshoe check --budget nowhere.yaml
gumshoe: cannot open nowhere.yaml: No such file or directory
[3]
$ printf 'program:\n  cycle: 1\n' > wrong.yaml; gumshoe check --budget wrong.yaml
gumshoe: wrong.yaml:2: program.cycle: unknown limit; allowed are cycles, instructions, d-misses, stall:load-use and the other metrics, stalls, misses, cpi
[3]
$ printf 'functions:\n  copy_strings:\n    calls: 1\n' > wrong.yaml; gumshoe check --budget wrong.yaml
gumshoe: wrong.yaml:2: functions.copy_strings: no function 'copy_strings' was executed; 'gumshoe report --top 0' lists those that were
[3]
$ printf 'program:\n  cycles: [1\n' > wrong.yaml; gumshoe check --budget wrong.yaml
gumshoe: wrong.yaml:3: not YAML: did not find expected ',' or ']' while parsing a flow sequence
[3]
$ gumshoe run --core none -q -o untimed.db $PROGRAMS/rv32im/dhry.elf; gumshoe check --budget tight.yaml untimed.db
dhry: ok d26c7301
gumshoe: tight.yaml:1: program.cycles: the run was not timed; 'gumshoe run --core' times one
[3]
$ gumshoe check --budget tight.yaml nowhere.db
gumshoe: nowhere.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]
$ gumshoe check --budget tight.yaml --run never
gumshoe: gumshoe.db: no run has the number or label 'never'; 'gumshoe runs' lists them
[3]
