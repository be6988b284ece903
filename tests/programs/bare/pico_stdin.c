/* Standard input, output and error through picolibc. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[80] = "";
    int lines = 0;

    /* picolibc has only one way out for output and errors. */
    fprintf(stderr, "hello\n");

    /* A character at a time, by SYS_READC, whose answer picolibc masks: see semihost.c. */
    while (fgets(line, sizeof line, stdin) && strcmp(line, "end\n") != 0)
        printf("%d %s", ++lines, line);

    /* In bulk, by SYS_READ. */
    int tt = open(":tt", O_RDONLY);
    long n, total = 0;
    while ((n = read(tt, line, sizeof line)) > 0)
        total += n;
    printf("%ld more, then %ld\n", total, n);
    return lines;
}
