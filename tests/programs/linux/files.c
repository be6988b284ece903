/* Files through descriptors: every way to open, read, write, move and duplicate. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

static void result(const char *what, long value)
{
    if (value < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, value);
}

static void descriptors(void)
{
    char text[64] = "";
    int fd = open("a.txt", O_RDWR | O_CREAT | O_EXCL, 0644);
    result("create", fd);
    result("create again", open("a.txt", O_RDWR | O_CREAT | O_EXCL, 0644));
    result("write", write(fd, "hello, world\n", 13));
    result("position", lseek(fd, 0, SEEK_CUR));
    result("seek", lseek(fd, 7, SEEK_SET));
    result("read", read(fd, text, 5));
    printf("text \"%s\"\n", text);
    result("end", lseek(fd, 0, SEEK_END));
    result("read at end", read(fd, text, 5));
    result("seek before start", lseek(fd, -1, SEEK_SET));
    result("pwrite", pwrite(fd, "HELLO", 5, 0));
    result("pread", pread(fd, text, 12, 0));
    printf("text \"%.12s\"\n", text);
    result("pread far", pread64(fd, text, 5, 0x123456789LL));
    result("far write", pwrite64(fd, "x", 1, 0x100000010LL));
    result("far size", lseek64(fd, 0, SEEK_END) == 0x100000011LL);
    result("far seek in 32 bits", lseek(fd, 0, SEEK_END));
    result("truncate", ftruncate(fd, 5));
    result("size", lseek(fd, 0, SEEK_END));
    result("truncate far", ftruncate64(fd, 0x100000000LL));
    result("far size", lseek64(fd, 0, SEEK_END) == 0x100000000LL);
    result("truncate path", truncate("a.txt", 3));
    result("size", lseek(fd, 0, SEEK_END));
    result("sync", fsync(fd) | fdatasync(fd));
    result("close", close(fd));
    result("close again", close(fd));
    result("write closed", write(fd, "x", 1));

    fd = open("a.txt", O_WRONLY | O_APPEND);
    result("append", write(fd, "more", 4));
    result("read write-only", read(fd, text, 1));
    result("flags", fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    printf("append flag %d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0);
    result("set nonblock", fcntl(fd, F_SETFL, O_NONBLOCK));
    printf("append %d nonblock %d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0,
           (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    close(fd);

    fd = creat("b.txt", 0600);
    struct iovec out[] = {
        {(void *)"one ", 4}, {(void *)"", 0}, {(void *)"two ", 4}, {(void *)"three", 5}};
    result("writev", writev(fd, out, 4));
    close(fd);
    fd = open("b.txt", O_RDONLY);
    char first[6] = "", second[20] = "";
    struct iovec in[] = {{first, 5}, {second, 19}};
    result("readv", readv(fd, in, 2));
    printf("\"%s\" \"%s\"\n", first, second);
    result("writev read-only", writev(fd, out, 4));
    result("readv too many", readv(fd, in, 100000));
    char third[8] = "";
    struct iovec at[] = {{third, 3}};
    result("preadv", preadv(fd, at, 1, 4));
    printf("\"%s\"\n", third);

    int copy = dup(fd);
    result("dup shares position", lseek(fd, 2, SEEK_SET) == lseek(copy, 0, SEEK_CUR));
    result("dup2", dup2(fd, 77));
    result("dup2 itself", dup2(77, 77));
    result("read dup", read(77, text, 3));
    result("dup2 bad", dup2(500, 3));
    result("dup2 far", dup2(fd, 100000));
    result("dup3", dup3(fd, 78, O_CLOEXEC));
    printf("cloexec %d %d\n", fcntl(78, F_GETFD), fcntl(77, F_GETFD));
    result("set cloexec", fcntl(77, F_SETFD, FD_CLOEXEC));
    printf("cloexec %d\n", fcntl(77, F_GETFD));
    result("F_DUPFD", fcntl(fd, F_DUPFD, 90));
    result("F_DUPFD_CLOEXEC", fcntl(fd, F_DUPFD_CLOEXEC, 90));
    close(copy), close(77), close(78), close(90), close(91), close(fd);
}

static void copies(void)
{
    int in = open("big", O_RDONLY), out = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char text[100];
    off_t at = 1000;
    off64_t far = 2 << 20;
    result("sendfile", sendfile(out, in, NULL, 200000));
    result("position", lseek(in, 0, SEEK_CUR));
    result("sendfile at", sendfile(out, in, &at, 50));
    printf("then at %ld, position %ld\n", (long)at, (long)lseek(in, 0, SEEK_CUR));
    result("sendfile64", sendfile64(out, in, &far, 8 << 20));
    printf("then at %ld of %ld\n", (long)far, (long)lseek(out, 0, SEEK_CUR));
    result("sendfile at the end", sendfile64(out, in, &far, 1));
    result("sendfile to nowhere", sendfile(999, in, NULL, 1));
    pread(out, text, 50, 200000);
    char same[100];
    pread(in, same, 50, 1000);
    printf("same %d\n", memcmp(text, same, 50) == 0);
    close(in), close(out);
}

static void locks(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 3, .l_len = 4};
    int fd = open("b.txt", O_RDWR);
    result("lock", fcntl(fd, F_SETLK, &lock));
    lock.l_type = F_WRLCK;
    result("get lock", fcntl(fd, F_GETLK, &lock));
    printf("type %d start %ld\n", lock.l_type == F_UNLCK, (long)lock.l_start);
    struct flock64 wide = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0x100000000LL};
    result("lock64", fcntl(fd, F_SETLK64, &wide));
    result("flock", flock(fd, LOCK_EX | LOCK_NB));
    close(fd);
}

static void failures(void)
{
    char *long_name = malloc(5000);
    memset(long_name, 'x', 4999);
    long_name[4999] = '\0';
    result("missing", open("missing", O_RDONLY));
    result("missing directory", open("no/such/file", O_RDWR | O_CREAT, 0600));
    result("file as directory", open("a.txt/x", O_RDONLY));
    result("directory for writing", open(".", O_RDWR));
    result("long component", open(memset(strdup("0123456789"), 'y', 10), O_RDONLY));
    long_name[300] = '\0';
    result("300 characters", open(long_name, O_RDONLY));
    long_name[300] = 'x';
    result("5000 characters", open(long_name, O_RDONLY));
    result("empty path", open("", O_RDONLY));
    result("O_DIRECTORY", open("a.txt", O_RDONLY | O_DIRECTORY));
    symlink("loop", "loop");
    result("loop", open("loop", O_RDONLY));
    result("O_NOFOLLOW", open("loop", O_RDONLY | O_NOFOLLOW));
    result("bad address", open((const char *)8, O_RDONLY));
    int fd = open("a.txt", O_RDWR);
    result("read to nowhere", read(fd, (void *)16, 4));
    result("write from nowhere", write(fd, (void *)16, 4));
    result("negative descriptor", read(-1, long_name, 1));
    result("large descriptor", read(1000000, long_name, 1));
    result("no terminal", isatty(fd));
    struct termios t;
    result("tcgetattr", tcgetattr(fd, &t));
    struct winsize w;
    result("window", ioctl(fd, TIOCGWINSZ, &w));
    int n = -1;
    result("FIONREAD", ioctl(fd, FIONREAD, &n));
    printf("%d bytes\n", n);
    result("bad fcntl", fcntl(fd, 12345));
    result("pipe seek", ({
               int p[2];
               pipe(p);
               lseek(p[0], 0, SEEK_SET);
           }));
    close(fd);
    free(long_name);
}

static void streams(void)
{
    FILE *f = fopen("stream.txt", "w+");
    for (int i = 0; i < 20000; i++)
        fprintf(f, "line %d of many\n", i);
    rewind(f);
    char line[64];
    int count = 0, a, sum = 0;
    while (fgets(line, sizeof line, f)) {
        sscanf(line, "line %d", &a);
        sum += a;
        count++;
    }
    printf("%d lines, sum %d, at %ld\n", count, sum, ftell(f));
    fseek(f, -10, SEEK_END);
    printf("tail \"%.8s\"\n", fgets(line, sizeof line, f));
    fclose(f);
    f = tmpfile();
    fputs("temporary", f);
    rewind(f);
    printf("tmpfile \"%s\"\n", fgets(line, sizeof line, f));
    fclose(f);
    size_t size = 3 << 20;
    char *big = malloc(size), *back = malloc(size);
    for (size_t i = 0; i < size; i++)
        big[i] = (char)(i * 7 + i / 251);
    int fd = open("big", O_RDWR | O_CREAT | O_TRUNC, 0600);
    result("big write", write(fd, big, size));
    lseek(fd, 0, SEEK_SET);
    result("big read", read(fd, back, size + 100));
    printf("same %d\n", memcmp(big, back, size) == 0);
    close(fd);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    descriptors();
    locks();
    failures();
    streams();
    copies();
    fprintf(stderr, "to stderr\n");
    int saved = dup(1);
    freopen("redirected", "w", stdout);
    printf("not to be seen\n");
    fflush(stdout);
    dup2(saved, 1);
    clearerr(stdout);
    printf("seen again\n");
    return 0;
}
