/* What files tell about themselves. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static void result(const char *what, long value)
{
    if (value < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, value);
}

static void show(const char *what, const struct stat *st)
{
    printf("%s: mode %o links %lu size %lld uid %d gid %d blocks %d blksize %ld\n", what,
           st->st_mode, (unsigned long)st->st_nlink, (long long)st->st_size, st->st_uid == getuid(),
           st->st_gid == getgid(), st->st_blocks > 0, (long)st->st_blksize);
}

int main(void)
{
    struct stat st, other;
    struct stat64 wide;
    umask(022);
    int fd = open("file", O_CREAT | O_RDWR, 0666);
    write(fd, "0123456789", 10);
    result("fstat", fstat(fd, &st));
    show("file", &st);
    result("stat", stat("file", &other));
    printf("same %d %d\n", st.st_ino == other.st_ino, st.st_dev == other.st_dev);
    link("file", "second");
    stat("second", &other);
    show("second", &other);
    symlink("file", "link");
    lstat("link", &other);
    printf("link: type %d size %ld\n", S_ISLNK(other.st_mode), (long)other.st_size);
    stat("link", &other);
    printf("followed: %d\n", other.st_ino == st.st_ino);
    mkdir("directory", 0711);
    stat("directory", &other);
    printf("directory: mode %o\n", other.st_mode);
    stat("/dev/null", &other);
    printf("null: type %d device %u %u\n", S_ISCHR(other.st_mode), major(other.st_rdev),
           minor(other.st_rdev));
    result("missing", stat("missing", &other));
    result("bad address", stat("file", (struct stat *)4));
    result("fstat closed", fstat(333, &other));
    ftruncate64(fd, 0x123456789LL);
    result("stat64", stat64("file", &wide));
    printf("wide size %llx\n", (long long)wide.st_size);
    result("stat too large", stat("file", &other));
    ftruncate(fd, 0);

    printf("umask %o\n", umask(0));
    close(open("open", O_CREAT | O_WRONLY, 0777));
    stat("open", &other);
    printf("mode %o\n", other.st_mode);
    mkdir("open-directory", 0777);
    stat("open-directory", &other);
    printf("mode %o\n", other.st_mode);
    printf("umask %o\n", umask(077));
    close(open("closed", O_CREAT | O_WRONLY, 0777));
    stat("closed", &other);
    printf("mode %o\n", other.st_mode);
    result("chmod", chmod("closed", 0640));
    stat("closed", &other);
    printf("mode %o\n", other.st_mode);
    result("fchmod", fchmod(fd, 0604));
    fstat(fd, &other);
    printf("mode %o\n", other.st_mode);
    result("fchmodat", fchmodat(AT_FDCWD, "closed", 0600, 0));
    result("chown", chown("closed", getuid(), getgid()));

    struct timespec times[2] = {{1000000000, 123456789}, {1100000000, 987654321}};
    result("utimensat", utimensat(AT_FDCWD, "file", times, 0));
    stat("file", &other);
    printf("times %ld.%09ld %ld.%09ld\n", (long)other.st_atim.tv_sec, other.st_atim.tv_nsec,
           (long)other.st_mtim.tv_sec, other.st_mtim.tv_nsec);
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_sec = 1200000000;
    result("futimens", futimens(fd, times));
    stat("file", &other);
    printf("times %ld %ld\n", (long)other.st_atim.tv_sec, (long)other.st_mtim.tv_sec);
    struct utimbuf seconds = {900000000, 910000000};
    result("utime", utime("file", &seconds));
    stat("file", &other);
    printf("times %ld %ld\n", (long)other.st_atim.tv_sec, (long)other.st_mtim.tv_sec);
    struct timeval microseconds[2] = {{800000000, 5}, {810000000, 7}};
    result("utimes", utimes("file", microseconds));
    stat("file", &other);
    printf("times %ld.%09ld %ld.%09ld\n", (long)other.st_atim.tv_sec, other.st_atim.tv_nsec,
           (long)other.st_mtim.tv_sec, other.st_mtim.tv_nsec);
    result("utimensat now", utimensat(AT_FDCWD, "file", NULL, 0));
    stat("file", &other);
    printf("recent %d\n", other.st_mtim.tv_sec > 1600000000);

    struct statx x;
    result("statx", statx(AT_FDCWD, "second", 0, STATX_BASIC_STATS, &x));
    printf("statx mode %o links %u size %llu ino %d\n", x.stx_mode, x.stx_nlink,
           (unsigned long long)x.stx_size, x.stx_ino == other.st_ino);
    result("statx empty path", statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &x));
    result("fstatat empty path", fstatat(fd, "", &other, AT_EMPTY_PATH));
    result("fstatat flags", fstatat(AT_FDCWD, "file", &other, 0x12345678));

    struct statfs fs;
    struct statvfs vfs;
    result("statfs", statfs(".", &fs));
    printf("statfs %d %ld\n", fs.f_blocks > 0, (long)fs.f_namelen);
    result("statvfs", statvfs(".", &vfs));
    printf("statvfs %d %lu\n", vfs.f_frsize > 0, vfs.f_namemax);
    result("fstatfs", fstatfs(fd, &fs));
    result("statfs missing", statfs("missing", &fs));
    return 0;
}
