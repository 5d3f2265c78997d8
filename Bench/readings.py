"""What a house's sensors tell, as one writes it by hand: paho and sqlite3. Each reading is stored with roll-ups of five
minutes and of an hour, written every half second; a reading that reaches 300 publishes a command at once.

    BENCH_PASSWORD=… python Bench/readings.py PORT USER TOPICS DATABASE

It prints `ready 0` when it listens. TOPICS is the file that `readings.c` takes. With SIGTERM it writes what is left."""

import json
import os
import signal
import sqlite3
import sys
import threading
import time

import paho.mqtt.client as mqtt

PORT, USER, TOPICS, DATABASE = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
THRESHOLD, HYSTERESIS = 300, 30

numbers: dict[str, int] = {}
commands: dict[str, str] = {}
for number, line in enumerate(open(TOPICS, encoding="utf-8")):
    topic, *command = line.split()
    numbers[topic] = number
    if command:
        commands[topic] = command[0]

database = sqlite3.connect(DATABASE, check_same_thread=False, isolation_level=None)
database.executescript(
    """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS sample (sensor INTEGER, at INTEGER, value REAL, PRIMARY KEY (sensor, at)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS fold (
        span INTEGER, sensor INTEGER, start INTEGER, n INTEGER, low REAL, high REAL, total REAL,
        PRIMARY KEY (span, sensor, start)
    ) WITHOUT ROWID;
    """
)
waiting: list[tuple[int, int, float]] = []
over: set[str] = set()
lock = threading.Lock()


def on_connect(client, userdata, flags, reason, properties):
    client.subscribe("soglia/#")
    print("ready 0", flush=True)


def on_message(client, userdata, message):
    number = numbers.get(message.topic)
    if number is None:
        return
    value = float(json.loads(message.payload)["value"])
    if value >= THRESHOLD:
        if message.topic not in over:
            over.add(message.topic)
            if message.topic in commands:
                client.publish(commands[message.topic], "OFF")
    elif value <= THRESHOLD - HYSTERESIS:
        over.discard(message.topic)
    with lock:
        waiting.append((number, time.time_ns() // 1000, value))


def write():
    global waiting
    with lock:
        batch, waiting = waiting, []
    if not batch:
        return
    folds: dict[tuple[int, int, int], list[float]] = {}
    for number, at, value in batch:
        for span in (300, 3600):
            key = (span, number, at // (span * 1_000_000))
            fold = folds.get(key)
            if fold is None:
                folds[key] = [1, value, value, value]
            else:
                fold[0] += 1
                fold[1] = min(fold[1], value)
                fold[2] = max(fold[2], value)
                fold[3] += value
    database.execute("BEGIN")
    database.executemany("INSERT OR REPLACE INTO sample VALUES (?, ?, ?)", batch)
    database.executemany(
        """
        INSERT INTO fold VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n,
            low = min(low, excluded.low), high = max(high, excluded.high), total = total + excluded.total
        """,
        [(*key, *fold) for key, fold in folds.items()],
    )
    database.execute("COMMIT")


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=USER)
client.username_pw_set(USER, os.environ["BENCH_PASSWORD"])
client.on_connect, client.on_message = on_connect, on_message
client.connect("127.0.0.1", PORT)
client.loop_start()

ended = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: ended.set())
while not ended.wait(0.5):
    write()
client.loop_stop()
write()
