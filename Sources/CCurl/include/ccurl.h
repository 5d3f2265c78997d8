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
    ccurl_not_allowed = 8,
    ccurl_no_encryption = 9,
    ccurl_wrong_login = 10,
};

/// Takes bytes of an answer; anything but 0 ends the request as `ccurl_too_large`.
typedef int (*ccurl_take)(void *context, const char *bytes, unsigned long count);

/// Whether a connection may be made to an address: 4 or 16 bytes, as they stand in packets. Asked for each address that a
/// name has, right before the connection; where all of them are refused, the request ends as `ccurl_not_allowed`.
typedef int (*ccurl_may)(const unsigned char *address, unsigned long count);

/// Once per process, before the first handle, by one thread.
void ccurl_start(void);

/// A handle: connections that stay open from one request to the next, those of requests with a `ccurl_may` apart from those
/// without. A handle sees one `ccurl_may` in its life. For one thread at a time. Null without memory.
void *ccurl_make(void);

/// Ends a handle and its connections.
void ccurl_end(void *handle);

/// Sends one request and waits for the answer; http and https only, redirects are not followed, no proxy is used.
/// `headers`: `count` lines `Name: value`. `body`: `body_count` bytes, or null for none.
/// `may`: null for any address.
/// `take_header` gets each line of the answer's head, the status line too; `take_body` its body, in pieces.
/// `status`: the code of the final answer.
int ccurl_send(
    void *handle, const char *method, const char *url, const char *const headers[], int count, const char *body,
    unsigned long body_count, long milliseconds, ccurl_may may, ccurl_take take_header, ccurl_take take_body,
    void *context, long *status);

/// Sends one letter and waits until the server has taken it; smtp and smtps only.
/// `is_encrypted`: over smtp, STARTTLS or nothing. `authorities`: a PEM file of authorities that are trusted besides the
/// machine's, or null. `user`, `password`: both or neither null. `sender`, `recipients`: addresses between `<` and `>`.
/// `message`: header and text, each line ended by CR LF; the dots of RFC 5321 (4.5.2) are added here.
/// `status`: the server's last answer, 0 when there was none.
int ccurl_mail(
    void *handle, const char *url, int is_encrypted, const char *authorities, const char *user, const char *password,
    const char *sender, const char *const recipients[], int count, const char *message, unsigned long message_count,
    long milliseconds, ccurl_may may, long *status);
