#pragma once
// libcurl behind typed functions, since Swift imports no variadic ones. No system header here: one that defines
// _GNU_SOURCE would clash with Dispatch's own in debug builds.

/// What happened to a request.
enum {
    ccurl_done = 0,
    ccurl_timed_out = 1,
    ccurl_unknown_host = 2,
    ccurl_no_connection = 3,
    ccurl_no_trust = 4,
    ccurl_too_large = 5,
    ccurl_bad_url = 6,
    ccurl_broken = 7,
};

/// Takes bytes of an answer; anything but 0 ends the request as `ccurl_too_large`.
typedef int (*ccurl_take)(void *context, const char *bytes, unsigned long count);

/// Once per process, before the first handle, by one thread.
void ccurl_start(void);

/// A handle: connections that stay open from one request to the next. For one thread at a time. Null without memory.
void *ccurl_make(void);

/// Ends a handle and its connections.
void ccurl_end(void *handle);

/// Sends one request and waits for the answer; http and https only, redirects are not followed, no proxy is used.
/// `headers`: `count` lines `Name: value`. `body`: `body_count` bytes, or null for none.
/// `take_header` gets each line of the answer's head, the status line too; `take_body` its body, in pieces.
/// `status`: the code of the final answer.
int ccurl_send(
    void *handle, const char *method, const char *url, const char *const headers[], int count, const char *body,
    unsigned long body_count, long milliseconds, ccurl_take take_header, ccurl_take take_body, void *context,
    long *status);
