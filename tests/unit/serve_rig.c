/* Saves the small profile and opens a server for it. */
#include "serve_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_builder.h"
#include "live_device.h"
#include "small_profile.h"

static char file[] = "/tmp/gumshoe-serve-XXXXXX", program[] = "/tmp/gumshoe-serve-XXXXXX",
            sources[] = "/tmp";

static void remove_file(void)
{
    unlink(file);
}

static void remove_program(void)
{
    unlink(program);
}

/* Two functions, "work" and "main_loop". */
static void make_program(void)
{
    static const uint32_t code[8] = {0x13, 0x13, 0x13, 0x8067, 0x13, 0x13, 0x13, 0x8067};
    elf_builder elf;
    size_t size;
    const int fd = mkstemp(program);
    elf_start(&elf, EM_RISCV, false);
    elf.entry = 0x1000;
    elf_code(&elf, 0x1000, code, 8);
    elf_function(&elf, "work", 0x1000, 16);
    elf_function(&elf, "main_loop", 0x1010, 16);
    uint8_t *bytes = elf_finish(&elf, &size);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    close(fd);
    free(bytes);
    atexit(remove_program);
}

static void open_server(gs_server *server, const gs_server_live *live)
{
    int fd = mkstemp(file);
    gs_profile *profile = small_profile();
    for (size_t i = 0; i < profile->loops.count; i++)
        profile->loops.items[i].depth++; /* as files count it */
    if (fd < 0 || gs_profile_save(profile, file, NULL, NULL) != GS_OK)
        abort();
    close(fd);
    gs_profile_free(profile);
    atexit(remove_file);
    const char *files[] = {file}, *roots[] = {sources}, *names[] = {"profiles.example"};
    const gs_server_options options = {.files = files,
                                       .file_count = 1,
                                       .sources = roots,
                                       .source_count = 1,
                                       .token = RIG_TOKEN,
                                       .names = names,
                                       .name_count = 1,
                                       .live = live};
    if (gs_serve_open(server, &options, NULL) != GS_OK)
        abort();
    strcpy(server->guard.cookie, "gumshoe-1");
}

void serve_rig_open(gs_server *server)
{
    open_server(server, NULL);
}

static bool has_come(gs_server *server, uint64_t intervals)
{
    gs_hub *hub = &server->hub;
    gs_hub_lock(hub);
    const bool has = gs_collector_stream_count(hub->collector) > 0 &&
                     gs_collector_stream(hub->collector, 0)->received >= intervals;
    gs_hub_unlock(hub);
    return has;
}

static live_device *device;

static void close_device(void)
{
    live_device_close(device);
}

void serve_rig_open_live(gs_server *server)
{
    enum { INTERVALS = 300, TURN_US = 1000, TURNS = 60000 };
    const char *programs[] = {program};
    const gs_server_live live = {.listen = "127.0.0.1:0", .programs = programs, .program_count = 1};
    make_program();
    open_server(server, &live);
    device = live_device_open(gs_collector_address(server->hub.collector));
    atexit(close_device);
    live_device_count(device, INTERVALS);
    for (unsigned i = 0; i < TURNS && !has_come(server, INTERVALS); i++)
        usleep(TURN_US);
    if (!has_come(server, INTERVALS))
        abort();
}

gs_request serve_rig_request(const char *path)
{
    return (gs_request){.method = "GET",
                        .path = path,
                        .host = "127.0.0.1:1",
                        .cookie = "gumshoe-1=" RIG_TOKEN,
                        .body = ""};
}

void serve_rig_add(gs_request *request, const char *name, const char *value)
{
    if (request->parameter_count < GS_REQUEST_PARAMETERS)
        request->parameters[request->parameter_count++] = (gs_parameter){name, value};
}
