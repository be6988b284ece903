/*
 * escape.h - names under which a guest would find the process that simulates it, although it is
 * allowed to read /proc, and files outside of its sandbox.
 */
#ifndef ESCAPE_H
#define ESCAPE_H

static const char *const escapes[] = {
    "/proc/self/mem",
    "/proc/self/../self/mem",
    "/proc/thread-self/mem",
    "/proc//./self/task/../mem",
    "../../../../../../../../proc/self/mem",
    "/proc/self/fd/0",
    "/proc/self/cwd/file.txt",
    "/dev/fd/1",
    "/proc/1/environ",
    /* Through links, see the files *.links. */
    "to_mem",
    "to_link",
    "to_self/mem",
    "to_self/",
    "/etc/passwd",
    "/",
    "..",
    "../escaped",
    "./../../tmp",
    "/dev/mem",
    "/dev/tty",
    "/dev/null/../tty",
    "to_passwd",
    "to_root/etc/passwd",
    "to_up/escaped",
};
enum { ESCAPES = sizeof escapes / sizeof *escapes };

#endif
