/* Files of the host through picolibc; qemu. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show(const char *what, long value)
{
    printf("%s %ld\n", what, value);
}

__asm__(".section .text.semihost, \"ax\", @progbits\n"
        ".option push\n"
        ".option norvc\n"
        ".balign 16\n"
        "semihost: slli zero, zero, 0x1f\n"
        "  ebreak\n"
        "  srai zero, zero, 7\n"
        "  ret\n"
        ".option pop\n"
        ".text\n");
long semihost(long operation, void *block);

int main(void)
{
    char text[64] = "";

    int fd = open("file.txt", O_RDWR | O_CREAT | O_TRUNC, 0644);
    show("opened", fd >= 0);
    show("written", write(fd, "0123456789abcdef", 16));
    show("seek", (long)lseek(fd, 4, SEEK_SET));
    show("read", read(fd, text, 6));
    printf("'%s'\n", text);
    show("end", (long)lseek(fd, 0, SEEK_END));
    show("read at the end", read(fd, text, 6));
    show("closed", close(fd));

    FILE *file = fopen("file.txt", "a");
    fprintf(file, "\nappended %d\n", 42);
    fclose(file);
    file = fopen("file.txt", "r");
    while (fgets(text, sizeof text, file))
        printf("> %s", text);
    fclose(file);

    struct {
        const char *from;
        long from_length;
        const char *to;
        long to_length;
    } names = {"file.txt", 8, "other.txt", 9};
    show("renamed", semihost(0x0f, &names));
    show("gone", fopen("file.txt", "r") == NULL);
    show("errno", errno);
    show("semihosting errno", semihost(0x13, 0));
    show("removed", unlink("other.txt"));
    show("removed again", unlink("other.txt"));
    show("a directory that is not there", fopen("nowhere/file", "w") == NULL);

    /* A buffer that is not in memory. */
    long read_block[3] = {0, 0xa0000000, 16};
    struct {
        const char *name;
        long mode, length;
    } open_block = {"back.txt", 3 * 2, 8};
    long handle = semihost(0x01, &open_block);
    read_block[0] = handle;
    show("not written", semihost(0x05, read_block));
    show("length", semihost(0x0c, &handle));
    show("is a terminal", semihost(0x09, &handle));
    show("closed", semihost(0x02, &handle));
    unlink("back.txt");
    struct {
        char *buffer;
        long number, length;
    } name_block = {text, 3, sizeof text};
    show("name for a file", semihost(0x0d, &name_block));
    show("which is absolute", text[0] == '/');
    return 0;
}
