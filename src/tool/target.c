/* The options for program, machine and core; opens all three. */
#include "tool/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "tool/compile.h"
#include "tool/outfile.h"

static const gs_word env_words[] = {[GS_ENV_AUTO] = {.name = "auto"},
                                    [GS_ENV_BARE] = {.name = "bare"},
                                    [GS_ENV_LINUX] = {.name = "linux"},
                                    {0}};

enum { MISSING_REFUSE, MISSING_TRAP };
static const gs_word missing_words[] = {
    [MISSING_REFUSE] = {"refuse", "refuse the program before it starts (the default)"},
    [MISSING_TRAP] = {"trap", "run it; they trap when they are reached, for a program that looks "
                              "before it uses them, or emulates them"},
    {0},
};

static const gs_word unmapped_words[] = {
    [GS_UNMAPPED_TRAP] = {"trap", "an access fault (the default)"},
    [GS_UNMAPPED_IGNORE] = {"ignore", "a load reads 0, a store does nothing, and the summary lists "
                                      "where and how often"},
    {0},
};

const gs_option gs_limit_options[] = {
    {"max-instructions", .argument = "N", GS_TO_COUNT(gs_target_arguments, max_instructions),
     .least = 1, .wants = "a number such as 10M",
     .text = "stop after N instructions; K, M and G stand for thousands, millions and billions."},
    {"max-cycles", .argument = "N", GS_TO_COUNT(gs_target_arguments, max_cycles), .least = 1,
     .wants = "a number such as 10M", .text = "stop after N cycles; not with --core none."},
    {"max-time", .argument = "SECONDS", GS_TO_COUNT(gs_target_arguments, max_seconds), .least = 1,
     .wants = "a number of seconds",
     .text = "stop after so many seconds of the host's time, also while the program waits."},
    {0},
};

const gs_option gs_region_options[] = {
    {"from", .argument = "EDGE", GS_TO_TEXT(gs_target_arguments, from),
     .text = "count only from here on: a function, an address, or a marker that the program sets, "
             "as marker or marker:VALUE. See REGION OF INTEREST in the manual of 'gumshoe run'."},
    {"to", .argument = "EDGE", GS_TO_TEXT(gs_target_arguments, to),
     .text = "count only up to here. Where --from is reached again, counting goes on."},
    {"between-markers", GS_TO_SWITCH(gs_target_arguments, between_markers),
     .text = "count only from the first marker to the second, from the third to the fourth and so "
             "on."},
    {0},
};

const gs_option gs_target_options[] = {
    {"env", GS_TO_WORD(gs_target_arguments, machine.env, env_words),
     .text = "what surrounds the program: bare hardware with semihosting, or Linux system calls. "
             "By default this is found out from the file."},
    {"board", .argument = "NAME|FILE", .value = GS_VALUE_BOARD,
     GS_TO_TEXT(gs_target_arguments, machine.board),
     .text = "the bare hardware: where memory and devices are. 'gumshoe boards' lists the built-in "
             "ones."},
    {"ram", .argument = "SIZE", GS_TO_SIZE(gs_target_arguments, machine.ram_size),
     .text = "memory of the board, such as 64M."},
    {"unmapped", GS_TO_WORD(gs_target_arguments, machine.unmapped, unmapped_words),
     .text = "what a load or store does where the board has nothing:",
     .more =
         "With ignore, firmware gets past the registers of devices that the board does not have. "
         "Those that have to read as a value can be named in a board file, as regions."},
    {"events", .argument = "FILE", .value = GS_VALUE_FILE,
     GS_TO_TEXT(gs_target_arguments, machine.events),
     .text = "what happens to the board from outside, and at which cycle: a YAML file of interrupt "
             "lines that are raised and lowered, pins that change, and input.",
     .more = "docs/boards.md says what is in it."},
    {"core", .argument = "NAME|FILE", .value = GS_VALUE_CORE, GS_TO_TEXT(gs_target_arguments, core),
     .text =
         "count cycles on this processor core; 'gumshoe cores' lists the built-in ones. Without "
         "it a built-in core is taken that has what the program needs. With none nothing is "
         "timed.",
     .more = "The first of flatfoot, ibex-small, rocket-rv32, mips-4k, mips-24kf and ideal is "
             "taken that has what the program needs; the summary says which. With none every "
             "instruction is one tick of the clock."},
    {"set", .argument = "KEY=VALUE", GS_TO_LIST(gs_target_arguments, set),
     .text = "change one key of the core's description, such as dcache.size=16K. May be given "
             "several times."},
    {"missing", GS_TO_WORD(gs_target_arguments, missing, missing_words),
     .text = "what to do about instructions that the core does not have, but the program was "
             "compiled with:",
     .more = "They are looked for where the program can be reached from its start, if its RISC-V "
             "attributes or MIPS ABI flags name their extension, or it has none."},
    {"setenv", .argument = "NAME=VALUE", GS_TO_LIST(gs_target_arguments, variables),
     .text = "a variable for a Linux program, which gets fixed ones unless told otherwise. May be "
             "given several times.",
     .more = "It replaces one of its name."},
    {"inherit-env", GS_TO_SWITCH(gs_target_arguments, inherit_env),
     .text = "a Linux program sees your variables, the path you gave and who you are; its cycles "
             "then depend on them."},
    {"inherit-clock", GS_TO_SWITCH(gs_target_arguments, inherit_clock),
     .text = "the date is the host's. Without it every run begins at the start of 2020, and time "
             "is the model's."},
    {"inherit-terminal", GS_TO_SWITCH(gs_target_arguments, inherit_terminal),
     .text = "a Linux program sees whether it writes to a terminal, a file or a device. Without it "
             "all of them look like a pipe.",
     .more = "Interactive programs want that."},
    GS_ROWS(gs_limit_options),
    {"max-memory", .argument = "SIZE", GS_TO_SIZE(gs_target_arguments, machine.max_memory),
     .text = "stop when the program wants to have more memory mapped than this, such as 256M.",
     .more = "By default that is what 32 bits can address, 4G."},
    {"max-output", .argument = "SIZE", GS_TO_SIZE(gs_target_arguments, machine.max_output),
     .text =
         "stop when the program has written more than this to its streams and files; 16G unless "
         "told otherwise.",
     .more = "Each file, directory or link that it makes counts 4K, and what it has allocated "
             "without writing as if it were written."},
    {"allow", .argument = "PATH[:ro]", .value = GS_VALUE_FILE,
     GS_TO_LIST(gs_target_arguments, allow),
     .text = "let the program touch this file of the host, or everything below this directory; "
             "with :ro, only read it. By default it can touch what is below the working directory. "
             "May be given several times.",
     .more = "The innermost path decides: --allow .:ro makes the working directory read-only. A "
             "device has to be named itself."},
    {"root", .argument = "DIRECTORY", .value = GS_VALUE_DIRECTORY,
     GS_TO_TEXT(gs_target_arguments, machine.sandbox.root),
     .text = "make this directory the program's /, and let it touch what is below it and nothing "
             "else."},
    {"no-files", GS_TO_SWITCH(gs_target_arguments, no_files),
     .text = "let the program touch no files of the host but those that --allow names."},
    {"all-files", GS_TO_SWITCH(gs_target_arguments, all_files),
     .text = "let the program touch all files that you can touch.",
     .more = "Only the files of processes, /proc/PID, stay out of its reach."},
    GS_ROWS(gs_region_options),
    {0},
};

/* Runs are asked for by number, by label or as "last". */
static int set_label(void *member, const gs_command *command, const gs_option *option,
                     const char *value)
{
    *(const char **)member = value;
    if (value[strspn(value, "0123456789")] != '\0' && strcmp(value, "last") != 0)
        return -1;
    return gs_usage_error(command, "--%s wants a name, not a number or 'last': '%s'", option->name,
                          value);
}

const gs_option gs_label_options[] = {
    {"label", .argument = "TEXT", .store = GS_STORE_CALL, .set = set_label,
     .text = "a name for the run in that file; without -o, the file is gumshoe.db.",
     .more = "A label is not a number, and not 'last'."},
    {0},
};

bool gs_target_untimed(const gs_target_arguments *arguments)
{
    return arguments->core && strcmp(arguments->core, "none") == 0;
}

void gs_target_tell_core(const gs_target *target)
{
    if (target->chosen)
        gs_complain(
            "%s is the default core for what this program needs\n"
            "gumshoe: 'gumshoe cores' lists others for --core, and --core none times nothing",
            gs_core_name(target->core));
}

/* Of C files in the place of the program, the program that they make; its arguments are what
 * follows them. */
static int compile_sources(gs_target_arguments *arguments, const gs_command *command,
                           const gs_rest *rest)
{
    gs_compile_request request = {
        .core = gs_target_untimed(arguments) ? NULL : arguments->core,
        .set = &arguments->set,
        .board = arguments->machine.board,
        .ram = arguments->machine.ram_size,
        .env = arguments->machine.env,
        .sources = rest->at,
    };
    gs_error err;
    int ignored;
    int count = 0;
    while (count < rest->count && gs_compile_is_source(rest->at[count]))
        count++;
    request.source_count = (size_t)count;
    for (int i = 0; i < count; i++) {
        if (access(rest->at[i], R_OK) != 0) {
            gs_complain("%s: cannot be read: %s", rest->at[i], strerror(errno));
            return command->usage_status == GS_RUN_FAILED ? GS_RUN_NOT_FOUND : GS_TOOL_INPUT;
        }
    }
    if (gs_compile(&arguments->compiled, &request, &ignored, &err) != GS_OK) {
        gs_complain("%s", err.message);
        return command->usage_status == GS_RUN_FAILED ? GS_RUN_CANNOT_RUN : GS_TOOL_INPUT;
    }
    rest->at[count - 1] = arguments->compiled;
    arguments->program = arguments->compiled;
    arguments->machine.argc = rest->count - (count - 1);
    arguments->machine.argv = (const char *const *)rest->at + count - 1;
    return -1;
}

int gs_target_region(gs_target_arguments *arguments, const gs_command *command)
{
    if (arguments->between_markers && (arguments->from || arguments->to))
        return gs_usage_error(command, "--between-markers is --from marker --to marker: it goes "
                                       "with neither");
    if (arguments->between_markers)
        arguments->from = arguments->to = "marker";
    return -1;
}

int gs_target_program(gs_target_arguments *arguments, const gs_command *command,
                      const gs_rest *rest)
{
    const char *timed = arguments->set.count > 0 ? "--set"
                        : arguments->max_cycles  ? "--max-cycles"
                                                 : NULL;
    if (timed && gs_target_untimed(arguments))
        return gs_usage_error(command, "%s needs a core, and --core none is none", timed);
    for (size_t i = 0; i < arguments->variables.count; i++) {
        const char *variable = arguments->variables.at[i];
        if (variable[0] == '=' || !strchr(variable, '='))
            return gs_usage_error(command, "--setenv wants NAME=VALUE, not '%s'", variable);
    }
    const char *files = arguments->no_files          ? "--no-files"
                        : arguments->all_files       ? "--all-files"
                        : arguments->allow.count > 0 ? "--allow"
                                                     : NULL;
    if (arguments->machine.sandbox.root && files)
        return gs_usage_error(command, "--root leaves nothing for %s to change", files);
    if (arguments->no_files && arguments->all_files)
        return gs_usage_error(command, "--no-files and --all-files exclude each other");
    gs_target_owns(arguments, GS_DEFAULT_PROFILE); /* earlier runs are kept in any run */
    int wrong = gs_target_region(arguments, command);
    if (wrong >= 0)
        return wrong;
    if (rest->count == 0)
        return gs_usage_error(command, "which program?");
    arguments->program = rest->at[0];
    arguments->machine.argc = rest->count;
    arguments->machine.argv = (const char *const *)rest->at;
    int failed = gs_compile_is_source(rest->at[0]) ? compile_sources(arguments, command, rest) : -1;
    if (failed >= 0)
        return failed;
    arguments->machine.inherit = (arguments->inherit_env ? GS_INHERIT_ENVIRONMENT : 0U) |
                                 (arguments->inherit_clock ? GS_INHERIT_CLOCK : 0U) |
                                 (arguments->inherit_terminal ? GS_INHERIT_TERMINAL : 0U);
    return -1;
}

static bool same_name(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* A copy of `base` with the variables of --setenv, which replace others of their name; the array is
 * the caller's to free(), its strings are borrowed. NULL when memory is out. */
static const char **guest_variables(const char *const *base, const gs_target_arguments *arguments)
{
    size_t count = 0;
    while (base[count])
        count++;
    const char **all = calloc(count + arguments->variables.count + 1, sizeof *all);
    if (!all)
        return NULL;
    if (count)
        memcpy(all, base, count * sizeof *all);
    for (size_t i = 0; i < arguments->variables.count; i++) {
        size_t at = 0;
        while (at < count && !same_name(all[at], arguments->variables.at[i]))
            at++;
        all[at] = arguments->variables.at[i];
        count += at == count;
    }
    return all;
}

static gs_status open_with_variables(gs_target *target, const gs_target_arguments *arguments,
                                     gs_machine_options *options, gs_error *err)
{
    bool inherits = options->inherit & GS_INHERIT_ENVIRONMENT;
    if (!inherits && arguments->variables.count == 0)
        return gs_machine_open(&target->machine, target->image, options, err);
    const char *const *base = inherits ? (const char *const *)environ : gs_machine_variables();
    const char **variables = guest_variables(base, arguments);
    if (!variables) {
        *err = (gs_error){.status = GS_E_NO_MEMORY, .message = "out of memory"};
        return GS_E_NO_MEMORY;
    }
    options->envp = variables;
    gs_status status = gs_machine_open(&target->machine, target->image, options, err);
    free(variables);
    return status;
}

static const uint64_t default_max_output = UINT64_C(16) << 30;

/* PATH or PATH:ro; the path is the caller's. */
static gs_sandbox_path parse_path(const char *text)
{
    static const char suffix[] = ":ro";
    size_t length = strlen(text), tail = sizeof suffix - 1;
    bool read_only = length > tail && strcmp(text + length - tail, suffix) == 0;
    return (gs_sandbox_path){strndup(text, read_only ? length - tail : length), read_only};
}

void gs_target_owns(gs_target_arguments *arguments, const char *path)
{
    if (path && strcmp(path, "-") != 0 && arguments->own_count < GS_TARGET_OWN)
        arguments->own[arguments->own_count++] = path;
}

/* A program that opens all the files it can leaves enough for the run. */
static void raise_file_limit(void)
{
    const rlim_t wanted = 4096;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* Opens the machine in its sandbox. */
static gs_status open_machine(gs_target *target, const gs_target_arguments *arguments,
                              gs_machine_options *options, gs_error *err)
{
    gs_sandbox_path paths[GS_LIST_MAX];
    size_t count = arguments->allow.count;
    bool all = true;
    raise_file_limit();
    for (size_t i = 0; i < count; i++) {
        paths[i] = parse_path(arguments->allow.at[i]);
        all = all && paths[i].path;
    }
    options->sandbox.files = arguments->all_files  ? GS_SANDBOX_ALL
                             : arguments->no_files ? GS_SANDBOX_LISTED
                                                   : GS_SANDBOX_HERE;
    options->sandbox.paths = paths;
    if (!options->max_output)
        options->max_output = default_max_output;
    options->sandbox.path_count = count;
    options->sandbox.reserved = arguments->own;
    options->sandbox.reserved_count = arguments->own_count;
    gs_status status = GS_E_NO_MEMORY;
    if (all)
        status = open_with_variables(target, arguments, options, err);
    else
        *err = (gs_error){status, "no memory"};
    for (size_t i = 0; i < count; i++)
        free((char *)paths[i].path);
    return status;
}

static gs_status open_core(gs_target *target, const char *name,
                           const gs_target_arguments *arguments, gs_error *err)
{
    return gs_core_open(&target->core, name, arguments->set.at, arguments->set.count, err);
}

/* The core that was asked for; a mistake in its description comes before one in the program. */
static gs_status open_core_and_image(gs_target *target, const gs_target_arguments *arguments,
                                     gs_error *err)
{
    const char *name = arguments->core;
    gs_status status = GS_OK;
    if (name && !gs_target_untimed(arguments))
        status = open_core(target, name, arguments, err);
    target->image = arguments->image;
    target->borrows_image = arguments->image != NULL;
    if (status == GS_OK && !target->borrows_image)
        status = gs_image_open(&target->image, arguments->program, err);
    if (status != GS_OK || name)
        return status;
    status = gs_core_choose(&name, target->image, err);
    target->chosen = true;
    return status == GS_OK ? open_core(target, name, arguments, err) : status;
}

gs_status gs_target_open(gs_target *target, const gs_target_arguments *arguments, gs_error *err)
{
    gs_machine_options options = arguments->machine;
    *target = (gs_target){0};
    gs_status status = open_core_and_image(target, arguments, err);
    if (status == GS_OK && target->core) {
        gs_core_configure(target->core, &options);
        if (arguments->missing == MISSING_REFUSE)
            status = gs_core_check_image(target->core, target->image, err);
    }
    if (status == GS_OK)
        status = open_machine(target, arguments, &options, err);
    if (status == GS_OK && target->core)
        status = gs_timing_open(&target->timing, target->core, target->machine, err);
    if (status == GS_OK && (arguments->from || arguments->to))
        status =
            gs_region_open(&target->region, target->image, arguments->from, arguments->to, err);
    return status;
}

const char *gs_target_region_text(const gs_target_arguments *arguments, char to[GS_TARGET_REGION])
{
    const char *from = arguments->from, *end = arguments->to;
    if (!from && !end)
        return NULL;
    snprintf(to, GS_TARGET_REGION, "%s%s%s%s%s", from ? "from " : "", from ? from : "",
             from && end ? " " : "", end ? "to " : "", end ? end : "");
    return to;
}

void gs_target_check_region(const gs_target *target, const gs_target_arguments *arguments)
{
    if (target->region && gs_region_times(target->region) == 0)
        gs_complain("nothing was counted: the program never came to '%s'", arguments->from);
}

void gs_target_close(gs_target *target)
{
    gs_region_free(target->region);
    gs_timing_free(target->timing);
    gs_machine_free(target->machine);
    if (!target->borrows_image)
        gs_image_free(target->image);
    gs_core_free(target->core);
    *target = (gs_target){0};
}

static volatile sig_atomic_t interrupted;

/* SIGXCPU comes again every second, until SIGKILL does; SIGALRM is not the user's. */
static void on_interrupt(int signal)
{
    if (!interrupted || signal == SIGXCPU || signal == SIGALRM) {
        interrupted = interrupted ? interrupted : signal;
        return;
    }
    gs_outfile_remove_temporaries();
    (void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    (void)raise(signal);
}

const volatile sig_atomic_t *gs_catch_interrupts(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGALRM};
    struct sigaction action = {.sa_handler = on_interrupt}, before;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    return &interrupted;
}

void gs_limit_time(uint64_t seconds)
{
    const uint64_t most = INT32_MAX;
    struct itimerval timer = {.it_value.tv_sec = (time_t)(seconds < most ? seconds : most)};
    setitimer(ITIMER_REAL, &timer, NULL);
}
