/*
 * Runs a fuzz target on every file of the folders given: its corpus as a test.
 *
 *     replay FOLDER...
 *
 * Link with one fuzz_*.c. Prints how many files went through; a folder without
 * any is a failure, because then nothing was tested.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int complain(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
}

static int replay_file(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0) {
        if (file)
            fclose(file);
        return complain(path);
    }
    if (!S_ISREG(info.st_mode)) {
        fclose(file);
        return 0;
    }
    /* Exactly as large as the file, so that a sanitizer sees a read beyond it. */
    size_t size = (size_t)info.st_size;
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes || fread(bytes, 1, size, file) != size) {
        free(bytes);
        fclose(file);
        return complain(path);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

static int replay_folder(const char *folder)
{
    struct dirent **entries;
    int found = scandir(folder, &entries, NULL, alphasort);
    if (found < 0)
        return complain(folder);
    int count = 0;
    for (int i = 0; i < found; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        int one = count < 0 ? 0 : replay_file(path);
        count = one < 0 ? -1 : count + one;
        free(entries[i]);
    }
    free(entries);
    return count;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(argv[i]);
        if (count >= 0)
            printf("%s: %d files\n", argv[i], count);
        failed |= count <= 0;
    }
    return failed;
}
