#pragma once
// No system header here: one that defines _GNU_SOURCE would clash with Dispatch's own in debug builds.

/// Starts `path` with the given descriptors as 0, 1 and 2, and asks the kernel to kill it when the calling *thread* ends.
/// With `own_group` it is the leader of a new process group, so that a terminal's Ctrl-C does not reach it.
/// Answers the child's id, or a negative errno.
int csystem_spawn(const char *path, char *const argv[], char *const envp[], int in, int out, int err, int own_group);

/// A descriptor that becomes readable when the process ends, or a negative errno.
int csystem_pidfd(int pid);

/// Sends a signal to exactly the process that `pidfd` names. 0, or a negative errno.
int csystem_pidfd_signal(int pidfd, int signal);

/// This process's group of memory that is resident, in bytes; negative when unknown.
long csystem_resident_bytes(void);

/// Takes `bytes` of the disk for what is appended to a file later, whose length stays as it is. 0, or a negative errno.
int csystem_extend(int file, long bytes);

/// Fills `count` bytes (at most 256 at a time) from the kernel's random source. How many it filled, or a negative errno.
long csystem_random(void *bytes, unsigned long count);

/// Names the calling thread for debuggers; at most 15 bytes are kept.
void csystem_name_thread(const char *name);

/// Waits until a child has ended and buries it. Answers its exit code, or 1000 + the signal that ended it, or a negative errno.
int csystem_wait(int pid);

/// Blocks SIGINT and SIGTERM in the calling thread and in those that it starts; ignores SIGPIPE.
void csystem_block_signals(void);

/// Waits for SIGINT or SIGTERM and answers which.
int csystem_wait_signal(void);

/// Whether somebody keeps the machine's clock right: 1 or 0, or a negative errno.
int csystem_clock_is_kept(void);
