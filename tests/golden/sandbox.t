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
gumshoe: the program may touch files below $DIRECTORY (read only), below $DIRECTORY/sub, the file /dev/full
$ gumshoe run --no-files $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
gumshoe: the program may touch no files
$ gumshoe run --all-files $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
gumshoe: the program may touch all files of the user
$ gumshoe run --root sub $PROGRAMS/bare/hello_test.elf 2>&1 | tail -n 1
gumshoe: the program may touch files below $DIRECTORY/sub, its root
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
