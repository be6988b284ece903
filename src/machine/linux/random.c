/* The guest's random bytes, from a seed. */
#include "machine/linux/process.h"

#include <errno.h>

/* splitmix64 (Steele, Lea, Flood 2014): any seed does, and the state is one word. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void gs_linux_random(gs_linux_process *process, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0)
            word = next(&process->random);
        to[i] = (uint8_t)(word >> 8 * (i % 8));
    }
}

int64_t gs_linux_sys_getrandom(gs_linux_call *call)
{
    enum { KNOWN_FLAGS = 7 }; /* GRND_NONBLOCK, GRND_RANDOM, GRND_INSECURE */
    gs_linux_process *process = call->process;
    uint32_t size = call->args[1] < INT32_MAX ? call->args[1] : INT32_MAX;
    if (call->args[2] & ~(uint32_t)KNOWN_FLAGS)
        return -EINVAL;
    for (uint32_t done = 0; done < size;) {
        uint32_t chunk = size - done < GS_LINUX_BUFFER ? size - done : GS_LINUX_BUFFER;
        gs_linux_random(process, process->buffer, chunk);
        if (!gs_memory_write(&process->machine->memory, call->args[0] + done, process->buffer,
                             chunk))
            return done ? (int64_t)done : -EFAULT;
        done += chunk;
    }
    return size;
}
