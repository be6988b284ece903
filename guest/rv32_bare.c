/*
 * rv32_bare.c - from reset to main() on bare RISC-V hardware with semihosting, as `gumshoe cc`
 * links it.
 *
 * picolibc has start code as well, but what it makes of the command line has the program's name
 * twice.
 */
#include <stdlib.h>
#include <string.h>

enum { SYS_GET_CMDLINE = 0x15, ARGUMENTS_MAX = 64, LINE_MAX = 4096 };

int main(int argc, char **argv, char **envp);
extern char __tls_base[], __bss_start[], __bss_end[];
extern void _set_tls(void *tls);
extern void __libc_init_array(void);
extern int sys_semihost(int number, unsigned long parameters);

__attribute__((naked, used, section(".text.init.enter"))) void _start(void)
{
    __asm__(".option push\n"
            ".option norelax\n"
            "la gp, __global_pointer$\n"
            ".option pop\n"
            "la sp, __stack\n"
#ifdef __riscv_flen
            "li t0, 0x6000\n" /* mstatus.FS = dirty */
            "csrs mstatus, t0\n"
            "csrw fcsr, zero\n"
#endif
            "call bare_start\n");
}

/* Words are separated by blanks. */
static int split(char *line, char **words)
{
    int count = 0;
    for (char *word = strtok(line, " "); word && count < ARGUMENTS_MAX; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return count;
}

__attribute__((used)) void bare_start(void)
{
    char line[LINE_MAX], *words[ARGUMENTS_MAX + 1]; /* on the stack: clearing them takes time */
    static char *no_variables[] = {NULL};
    memset(__bss_start, 0, (size_t)(__bss_end - __bss_start));
    _set_tls(__tls_base);
    __libc_init_array();
    struct {
        char *to;
        unsigned long size;
    } request = {line, sizeof line};
    int argc = 0;
    words[0] = NULL;
    if (sys_semihost(SYS_GET_CMDLINE, (unsigned long)&request) == 0)
        argc = split(line, words);
    exit(main(argc, words, no_variables));
}
