// Tells Thread Sanitizer of the one lock that it cannot see, so that nothing has to be suppressed. Loaded before the tests by
// Scripts/sanitize.sh, and nowhere else.
//
// A free Synchronization.Mutex is taken by an atomic exchange, which is compiled into our own code and seen. A contended one is
// taken and given back inside Swift's library (by the kernel's priority-inheriting futex), which is not instrumented: every pair of
// accesses that only such a hand-over orders would be called a race. So we stand before the two functions of the slow way, and
// say what they do. Their names and their calling convention (the lock is Swift's `self`) are Swift 6.3's own; with another
// version, see whether they are still there: without them there are false reports, never missed ones.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// In the sanitizer's runtime, which is part of an instrumented program and of no other.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF void *lock) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *lock) __asm__(UNLOCK_SLOW);

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *lock);
typedef SWIFT void (*Unlock)(SELF void *lock);

static Lock real_lock;
static Unlock real_unlock;

__attribute__((constructor)) static void find(void) {
    real_lock = (Lock)dlsym(RTLD_NEXT, LOCK_SLOW);
    real_unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

SWIFT void lock_slow(uint32_t thread, SELF void *lock) {
    real_lock(thread, lock);
    if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT void unlock_slow(SELF void *lock) {
    if (__tsan_release) __tsan_release(lock);
    real_unlock(lock);
}
