#include <mosquitto.h>
#include <openssl/ssl.h>
