/* Pipes, and waiting for them. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

static void result(const char *what, long value)
{
    if (value < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, value);
}

static volatile sig_atomic_t broken;

static void on_pipe(int signal)
{
    broken += signal == SIGPIPE;
}

int main(void)
{
    int ends[2], n = 0;
    char text[100] = "";
    result("pipe", pipe(ends));
    printf("ends %d %d\n", ends[0], ends[1]);
    struct stat st;
    fstat(ends[0], &st);
    printf("fifo %d\n", S_ISFIFO(st.st_mode));
    struct pollfd p[] = {
        {ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {-1, POLLIN, 7}, {99, POLLIN, 0}};
    result("poll", poll(p, 3, 0));
    printf("events %x %x %x\n", p[0].revents, p[1].revents, p[2].revents);
    result("poll bad", poll(p, 4, -1));
    printf("events %x\n", p[3].revents);
    result("write", write(ends[1], "through the pipe", 16));
    result("FIONREAD", ioctl(ends[0], FIONREAD, &n));
    printf("%d bytes\n", n);
    result("poll", poll(p, 1, -1));
    printf("events %x\n", p[0].revents);
    fd_set in, out;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(ends[0], &in);
    FD_SET(ends[1], &out);
    struct timeval second = {1, 0};
    result("select", select(ends[1] + 1, &in, &out, NULL, &second));
    printf("ready %d %d\n", FD_ISSET(ends[0], &in) != 0, FD_ISSET(ends[1], &out) != 0);
    result("read", read(ends[0], text, sizeof text));
    printf("\"%s\"\n", text);
    struct timespec moment = {0, 1000000};
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    result("pselect timeout", pselect(ends[0] + 1, &in, NULL, NULL, &moment, NULL));
    printf("ready %d\n", FD_ISSET(ends[0], &in) != 0);
    result("ppoll timeout", ppoll(p, 1, &moment, NULL));
    result("poll timeout", poll(p, 1, 5));
    FD_ZERO(&in);
    FD_SET(40,
           &in); /* Linux looks at no more than its table of descriptors has: 64, or many more */
    result("select closed", select(41, &in, NULL, NULL, &second));
    result("select nothing", select(0, NULL, NULL, NULL, &(struct timeval){0, 1000}));

    result("nonblocking", fcntl(ends[0], F_SETFL, O_NONBLOCK));
    result("would block", read(ends[0], text, 1));
    int zero = 0;
    result("blocking again", ioctl(ends[0], FIONBIO, &zero));
    printf("nonblock %d\n", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
    result("pipe2", pipe2((int[2]){0}, O_CLOEXEC | O_NONBLOCK));
    result("pipe2 flags", pipe2((int[2]){0}, O_TRUNC));
    result("pipe2 address", pipe2((int *)8, 0));

    close(ends[1]);
    result("end of file", read(ends[0], text, 1));
    poll(p, 1, 0);
    printf("hung up %x\n", p[0].revents);
    pipe(ends);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    result("ignored", write(ends[1], "x", 1));
    signal(SIGPIPE, on_pipe);
    result("caught", write(ends[1], "x", 1));
    printf("signals %d\n", broken);
    fflush(stdout);
    signal(SIGPIPE, SIG_DFL);
    write(ends[1], "x", 1);
    printf("not reached\n");
    return 0;
}
