/* Asks for everything that a Linux program could learn of the machine it runs on, and does work
 * that depends on it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* As many cycles as the bytes say. */
static unsigned work(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    volatile unsigned sum = 0;
    for (size_t i = 0; i < size; i++) {
        for (unsigned j = 0; j < at[i]; j++)
            sum += j;
    }
    return sum;
}

static unsigned work_text(const char *text)
{
    return work(text, strlen(text));
}

static unsigned work_file(const char *path)
{
    unsigned char bytes[64];
    int fd = open(path, O_RDONLY);
    unsigned sum =
        fd >= 0 && read(fd, bytes, sizeof bytes) == sizeof bytes ? work(bytes, sizeof bytes) : 0;
    close(fd);
    return sum;
}

int main(int argc, char **argv)
{
    unsigned sum = work_text(argv[0]) + work_text((const char *)getauxval(AT_EXECFN));
    for (char **variable = environ; *variable; variable++)
        sum += work_text(*variable);
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) > 0)
        sum += work_text(path);
    unsigned char random[16];
    if (getrandom(random, sizeof random, 0) > 0)
        sum += work(random, sizeof random);
    sum += work((const void *)getauxval(AT_RANDOM), 16);
    sum += work_file("/dev/urandom") + work_file("/dev/random");
    unsigned ids[] = {getuid(),
                      geteuid(),
                      getgid(),
                      getegid(),
                      getpid(),
                      getppid(),
                      getauxval(AT_UID),
                      getauxval(AT_EUID),
                      getauxval(AT_GID),
                      getauxval(AT_EGID),
                      getauxval(AT_HWCAP),
                      (unsigned)&argc};
    sum += work(ids, sizeof ids);
    gid_t groups[64];
    int count = getgroups(64, groups);
    sum += work(groups, (size_t)count * sizeof *groups);
    time_t now = time(NULL);
    struct timeval day;
    gettimeofday(&day, NULL);
    sum += work(&now, sizeof now) + work(&day, sizeof day);
    struct utsname name;
    uname(&name);
    sum += work(&name, sizeof name);
    for (int fd = 0; fd < 3; fd++) {
        struct stat st;
        fstat(fd, &st);
        unsigned facts[] = {st.st_mode, st.st_uid, st.st_blksize, isatty(fd)};
        sum += fd == 0 ? work(facts, sizeof facts) : work(facts, sizeof facts) * 2;
    }
    for (int i = 0; i < 100; i++)
        printf("line %d of output\n", i);
    return argc == 1 && sum != 0 ? 0 : 1;
}
