"""Bytes on a socket, for requests that no client library would send."""

import re
import socket

from patience import PATIENCE


class Reply:
    def __init__(self, data, is_closed):
        self.data = data
        self.is_closed = is_closed
        # libmicrohttpd 0.9.75 writes the head of its own refusals twice: several of one status are one answer.
        self.statuses = [int(status) for status in re.findall(rb"^HTTP/1\.1 (\d{3}) ", data, re.MULTILINE)]
        self.status = self.statuses[0] if self.statuses else 0


def is_whole(data):
    """Whether an answer has come to its end."""
    head, end, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?mi)^content-length: *(\d+)", head)
    return bool(end) and len(body) >= int(length.group(1) if length else 0)


def send(port, data, closes=True):
    """Sends bytes, and reads until the server closes; until its answer is whole, where it goes on."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        received, is_closed = b"", False
        try:
            connection.sendall(data)
            while True:
                piece = connection.recv(65_536)
                if not piece:
                    is_closed = True
                    break
                received += piece
                if not closes and is_whole(received):
                    break
        except TimeoutError:
            pass
        except (ConnectionResetError, BrokenPipeError):
            is_closed = True
        return Reply(received, is_closed)
