/*
 * A plugin of Mosquitto 2.0 that bounds what one client can make the broker keep. It only ever refuses: all that it lets pass is
 * deferred to the plugin after it, so it stands before dynamic security in mosquitto.conf, and the listener has
 * use_username_as_clientid. `Broker` says what the options are for, and what they are. The broker is one thread, and so is this.
 */
#define _DEFAULT_SOURCE  /* strdup, getrandom, clock_gettime */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>

/* The names known at one time are bounded: they are those of clients that came in with credentials. */
enum { buckets = 4096, max_clients = 20000, repeats_seconds = 3600 };

/* Topics as hashes, in a table twice as long at least; 0 is an empty place. */
struct set {
    uint64_t *places;
    size_t length, count;
};

/* What is known of one client id. */
struct client {
    struct client *next;
    struct set filters;   /* as long as the broker keeps subscriptions for the id */
    struct set retained;  /* for good: the broker keeps the levels of a topic after what was retained there is cleared */
    bool kept;            /* its session outlives its connection */
    uint32_t repeats;     /* since `since` */
    time_t since;
    int64_t spoken;       /* until then, in nanoseconds, its messages would last at the rate that it may keep */
    int64_t told;         /* until then the hub is not told again that messages of it were dropped */
    char id[];
};

static struct {
    mosquitto_plugin_id_t *plugin;
    char *hub, *cut;
    uint32_t levels, bytes, filters, repeats, retained, echo, rate, burst;
    const struct mosquitto *writer;  /* of the message that is on its way */
    uint64_t key[2];
    struct client *clients[buckets];
    size_t client_count;
    bool told;
} guard;

static uint64_t turn(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void sip_rounds(uint64_t v[4], int rounds) {
    while (rounds-- > 0) {
        v[0] += v[1], v[1] = turn(v[1], 13) ^ v[0], v[0] = turn(v[0], 32);
        v[2] += v[3], v[3] = turn(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = turn(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = turn(v[1], 17) ^ v[2], v[2] = turn(v[2], 32);
    }
}

/* SipHash-2-4 with the process's own key: nobody outside can choose two names that collide. */
static uint64_t hash(const char *text) {
    size_t length = strlen(text);
    uint64_t v[4] = {guard.key[0] ^ 0x736f6d6570736575, guard.key[1] ^ 0x646f72616e646f6d,
                     guard.key[0] ^ 0x6c7967656e657261, guard.key[1] ^ 0x7465646279746573};
    for (size_t at = 0; at <= length; at += 8) {
        bool last = length - at < 8;
        uint64_t word = last ? (uint64_t)length << 56 : 0;
        size_t end = last ? length - at : 8;
        for (size_t i = 0; i < end; i++) word |= (uint64_t)(unsigned char)text[at + i] << (8 * i);
        v[3] ^= word;
        sip_rounds(v, 2);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    uint64_t sum = v[0] ^ v[1] ^ v[2] ^ v[3];
    return sum ? sum : 1;
}

static uint64_t *find(const struct set *set, uint64_t hash) {
    size_t at = hash & (set->length - 1);
    while (set->places[at] && set->places[at] != hash) at = (at + 1) & (set->length - 1);
    return &set->places[at];
}

static bool contains(const struct set *set, uint64_t hash) { return set->count > 0 && *find(set, hash) != 0; }

static bool add(struct set *set, uint64_t hash) {
    if (set->count * 2 >= set->length) {
        struct set longer = {NULL, set->length ? set->length * 2 : 64, set->count};
        longer.places = calloc(longer.length, sizeof *longer.places);
        if (!longer.places) return false;
        for (size_t i = 0; i < set->length; i++) if (set->places[i]) *find(&longer, set->places[i]) = set->places[i];
        free(set->places);
        *set = longer;
    }
    *find(set, hash) = hash;
    set->count++;
    return true;
}

static void empty(struct set *set) {
    free(set->places);
    *set = (struct set){0};
}

static struct client **place_of(const char *id) {
    struct client **place = &guard.clients[hash(id) % buckets];
    while (*place && strcmp((*place)->id, id) != 0) place = &(*place)->next;
    return place;
}

static void forget(struct client **place) {
    struct client *client = *place;
    *place = client->next;
    empty(&client->filters);
    empty(&client->retained);
    free(client);
    guard.client_count--;
}

/* NULL when there are too many, or no memory. */
static struct client *client_of(const struct mosquitto *session) {
    const char *id = mosquitto_client_id(session);
    if (!id) return NULL;
    struct client **place = place_of(id);
    if (*place) return *place;
    if (guard.client_count >= max_clients) {
        if (!guard.told) mosquitto_log_printf(MOSQ_LOG_WARNING, "guard: more than %d clients: others are not heard", max_clients);
        guard.told = true;
        return NULL;
    }
    size_t size = strlen(id) + 1;
    struct client *client = calloc(1, sizeof *client + size);
    if (!client) return NULL;
    memcpy(client->id, id, size);
    guard.client_count++;
    return *place = client;
}

/* The hub, or a part of it: hub-home. */
static bool is_hub(const struct mosquitto *client) {
    const char *name = mosquitto_client_username(client);
    if (!guard.hub || !name) return false;
    size_t length = strlen(guard.hub);
    return strncmp(name, guard.hub, length) == 0 && (name[length] == 0 || name[length] == '-');
}

static bool fits(const char *topic) {
    uint32_t levels = 1;
    for (size_t at = 0; topic[at]; at++) {
        if (at >= guard.bytes || (topic[at] == '/' && ++levels > guard.levels)) return false;
    }
    return true;
}

static struct timespec now(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

static const int64_t second = 1000000000;

/* Tells those who may read it, the hub, whose messages are dropped: once a second for each client. */
static void tell_cut(struct client *client, int64_t present) {
    if (client->told > present) return;
    client->told = present + second;
    if (mosquitto_broker_publish_copy(NULL, guard.cut, (int)strlen(client->id), client->id, 1, false, NULL) != MOSQ_ERR_SUCCESS)
        mosquitto_log_printf(MOSQ_LOG_WARNING, "guard: the hub is not told that messages of %s were dropped", client->id);
}

/* Above the rate nothing of a client is passed on: the broker drops what waits for a hub that cannot read so fast, also of others. */
static bool may_speak(struct client *client) {
    const int64_t each = second / guard.rate;
    struct timespec time = now();
    int64_t present = time.tv_sec * second + time.tv_nsec;
    if (client->spoken < present) client->spoken = present;
    if (client->spoken - present > each * guard.burst) {
        tell_cut(client, present);
        return false;
    }
    client->spoken += each;
    return true;
}

/* 2.0.11 loses a copy of the filter, for good, each time a client subscribes to what its session has (sub__add_normal). So a client
 * may do that only so often in an hour. */
static bool may_repeat(struct client *client) {
    time_t present = now().tv_sec;
    if (present - client->since >= repeats_seconds) {
        client->since = present;
        client->repeats = 0;
    }
    if (client->repeats >= guard.repeats) return false;
    client->repeats++;
    return true;
}

/* A filter that dynamic security will refuse counts as well: this comes before it and cannot know. */
static bool may_subscribe(const struct mosquitto *session, const char *filter) {
    struct client *client = fits(filter) ? client_of(session) : NULL;
    if (!client) return false;
    client->kept = !mosquitto_client_clean_session(session);
    /* The most that the session held at one time. It is what the broker itself counts: right after a restart, too. */
    int held = mosquitto_client_sub_count(session);
    if (held <= 0) empty(&client->filters);  /* a new session, or one that was let have nothing yet */
    uint64_t name = hash(filter);
    if (contains(&client->filters, name)) return may_repeat(client);
    if (client->filters.count >= guard.filters || held >= (int)guard.filters) return false;
    return add(&client->filters, name);
}

static bool may_write(const struct mosquitto_evt_acl_check *check) {
    struct client *client = fits(check->topic) ? client_of(check->client) : NULL;
    if (!client) return false;
    if (check->retain) {
        uint64_t name = hash(check->topic);
        bool is_new = !contains(&client->retained, name);
        if (is_new && (client->retained.count >= guard.retained || !add(&client->retained, name))) return false;
    }
    return may_speak(client);
}

/* Nobody needs to hear a long message of its own; a client that sends such, and does not read, would have each kept for it. The broker
 * asks who may write a message right before it asks who may read it, but for QoS 2, where a message waits in between. */
static bool may_read(const struct mosquitto_evt_acl_check *check) {
    return check->client != guard.writer || check->payloadlen <= guard.echo || check->retain;
}

static bool may(const struct mosquitto_evt_acl_check *check) {
    switch (check->access) {
    case MOSQ_ACL_READ:
        return may_read(check);
    case MOSQ_ACL_WRITE:
        /* A broker after 2.0.11 asks for whoever retained a message again when it tells it to others: nobody speaks then. */
        if (!mosquitto_client_address(check->client)) return true;
        guard.writer = is_hub(check->client) ? NULL : check->client;
        return !guard.writer || may_write(check);
    case MOSQ_ACL_SUBSCRIBE:
        return is_hub(check->client) || may_subscribe(check->client, check->topic);
    default:
        return true;
    }
}

static void leave(const struct mosquitto *session) {
    if (session == guard.writer) guard.writer = NULL;
    const char *id = mosquitto_client_id(session);
    if (!id || !mosquitto_client_clean_session(session)) return;
    struct client **place = place_of(id);
    /* A kept session that a new connection takes over is said to be clean here, though its subscriptions go on: `kept` tells. */
    if (!*place || (*place)->kept) return;
    empty(&(*place)->filters);
    /* Who comes again has no new repeats, what it retained, and what it said. */
    struct timespec time = now();
    bool has_spoken = (*place)->spoken > time.tv_sec * 1000000000LL + time.tv_nsec;
    if ((*place)->repeats == 0 && (*place)->retained.count == 0 && !has_spoken) forget(place);
}

static int on_event(int event, void *data, void *unused) {
    (void)unused;
    const struct mosquitto *session;
    switch (event) {
    case MOSQ_EVT_BASIC_AUTH:
        /* The broker keeps the properties of MQTT 5 with each message and counts them nowhere. */
        session = ((struct mosquitto_evt_basic_auth *)data)->client;
        return mosquitto_client_protocol_version(session) == 5 && !is_hub(session) ? MOSQ_ERR_AUTH : MOSQ_ERR_PLUGIN_DEFER;
    case MOSQ_EVT_ACL_CHECK:
        return may(data) ? MOSQ_ERR_PLUGIN_DEFER : MOSQ_ERR_ACL_DENIED;
    case MOSQ_EVT_DISCONNECT:
        leave(((struct mosquitto_evt_disconnect *)data)->client);
    }
    return MOSQ_ERR_SUCCESS;
}

enum { event_count = 3 };
static const int events[event_count] = {MOSQ_EVT_BASIC_AUTH, MOSQ_EVT_ACL_CHECK, MOSQ_EVT_DISCONNECT};

/* Decimal digits, 1 to 65535. */
static bool parse(const char *text, uint32_t *number) {
    uint32_t sum = 0;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || (sum = sum * 10 + (uint32_t)(*at - '0')) > 65535) return false;
    }
    *number = sum;
    return sum > 0;
}

static bool set(const struct mosquitto_opt *option) {
    const struct { const char *key; char **text; } texts[] = {{"hub", &guard.hub}, {"cut", &guard.cut}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(option->key, texts[i].key) == 0)
            return !*texts[i].text && *option->value && (*texts[i].text = strdup(option->value));
    const struct { const char *key; uint32_t *number; } limits[] = {
        {"levels", &guard.levels}, {"bytes", &guard.bytes}, {"filters", &guard.filters}, {"repeats", &guard.repeats},
        {"retained", &guard.retained}, {"echo", &guard.echo},
        {"rate", &guard.rate}, {"burst", &guard.burst},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (strcmp(option->key, limits[i].key) == 0) return parse(option->value, limits[i].number);
    return false;
}

int mosquitto_plugin_version(int count, const int *versions) {
    for (int i = 0; i < count; i++) if (versions[i] == MOSQ_PLUGIN_VERSION) return MOSQ_PLUGIN_VERSION;
    return -1;
}

int mosquitto_plugin_cleanup(void *unused, struct mosquitto_opt *options, int count) {
    (void)unused, (void)options, (void)count;
    for (size_t i = 0; i < event_count; i++) mosquitto_callback_unregister(guard.plugin, events[i], on_event, NULL);
    for (size_t i = 0; i < buckets; i++) while (guard.clients[i]) forget(&guard.clients[i]);
    free(guard.hub);
    free(guard.cut);
    memset(&guard, 0, sizeof guard);
    return MOSQ_ERR_SUCCESS;
}

int mosquitto_plugin_init(mosquitto_plugin_id_t *plugin, void **data, struct mosquitto_opt *options, int count) {
    (void)data;
    guard.plugin = plugin;
    const char *fault = NULL, *option = "";
    for (int i = 0; i < count && !fault; i++)
        if (!set(&options[i])) fault = "not an option, or not its value: ", option = options[i].key;
    const uint32_t limits[] = {guard.levels, guard.bytes, guard.filters, guard.repeats, guard.retained, guard.echo,
                               guard.rate, guard.burst};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (!fault && limits[i] == 0) fault = "a limit is missing";
    if (!fault && !guard.hub) fault = "the option hub is missing";
    if (!fault && !guard.cut) fault = "the option cut is missing";
    if (!fault && getrandom(guard.key, sizeof guard.key, 0) != (ssize_t)sizeof guard.key) fault = "no random key";
    for (size_t i = 0; i < event_count && !fault; i++)
        if (mosquitto_callback_register(plugin, events[i], on_event, NULL, NULL) != MOSQ_ERR_SUCCESS) fault = "no callback";
    if (!fault) return MOSQ_ERR_SUCCESS;
    mosquitto_log_printf(MOSQ_LOG_ERR, "guard: %s%s", fault, option);
    mosquitto_plugin_cleanup(NULL, NULL, 0);
    return MOSQ_ERR_INVAL;
}
