"""Somebody on the bus: with the hub's own credentials, with a gate's, or with none."""

import contextlib
import hashlib
import hmac
import json
import secrets
import sqlite3
import threading

import paho.mqtt.client as mqtt

from demo import wait_until
from patience import PATIENCE

CONTROL = "$CONTROL/dynamic-security/v1"


class Refused(Exception):
    pass


class Client:
    """A connection to the broker, which keeps every message that it hears."""

    def __init__(self, demo, username=None, password=None):
        broker = demo.file["broker"]
        self.messages = []
        self.published = set()
        self.subscribed = {}
        connected, self.answer = threading.Event(), None

        def on_connect(_client, _data, _flags, reason, _properties):
            self.answer = reason
            connected.set()

        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="", clean_session=True, reconnect_on_failure=False)
        if username is not None:
            self.client.username_pw_set(username, password)
        self.client.on_connect = on_connect
        self.client.on_message = lambda _client, _data, message: self.messages.append(message)
        self.client.on_publish = lambda _client, _data, mid, *_: self.published.add(mid)
        self.client.on_subscribe = lambda _client, _data, mid, reasons, _: self.subscribed.update({mid: reasons})
        self.client.connect(broker["host"], broker["port"], keepalive=30)
        self.client.loop_start()
        try:
            assert connected.wait(PATIENCE), "the broker does not answer"
            if self.answer.is_failure:
                raise Refused(str(self.answer))
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        with contextlib.suppress(Exception):
            self.client.disconnect()
        self.client.loop_stop()

    def publish(self, topic, payload, retain=False):
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def subscribe(self, topic):
        """Whether the broker allows it."""
        _, mid = self.client.subscribe(topic, qos=1)
        wait_until(lambda: mid in self.subscribed, what="an answer of the broker")
        return not any(reason.is_failure for reason in self.subscribed[mid])

    def topics(self):
        """Those on which anything was heard, kept or said now."""
        return {message.topic for message in self.messages}

    def heard(self, topic, kind=None):
        """The payloads on a topic that were said now, of one kind of frame or of any."""
        return [
            message.payload for message in self.messages
            if message.topic == topic and not message.retain and (kind is None or message.payload[:1] == bytes([kind]))
        ]


def insider(demo):
    """Somebody who may read and write every topic of the hub's: more than any gate may, with no gate's key.

    It takes the hub's own password to make one. The broker knows one client for each name, so the hub is stopped meanwhile:
    a quick one would throw us off again before we had said what we want.
    """
    name, password = "insider-" + secrets.token_hex(4), secrets.token_hex(16)
    broker = demo.file["broker"]
    kinds = ("publishClientSend", "publishClientReceive", "subscribePattern", "unsubscribePattern")
    acls = [{"acltype": kind, "topic": "soglia/#", "allow": True} for kind in kinds]
    wishes = [
        {"command": "createRole", "rolename": name, "acls": acls},
        {"command": "createClient", "username": name, "password": password, "roles": [{"rolename": name}]},
    ]
    demo.stop("hub")
    with Client(demo, broker["username"], broker["password"]) as hub:
        hub.subscribe(CONTROL + "/response")
        hub.publish(CONTROL, json.dumps({"commands": wishes}))
        answers = json.loads(wait_until(lambda: hub.heard(CONTROL + "/response"), what="the broker's answer")[-1])["responses"]
        assert not any("error" in answer for answer in answers), answers
    demo.start_again("hub")
    # It knows of no gate until it has heard of each on the bus.
    demo.wait_until_ready()
    return Client(demo, name, password)


def facts(demo, gate="gate-main-entrance"):
    """What a controller keeps of its pairing, its key among it."""
    path = demo.data / "gates" / gate / "gate.sqlite"
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return dict(database.execute("SELECT name, value FROM facts"))


def credentials(demo, gate):
    """A gate's name and password on the bus, as both sides make them out of its key."""
    known = facts(demo, gate)
    extracted = hmac.digest(bytes(32), known["key"], hashlib.sha256)
    password = hmac.digest(extracted, b"soglia bus password\x01", hashlib.sha256)
    return "gate-" + known["gate"].hex(), password.hex()
