# The page's server: what is asked for wrongly. What it answers is in tests/page.
$ gumshoe serve
gumshoe: gumshoe.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]
$ gumshoe serve --sources nowhere
gumshoe serve: --sources nowhere: there is no such directory
Try 'gumshoe serve --help'.
[2]
$ gumshoe serve --port 65536
gumshoe serve: --port wants a number, not '65536'
Try 'gumshoe serve --help'.
[2]
$ gumshoe serve --address localhost app.db
gumshoe: app.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]
$ echo text >text.db; gumshoe serve text.db
gumshoe: text.db: not a profile file
[3]
$ echo short >token; gumshoe serve --token-file token
gumshoe: token: no token is in it; remove it, and a new one is made
[3]
$ gumshoe serve --key k app.db
gumshoe serve: --listen, --key, --device and --program need --live
Try 'gumshoe serve --help'.
[2]
$ gumshoe serve --live --key k live.db
gumshoe: cannot open k: No such file or directory
[3]
$ gumshoe collect --make-key k; gumshoe serve --live --key k --listen nowhere live.db
gumshoe: 'nowhere' is not an address of the form HOST:PORT
[3]
