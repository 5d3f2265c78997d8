#include "ccurl.h"

#include <curl/curl.h>
#include <string.h>

struct taker {
    ccurl_take header, body;
    void *context;
    int refused;
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

static int outcome(CURLcode code) {
    switch (code) {
    case CURLE_OK: return ccurl_done;
    case CURLE_OPERATION_TIMEDOUT: return ccurl_timed_out;
    case CURLE_COULDNT_RESOLVE_HOST: return ccurl_unknown_host;
    case CURLE_COULDNT_CONNECT: return ccurl_no_connection;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE: return ccurl_no_trust;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return ccurl_bad_url;
    default: return ccurl_broken;
    }
}

void ccurl_start(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

void *ccurl_make(void) { return curl_easy_init(); }

void ccurl_end(void *handle) { curl_easy_cleanup(handle); }

int ccurl_send(
    void *handle, const char *method, const char *url, const char *const headers[], int count, const char *body,
    unsigned long body_count, long milliseconds, ccurl_take take_header, ccurl_take take_body, void *context,
    long *status) {
    struct taker taker = {take_header, take_body, context, 0};
    struct curl_slist *list = NULL;
    int complete = 1;
    for (int i = 0; i < count; i++) {
        struct curl_slist *longer = curl_slist_append(list, headers[i]);
        if (longer == NULL) complete = 0;
        else list = longer;
    }
    curl_easy_reset(handle);  // the connections stay
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, milliseconds);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
    if (strcmp(method, "HEAD") == 0) {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (body != NULL) {
        curl_easy_setopt(handle, CURLOPT_POST, 1L);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_count);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body);
    }
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &taker);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &taker);
    CURLcode code = complete ? curl_easy_perform(handle) : CURLE_OUT_OF_MEMORY;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
    curl_slist_free_all(list);
    return taker.refused ? ccurl_too_large : outcome(code);
}
