# A Statistics Module that is simulated sends, a collector receives. The port is any that is free.
$ export HOME=$PWD; gumshoe collect --listen 127.0.0.1:0 -o live.db --until-end --max-seconds 60 2> log & for i in $(seq 100); do grep -q listening log 2> /dev/null && break; sleep 0.1; done; gumshoe run -q --live $(sed 's/.*at //' log) --live-stats interval=100000,count=cycle,count=instruction,count=d-miss@main --engine reference --core flatfoot $PROGRAMS/rv32im/dhry.elf; wait; sed 's/127.0.0.1:[0-9]*/ADDRESS/' log
dhry: ok d26c7301
gumshoe: listening at ADDRESS
gumshoe: stream 1: device 1 at ADDRESS
gumshoe: stream 1: 15 intervals received, 0 lost, 0 late, 0 doubled; 0 not sent

$ sqlite3 live.db "SELECT device, stream, ended, received, lost, late, doubled, unsent FROM live_stream; SELECT signal, first_pc, last_pc, total FROM live_counter; SELECT sequence, interval, cycle, last, value, total FROM live_interval LIMIT 3"
1|0|1|15|0|0|0|0
cycle|0|4294967295|1469903
instruction|0|4294967295|927563
d-miss|2147484620|2147485227|55
0|0|100000|0|[99970,59825,51]|[99970,59825,51]
1|1|200000|0|[100029,63463,0]|[199999,123288,51]
2|2|300000|0|[99999,64529,0]|[299998,187817,51]

$ gumshoe report --by live live.db | sed 's/127.0.0.1:[0-9]*/ADDRESS/'
stream  device  received  lost  late  not sent  interval  end  address
     1       1        15     0     0         0   100,000  yes  ADDRESS
(not shown, for lack of room: doubled; --wide shows all)

Stream 1, 15 intervals, to cycle 1,500,000:
    total    mean     most  course of means   counter
1,469,903  97,994  100,029  ##############=   cycle
  927,563  61,838   64,778  ##############=   instruction
       55   3.667       51  #______________   d-miss@0x800003cc-0x8000062c
(not shown, for lack of room: least; --wide shows all)

$ gumshoe report --by live --format csv live.db | tr -d '\r' | cut -d, -f1-3,5- | head -3
sequence,interval,cycle,"cycle","instruction","d-miss@0x800003cc-0x8000062c","total cycle","total instruction","total d-miss@0x800003cc-0x8000062c"
0,0,100000,99970,59825,51,99970,59825,51
1,1,200000,100029,63463,0,199999,123288,51

$ gumshoe report --by live --format json live.db | grep -A3 '"counters"'; gumshoe report --by live --format perfetto live.db | grep -c '"ph": "C"'; gumshoe report --by live --format phases live.db | grep '<text'  | sed 's/127.0.0.1:[0-9]*/ADDRESS/'
  "counters": [
    {
      "name": "cycle",
      "first": 0,
48
<text x="10" y="22" font-size="16">device 1 at ADDRESS, stream 1</text>
<text x="10" y="40">from cycle 0 to 1,500,000, in intervals of 100,000; 15 of 15 came</text>
<text x="10" y="63">cycle: at most 100,029, in all 1,469,903</text>
<text x="10" y="153">instruction: at most 64,778, in all 927,563</text>
<text x="10" y="243">d-miss@0x800003cc-0x8000062c: at most 51, in all 55</text>

# The same as the unit counts.
$ gumshoe unit stats --core flatfoot --interval 100000 --count cycle --count instruction --count d-miss@main $PROGRAMS/rv32im/dhry.elf 2>&1 | grep -A4 'in all intervals'
What each counter has counted in all intervals:
  counted      exact  difference  saturated       first        last  counter
1,469,903  1,469,903           0          0  0x00000000  0xffffffff  cycle
  927,563    927,563           0          0  0x00000000  0xffffffff  instruction
       55         55           0          0  0x800003cc  0x8000062b  d-miss@main

$ gumshoe report --by live --stream 2 live.db
gumshoe: live.db: there is no stream '2'; they are 1 to 1
[3]

$ gumshoe report --by live --format pprof -o x live.db
gumshoe report: --by live is for text, json, csv, perfetto and phases, not for pprof
Try 'gumshoe report --help'.
[2]

$ gumshoe report --by live --metric cycles live.db
gumshoe report: --by live has no --run, --metric, --inlines or --top
Try 'gumshoe report --help'.
[2]

$ gumshoe report --stream 1 live.db
gumshoe report: --stream is for --by live
Try 'gumshoe report --help'.
[2]

# Keys.
$ gumshoe collect --make-key my.key && wc -c < my.key && stat -c %a my.key; gumshoe collect --make-key my.key
33
600
gumshoe: my.key: the file exists already
[3]

$ echo 1234 > bad.key; gumshoe collect --key bad.key
gumshoe: bad.key: a key is a line of 32 hexadecimal digits
[3]

# Nothing listens: that is no reason to wait.
$ gumshoe run -q --live 127.0.0.1:9 --core flatfoot $PROGRAMS/rv32im/dhry.elf
dhry: ok d26c7301

$ gumshoe run --live nowhere $PROGRAMS/rv32im/dhry.elf
gumshoe: 'nowhere' is not an address of the form HOST:PORT
[125]

$ gumshoe run --live-device 3 $PROGRAMS/rv32im/dhry.elf
gumshoe run: the options --live-... need --live HOST:PORT
Try 'gumshoe run --help'.
[125]

$ gumshoe run --live 127.0.0.1:9 --live-speed fast $PROGRAMS/rv32im/dhry.elf
gumshoe run: --live-speed wants how many times real time, such as 1 or 0.5, or max, not 'fast'
Try 'gumshoe run --help'.
[125]

$ gumshoe run --live 127.0.0.1:9 --live-stats count=luck $PROGRAMS/rv32im/dhry.elf
gumshoe: stats: there is no signal 'luck'; 'gumshoe unit stats --signals' lists them
[125]

$ gumshoe run --live 127.0.0.1:9 --live-stats interval=5 $PROGRAMS/rv32im/dhry.elf
gumshoe: a module with 8 counters takes an interval of 12 clocks at least
[125]

$ gumshoe run --live 127.0.0.1:9 --live-speed 1 --core none $PROGRAMS/rv32im/dhry.elf
gumshoe: a speed needs to know how fast the core is: it has no clock rate
[125]

$ gumshoe collect --listen 1.2.3.4:5 -o x.db
gumshoe: cannot listen at 1.2.3.4:5: Cannot assign requested address
[3]

$ gumshoe collect live.db
gumshoe collect: there is no argument 'live.db'; the file is -o FILE
Try 'gumshoe collect --help'.
[2]
