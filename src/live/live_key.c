/*
 * Keys in files, and what identifies a program.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "gumshoe/live.h"

enum { KEY_LIMIT = 4096 };

static bool is_space(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static gs_status read_key(gs_live_key *key, const char *path, gs_error *err)
{
    char *text;
    size_t size, used = 0;
    const char *end = NULL;
    gs_status status = gs_file_read(&text, &size, path, KEY_LIMIT, err);
    if (status != GS_OK)
        return status;
    int bad = sodium_hex2bin(key->bytes, sizeof key->bytes, text, strlen(text), NULL, &used, &end);
    if (bad || used != sizeof key->bytes || !is_space(end))
        status = gs_fail(err, GS_E_FORMAT, "%s: a key is a line of %zu hexadecimal digits", path,
                         2 * sizeof key->bytes);
    sodium_memzero(text, size);
    free(text);
    return status;
}

/* Makes a key in a file that only the user can read. Another process may be first. */
static gs_status make_key(const char *path, gs_error *err)
{
    gs_live_key key;
    char text[2 * sizeof key.bytes + 2];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno == EEXIST
                   ? GS_OK
                   : gs_fail(err, GS_E_IO, "cannot make the key %s: %s", path, strerror(errno));
    randombytes_buf(key.bytes, sizeof key.bytes);
    sodium_bin2hex(text, sizeof text, key.bytes, sizeof key.bytes);
    strcat(text, "\n");
    const bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    const int problem = errno;
    if (close(fd) == 0 && written)
        return GS_OK;
    unlink(path);
    return gs_fail(err, GS_E_IO, "cannot write the key %s: %s", path, strerror(problem));
}

/* $XDG_CONFIG_HOME/gumshoe/live.key or ~/.config/gumshoe/live.key, with its directories. The
 * caller's to free; NULL if there is neither. */
static char *usual_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    const bool has_config = config && config[0] == '/';
    char *path = NULL;
    if (!has_config && !(home && home[0] == '/'))
        return NULL;
    if (asprintf(&path, "%s%s/gumshoe/live.key", has_config ? config : home,
                 has_config ? "" : "/.config") < 0)
        return NULL;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    return path;
}

gs_status gs_live_key_read(gs_live_key *key, const char *path, gs_error *err)
{
    if (path)
        return read_key(key, path, err);
    char *usual = usual_path();
    if (!usual)
        return gs_fail(err, GS_E_ARGUMENT,
                       "no key: there is no home directory to keep one in, so a file is needed");
    gs_status status = access(usual, F_OK) == 0 ? GS_OK : make_key(usual, err);
    if (status == GS_OK)
        status = read_key(key, usual, err);
    free(usual);
    return status;
}

gs_status gs_live_key_make(const char *path, gs_error *err)
{
    if (access(path, F_OK) == 0)
        return gs_fail(err, GS_E_IO, "%s: the file exists already", path);
    return make_key(path, err);
}

gs_status gs_live_program_read(gs_live_program *program, const char *path, gs_error *err)
{
    crypto_hash_sha256_state state;
    uint8_t hash[crypto_hash_sha256_BYTES], block[1 << 16];
    ssize_t size;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gs_fail(err, errno == ENOENT ? GS_E_NOT_FOUND : GS_E_IO, "%s: %s", path,
                       strerror(errno));
    crypto_hash_sha256_init(&state);
    while ((size = read(fd, block, sizeof block)) > 0)
        crypto_hash_sha256_update(&state, block, (unsigned long long)size);
    const int problem = errno;
    close(fd);
    if (size < 0)
        return gs_fail(err, GS_E_IO, "%s: %s", path, strerror(problem));
    crypto_hash_sha256_final(&state, hash);
    memcpy(program->bytes, hash, sizeof program->bytes);
    return GS_OK;
}
