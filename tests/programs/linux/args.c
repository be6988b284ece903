/* What a program finds when it starts: arguments, environment, auxiliary vector. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;
extern void __start(void);

int main(int argc, char **argv)
{
    printf("argc %d\n", argc);
    for (int i = 1; i < argc; i++)
        printf("argv[%d] \"%s\"\n", i, argv[i]);
    printf("end of argv %d\n", argv[argc] == NULL);
    printf("name %s\n", strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0]);

    const char *color = getenv("GUMSHOE_TEST");
    printf("environment %s\n", color ? color : "(none)");
    setenv("ADDED", "yes", 1);
    printf("added %s, missing %d\n", getenv("ADDED"), getenv("NOT_THERE") == NULL);
    size_t count = 0;
    while (environ[count])
        count++;
    printf("some variables %d\n", count > 1);

    printf("page %lu, ticks %lu, secure %lu, base %lu, phent %lu\n", getauxval(AT_PAGESZ),
           getauxval(AT_CLKTCK), getauxval(AT_SECURE), getauxval(AT_BASE), getauxval(AT_PHENT));
    printf("headers %d, entry %d\n", getauxval(AT_PHDR) != 0 && getauxval(AT_PHNUM) > 2,
           getauxval(AT_ENTRY) == (unsigned long)__start);
    printf("ids %d %d %d %d\n", getauxval(AT_UID) == getuid(), getauxval(AT_EUID) == geteuid(),
           getauxval(AT_GID) == getgid(), getauxval(AT_EGID) == getegid());
    printf("random %d, file %d\n", getauxval(AT_RANDOM) != 0,
           strcmp((const char *)getauxval(AT_EXECFN), argv[0]) == 0);

    const Elf32_Phdr *header = (const Elf32_Phdr *)getauxval(AT_PHDR);
    int loads = 0;
    for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++)
        loads += header[i].p_type == PT_LOAD;
    printf("segments %d\n", loads);
    printf("stack aligned %d\n", ((unsigned long)&argc & 3) == 0);
    return 42;
}
