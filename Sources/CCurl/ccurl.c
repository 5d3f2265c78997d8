#define _GNU_SOURCE
#include "ccurl.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Connections that are kept are taken again without asking where they go: each reach keeps its own.
struct handle {
    CURL *anywhere, *limited;
};

struct taker {
    ccurl_take header, body;
    void *context;
    int refused;
};

struct gate {
    ccurl_may may;
    int refused, passed;
};

struct source {
    const char *bytes;
    unsigned long left;
};

static size_t on_header(char *bytes, size_t size, size_t count, void *raw) {
    struct taker *taker = raw;
    if (taker->header(taker->context, bytes, size * count) == 0) return size * count;
    taker->refused = 1;
    return 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *raw) {
    struct taker *taker = raw;
    if (taker->body(taker->context, bytes, size * count) == 0) return size * count;
    taker->refused = 1;
    return 0;
}

static size_t on_nothing(char *bytes, size_t size, size_t count, void *raw) {
    (void)bytes, (void)raw;
    return size * count;
}

static size_t on_read(char *bytes, size_t size, size_t count, void *raw) {
    struct source *source = raw;
    size_t room = size * count;
    if (room > source->left) room = source->left;
    if (room > 0) memcpy(bytes, source->bytes, room);
    source->bytes += room;
    source->left -= room;
    return room;
}

static curl_socket_t on_socket(void *raw, curlsocktype purpose, struct curl_sockaddr *address) {
    struct gate *gate = raw;
    (void)purpose;
    if (gate->may != NULL) {
        const unsigned char *bytes = NULL;
        unsigned long count = 0;
        if (address->family == AF_INET) {
            bytes = (const unsigned char *)&((const struct sockaddr_in *)&address->addr)->sin_addr;
            count = 4;
        } else if (address->family == AF_INET6) {
            bytes = (const unsigned char *)&((const struct sockaddr_in6 *)&address->addr)->sin6_addr;
            count = 16;
        }
        if (bytes == NULL || !gate->may(bytes, count)) {
            gate->refused = 1;
            return CURL_SOCKET_BAD;
        }
    }
    gate->passed = 1;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int outcome(CURLcode code) {
    switch (code) {
    case CURLE_OK: return ccurl_done;
    case CURLE_OPERATION_TIMEDOUT: return ccurl_timed_out;
    case CURLE_COULDNT_RESOLVE_HOST: return ccurl_unknown_host;
    case CURLE_COULDNT_CONNECT: return ccurl_no_connection;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE: return ccurl_no_trust;
    case CURLE_USE_SSL_FAILED: return ccurl_no_encryption;
    case CURLE_LOGIN_DENIED: return ccurl_wrong_login;
    case CURLE_URL_MALFORMAT: return ccurl_bad_url;
    // CURLE_UNSUPPORTED_PROTOCOL is no fault of the address, which was looked at before: what answers there is not HTTP.
    default: return ccurl_broken;
    }
}

static int append(struct curl_slist **list, const char *const texts[], int count) {
    for (int i = 0; i < count; i++) {
        struct curl_slist *longer = curl_slist_append(*list, texts[i]);
        if (longer == NULL) return 0;
        *list = longer;
    }
    return 1;
}

// What every request has. The connections of the handle stay.
static void begin(CURL *curl, const char *protocols, const char *url, long milliseconds, struct gate *gate) {
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, gate);
}

static CURL *chosen(struct handle *handle, ccurl_may may) {
    CURL **curl = may == NULL ? &handle->anywhere : &handle->limited;
    if (*curl == NULL) *curl = curl_easy_init();
    return *curl;
}

void ccurl_start(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

void *ccurl_make(void) { return calloc(1, sizeof(struct handle)); }

void ccurl_end(void *raw) {
    struct handle *handle = raw;
    curl_easy_cleanup(handle->anywhere);
    curl_easy_cleanup(handle->limited);
    free(handle);
}

int ccurl_send(
    void *handle, const char *method, const char *url, const char *const headers[], int count, const char *body,
    unsigned long body_count, long milliseconds, ccurl_may may, ccurl_take take_header, ccurl_take take_body,
    void *context, long *status) {
    CURL *curl = chosen(handle, may);
    if (curl == NULL) return ccurl_broken;
    struct taker taker = {take_header, take_body, context, 0};
    struct gate gate = {may, 0, 0};
    struct curl_slist *list = NULL;
    int complete = append(&list, headers, count);
    begin(curl, "http,https", url, milliseconds, &gate);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
    if (strcmp(method, "HEAD") == 0) {
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    } else if (body != NULL) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_count);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    }
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &taker);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &taker);
    CURLcode code = complete ? curl_easy_perform(curl) : CURLE_OUT_OF_MEMORY;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    curl_slist_free_all(list);
    if (taker.refused) return ccurl_too_large;
    // Of several addresses one may have been refused and another not.
    return gate.refused && !gate.passed && code == CURLE_COULDNT_CONNECT ? ccurl_not_allowed : outcome(code);
}

int ccurl_mail(
    void *handle, const char *url, int is_encrypted, const char *authorities, const char *user, const char *password,
    const char *sender, const char *const recipients[], int count, const char *message, unsigned long message_count,
    long milliseconds, ccurl_may may, long *status) {
    CURL *curl = chosen(handle, may);
    if (curl == NULL) return ccurl_broken;
    struct gate gate = {may, 0, 0};
    struct source source = {message, message_count};
    struct curl_slist *list = NULL;
    int complete = append(&list, recipients, count);
    begin(curl, "smtp,smtps", url, milliseconds, &gate);
    curl_easy_setopt(curl, CURLOPT_USE_SSL, (long)(is_encrypted ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (authorities != NULL) curl_easy_setopt(curl, CURLOPT_CAINFO, authorities);
    if (user != NULL) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, user);
        curl_easy_setopt(curl, CURLOPT_PASSWORD, password);
    }
    // For each answer, the one to QUIT too, which the time for everything leaves out: else it is waited for two minutes.
    curl_easy_setopt(curl, CURLOPT_SERVER_RESPONSE_TIMEOUT, milliseconds / 1000 + 1);
    // A connection for each letter: none is left over that another login made.
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, sender);
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, list);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)message_count);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(curl, CURLOPT_READDATA, &source);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_nothing);
    CURLcode code = complete ? curl_easy_perform(curl) : CURLE_OUT_OF_MEMORY;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    curl_slist_free_all(list);
    return gate.refused && !gate.passed && code == CURLE_COULDNT_CONNECT ? ccurl_not_allowed : outcome(code);
}
