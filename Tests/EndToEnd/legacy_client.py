"""An app of the original system, written from nothing but its web service's own lines:

`/api/login` answers `{success, data: {user, company, roles: [{…, readers: […]}]}, message}`, asked by POST with the user name
and the SHA-1 of the password. At a reader it reads the key from one characteristic and writes badge ⊕ key to the other.
"""

import hashlib

import httpx


class NotHere(Exception):
    """No reader of that kind is within reach."""


class EmptyKey(Exception):
    """A reader that gives no key would be told the badge as it is."""


def cipher(badge, key):
    """badge ⊕ key, the key cycling over the badge's bytes."""
    if not key:
        raise EmptyKey()
    return bytes(byte ^ key[index % len(key)] for index, byte in enumerate(badge))


class LegacyClient:
    def __init__(self, url, air=None, **more):
        self.http = httpx.Client(base_url=url, timeout=30, limits=httpx.Limits(max_keepalive_connections=0), **more)
        self.air = air
        self.data = None

    def close(self):
        self.http.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # MARK: the web service

    @staticmethod
    def parameters(username, password):
        return {"username": username, "password": hashlib.sha1(password.encode()).hexdigest()}

    def post(self, username, password):
        return self.http.post("/api/login", data=self.parameters(username, password))

    def get(self, username, password):
        return self.http.get("/api/login", params=self.parameters(username, password))

    def sign_in(self, username, password):
        """Whether the app is signed in; what it was told is kept."""
        answer = self.post(username, password).json()
        self.data = answer["data"] if answer["success"] else None
        return answer["success"]

    @property
    def readers(self):
        return [reader for role in self.data["roles"] for reader in role["readers"]]

    def reader(self, name):
        return next(reader for reader in self.readers if reader["name"] == name)

    # MARK: at a reader

    def open(self, reader):
        """Goes through. Raises `air.Refused` when the reader does not open."""
        badge = self.data["user"]["badgeCode"].encode()
        peripheral = self.air.connect(reader["serviceUUID"])
        if peripheral is None:
            raise NotHere()
        with peripheral:
            key = peripheral.read(reader["charKeyUUID"])
            peripheral.write(reader["charBadgeUUID"], cipher(badge, key))
