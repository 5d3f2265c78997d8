// A gate opening as it is usually written: one request, one transaction, one fsync.
//
//   POST /open    takes the body; in one transaction (WAL, synchronous=FULL) inserts two rows, the decision and the outcome;
//                 answers a small JSON
//
// open PORT DATABASE; prints "ready PORT"; ends with its standard input or on SIGTERM.
#include <microhttpd.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *database;  // touched by the library's one thread only, once it runs
static sqlite3_stmt *begin, *insert, *commit;

static int prepare(const char *path) {
    static const char schema[] =
        "PRAGMA journal_mode = WAL;"
        "PRAGMA synchronous = FULL;"
        "CREATE TABLE IF NOT EXISTS events ("
        " id INTEGER PRIMARY KEY, site INTEGER NOT NULL, gate INTEGER NOT NULL, kind TEXT NOT NULL,"
        " at INTEGER NOT NULL, payload TEXT NOT NULL) STRICT;";
    return sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) ||
           sqlite3_exec(database, schema, NULL, NULL, NULL) ||
           sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL) ||
           sqlite3_prepare_v2(database, "INSERT INTO events (site, gate, kind, at, payload) VALUES (1, 5, ?1, ?2, ?3)",
                              -1, &insert, NULL) ||
           sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL);
}

static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

static int record(const char *kind, sqlite3_int64 at) {
    static const char payload[] = "{\"person\":42,\"badge\":\"1f0c\",\"reason\":\"member\",\"intent\":\"open\"}";
    sqlite3_bind_text(insert, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, at);
    sqlite3_bind_text(insert, 3, payload, sizeof payload - 1, SQLITE_STATIC);
    return run(insert);
}

static int open_gate(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    sqlite3_int64 at = (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return run(begin) && record("granted", at) && record("opened", at) && run(commit);
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
    if (strcmp(method, "POST") != 0 || strcmp(url, "/open") != 0 || !open_gate()) return MHD_NO;
    char text[128];
    int length = snprintf(text, sizeof text,
                          "{\"decision\":\"granted\",\"outcome\":\"opened\","
                          "\"reason\":{\"code\":\"member\",\"text\":\"Welcome\"},\"eventID\":%lld}",
                          (long long)sqlite3_last_insert_rowid(database));
    struct MHD_Response *response =
        MHD_create_response_from_buffer((size_t)length, text, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: open PORT DATABASE\n");
        return 2;
    }
    if (prepare(argv[2])) {
        fprintf(stderr, "open: %s\n", sqlite3_errmsg(database));
        return 1;
    }
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO, (uint16_t)atoi(argv[1]), NULL, NULL, on_request, NULL,
        MHD_OPTION_CONNECTION_LIMIT, 4000u, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
    if (daemon == NULL) {
        perror("open");
        return 1;
    }
    printf("ready %s\n", argv[1]);
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    MHD_stop_daemon(daemon);
    sqlite3_finalize(begin);
    sqlite3_finalize(insert);
    sqlite3_finalize(commit);
    sqlite3_close(database);
    return 0;
}
