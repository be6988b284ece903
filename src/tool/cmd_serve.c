/* gumshoe serve: shows profiles in the browser. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gumshoe/serve.h"
#include "tool/tool.h"

static const char before_options[] =
    "Usage: gumshoe serve [OPTIONS] [FILE...]\n"
    "\n"
    "Shows profile files on a page in the browser: runs, flame graphs, tables, source\n"
    "with disassembly, loops, the pipeline, timelines, and what changed from one run\n"
    "to another. FILE is gumshoe.db unless given. It prints the page's address, which\n"
    "has a token in it, and serves until it is interrupted. Only this machine can\n"
    "reach it unless --address says otherwise, and nothing is written.\n"
    "\n"
    "With --live it also receives from Statistics Modules, from runs with 'gumshoe\n"
    "run --live' and from hardware: their counters are drawn as they count, the page\n"
    "tells them what to count and when, and the intervals are kept in the first FILE.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0 after an interruption; 2 if the command line is wrong; 3 if a\n"
    "file cannot be read or the address cannot be had.\n"
    "\n"
    "Examples:\n"
    "  gumshoe serve --open\n"
    "  gumshoe serve --sources . nightly.db feature.db\n"
    "  gumshoe serve --live --program firmware.elf live.db\n"
    "  gumshoe serve --port 8080 --token-file ~/.gumshoe-token app.db\n";

enum { DEFAULT_PORT = 8377, MOST_PORT = 65535 };

typedef struct serve_arguments {
    gs_list sources, names, devices, programs;
    const char *address, *token_file, *listen, *key;
    uint64_t port;
    bool port_given, open, live;
} serve_arguments;

#define LISTEN_DEFAULT "127.0.0.1:4750"

static const gs_option table[] = {
    {"sources", .argument = "DIR", .value = GS_VALUE_DIRECTORY,
     GS_TO_LIST(serve_arguments, sources),
     .text = "source files and programs of the profiles may be read if they are below DIR. May be "
             "given several times. Without it the page shows disassembly only.",
     .more = "Only files that a profile names are read, and symbolic links do not lead out of DIR. "
             "The pipeline of a run is drawn by running its program again, if that is below DIR."},
    {"open", GS_TO_SWITCH(serve_arguments, open), .text = "open the page in the browser."},
    {"live", GS_TO_SWITCH(serve_arguments, live),
     .text =
         "receive from Statistics Modules, and let the page tell them what to do. The first FILE "
         "is written to, and made if there is none.",
     .more = "Without it, the page shows what is in the files, also while 'gumshoe collect' writes "
             "to them."},
    {"listen", .argument = "ADDRESS:PORT", GS_TO_TEXT(serve_arguments, listen),
     .text = "where devices send to; " LISTEN_DEFAULT " unless told otherwise. Needs --live."},
    {"key", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(serve_arguments, key),
     .text = "the key that devices and this server have in common, 32 hexadecimal digits; "
             "~/.config/gumshoe/live.key unless told otherwise, which is made if there is none. "
             "Needs --live."},
    {"device", .argument = "HOST:PORT", GS_TO_LIST(serve_arguments, devices),
     .text = "ask for a device there. May be given several times. Devices that send by themselves "
             "are heard without it. Needs --live."},
    {"program", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_LIST(serve_arguments, programs),
     .text = "a program that devices run, for its functions and lines. May be given several times; "
             "each device gets its own, by the hash it sends. Needs --live."},
    {"port", .argument = "N", GS_TO_COUNT(serve_arguments, port), .most = MOST_PORT,
     GS_GIVEN(serve_arguments, port_given),
     .text = "the port to listen on; 0 for any. Unless told otherwise 8377, or any if that is "
             "taken."},
    {"address", .argument = "ADDRESS", GS_TO_TEXT(serve_arguments, address),
     .text = "the address to listen on, in numbers: 127.0.0.1 unless told otherwise. There is "
             "no encryption: at another address, all that is shown can be read on the network "
             "between."},
    {"name", .argument = "HOST", GS_TO_LIST(serve_arguments, names),
     .text = "a name under which browsers reach the page, besides localhost and addresses. May be "
             "given several times.",
     .more = "Requests under other names are refused, because any name can be made to point here."},
    {"token-file", .argument = "FILE", .value = GS_VALUE_FILE,
     GS_TO_TEXT(serve_arguments, token_file),
     .text = "keep the token in FILE, which is made if there is none: the address stays the same "
             "from one start to the next, and pages that are open go on."},
    {0},
};

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, serve_arguments *arguments, gs_rest *rest)
{
    int usage = gs_command_parse(&gs_cmd_serve, argc, argv, arguments, rest);
    if (usage >= 0)
        return usage;
    for (size_t i = 0; i < arguments->sources.count; i++) {
        struct stat info;
        if (stat(arguments->sources.at[i], &info) != 0 || !S_ISDIR(info.st_mode))
            return gs_usage_error(&gs_cmd_serve, "--sources %s: there is no such directory",
                                  arguments->sources.at[i]);
    }
    if (!arguments->live && (arguments->listen || arguments->key || arguments->devices.count > 0 ||
                             arguments->programs.count > 0))
        return gs_usage_error(&gs_cmd_serve, "--listen, --key, --device and --program need --live");
    return -1;
}

enum { TOKEN_SIZE = 80 };

static bool read_token(const char *path, char token[TOKEN_SIZE])
{
    FILE *from = fopen(path, "re");
    if (!from)
        return false;
    bool good = fgets(token, TOKEN_SIZE, from) != NULL;
    fclose(from);
    if (good)
        token[strcspn(token, "\r\n")] = '\0';
    return good;
}

/* Keeps the token of a server, which is what follows "token=" in its address. */
static bool write_token(const char *path, const char *url)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!to) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    fprintf(to, "%s\n", strstr(url, "token=") + strlen("token="));
    return fclose(to) == 0;
}

static gs_status start(gs_server **server, const serve_arguments *arguments,
                       gs_server_options *options, gs_error *err)
{
    options->port = arguments->port_given ? (unsigned)arguments->port : DEFAULT_PORT;
    gs_status status = gs_server_open(server, options, err);
    if (status == GS_E_IO && !arguments->port_given) {
        options->port = 0;
        status = gs_server_open(server, options, err);
    }
    return status;
}

/* A page of the user's own that leads to the address: others can see what programs are started
 * with, and must not see the token. */
static bool write_way(char path[64], const char *url)
{
    snprintf(path, 64, "/tmp/gumshoe-XXXXXX.html");
    int fd = mkstemps(path, strlen(".html"));
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!to) {
        path[0] = '\0';
        return false;
    }
    fprintf(to,
            "<!doctype html><meta charset=utf-8><title>Gumshoe</title>"
            "<meta http-equiv=refresh content=\"0;url=%s\"><a href=\"%s\">Gumshoe</a>\n",
            url, url);
    return fclose(to) == 0;
}

static void open_browser(char path[64], const char *url)
{
    extern char **environ;
    pid_t pid;
    char name[] = "xdg-open", *const command[] = {name, path, NULL};
    if (!write_way(path, url) || posix_spawnp(&pid, name, NULL, NULL, command, environ) != 0)
        gs_complain("the browser cannot be opened (is xdg-open there?): open the address yourself");
}

static void wait_for_end(const sigset_t *ends)
{
    int signal;
    while (sigwait(ends, &signal) != 0) {
    }
}

static int serve_until_told(const serve_arguments *arguments, gs_server_options *options)
{
    sigset_t ends;
    gs_server *server;
    gs_error err = {0};
    char way[64] = "";
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, NULL); /* before there are threads, so that they have it, too */
    if (start(&server, arguments, options, &err) != GS_OK)
        return gs_tool_fail(&err);
    const char *url = gs_server_url(server);
    if (arguments->token_file && !options->token && !write_token(arguments->token_file, url))
        gs_complain("%s: the token cannot be kept there: %s", arguments->token_file,
                    strerror(errno));
    printf("%s\n", url);
    fflush(stdout);
    if (gs_server_listens_at(server))
        fprintf(stderr, "gumshoe: listening at %s\n", gs_server_listens_at(server));
    if (arguments->open)
        open_browser(way, url);
    wait_for_end(&ends);
    if (way[0])
        unlink(way);
    gs_server_free(server);
    return GS_TOOL_OK;
}

static int serve(int argc, char **argv)
{
    serve_arguments arguments = {0};
    gs_rest rest;
    char token[TOKEN_SIZE];
    const char *standard = GS_DEFAULT_PROFILE;
    int usage = parse(argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    gs_server_options options = {
        .files = rest.count > 0 ? (const char *const *)rest.at : &standard,
        .file_count = rest.count > 0 ? (size_t)rest.count : 1,
        .sources = arguments.sources.at,
        .source_count = arguments.sources.count,
        .address = arguments.address,
        .names = arguments.names.at,
        .name_count = arguments.names.count,
    };
    gs_error err = {0};
    gs_server_live live = {.listen = arguments.listen ? arguments.listen : LISTEN_DEFAULT,
                           .devices = arguments.devices.at,
                           .device_count = arguments.devices.count,
                           .programs = arguments.programs.at,
                           .program_count = arguments.programs.count};
    if (arguments.live) {
        if (gs_live_key_read(&live.key, arguments.key, &err) != GS_OK)
            return gs_tool_fail(&err);
        options.live = &live;
    }
    if (arguments.token_file && read_token(arguments.token_file, token)) {
        if (!gs_server_is_token(token)) {
            gs_complain("%s: no token is in it; remove it, and a new one is made",
                        arguments.token_file);
            return GS_TOOL_INPUT;
        }
        options.token = token;
    }
    return serve_until_told(&arguments, &options);
}

const gs_command gs_cmd_serve = {
    .name = "serve",
    .summary = "show profiles on a page in the browser",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = serve,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
