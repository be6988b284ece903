/* Runs the compiler for a core, and keeps its results in a cache. */
#include "tool/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gumshoe/guest.h"
#include "gumshoe/machine.h"
#include "tool/tool.h"

enum { MANGLED_STATUS = 127 };

static gs_status fail_io(gs_error *err, const char *path, const char *what)
{
    snprintf(err->message, sizeof err->message, "%s: %s: %s", path, what, strerror(errno));
    return err->status = GS_E_IO;
}

static gs_status fail_memory(gs_error *err)
{
    *err = (gs_error){.status = GS_E_NO_MEMORY, .message = "out of memory"};
    return err->status;
}

bool gs_compile_is_source(const char *path)
{
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

/* -- what is compiled for -------------------------------------------------------------------------
 */

static gs_status find_memory(gs_toolchain_request *out, const gs_compile_request *request,
                             gs_error *err)
{
    gs_board *board;
    gs_status status = gs_board_open(&board, request->board ? request->board : "rv-virt", err);
    if (status != GS_OK)
        return status;
    const gs_board_part memory = gs_board_part_at(board, 0);
    out->base = memory.base;
    out->size = request->ram ? request->ram : memory.size;
    gs_board_free(board);
    return GS_OK;
}

static bool has_flag(const gs_compile_request *request, const char *prefix)
{
    for (size_t i = 0; i < request->flag_count; i++) {
        if (strncmp(request->flags[i], prefix, strlen(prefix)) == 0)
            return true;
    }
    return false;
}

/* Whether the compiler is to stop before linking. */
static bool stops_early(const gs_compile_request *request)
{
    static const char *const flags[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"};
    for (size_t i = 0; i < request->flag_count; i++) {
        for (size_t j = 0; j < sizeof flags / sizeof *flags; j++) {
            if (strcmp(request->flags[i], flags[j]) == 0)
                return true;
        }
    }
    return false;
}

static gs_status find_toolchain(gs_toolchain *out, const gs_compile_request *request, gs_error *err)
{
    gs_core *core;
    const gs_list *set = request->set;
    gs_status status = gs_core_open(&core, request->core ? request->core : "flatfoot",
                                    set ? set->at : NULL, set ? set->count : 0, err);
    if (status != GS_OK)
        return status;
    const bool mips = !gs_core_runs(core, GS_ARCH_RV32);
    gs_toolchain_request wanted = {
        .isa = gs_core_isa(core),
        .for_linux = request->env == GS_ENV_LINUX || (request->env == GS_ENV_AUTO && mips),
        .big_endian = request->big_endian,
        .compiler = (gs_compiler_choice)request->compiler,
        .no_library = stops_early(request) || has_flag(request, "-nostdlib") ||
                      has_flag(request, "-nodefaultlibs"),
    };
    if (!mips && !wanted.for_linux)
        status = find_memory(&wanted, request, err);
    if (status == GS_OK)
        status = gs_toolchain_find(out, &wanted, err);
    gs_core_free(core);
    return status;
}

/* -- running compilers ----------------------------------------------------------------------------
 */

/* Passes on what comes, and keeps it. */
static void copy_messages(int from, FILE *kept)
{
    char buffer[4096];
    ssize_t size;
    while ((size = read(from, buffer, sizeof buffer)) > 0 || (size < 0 && errno == EINTR)) {
        if (size <= 0)
            continue;
        (void)fwrite(buffer, 1, (size_t)size, stderr);
        if (kept)
            (void)fwrite(buffer, 1, (size_t)size, kept);
    }
}

/* What the compiler writes goes to standard error, and into `kept` unless that is NULL. */
static gs_status run_compiler(gs_words *words, FILE *kept, int *exit_status, gs_error *err)
{
    int ends[2], state;
    pid_t child;
    if (gs_words_full(words)) {
        snprintf(err->message, sizeof err->message, "%s: a command line of more than %d words",
                 words->at[0], GS_WORDS_MAX);
        return err->status = GS_E_ARGUMENT;
    }
    words->at[words->count] = NULL;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail_io(err, words->at[0], "cannot be started");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    int failed = posix_spawnp(&child, words->at[0], &actions, NULL, words->at, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        errno = failed;
        return fail_io(err, words->at[0], "cannot be started");
    }
    copy_messages(ends[0], kept);
    close(ends[0]);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    *exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : MANGLED_STATUS;
    return GS_OK;
}

/* Messages are in colour where standard error is a terminal, though the compiler sees a pipe. */
static void begin_command(gs_words *words, const gs_toolchain *toolchain)
{
    *words = (gs_words){0};
    for (size_t i = 0; i < toolchain->compile.count; i++)
        gs_words_add(words, "%s", toolchain->compile.at[i]);
    gs_words_add(words, "-g");
    if (isatty(STDERR_FILENO) && !getenv("NO_COLOR"))
        gs_words_add(words, "-fdiagnostics-color=always");
}

static void add_flags(gs_words *words, const gs_compile_request *request)
{
    if (!has_flag(request, "-O"))
        gs_words_add(words, "-O2");
    for (size_t i = 0; i < request->flag_count; i++)
        gs_words_add(words, "%s", request->flags[i]);
}

static void add_all(gs_words *words, const gs_words *more)
{
    for (size_t i = 0; i < more->count; i++)
        gs_words_add(words, "%s", more->at[i]);
}

/* -- the cache ------------------------------------------------------------------------------------
 */

typedef struct hash {
    uint64_t a, b;
} hash;

static const hash hash_start = {0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};

static void hash_bytes(hash *h, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        h->a = (h->a ^ at[i]) * 0x100000001b3u;
        h->b = (h->b + at[i]) * 0xbf58476d1ce4e5b9u;
        h->b ^= h->b >> 31;
    }
}

static void hash_text(hash *h, const char *text)
{
    hash_bytes(h, text, strlen(text) + 1);
}

/* False if the file cannot be read. */
static bool hash_file(hash *h, const char *path)
{
    char buffer[1 << 14];
    FILE *file = fopen(path, "rbe");
    size_t size;
    if (!file)
        return false;
    *h = hash_start;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        hash_bytes(h, buffer, size);
    bool ok = !ferror(file);
    fclose(file);
    return ok;
}

/* Of everything but the contents of files: the compiler itself, the command lines, where they run.
 */
static hash hash_request(const gs_compile_request *request, const gs_toolchain *toolchain)
{
    hash h = hash_start;
    struct stat st = {0};
    char directory[4096];
    char *compiler = gs_toolchain_program(toolchain->compile.at[0]);
    if (compiler && stat(compiler, &st) == 0)
        hash_bytes(&h, &st.st_mtim.tv_sec, sizeof st.st_mtim.tv_sec);
    free(compiler);
    if (getcwd(directory, sizeof directory))
        hash_text(&h, directory);
    const gs_words *const lists[] = {&toolchain->compile, &toolchain->link, &toolchain->libraries};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (size_t j = 0; j < lists[i]->count; j++)
            hash_text(&h, lists[i]->at[j]);
    }
    for (size_t i = 0; i < request->source_count; i++)
        hash_text(&h, request->sources[i]);
    for (size_t i = 0; i < request->flag_count; i++)
        hash_text(&h, request->flags[i]);
    hash_text(&h, gs_guest_file("layout"));
    if (toolchain->start)
        hash_text(&h, gs_guest_file(toolchain->start));
    return h;
}

/* All parents as well. */
static bool make_directory(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* The directory of one result. */
static gs_status open_entry(char **out, hash key, gs_error *err)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int size;
    if (base && base[0] == '/')
        size = asprintf(out, "%s/gumshoe/cc/%016" PRIx64 "%016" PRIx64, base, key.a, key.b);
    else
        size = asprintf(out, "%s/.cache/gumshoe/cc/%016" PRIx64 "%016" PRIx64,
                        home && home[0] == '/' ? home : "/tmp", key.a, key.b);
    if (size < 0) {
        *out = NULL;
        return fail_memory(err);
    }
    return make_directory(*out) ? GS_OK : fail_io(err, *out, "cannot be made");
}

/* "DIRECTORY/NAMESUFFIX", for free(); NULL when memory is out. */
static char *join(const char *directory, const char *name, const char *suffix)
{
    char *path;
    return asprintf(&path, "%s/%s%s", directory, name, suffix) < 0 ? NULL : path;
}

/* The program's name: the first source's, without its suffix. */
static char *program_path(const char *directory, const char *source)
{
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    char *path;
    if (asprintf(&path, "%s/%.*s.elf", directory, (int)(strlen(name) - 2), name) < 0)
        return NULL;
    return path;
}

/* Whether all files that the list names still have the hash it gives. */
static bool is_current(const char *list)
{
    FILE *file = fopen(list, "re");
    char *line = NULL;
    size_t room = 0;
    bool same = file != NULL;
    ssize_t length;
    while (same && (length = getline(&line, &room, file)) > 0) {
        hash then, now;
        int at = 0;
        line[length - 1] = '\0';
        same = sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &then.a, &then.b, &at) == 2 && at > 0 &&
               hash_file(&now, line + at) && now.a == then.a && now.b == then.b;
    }
    free(line);
    if (file)
        fclose(file);
    return same;
}

static void repeat_messages(const char *path)
{
    char buffer[4096];
    FILE *file = fopen(path, "re");
    size_t size;
    while (file && (size = fread(buffer, 1, sizeof buffer, file)) > 0)
        (void)fwrite(buffer, 1, size, stderr);
    if (file)
        fclose(file);
}

/* The files in a rule of make, "OBJECT: FILE FILE \", one per line behind their hashes. */
static void list_files(FILE *to, const char *rules)
{
    FILE *file = fopen(rules, "re");
    char path[4096];
    size_t length = 0;
    bool goal = true;
    for (int c; file && (c = getc(file)) != EOF;) {
        if (c == '\\') {
            c = getc(file);
            if (c == '\n')
                c = ' ';
        }
        if (c != ' ' && c != '\n') {
            if (length < sizeof path - 1)
                path[length++] = (char)c;
            continue;
        }
        path[length] = '\0';
        hash h;
        if (length > 0 && !goal && hash_file(&h, path))
            fprintf(to, "%016" PRIx64 " %016" PRIx64 " %s\n", h.a, h.b, path);
        goal = goal && !(length > 0 && path[length - 1] == ':');
        length = 0;
    }
    if (file)
        fclose(file);
}

static gs_status write_text(const char *path, const char *text, gs_error *err)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return fail_io(err, path, "cannot be written");
    bool ok = fputs(text, file) >= 0;
    return (fclose(file) == 0 && ok) ? GS_OK : fail_io(err, path, "cannot be written");
}

/* -- compiling ------------------------------------------------------------------------------------
 */

/* One compilation and link in a directory of its own. */
typedef struct job {
    const gs_compile_request *request;
    const gs_toolchain *toolchain;
    char *directory;
    gs_words objects;
    FILE *messages, *files; /* what was said, and of what it was made */
    int exit_status;
} job;

static gs_status compile_one(job *j, const char *source, bool ours, gs_error *err)
{
    gs_words words;
    char *object = NULL, *rules = NULL;
    gs_status status = GS_OK;
    if (asprintf(&object, "%s/%zu.o", j->directory, j->objects.count) < 0 ||
        asprintf(&rules, "%s/%zu.d", j->directory, j->objects.count) < 0)
        return fail_memory(err);
    begin_command(&words, j->toolchain);
    if (ours)
        gs_words_add(&words, "-O2");
    else
        add_flags(&words, j->request);
    gs_words_add(&words, "-MD");
    gs_words_add(&words, "-MF");
    gs_words_add(&words, "%s", rules);
    gs_words_add(&words, "-c");
    gs_words_add(&words, "%s", source);
    gs_words_add(&words, "-o");
    gs_words_add(&words, "%s", object);
    status = run_compiler(&words, j->messages, &j->exit_status, err);
    if (status == GS_OK && j->exit_status == 0) {
        gs_words_add(&j->objects, "%s", object);
        if (!ours)
            list_files(j->files, rules);
    }
    gs_words_free(&words);
    free(object);
    free(rules);
    return status;
}

static gs_status compile_start(job *j, gs_error *err)
{
    const char *name = j->toolchain->start;
    char *path = join(j->directory, "start", ".c");
    gs_status status = path ? write_text(path, gs_guest_file(name), err) : fail_memory(err);
    if (status == GS_OK)
        status = compile_one(j, path, true, err);
    free(path);
    return status;
}

static gs_status add_layout(gs_words *words, const char *directory, gs_error *err)
{
    char *path = join(directory, "layout", ".ld");
    gs_status status = path ? write_text(path, gs_guest_file("layout"), err) : fail_memory(err);
    if (status == GS_OK)
        gs_words_add(words, "-Wl,-T,%s", path);
    free(path);
    return status;
}

static gs_status link_all(job *j, const char *program, gs_error *err)
{
    gs_words words;
    gs_status status = GS_OK;
    begin_command(&words, j->toolchain);
    add_all(&words, &j->toolchain->link);
    if (j->toolchain->needs_layout)
        status = add_layout(&words, j->directory, err);
    add_flags(&words, j->request);
    add_all(&words, &j->objects);
    add_all(&words, &j->toolchain->libraries);
    gs_words_add(&words, "-o");
    gs_words_add(&words, "%s", program);
    if (status == GS_OK)
        status = run_compiler(&words, j->messages, &j->exit_status, err);
    gs_words_free(&words);
    return status;
}

static gs_status run_job(job *j, const char *program, gs_error *err)
{
    gs_status status = GS_OK;
    for (size_t i = 0; i < j->request->source_count && status == GS_OK && j->exit_status == 0; i++)
        status = compile_one(j, j->request->sources[i], false, err);
    if (status == GS_OK && j->exit_status == 0 && j->toolchain->start)
        status = compile_start(j, err);
    if (status == GS_OK && j->exit_status == 0)
        status = link_all(j, program, err);
    return status;
}

/* Everything but what an entry of the cache keeps. */
static void remove_leftovers(const char *directory, size_t objects)
{
    static const char *const names[] = {"start.c", "layout.ld", "messages", "files"};
    char *path;
    for (size_t i = 0; i < 2 * objects; i++) {
        if (asprintf(&path, "%s/%zu.%s", directory, i / 2, i % 2 ? "d" : "o") < 0)
            continue;
        unlink(path);
        free(path);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path = join(directory, names[i], "");
        if (path)
            unlink(path);
        free(path);
    }
    rmdir(directory);
}

/* Moves the results into the entry; the list of files last, which makes it valid. */
static gs_status keep(const job *j, const char *from, const char *program, const char *entry,
                      gs_error *err)
{
    static const char *const names[] = {"messages", "files"};
    gs_status status =
        rename(from, program) == 0 ? GS_OK : fail_io(err, program, "cannot be written");
    for (size_t i = 0; i < sizeof names / sizeof *names && status == GS_OK; i++) {
        char *old = join(j->directory, names[i], ""), *new = join(entry, names[i], "");
        if (!old || !new)
            status = fail_memory(err);
        else if (rename(old, new) != 0)
            status = fail_io(err, new, "cannot be written");
        free(old);
        free(new);
    }
    return status;
}

static FILE *create_in(const char *directory, const char *name)
{
    char *path = join(directory, name, "");
    FILE *file = path ? fopen(path, "we") : NULL;
    free(path);
    return file;
}

static gs_status make(const gs_compile_request *request, const gs_toolchain *toolchain,
                      const char *entry, const char *program, int *exit_status, gs_error *err)
{
    job j = {.request = request, .toolchain = toolchain};
    gs_status status = GS_OK;
    if (asprintf(&j.directory, "%s.tmp-%ld", entry, (long)getpid()) < 0)
        return fail_memory(err);
    if (!make_directory(j.directory))
        status = fail_io(err, j.directory, "cannot be made");
    char *made = program_path(j.directory, request->sources[0]);
    j.messages = create_in(j.directory, "messages");
    j.files = create_in(j.directory, "files");
    if (status == GS_OK && (!made || !j.messages || !j.files))
        status = fail_io(err, j.directory, "cannot be written");
    if (status == GS_OK)
        status = run_job(&j, made, err);
    if (j.messages)
        fclose(j.messages);
    if (j.files)
        fclose(j.files);
    *exit_status = j.exit_status;
    if (status == GS_OK && j.exit_status == 0)
        status = keep(&j, made, program, entry, err);
    if (made)
        unlink(made);
    remove_leftovers(j.directory, j.objects.count + 1);
    gs_words_free(&j.objects);
    free(made);
    free(j.directory);
    return status;
}

/* The program of an entry, made if it is not there or out of date. */
static gs_status look_up(const gs_compile_request *request, const gs_toolchain *toolchain,
                         const char *entry, const char *program, int *exit_status, gs_error *err)
{
    char *files = join(entry, "files", ""), *messages = join(entry, "messages", "");
    gs_status status = files && messages ? GS_OK : fail_memory(err);
    *exit_status = 0;
    if (status == GS_OK && access(program, R_OK) == 0 && is_current(files))
        repeat_messages(messages);
    else if (status == GS_OK)
        status = make(request, toolchain, entry, program, exit_status, err);
    free(files);
    free(messages);
    return status;
}

gs_status gs_compile(char **program, const gs_compile_request *request, int *exit_status,
                     gs_error *err)
{
    gs_toolchain toolchain;
    char *entry = NULL;
    *program = NULL;
    gs_status status = find_toolchain(&toolchain, request, err);
    if (status != GS_OK)
        return status;
    status = open_entry(&entry, hash_request(request, &toolchain), err);
    if (status == GS_OK) {
        *program = program_path(entry, request->sources[0]);
        status = *program ? look_up(request, &toolchain, entry, *program, exit_status, err)
                          : fail_memory(err);
    }
    if (status == GS_OK && *exit_status != 0) {
        snprintf(err->message, sizeof err->message, "%s did not make a program of %s",
                 toolchain.compile.at[0], request->sources[0]);
        status = err->status = GS_E_ARGUMENT;
    }
    if (status != GS_OK) {
        free(*program);
        *program = NULL;
    }
    free(entry);
    gs_toolchain_free(&toolchain);
    return status;
}

/* Links what the flags name, with our own parts from a directory that goes away again. */
static gs_status link_as_cc(job *j, gs_error *err)
{
    char template[] = "/tmp/gumshoe-cc-XXXXXX";
    gs_words words;
    gs_status status = GS_OK;
    j->directory = mkdtemp(template);
    if (!j->directory)
        return fail_io(err, "/tmp", "no directory can be made in it");
    begin_command(&words, j->toolchain);
    add_all(&words, &j->toolchain->link);
    if (j->toolchain->needs_layout)
        status = add_layout(&words, j->directory, err);
    if (status == GS_OK && j->toolchain->start)
        status = compile_start(j, err);
    add_flags(&words, j->request);
    add_all(&words, &j->objects);
    add_all(&words, &j->toolchain->libraries);
    if (status == GS_OK && j->exit_status == 0)
        status = run_compiler(&words, NULL, &j->exit_status, err);
    gs_words_free(&words);
    remove_leftovers(j->directory, j->objects.count + 1);
    return status;
}

gs_status gs_compile_as_cc(const gs_compile_request *request, int *exit_status, gs_error *err)
{
    gs_toolchain toolchain;
    gs_words words;
    gs_status status = find_toolchain(&toolchain, request, err);
    if (status != GS_OK)
        return status;
    job j = {.request = request, .toolchain = &toolchain};
    if (stops_early(request)) {
        begin_command(&words, &toolchain);
        add_flags(&words, request);
        status = run_compiler(&words, NULL, &j.exit_status, err);
        gs_words_free(&words);
    } else {
        status = link_as_cc(&j, err);
    }
    *exit_status = j.exit_status;
    gs_words_free(&j.objects);
    gs_toolchain_free(&toolchain);
    return status;
}
