"""A central in the air of sockets: finds peripherals, reads and writes characteristics, and hears what the other side says."""

import socket
import struct
import uuid
from pathlib import Path

ADVERTISEMENT, DISCOVER, CHARACTERISTICS, READ, VALUE, REFUSED, WRITE, WRITTEN = range(1, 9)


class Refused(Exception):
    """The other side refused, with a code of the attribute protocol."""

    def __init__(self, code):
        super().__init__(f"refused with 0x{code:02x}")
        self.code = code


class Peripheral:
    """A connection to one peripheral, which begins with what it advertises."""

    def __init__(self, path, seconds=10):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(seconds)
        try:
            self.socket.connect(str(path))
            kind, hello = self.receive()
            assert kind == ADVERTISEMENT
            self.service = uuid.UUID(bytes=hello[:16])
            end = 17 + hello[16]
            self.data, self.name = hello[17:end], hello[end:].decode()
        except BaseException:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, kind, payload=b""):
        self.socket.sendall(struct.pack(">BH", kind, len(payload)) + payload)

    def receive(self):
        kind, length = struct.unpack(">BH", self._take(3))
        return kind, self._take(length)

    def _take(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise ConnectionError("the peripheral has gone")
            data += piece
        return data

    def ask(self, kind, payload, expected):
        self.send(kind, payload)
        answer, data = self.receive()
        if answer == REFUSED:
            raise Refused(data[0])
        assert answer == expected, f"{answer} in place of {expected}"
        return data

    def discover(self):
        data = self.ask(DISCOVER, b"", CHARACTERISTICS)
        return [uuid.UUID(bytes=data[at:at + 16]) for at in range(0, len(data), 16)]

    def read(self, characteristic):
        return self.ask(READ, uuid.UUID(str(characteristic)).bytes, VALUE)

    def write(self, characteristic, data):
        return self.ask(WRITE, uuid.UUID(str(characteristic)).bytes + data, WRITTEN)


class Air:
    """Everything that can be heard at this moment."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def scan(self):
        """(service, name, path) of each peripheral that answers."""
        found = []
        for path in sorted(self.folder.glob("*.sock")):
            try:
                with Peripheral(path) as peripheral:
                    found.append((peripheral.service, peripheral.name, path))
            except (OSError, ConnectionError):
                continue   # who does not answer left its socket behind
        return found

    def connect(self, service):
        """The peripheral that offers a service; nil when none does."""
        wanted = uuid.UUID(str(service))
        path = next((path for offered, _, path in self.scan() if offered == wanted), None)
        return path and Peripheral(path)
