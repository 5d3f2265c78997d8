/* A house full of sensors, for measuring whoever listens: publishes readings at a pace, and measures how long after a reading
 * over its threshold the command comes back.
 *
 *   readings HOST PORT USER TOPICS rate N SECONDS    N readings a second over all topics, QoS 0; prints: sent COUNT SECONDS
 *   readings HOST PORT USER TOPICS cross N SECONDS   N readings a second, a quarter of them over a threshold and a quarter
 *                                                    back; prints: crossings COUNT ANSWERED P50 P99 MOST SENT, in milliseconds
 *
 * The password is in BENCH_PASSWORD. A line of TOPICS is a topic of readings, or two with a blank between: the second is where
 * a command is published when the first one's reading reaches 300.
 *
 * gcc -O2 -o readings Bench/readings.c -lmosquitto */
#include <mosquitto.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_topics = 100000, most_samples = 1000000 };

static char *topics[most_topics], *commands[most_topics];
static int topic_count, crossing[most_topics], crossing_count;
static double since[most_topics], *samples;
static int sample_count, connected;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void wait_until(double moment) {
    double rest = moment - now();
    if (rest <= 0) return;
    struct timespec t = {(time_t)rest, (long)((rest - (time_t)rest) * 1e9)};
    nanosleep(&t, NULL);
}

static void on_connect(struct mosquitto *bus, void *data, int code) {
    (void)data;
    if (code) {
        fprintf(stderr, "the broker refused: %d\n", code);
        exit(1);
    }
    for (int i = 0; i < crossing_count; i++) mosquitto_subscribe(bus, NULL, commands[crossing[i]], 0);
    if (!crossing_count) connected = 1;
}

static void on_subscribe(struct mosquitto *bus, void *data, int id, int count, const int *granted) {
    (void)bus, (void)data, (void)id, (void)count, (void)granted;
    __atomic_add_fetch(&connected, 1, __ATOMIC_SEQ_CST);
}

static void on_message(struct mosquitto *bus, void *data, const struct mosquitto_message *message) {
    (void)bus, (void)data;
    double at = now();
    pthread_mutex_lock(&lock);
    for (int i = 0; i < crossing_count; i++)
        if (!strcmp(commands[crossing[i]], message->topic) && since[crossing[i]] > 0 && sample_count < most_samples) {
            samples[sample_count++] = at - since[crossing[i]];
            since[crossing[i]] = 0;
        }
    pthread_mutex_unlock(&lock);
}

static void tell(struct mosquitto *bus, int topic, double value) {
    char text[64];
    int length = snprintf(text, sizeof text, "{\"value\":%.1f,\"unit\":\"ppm\"}", value);
    mosquitto_publish(bus, NULL, topics[topic], length, text, 0, false);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void rate(struct mosquitto *bus, int per_second, double seconds) {
    double start = now();
    long total = (long)(per_second * seconds), sent = 0;
    while (sent < total) {
        /* Every two milliseconds, what is due. */
        long due = (long)((now() - start) * per_second);
        if (due > total) due = total;
        for (; sent < due; sent++) tell(bus, sent % topic_count, 100 + sent % 100);
        wait_until(now() + 0.002);
    }
    while (mosquitto_want_write(bus)) wait_until(now() + 0.01);
    printf("sent %ld %.3f\n", sent, now() - start);
}

static void cross(struct mosquitto *bus, int per_second, double seconds) {
    double start = now();
    long total = (long)(per_second * seconds), count = 0, sent = 0;
    for (long i = 0; i < total; i++) {
        wait_until(start + (double)i / per_second);
        int topic = crossing[i / 4 % crossing_count];
        if (i % 4 == 0) {
            pthread_mutex_lock(&lock);
            since[topic] = now();
            pthread_mutex_unlock(&lock);
            tell(bus, topic, 900);
            count++, sent++;
        } else if (i % 4 == 2) {
            tell(bus, topic, 12);
            sent++;
        } else {
            int other = i % topic_count;
            if (!commands[other]) tell(bus, other, 100), sent++;
        }
    }
    wait_until(now() + 1);
    pthread_mutex_lock(&lock);
    qsort(samples, sample_count, sizeof *samples, ascending);
    if (!sample_count) printf("crossings %ld 0 0 0 0 %ld\n", count, sent);
    else
        printf("crossings %ld %d %.3f %.3f %.3f %ld\n", count, sample_count, samples[sample_count / 2] * 1e3,
               samples[sample_count * 99 / 100] * 1e3, samples[sample_count - 1] * 1e3, sent);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
    if (argc != 8) return 2;
    FILE *file = fopen(argv[4], "r");
    char line[1200];
    while (file && topic_count < most_topics && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *blank = strchr(line, ' ');
        if (blank) {
            *blank = 0;
            commands[topic_count] = strdup(blank + 1);
            crossing[crossing_count++] = topic_count;
        }
        topics[topic_count++] = strdup(line);
    }
    if (!topic_count) return 2;
    samples = calloc(most_samples, sizeof *samples);
    mosquitto_lib_init();
    struct mosquitto *bus = mosquitto_new(argv[3], true, NULL);
    mosquitto_username_pw_set(bus, argv[3], getenv("BENCH_PASSWORD"));
    mosquitto_int_option(bus, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(bus, on_connect);
    mosquitto_subscribe_callback_set(bus, on_subscribe);
    mosquitto_message_callback_set(bus, on_message);
    if (mosquitto_connect(bus, argv[1], atoi(argv[2]), 30)) return 1;
    mosquitto_loop_start(bus);
    while (__atomic_load_n(&connected, __ATOMIC_SEQ_CST) < (crossing_count ? crossing_count : 1)) wait_until(now() + 0.01);
    if (!strcmp(argv[5], "rate")) rate(bus, atoi(argv[6]), atof(argv[7]));
    else cross(bus, atoi(argv[6]), atof(argv[7]));
    mosquitto_disconnect(bus);
    mosquitto_loop_stop(bus, false);
    return 0;
}
