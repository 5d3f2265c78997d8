// The floor under an HTTP request: libmicrohttpd with its own epoll thread and nothing behind it.
//
//   GET  /hello   49 bytes of JSON, as the answer of a route of ours
//   POST /json    takes the body, parses nothing, answers 53 bytes of JSON
//
// hello PORT; prints "ready PORT"; ends with its standard input or on SIGTERM.
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char hello[] = "{\"id\":5,\"greeting\":\"hello\",\"open\":false,\"user\":7}";
static const char greeting[] = "{\"id\":7,\"greeting\":\"hello gate north\",\"sum\":43,\"n\":3}";

static enum MHD_Result answer(struct MHD_Connection *connection, const char *text, size_t length) {
    // Made per request, as an answer with contents is.
    struct MHD_Response *response = MHD_create_response_from_buffer(length, (void *)text, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **context) {
    (void)cls, (void)version, (void)data;
    static int seen;
    if (*context == NULL) {  // the head; answering now would close the connection
        *context = &seen;
        return MHD_YES;
    }
    if (*size > 0) {
        *size = 0;
        return MHD_YES;
    }
    if (strcmp(method, "GET") == 0 && strcmp(url, "/hello") == 0) return answer(connection, hello, sizeof hello - 1);
    if (strcmp(method, "POST") == 0 && strcmp(url, "/json") == 0)
        return answer(connection, greeting, sizeof greeting - 1);
    return MHD_NO;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: hello PORT\n");
        return 2;
    }
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO, (uint16_t)atoi(argv[1]), NULL, NULL, on_request, NULL,
        MHD_OPTION_CONNECTION_LIMIT, 4000u, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
    if (daemon == NULL) {
        perror("hello");
        return 1;
    }
    printf("ready %s\n", argv[1]);
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    MHD_stop_daemon(daemon);
    return 0;
}
