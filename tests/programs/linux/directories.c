/* Directories, links and names. */
#define _FILE_OFFSET_BITS 64 /* QEMU's 32-bit readdir fails on many file systems */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void result(const char *what, long value)
{
    if (value < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, value);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void list(const char *path)
{
    struct dirent **names;
    int n = scandir(path, &names, NULL, by_name);
    printf("%s: %d entries\n", path, n);
    for (int i = 0; i < n; i++) {
        struct stat st;
        fstatat(AT_FDCWD, path, &st, 0);
        if (strncmp(names[i]->d_name, "many", 4) != 0)
            printf("  %s type %d\n", names[i]->d_name, names[i]->d_type);
        free(names[i]);
    }
    free(names);
}

static void touch(const char *name)
{
    close(open(name, O_CREAT | O_WRONLY, 0644));
}

int main(void)
{
    char path[PATH_MAX], text[PATH_MAX];
    printf("cwd %s\n", getcwd(path, sizeof path));
    result("cwd too small", getcwd(text, 3) ? 0 : -1);
    result("mkdir", mkdir("d", 0755));
    result("mkdir again", mkdir("d", 0755));
    result("mkdirat", mkdirat(AT_FDCWD, "d/e", 0700));
    touch("d/file");
    symlink("file", "d/link");
    result("mkfifo", mkfifo("d/fifo", 0600));
    list("d");
    list(".");
    result("rmdir full", rmdir("d"));
    result("unlink directory", unlink("d") < 0);
    result("rmdir file", rmdir("d/file"));

    result("chdir", chdir("d/e"));
    printf("below %d\n", strncmp(getcwd(text, sizeof text), path, strlen(path)) == 0);
    printf("tail %s\n", text + strlen(path));
    touch("here");
    result("relative", access("../file", F_OK));
    result("up", chdir(".."));
    result("chdir file", chdir("file"));
    result("chdir missing", chdir("missing"));
    int dir = open("e", O_RDONLY | O_DIRECTORY);
    result("fchdir", fchdir(dir));
    result("here", access("here", R_OK | W_OK));
    result("fchdir bad", fchdir(999));
    result("back", chdir(path));
    int fd = openat(dir, "here", O_RDONLY);
    result("openat", fd >= 0);
    result("openat bad", openat(999, "here", O_RDONLY));
    result("openat absolute", openat(999, "/dev/null", O_RDONLY) >= 0);
    close(fd);
    close(dir);

    result("readlink", readlink("d/link", text, sizeof text));
    printf("\"%.4s\"\n", text);
    result("readlink short", readlink("d/link", text, 2));
    result("readlink file", readlink("d/file", text, sizeof text));
    ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    printf("exe %s\n", n > 0 ? strrchr(text, '/') + 1 : "?");
    result("link", link("d/file", "d/hard"));
    result("symlinkat", symlinkat("nowhere", AT_FDCWD, "d/dangling"));
    result("dangling", access("d/dangling", F_OK));
    result("rename", rename("d/hard", "d/renamed"));
    result("rename missing", rename("d/hard", "d/renamed"));
    result("renameat", renameat(AT_FDCWD, "d/renamed", AT_FDCWD, "moved"));
    result("realpath", realpath("d/../d/./e", text) != NULL);
    printf("%s\n", text + strlen(path));
    result("access mode", access("d/file", 77));
    result("faccessat", faccessat(AT_FDCWD, "d/file", R_OK, AT_EACCESS));
    result("unlinkat", unlinkat(AT_FDCWD, "d/dangling", 0));
    result("unlinkat missing", unlinkat(AT_FDCWD, "d/dangling", 0));

    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "d/e/many-%03d", i);
        touch(text);
    }
    list("d/e");
    DIR *d = opendir("d/e");
    int count = 0;
    while (readdir(d))
        count++;
    printf("%d entries\n", count);
    rewinddir(d);
    count = 0;
    while (readdir(d))
        count++;
    printf("again %d entries\n", count);
    closedir(d);
    int total = 0;
    dir = open("d/e", O_RDONLY);
    char buffer[512];
    for (long got; (got = syscall(SYS_getdents, dir, buffer, sizeof buffer)) > 0;) {
        for (long at = 0; at < got; total++)
            at += *(unsigned short *)(buffer + at + 8);
    }
    printf("getdents %d\n", total);
    result("getdents of a file", syscall(SYS_getdents64, open("d/file", O_RDONLY), buffer, 512));
    result("opendir missing", opendir("missing") ? 0 : -1);
    list("d");
    return 0;
}
