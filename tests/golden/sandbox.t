# Which files a program may touch: the options, what the summary says, and what is refused.
$ gumshoe run --no-files --all-files x
gumshoe run: --no-files and --all-files exclude each other
Try 'gumshoe run --help'.
[125]
$ gumshoe run --root . --allow x x
gumshoe run: --root leaves nothing for --allow to change
Try 'gumshoe run --help'.
[125]
$ gumshoe run --allow nowhere $PROGRAMS/bare/hello_test.elf
gumshoe: the program cannot be allowed nowhere: No such file or directory
[125]
$ gumshoe run --root nowhere $PROGRAMS/bare/hello_test.elf
gumshoe: nowhere cannot be the program's root: No such file or directory
[125]
$ mkdir sub; gumshoe run --allow .:ro --allow sub --allow /dev/full $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
 - Of what host_put costs, 94% is on behalf of put, one of its 2 callers.
$ gumshoe run --no-files $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
 - Of what host_put costs, 94% is on behalf of put, one of its 2 callers.
$ gumshoe run --all-files $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
 - Of what host_put costs, 94% is on behalf of put, one of its 2 callers.
$ gumshoe run --root sub $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
 - Of what host_put costs, 94% is on behalf of put, one of its 2 callers.
$ gumshoe run -q --json - --root sub $PROGRAMS/bare/hello_test.elf 2>/dev/null | grep -A 8 '"sandbox"'
  "sandbox": {
    "files": "root",
    "paths": [
      {
        "path": "$DIRECTORY/sub",
        "read_only": false
      }
    ]
  },

# A refused path is named once, and so is the option that lets it in.
$ gumshoe run $PROGRAMS/bare/semihost_escape.elf 2>&1 >/dev/null
gumshoe: semihost_escape.elf exited with 0 after 14,976 instructions
gumshoe: 33,478 cycles on ibex-small, 669.560 us at 50 MHz, 2.235 per instruction:
   44.73%  issue            instructions going through
   27.96%  mul-div          multiplier or divider busy
   18.52%  branch           jump or taken branch
    8.15%  structural       a part of the core is busy or takes several steps
    0.64%  fetch-alignment  instruction across a fetch boundary
gumshoe: tightly coupled memory
gumshoe: ibex-small is the default core for what this program needs
gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing
gumshoe: the program may touch files below the working directory
gumshoe: the program was refused /proc/self/mem, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /proc/self/../self/mem, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /proc/thread-self/mem, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /proc//./self/task/../mem, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused $DIRECTORY/../../../../../../../../proc/self/mem, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /proc/self/fd/0, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /proc/self/cwd/file.txt, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /dev/fd/1, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /proc/1/environ, which is outside its sandbox (--allow PATH lets it in)
gumshoe: the program was refused /etc/passwd, which is outside its sandbox (--allow PATH lets it in)
gumshoe: more files were refused to the program

   self                          total  calls    CPI  function
 35.10%  #######.............   37.54%     74  6.817  put_dec
 29.14%  ######..............   91.95%     74  1.666  try_open
 13.22%  ###.................   13.22%    633  1.749  semihost
 10.59%  ##..................   65.21%     80  1.600  show
  5.66%  #...................   15.57%    474  1.333  host_put
  2.39%  ....................   15.53%    400  2.000  put
  1.69%  ....................    4.21%      4  1.629  try_rename
  1.48%  ....................   99.90%      1  1.488  main
  0.63%  ....................    2.26%      2  1.631  try_remove
  0.04%  ....................    0.05%      1  1.556  host_exit

What stands out:
 - 28.0% of all cycles are lost to mul-div (multiplier or divider busy); 50% of
   that at rt.c:22 in put_dec.
 - put_dec takes 35.1% of all cycles; 90% of that is the loop at rt.c:22, 81.3
   cycles per iteration, 1.757 iterations each time it is entered (1 to 2).
$ gumshoe run -q --allow .:ro $PROGRAMS/bare/semihost_escape.elf | grep file; ls
open /proc/self/cwd/file.txt: error 13
open /proc/self/cwd/file.txt: error 13
open /proc/self/cwd/file.txt: error 13
open to_file: error 30
rename file.txt: error 30
remove file.txt: error 30
sub
to_file
to_link
to_mem
to_passwd
$ gumshoe run --no-files $PROGRAMS/bare/semihost_escape.elf 2>&1 | grep -c done
0
[1]
$ gumshoe run --root sub $PROGRAMS/bare/semihost_escape.elf 2>&1 | grep -e done -e escaped; ls sub
open to_mem: done
open to_link: done
open /: done
open ..: done
open ../escaped: error 2
open ../escaped: error 2
open ../escaped: done
open ./../../tmp: done
open to_passwd: done
open to_up/escaped: error 2
open to_up/escaped: error 2
open to_up/escaped: error 2
open to_file: done
rename to_mem: done
rename name: done
escaped
tmp
to_file
to_link
to_mem
to_passwd
