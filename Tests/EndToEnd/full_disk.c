/* Stands between a program and the disk of its database. While the file that FULL_DISK_FILE names is there, files whose path begins with
   FULL_DISK_OF grow no more: no room is left on the device, and the file system says so. What lies in them already is written as ever. Of
   the reserve, FULL_DISK_RESERVE, they may take what the program gave back of it: as many bytes as it lacks of the number in that file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long taken;

/* The bytes that there are still; -1: the disk is not full. */
static long left(void) {
    const char *path = getenv("FULL_DISK_FILE"), *reserve = getenv("FULL_DISK_RESERVE");
    int file = path && reserve ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        taken = 0;
        return -1;
    }
    char text[32] = "";
    long whole = syscall(SYS_read, file, text, sizeof text - 1) > 0 ? atol(text) : 0;
    close(file);
    struct stat about;
    long kept = stat(reserve, &about) == 0 ? about.st_size : 0, free = whole - kept - taken;
    return free > 0 ? free : 0;
}

/* Whether bytes up to an end have room in a file. */
static int fits(int file, long end) {
    const char *prefix = getenv("FULL_DISK_OF");
    long room = prefix ? left() : -1;
    if (room < 0) return 1;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 1;
    path[length] = 0;
    struct stat about;
    if (strncmp(path, prefix, strlen(prefix)) != 0 || fstat(file, &about) != 0) return 1;
    long more = end - about.st_size;
    if (more <= 0) return 1;
    if (more > room) {
        errno = ENOSPC;
        return 0;
    }
    taken += more;
    return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    return fits(file, place + (long)count) ? syscall(SYS_pwrite64, file, bytes, count, place) : -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { return pwrite64(file, bytes, count, place); }

ssize_t write(int file, const void *bytes, size_t count) {
    long place = lseek(file, 0, SEEK_CUR);
    return place < 0 || fits(file, place + (long)count) ? syscall(SYS_write, file, bytes, count) : -1;
}

int statvfs(const char *restrict path, struct statvfs *restrict found) {
    static int (*real)(const char *, struct statvfs *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "statvfs");
    int status = real(path, found);
    long room = left();
    if (status == 0 && room >= 0) found->f_bfree = found->f_bavail = (unsigned long)room / found->f_frsize;
    return status;
}
