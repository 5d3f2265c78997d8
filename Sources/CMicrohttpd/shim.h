// libmicrohttpd, and the few C functions that Swift cannot call: variadic ones and those hidden behind _GNU_SOURCE.
#ifndef SOGLIA_CMICROHTTPD_H
#define SOGLIA_CMICROHTTPD_H

#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The epoll descriptor of a daemon in external epoll mode.
static inline int mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

static inline int mhd_connection_descriptor(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/// What NOTIFY_CONNECTION stored for this connection.
static inline void *mhd_connection_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static inline const struct sockaddr *mhd_connection_address(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

/// Bytes from the first of the request line to the last of the empty line; 0 when it is not known.
static inline size_t mhd_request_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// A certificate and its key for connections to come; NULL when they are not valid.
static inline gnutls_certificate_credentials_t mhd_make_credentials(const char *chain, const char *key) {
    gnutls_certificate_credentials_t credentials = NULL;
    gnutls_datum_t chain_bytes = {(unsigned char *)chain, (unsigned int)strlen(chain)};
    gnutls_datum_t key_bytes = {(unsigned char *)key, (unsigned int)strlen(key)};
    if (gnutls_certificate_allocate_credentials(&credentials) < 0) return NULL;
    if (gnutls_certificate_set_x509_key_mem(credentials, &chain_bytes, &key_bytes, GNUTLS_X509_FMT_PEM) < 0) {
        gnutls_certificate_free_credentials(credentials);
        return NULL;
    }
    return credentials;
}

/// Before its handshake: a connection proves itself with these, which must outlive it.
static inline void mhd_use_credentials(struct MHD_Connection *connection, gnutls_certificate_credentials_t credentials) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (info) gnutls_credentials_set((gnutls_session_t)info->tls_session, GNUTLS_CRD_CERTIFICATE, credentials);
}

/// accept4 with both flags, so that no child process can inherit the socket between two calls.
static inline int accept_nonblocking(int listener, struct sockaddr *address, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

#endif
