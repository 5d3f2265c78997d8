/*
 * A plugin of Mosquitto 2.0 that bounds what one client can make the broker keep and pass on. It refuses, has a message not retained, and
 * tells the hub of it; all that it lets pass is
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

/* The names known at one time are bounded: they are those of clients that came in with credentials. When there are as many, the one that
 * has said nothing for longest is forgotten. */
enum { buckets = 4096, repeats_seconds = 3600, short_word = 256 };

/* Topics, filters, or the beginnings of topics, as hashes, in a table twice as long at least; 0 is an empty place. */
struct set {
    uint64_t *places;
    uint32_t *bytes;  /* what is retained on each */
    size_t length, count;
};

/* A bucket that leaks: until then, in nanoseconds, what was said would last at a rate. */
typedef int64_t bucket;

/* What is known of one client id. */
struct client {
    struct client *next;
    struct set filters;   /* as long as the broker keeps subscriptions for the id */
    struct set retained;  /* see `add_levels` */
    bool kept;            /* its session outlives its connection */
    int64_t used;         /* when something was asked about it last */
    uint32_t repeats;     /* since `since` */
    int64_t since;        /* in seconds */
    bucket spoken, share;
    int64_t told[2];      /* until then the hub is not told again that messages of it were dropped, or not kept */
    char id[];
};

/* The topics that begin with the same two levels, soglia/<site>, whichever clients say something there. */
struct site {
    struct site *next;
    struct set retained;
    uint64_t bytes;       /* of what is retained */
    bucket spoken, share;
    char id[];
};

static struct {
    mosquitto_plugin_id_t *plugin;
    char *hub, *cut, *unkept;
    uint32_t names, levels, bytes, filters, repeats, echo;
    uint32_t client_levels, site_levels, all_levels, share_levels;
    uint32_t site_bytes, all_bytes, share_bytes;
    struct rate { uint32_t each, burst; } client_rate, site_rate, all_rate, share_rate, own_rate;
    const struct mosquitto *writer;  /* of the message that is on its way */
    /* Whose will may come, seen by the next write check: of a session that leaves, or of one whose name another session brings. They are
     * compared, and never looked into. */
    const struct mosquitto *leaving, *arriving;
    uint64_t arriving_name;
    bool unretained;                 /* the message that is on its way is passed on, and not retained */
    uint64_t key[2];
    struct client *clients[buckets];
    size_t client_count;
    struct site *sites[buckets];
    size_t level_count;     /* of all sites */
    uint64_t byte_count;
    bucket spoken;
} guard;

static const int64_t second = 1000000000;

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void sip_rounds(uint64_t v[4], int rounds) {
    while (rounds-- > 0) {
        v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
        v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
    }
}

/* SipHash-2-4 with the process's own key: nobody outside can choose two names that collide. */
static uint64_t hash_of(const char *text, size_t length) {
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

static uint64_t hash(const char *text) { return hash_of(text, strlen(text)); }

static size_t find(const struct set *set, uint64_t hash) {
    size_t at = hash & (set->length - 1);
    while (set->places[at] && set->places[at] != hash) at = (at + 1) & (set->length - 1);
    return at;
}

static bool contains(const struct set *set, uint64_t hash) { return set->count > 0 && set->places[find(set, hash)]; }

static bool add(struct set *set, uint64_t hash) {
    if (set->count * 2 >= set->length) {
        struct set longer = {.length = set->length ? set->length * 2 : 64, .count = set->count};
        longer.places = calloc(longer.length, sizeof *longer.places);
        longer.bytes = calloc(longer.length, sizeof *longer.bytes);
        if (!longer.places || !longer.bytes) {
            free(longer.places);
            free(longer.bytes);
            return false;
        }
        for (size_t i = 0; i < set->length; i++) {
            if (!set->places[i]) continue;
            size_t at = find(&longer, set->places[i]);
            longer.places[at] = set->places[i];
            longer.bytes[at] = set->bytes[i];
        }
        free(set->places);
        free(set->bytes);
        *set = longer;
    }
    set->places[find(set, hash)] = hash;
    set->count++;
    return true;
}

static void empty(struct set *set) {
    free(set->places);
    free(set->bytes);
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

/* In nanoseconds, of a clock that nobody sets. */
static int64_t present(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

/* Forgets the client that has said nothing for longest. */
static void make_room(void) {
    struct client **oldest = NULL;
    for (size_t i = 0; i < buckets; i++)
        for (struct client **place = &guard.clients[i]; *place; place = &(*place)->next)
            if (!oldest || (*place)->used < (*oldest)->used) oldest = place;
    if (oldest) forget(oldest);
}

/* NULL: no memory. */
static struct client *client_of(const struct mosquitto *session) {
    const char *id = mosquitto_client_id(session);
    if (!id) return NULL;
    struct client **place = place_of(id);
    if (*place) {
        (*place)->used = present();
        return *place;
    }
    if (guard.client_count >= guard.names) make_room();
    size_t size = strlen(id) + 1;
    struct client *client = calloc(1, sizeof *client + size);
    if (!client) return NULL;
    memcpy(client->id, id, size);
    client->used = present();
    guard.client_count++;
    place = place_of(id);  /* its place may have been in what was forgotten */
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

/* Tells those who may read it, the hub, whose messages are dropped, or not kept, which it says by another topic: once a second for each. */
static void tell_cut(struct client *client, bool is_kept) {
    int64_t now = present();
    if (client->told[is_kept] > now) return;
    client->told[is_kept] = now + second;
    const char *topic = is_kept ? guard.cut : guard.unkept;
    if (mosquitto_broker_publish_copy(NULL, topic, (int)strlen(client->id), client->id, 1, false, NULL) != MOSQ_ERR_SUCCESS)
        mosquitto_log_printf(MOSQ_LOG_WARNING, "guard: the hub is not told that messages of %s were dropped", client->id);
}

/* Whether it had room for a message, which is now in it: so many a second leak out, and as many more as the burst may be said at once. */
static bool pour(bucket *bucket, struct rate rate, int64_t now) {
    const int64_t each = second / rate.each;
    if (*bucket < now) *bucket = now;
    if (*bucket - now > each * rate.burst) return false;
    *bucket += each;
    return true;
}

/* 2.0.11 loses a copy of the filter, for good, each time a client subscribes to what its session has (sub__add_normal). So a client
 * may do that only so often in an hour. */
static bool may_repeat(struct client *client) {
    int64_t now = present() / second;
    if (now - client->since >= repeats_seconds) {
        client->since = now;
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

/* For each level of a topic on which something was retained the broker keeps a node of its tree for good: it stays when what was retained
 * is cleared. `most` nodes may be in the set afterwards. */
static bool add_levels(struct set *set, const char *topic, size_t most, size_t *added) {
    uint64_t missing[UINT8_MAX];
    size_t count = 0;
    for (size_t at = 0;; at++) {
        if (topic[at] && topic[at] != '/') continue;
        uint64_t name = hash_of(topic, at);
        if (!contains(set, name)) {
            if (count == sizeof missing / sizeof missing[0]) return false;
            missing[count++] = name;
        }
        if (!topic[at]) break;
    }
    if (count > 0 && set->count + count > most) return false;
    for (size_t i = 0; i < count; i++, ++*added) if (!add(set, missing[i])) return false;
    return true;
}

static bool may_write(const struct mosquitto_evt_acl_check *check) {
    struct client *client = client_of(check->client);
    if (!client) return false;
    size_t added = 0;
    bool may = fits(check->topic);
    /* A new word may be an alarm: it is passed on, and not retained. A will is retained without coming by `may_pass`. */
    guard.unretained = may && check->retain && !add_levels(&client->retained, check->topic, guard.client_levels, &added);
    bool is_will = check->client == guard.leaving
        || (guard.arriving && check->client != guard.arriving && hash(client->id) == guard.arriving_name);
    may = may && !(guard.unretained && is_will)
        /* What waits between two packets comes back as the word of no client: see `may_read`. */
        && (check->qos < 2 || check->payloadlen <= guard.echo)
        && pour(&client->spoken, guard.client_rate, present());
    if (!may) tell_cut(client, true);
    return may;
}

/* NULL: there is none yet, and it is not to be made; or no memory. */
static struct site *site_of(const char *topic, bool make) {
    size_t length = 0;
    for (int strokes = 0; topic[length] && (topic[length] != '/' || ++strokes < 2);) length++;
    struct site **place = &guard.sites[hash_of(topic, length) % buckets];
    while (*place && (strncmp((*place)->id, topic, length) != 0 || (*place)->id[length])) place = &(*place)->next;
    if (*place || !make) return *place;
    struct site *site = calloc(1, sizeof *site + length + 1);
    if (!site) return NULL;
    memcpy(site->id, topic, length);
    return *place = site;
}

/* Above a rate nothing is passed on: the broker drops what waits for a hub that cannot read so fast, also of others. Where all sites together
 * say more than the hub can read, each has its share. What is above a site's own rate is not counted for all sites. A client that says
 * little is always passed on, whatever others of its own house do. */
static bool may_speak(struct client *client, struct site *site) {
    int64_t now = present();
    bool says_little = pour(&client->share, guard.own_rate, now);
    if (!pour(&site->spoken, guard.site_rate, now)) return says_little;
    bool has_share = pour(&site->share, guard.share_rate, now);
    return pour(&guard.spoken, guard.all_rate, now) || has_share || says_little;
}

static bool may_retain(struct site *site, const struct mosquitto_evt_message *message) {
    size_t most = guard.level_count >= guard.all_levels ? guard.share_levels : guard.site_levels;
    if (!add_levels(&site->retained, message->topic, most, &guard.level_count)) return false;
    uint32_t *bytes = &site->retained.bytes[find(&site->retained, hash(message->topic))];
    uint64_t after = site->bytes - *bytes + message->payloadlen;
    bool is_full = guard.byte_count - *bytes + message->payloadlen > (uint64_t)guard.all_bytes << 10;
    /* A short word in place of another is kept, whatever is full: what was kept before would be told as if it were the latest. */
    bool is_more = message->payloadlen > *bytes && message->payloadlen > short_word;
    if (is_more && after > (uint64_t)(is_full ? guard.share_bytes : guard.site_bytes) << 10) return false;
    guard.byte_count += after - site->bytes;
    site->bytes = after;
    *bytes = message->payloadlen;
    return true;
}

/* The hub clears what the broker keeps: that makes room. */
static void release(const struct mosquitto_evt_message *message) {
    struct site *site = message->payloadlen == 0 ? site_of(message->topic, false) : NULL;
    if (!site || !contains(&site->retained, hash(message->topic))) return;
    uint32_t *bytes = &site->retained.bytes[find(&site->retained, hash(message->topic))];
    guard.byte_count -= *bytes;
    site->bytes -= *bytes;
    *bytes = 0;
}

/* The access list has let it, so the topic is the client's own, and the site too: what others say counts nothing against it. */
static bool may_pass(struct mosquitto_evt_message *message) {
    struct client *client = client_of(message->client);
    struct site *site = site_of(message->topic, true);
    if (!client) return false;
    if (!site || !may_speak(client, site)) {
        tell_cut(client, true);
        return false;
    }
    if (!message->retain) return true;
    message->retain = !guard.unretained && may_retain(site, message);
    if (!message->retain) tell_cut(client, false);
    return true;
}

/* No client needs a long message of its own back; one that sends such, and does not read, would have each kept for it. The broker asks who
 * may write a message right before it asks who may read it. What it kept it tells right after it asked who may subscribe. */
static bool may_read(const struct mosquitto_evt_acl_check *check) {
    return check->client != guard.writer || check->payloadlen <= guard.echo;
}

static bool may(const struct mosquitto_evt_acl_check *check) {
    switch (check->access) {
    case MOSQ_ACL_READ:
        return may_read(check);
    case MOSQ_ACL_WRITE:
        /* A broker after 2.0.11 asks again for the client that retained a message when it tells it to others: that one does not speak then. */
        if (!mosquitto_client_address(check->client)) return true;
        guard.writer = is_hub(check->client) ? NULL : check->client;
        guard.unretained = false;
        return !guard.writer || may_write(check);
    case MOSQ_ACL_SUBSCRIBE:
        guard.writer = NULL;
        return is_hub(check->client) || may_subscribe(check->client, check->topic);
    default:
        return true;
    }
}

static void leave(const struct mosquitto *session) {
    if (session == guard.writer) guard.writer = NULL;
    guard.leaving = session;
    const char *id = mosquitto_client_id(session);
    struct client **place = id ? place_of(id) : NULL;
    if (!place || !*place) return;
    /* A kept session that a new connection takes over is said to be clean here, though its subscriptions go on: `kept` tells. */
    if (!mosquitto_client_clean_session(session) || (*place)->kept) return;
    empty(&(*place)->filters);
    /* A client that comes again has no new repeats, and what it retained and said counts. */
    bool has_spoken = (*place)->spoken > present() || (*place)->share > present();
    if ((*place)->repeats == 0 && (*place)->retained.count == 0 && !has_spoken) forget(place);
}

static int on_event(int event, void *data, void *unused) {
    (void)unused;
    const struct mosquitto *session;
    const char *name;
    bool is_allowed;
    switch (event) {
    case MOSQ_EVT_BASIC_AUTH:
        guard.writer = guard.leaving = NULL;  /* of a session that is gone: this one may lie in its place */
        session = ((struct mosquitto_evt_basic_auth *)data)->client;
        name = mosquitto_client_username(session);
        guard.arriving = name ? session : NULL;
        guard.arriving_name = name ? hash(name) : 0;
        /* The broker keeps the properties of MQTT 5 with each message and counts them nowhere. */
        return mosquitto_client_protocol_version(session) == 5 && !is_hub(session) ? MOSQ_ERR_AUTH : MOSQ_ERR_PLUGIN_DEFER;
    case MOSQ_EVT_ACL_CHECK:
        is_allowed = may(data);
        guard.leaving = guard.arriving = NULL;
        return is_allowed ? MOSQ_ERR_PLUGIN_DEFER : MOSQ_ERR_ACL_DENIED;
    case MOSQ_EVT_MESSAGE:
        session = ((struct mosquitto_evt_message *)data)->client;
        if (!is_hub(session)) return may_pass(data) ? MOSQ_ERR_SUCCESS : MOSQ_ERR_ACL_DENIED;
        if (((struct mosquitto_evt_message *)data)->retain) release(data);
        break;
    case MOSQ_EVT_DISCONNECT:
        leave(((struct mosquitto_evt_disconnect *)data)->client);
    }
    return MOSQ_ERR_SUCCESS;
}

enum { event_count = 4 };
static const int events[event_count] = {MOSQ_EVT_BASIC_AUTH, MOSQ_EVT_ACL_CHECK, MOSQ_EVT_MESSAGE, MOSQ_EVT_DISCONNECT};

/* Decimal digits, 1 to 9999999. */
static bool parse(const char *text, uint32_t *number) {
    uint32_t sum = 0;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || (sum = sum * 10 + (uint32_t)(*at - '0')) > 9999999) return false;
    }
    *number = sum;
    return sum > 0;
}

static const struct { const char *key; uint32_t *number; } limits[] = {
    {"names", &guard.names}, {"levels", &guard.levels}, {"bytes", &guard.bytes}, {"filters", &guard.filters},
    {"repeats", &guard.repeats}, {"echo", &guard.echo},
    {"client_levels", &guard.client_levels}, {"site_levels", &guard.site_levels},
    {"all_levels", &guard.all_levels}, {"share_levels", &guard.share_levels},
    {"site_kilobytes", &guard.site_bytes}, {"all_kilobytes", &guard.all_bytes}, {"share_kilobytes", &guard.share_bytes},
    {"client_rate", &guard.client_rate.each}, {"client_burst", &guard.client_rate.burst},
    {"site_rate", &guard.site_rate.each}, {"site_burst", &guard.site_rate.burst},
    {"all_rate", &guard.all_rate.each}, {"all_burst", &guard.all_rate.burst},
    {"share_rate", &guard.share_rate.each}, {"share_burst", &guard.share_rate.burst},
    {"own_rate", &guard.own_rate.each}, {"own_burst", &guard.own_rate.burst},
};

static bool set(const struct mosquitto_opt *option) {
    const struct { const char *key; char **text; } texts[] = {{"hub", &guard.hub}, {"cut", &guard.cut}, {"unkept", &guard.unkept}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(option->key, texts[i].key) == 0)
            return !*texts[i].text && *option->value && (*texts[i].text = strdup(option->value));
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
    for (size_t i = 0; i < buckets; i++) {
        while (guard.clients[i]) forget(&guard.clients[i]);
        for (struct site *site; (site = guard.sites[i]); free(site)) {
            guard.sites[i] = site->next;
            empty(&site->retained);
        }
    }
    free(guard.hub);
    free(guard.cut);
    free(guard.unkept);
    memset(&guard, 0, sizeof guard);
    return MOSQ_ERR_SUCCESS;
}

int mosquitto_plugin_init(mosquitto_plugin_id_t *plugin, void **data, struct mosquitto_opt *options, int count) {
    (void)data;
    guard.plugin = plugin;
    const char *fault = NULL, *option = "";
    for (int i = 0; i < count && !fault; i++)
        if (!set(&options[i])) fault = "not an option, or not its value: ", option = options[i].key;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (!fault && *limits[i].number == 0) fault = "a limit is missing: ", option = limits[i].key;
    if (!fault && !guard.hub) fault = "the option hub is missing";
    if (!fault && (!guard.cut || !guard.unkept)) fault = "the option cut or unkept is missing";
    if (!fault && getrandom(guard.key, sizeof guard.key, 0) != (ssize_t)sizeof guard.key) fault = "no random key";
    for (size_t i = 0; i < event_count && !fault; i++)
        if (mosquitto_callback_register(plugin, events[i], on_event, NULL, NULL) != MOSQ_ERR_SUCCESS) fault = "no callback";
    if (!fault) return MOSQ_ERR_SUCCESS;
    mosquitto_log_printf(MOSQ_LOG_ERR, "guard: %s%s", fault, option);
    mosquitto_plugin_cleanup(NULL, NULL, 0);
    return MOSQ_ERR_INVAL;
}
