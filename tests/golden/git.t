# A run says of which commit it was, and whether tracked files had been changed since.
$ gumshoe run -q --core ideal -o runs.db $PROGRAMS/rv32im/dhry.elf >log; gumshoe runs --json runs.db | grep commit
      "commit": "",
$ git init -q; echo one >notes; git add notes; GIT_CONFIG_GLOBAL=/dev/null git -c user.name=Tester -c user.email=tester@example.org commit -q -m one
$ gumshoe run -q --core ideal -o runs.db $PROGRAMS/rv32im/dhry.elf >log; gumshoe runs --json runs.db | grep commit | sed "s/$(git rev-parse HEAD)/HEAD/"
      "commit": "",
      "commit": "HEAD",
$ echo two >notes; gumshoe run -q --core ideal -o runs.db $PROGRAMS/rv32im/dhry.elf >log; gumshoe runs --json runs.db | grep commit | sed "s/$(git rev-parse HEAD)/HEAD/"
      "commit": "",
      "commit": "HEAD",
      "commit": "HEAD+",
$ gumshoe runs --wide runs.db | awk '{print $NF, $(NF - 1)}' | sed "s/$(git rev-parse --short=10 HEAD)/HEAD/"
program commit
$PROGRAMS/rv32im/dhry.elf 0
$PROGRAMS/rv32im/dhry.elf HEAD
$PROGRAMS/rv32im/dhry.elf HEAD+

# What a repository would have git execute is not executed.
$ git config core.fsmonitor 'touch executed; :'; git config filter.x.clean 'touch filtered; cat'; echo 'notes filter=x' >.gitattributes; touch -d tomorrow notes; gumshoe run -q --core ideal -o new.db $PROGRAMS/rv32im/dhry.elf >log; ls executed filtered; gumshoe runs --json new.db | grep commit | sed "s/$(git rev-parse HEAD)/HEAD/"
ls: cannot access 'executed': No such file or directory
ls: cannot access 'filtered': No such file or directory
      "commit": "HEAD",
