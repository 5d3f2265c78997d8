/* Stands between a program and the machine's clock: what it takes for the time of day is ahead or behind by the seconds that stand, as
   one number of eight bytes, in the file that CLOCK_JUMP_FILE names. Time that never jumps is left as it is, as on a real machine.

   Our own rather than libfaketime: that one changes the environment before the program begins, after which Swift 6.3 finds no arguments. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *seconds;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_JUMP_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) seconds = page;
}

static long long jump(void) { return seconds ? *seconds : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += jump();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int status = (int)syscall(SYS_gettimeofday, now, zone);
    if (status == 0) now->tv_sec += jump();
    return status;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
