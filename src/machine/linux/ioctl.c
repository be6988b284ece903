/* ioctl() for terminals and pipes: attributes, window size, bytes to be read. */
#include "machine/linux/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

typedef enum request {
    GET_TERMIOS,
    SET_TERMIOS,
    SET_TERMIOS_DRAIN,
    SET_TERMIOS_FLUSH,
    SEND_BREAK,
    FLOW,
    FLUSH,
    GET_WINDOW,
    SET_WINDOW,
    OUTPUT_BYTES,
    GET_GROUP,
    SET_GROUP,
    GET_SESSION,
    LAST_OF_TERMINALS = GET_SESSION,
    INPUT_BYTES,
    SET_NONBLOCK,
    SET_CLOEXEC,
    CLEAR_CLOEXEC,
    REQUESTS
} request;

static const uint32_t requests[REQUESTS][GS_LINUX_FLAVORS] = {
    [GET_TERMIOS] = {0x5401, 0x540d},
    [SET_TERMIOS] = {0x5402, 0x540e},
    [SET_TERMIOS_DRAIN] = {0x5403, 0x540f},
    [SET_TERMIOS_FLUSH] = {0x5404, 0x5410},
    [SEND_BREAK] = {0x5409, 0x5405},
    [FLOW] = {0x540a, 0x5406},
    [FLUSH] = {0x540b, 0x5407},
    [GET_WINDOW] = {0x5413, 0x40087468},
    [SET_WINDOW] = {0x5414, 0x80087467},
    [OUTPUT_BYTES] = {0x5411, 0x7472},
    [GET_GROUP] = {0x540f, 0x40047477},
    [SET_GROUP] = {0x5410, 0x80047476},
    [GET_SESSION] = {0x5429, 0x7416},
    [INPUT_BYTES] = {0x541b, 0x467f},
    [SET_NONBLOCK] = {0x5421, 0x667e},
    [SET_CLOEXEC] = {0x5451, 0x6601},
    [CLEAR_CLOEXEC] = {0x5450, 0x6602},
};

/* Input, output and control modes are the same everywhere; local modes are not. */
static const struct {
    tcflag_t host;
    uint32_t guest[GS_LINUX_FLAVORS];
} local_modes[] = {
    {ISIG, {0x1, 0x1}},         {ICANON, {0x2, 0x2}},      {ECHO, {0x8, 0x8}},
    {ECHOE, {0x10, 0x10}},      {ECHOK, {0x20, 0x20}},     {ECHONL, {0x40, 0x40}},
    {NOFLSH, {0x80, 0x80}},     {TOSTOP, {0x100, 0x8000}}, {ECHOCTL, {0x200, 0x200}},
    {ECHOPRT, {0x400, 0x400}},  {ECHOKE, {0x800, 0x800}},  {FLUSHO, {0x1000, 0x2000}},
    {PENDIN, {0x4000, 0x4000}}, {IEXTEN, {0x8000, 0x100}},
};

/* Places of the control characters. */
static const struct {
    int host;
    uint8_t guest[GS_LINUX_FLAVORS];
} control_characters[] = {
    {VINTR, {0, 0}},      {VQUIT, {1, 1}},      {VERASE, {2, 2}},    {VKILL, {3, 3}},
    {VEOF, {4, 16}},      {VTIME, {5, 5}},      {VMIN, {6, 4}},      {VSWTC, {7, 7}},
    {VSTART, {8, 8}},     {VSTOP, {9, 9}},      {VSUSP, {10, 10}},   {VEOL, {11, 17}},
    {VREPRINT, {12, 12}}, {VDISCARD, {13, 13}}, {VWERASE, {14, 14}}, {VLNEXT, {15, 15}},
    {VEOL2, {16, 6}},
};

static const unsigned character_count[GS_LINUX_FLAVORS] = {19, 23};
enum { TERMIOS_MAX = 17 + 23, BAUD_BITS = 0x100f };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int64_t get_termios(gs_linux_call *call, int host)
{
    const gs_linux_flavor flavor = call->process->abi->flavor;
    uint8_t bytes[TERMIOS_MAX], characters[23] = {0};
    struct termios t;
    uint32_t local = 0;
    if (tcgetattr(host, &t) != 0)
        return -errno;
    for (size_t i = 0; i < COUNT(local_modes); i++)
        local |= t.c_lflag & local_modes[i].host ? local_modes[i].guest[flavor] : 0;
    for (size_t i = 0; i < COUNT(control_characters); i++)
        characters[control_characters[i].guest[flavor]] = t.c_cc[control_characters[i].host];

    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_wire_put32(&wire, t.c_iflag);
    gs_wire_put32(&wire, t.c_oflag);
    gs_wire_put32(&wire, t.c_cflag);
    gs_wire_put32(&wire, local);
    gs_wire_put(&wire, t.c_line, 1);
    for (unsigned i = 0; i < character_count[flavor]; i++)
        gs_wire_put(&wire, characters[i], 1);
    return gs_linux_put(call, call->args[2], &wire);
}

static int64_t set_termios(gs_linux_call *call, int host, int when)
{
    const gs_linux_flavor flavor = call->process->abi->flavor;
    uint8_t bytes[TERMIOS_MAX];
    struct termios t;
    gs_wire wire = gs_linux_wire(call, bytes, 17 + character_count[flavor]);
    if (tcgetattr(host, &t) != 0)
        return -errno;
    if (gs_linux_get(call, call->args[2], &wire))
        return -EFAULT;
    t.c_iflag = gs_wire_take32(&wire);
    t.c_oflag = gs_wire_take32(&wire);
    t.c_cflag = (gs_wire_take32(&wire) & ~(tcflag_t)BAUD_BITS) | (t.c_cflag & BAUD_BITS);
    uint32_t local = gs_wire_take32(&wire);
    t.c_line = (cc_t)gs_wire_take(&wire, 1);
    t.c_lflag = 0;
    for (size_t i = 0; i < COUNT(local_modes); i++)
        t.c_lflag |= local & local_modes[i].guest[flavor] ? local_modes[i].host : 0;
    for (size_t i = 0; i < COUNT(control_characters); i++)
        t.c_cc[control_characters[i].host] = bytes[17 + control_characters[i].guest[flavor]];
    return gs_linux_host_result(tcsetattr(host, when, &t));
}

static int64_t get_window(gs_linux_call *call, int host)
{
    uint8_t bytes[8];
    struct winsize size;
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    if (ioctl(host, TIOCGWINSZ, &size) != 0)
        return -errno;
    gs_wire_put16(&wire, size.ws_row);
    gs_wire_put16(&wire, size.ws_col);
    gs_wire_put16(&wire, size.ws_xpixel);
    gs_wire_put16(&wire, size.ws_ypixel);
    return gs_linux_put(call, call->args[2], &wire);
}

static int64_t set_window(gs_linux_call *call, int host)
{
    uint8_t bytes[8];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    if (gs_linux_get(call, call->args[2], &wire))
        return -EFAULT;
    struct winsize size = {.ws_row = (unsigned short)gs_wire_take(&wire, 2)};
    size.ws_col = (unsigned short)gs_wire_take(&wire, 2);
    size.ws_xpixel = (unsigned short)gs_wire_take(&wire, 2);
    size.ws_ypixel = (unsigned short)gs_wire_take(&wire, 2);
    return gs_linux_host_result(ioctl(host, TIOCSWINSZ, &size));
}

static int64_t put_int(gs_linux_call *call, int64_t result, int value)
{
    if (result < 0)
        return gs_linux_host_result(result);
    return gs_memory_write32(&call->process->machine->memory, call->args[2], (uint32_t)value)
               ? 0
               : -EFAULT;
}

static int64_t set_nonblock(gs_linux_call *call, int host)
{
    uint32_t on;
    if (!gs_memory_read32(&call->process->machine->memory, call->args[2], &on))
        return -EFAULT;
    int flags = fcntl(host, F_GETFL);
    if (flags < 0)
        return -errno;
    flags = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    return gs_linux_host_result(fcntl(host, F_SETFL, flags));
}

int64_t gs_linux_sys_ioctl(gs_linux_call *call)
{
    gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    const gs_linux_flavor flavor = call->process->abi->flavor;
    unsigned which = 0;
    int value = 0;
    if (!entry)
        return -EBADF;
    while (which < REQUESTS && requests[which][flavor] != call->args[1])
        which++;
    if (which <= LAST_OF_TERMINALS && gs_linux_looks_like_pipe(call->process, entry))
        return -ENOTTY;
    switch ((request)which) {
    case GET_TERMIOS: return get_termios(call, entry->host);
    case SET_TERMIOS: return set_termios(call, entry->host, TCSANOW);
    case SET_TERMIOS_DRAIN: return set_termios(call, entry->host, TCSADRAIN);
    case SET_TERMIOS_FLUSH: return set_termios(call, entry->host, TCSAFLUSH);
    case SEND_BREAK: return gs_linux_host_result(ioctl(entry->host, TCSBRK, call->args[2]));
    case FLOW: return gs_linux_host_result(ioctl(entry->host, TCXONC, call->args[2]));
    case FLUSH: return gs_linux_host_result(ioctl(entry->host, TCFLSH, call->args[2]));
    case GET_WINDOW: return get_window(call, entry->host);
    case SET_WINDOW: return set_window(call, entry->host);
    case INPUT_BYTES: {
        int status = ioctl(entry->host, FIONREAD, &value);
        return put_int(call, status, value);
    }
    case OUTPUT_BYTES: {
        int status = ioctl(entry->host, TIOCOUTQ, &value);
        return put_int(call, status, value);
    }
    case GET_GROUP:
    case GET_SESSION: /* the guest is in the foreground of its terminal */
        return isatty(entry->host) ? put_int(call, 0, GS_LINUX_PID) : -ENOTTY;
    case SET_GROUP: return isatty(entry->host) ? 0 : -ENOTTY;
    case SET_NONBLOCK: return set_nonblock(call, entry->host);
    case SET_CLOEXEC: entry->close_on_exec = true; return 0;
    case CLEAR_CLOEXEC: entry->close_on_exec = false; return 0;
    default: return -ENOTTY;
    }
}
