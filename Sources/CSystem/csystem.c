#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <pthread.h>
#include <sys/timex.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int csystem_spawn(const char *path, char *const argv[], char *const envp[], int in, int out, int err, int own_group) {
    pid_t parent = getpid();
    // The child of vfork borrows this memory: `failure` is how it tells why exec failed.
    volatile int failure = 0;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = vfork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);  // the parent ended before prctl
        if (own_group) setpgid(0, 0);
        for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, 0);
        // Above 2 first, so that one of the three never overwrites another that is still to be copied.
        int fds[3] = {fcntl(in, F_DUPFD, 10), fcntl(out, F_DUPFD, 10), fcntl(err, F_DUPFD, 10)};
        for (int i = 0; i < 3; i++) {
            if (fds[i] < 0 || dup2(fds[i], i) < 0) { failure = errno; _exit(127); }
        }
        close_range(3, ~0U, 0);
        execve(path, argv, envp);
        failure = errno;
        _exit(127);
    }
    int spawnError = errno;
    sigprocmask(SIG_SETMASK, &before, 0);
    if (child < 0) return -spawnError;
    if (failure) {
        while (waitpid(child, 0, 0) < 0 && errno == EINTR) {}
        return -failure;
    }
    return child;
}

int csystem_pidfd(int pid) {
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

int csystem_pidfd_signal(int pidfd, int number) {
    return syscall(SYS_pidfd_send_signal, pidfd, number, 0, 0) < 0 ? -errno : 0;
}

long csystem_resident_bytes(void) {
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f) return -1;
    long total = 0, resident = -1;
    if (fscanf(f, "%ld %ld", &total, &resident) != 2) resident = -1;
    fclose(f);
    return resident < 0 ? -1 : resident * sysconf(_SC_PAGESIZE);
}

int csystem_extend(int file, long bytes) {
    off_t end = lseek(file, 0, SEEK_END);
    if (end < 0 || fallocate(file, FALLOC_FL_KEEP_SIZE, end, bytes) != 0) return -errno;
    return 0;
}

long csystem_random(void *bytes, unsigned long count) {
    long n = getrandom(bytes, count > 256 ? 256 : count, 0);
    return n < 0 ? -errno : n;
}

void csystem_name_thread(const char *name) {
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(pthread_self(), kept);
}

int csystem_wait(int pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return -errno;
    }
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void ends(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

void csystem_block_signals(void) {
    sigset_t set;
    ends(&set);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    signal(SIGPIPE, SIG_IGN);
}

int csystem_wait_signal(void) {
    sigset_t set;
    ends(&set);
    int number = SIGTERM;
    while (sigwait(&set, &number) != 0) {}
    return number;
}

int csystem_clock_is_kept(void) {
    // With no mode set it only reads.
    struct timex state = {0};
    int answer = adjtimex(&state);
    return answer < 0 ? -errno : answer != TIME_ERROR;
}
