/* Arguments by SYS_GET_CMDLINE, which picolibc splits at start-up; qemu. */
#include <stdio.h>

int main(int argc, char **argv)
{
    /* Before the command line, whose first word is the program's path, it puts a name. */
    for (int i = 2; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    return argc;
}
