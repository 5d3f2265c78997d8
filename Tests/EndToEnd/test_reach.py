"""A hub reaches the network over TLS or behind a proxy, or not at all; a gate on another machine pairs with it, and nobody
in between."""

import hashlib
import os
import plistlib
import pty
import re
import signal
import socket
import ssl
import subprocess
import threading

import pytest

from api import Api
from browser import DESK, PHONE, TABLET, Chromium
from bus import CONTROL
from demo import PROGRAM, Process, run, short_folder
from hub import Hub as LoopbackHub
from patience import PATIENCE
from ports import free_port
from reach import (
    LAN, OLGA, PASSPHRASE, PASSWORD, Hub, Relay, browser_home, end_gate, make_authority, mode, openssl, opens, paired_gate, start_gate,
    wait_until)

HEALTH = '{"ok":'   # and what the machine's disk has to say


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder:
        hub = Hub(folder).start()
        try:
            hub.first_run()
            yield hub
        finally:
            hub.end()


@pytest.fixture(scope="module")
def olga(hub):
    olga = hub.owner()
    yield olga
    olga.close()


@pytest.fixture(scope="module")
def phone(hub):
    """A browser that trusts the hub's authority."""
    with short_folder() as folder:
        chromium = Chromium(home=browser_home(folder, hub.authority))
        try:
            yield chromium
        finally:
            chromium.close()


def curl(*words):
    return subprocess.run(["curl", "-s", "--max-time", "10", *map(str, words)], capture_output=True, text=True, timeout=30)


def raw(source, target, text):
    """A request from one address of loopback, as bytes."""
    with socket.create_connection(target, 10, source_address=(source, 0)) as connection:
        connection.sendall(text.replace("\n", "\r\n").encode())
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65_536)
            if not piece:
                break
            data += piece
        return data.decode(errors="replace")


# MARK: what is refused


@pytest.mark.parametrize("address", ["0.0.0.0", LAN, "::", "192.0.2.1"])
def test_beyond_this_machine_nothing_is_served_without_tls(folder, address):
    done = run("serve", "--data", folder / "d", "--listen", address, "--port", 0)
    assert done.returncode == 2 and "--tls" in done.stderr and "--behind-proxy" in done.stderr


@pytest.mark.parametrize("words, why", [
    (["--tls"], "admin ca"), (["--key", "x"], "--certificate"), (["--certificate", "x"], "--key"),
    (["--certificate", "nothing", "--key", "nothing"], "cannot read"), (["--behind-proxy", "proxy.example"], "--behind-proxy"),
    (["--host", "http://hub"], "--host"), (["--bus-listen", "here"], "--bus-listen"), (["--listen", "hub.local"], "--tls"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_a_reach_that_makes_no_sense_is_refused_with_words(folder, words, why):
    done = run("serve", "--data", folder / "d", "--port", 0, *words)
    assert done.returncode in (1, 2) and why in done.stderr and "Fatal" not in done.stderr


# MARK: the authority


def test_the_authority_is_made_once_for_its_names_alone(folder):
    data = folder / "d"
    said = make_authority(data)
    assert sorted(os.listdir(data / "tls")) == ["authority-key.pem", "authority.pem", "hub.pem"]
    assert {mode(data / "tls" / name) for name in os.listdir(data / "tls")} == {0o600} and mode(data / "tls") == 0o700
    assert PASSPHRASE not in said
    shown = re.search(r"fingerprint +([0-9A-F ]+)", said)[1].replace(" ", "")
    assert shown in openssl("x509", "-in", data / "tls/authority.pem", "-noout", "-fingerprint", "-sha256").replace(":", "")
    again = run("admin", "ca", "--data", data, "--names", "other.local", input=PASSPHRASE + "\n")
    assert again.returncode == 2 and "already" in again.stderr
    assert run("admin", "ca", "--data", data).stdout == said, "and what there is can be looked at"


@pytest.mark.parametrize("names", ["com", "hub", "*.local", "hub.local,", "hub.local,DNS:bank.example", "hub .local", ""])
def test_an_authority_for_more_than_the_hubs_names_is_refused(folder, names):
    done = run("admin", "ca", "--data", folder / "d", "--names", names, input=PASSPHRASE + "\n")
    assert done.returncode == 2 and "Fatal" not in done.stderr
    assert not (folder / "d").exists(), "and nothing half done"


@pytest.mark.parametrize("typed", ["", "\n", "short\n", "eleven char\n"], ids=repr)
def test_a_passphrase_that_is_none_makes_nothing(folder, typed):
    done = run("admin", "ca", "--data", folder / "d", "--names", "hub.local", input=typed)
    assert done.returncode in (1, 2) and "passphrase" in done.stderr and not (folder / "d/tls").exists()


def typed_at_a_terminal(words, *lines):
    """What the screen showed, and the status."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    screen = b""
    try:
        for line in lines:
            while not screen.rstrip().endswith(b":"):
                screen += os.read(ours, 1000)
            os.write(ours, line)
            screen += b"|"
        while True:
            try:
                piece = os.read(ours, 1000)
            except OSError:
                break
            if not piece:
                break
            screen += piece
        return screen.decode(), process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_at_a_terminal_the_passphrase_is_typed_twice_and_not_shown(folder):
    words = ["admin", "ca", "--data", folder / "d", "--names", "hub.local"]
    secret = PASSPHRASE.encode()
    screen, status = typed_at_a_terminal(words, secret + b"\r", b"another one altogether\r")
    assert status == 2 and "differ" in screen and not (folder / "d/tls").exists()
    screen, status = typed_at_a_terminal(words, b"\x03")
    assert status == 2 and "there was none" in screen and not (folder / "d/tls").exists(), "Ctrl-C is heard"
    screen, status = typed_at_a_terminal(words, secret + b"x\x7f\r", secret + b"\r")
    assert status == 0 and "fingerprint" in screen and "river" not in screen
    renewed = run("admin", "ca", "--data", folder / "d", "--renew", input=PASSPHRASE + "\n")
    assert renewed.returncode == 0, renewed.stderr


# MARK: over TLS


def test_every_name_of_the_hub_is_answered_over_tls_and_no_other(hub):
    trusting = ["--cacert", hub.authority]
    answer = curl(*trusting, f"{hub.url}/api/health")
    assert answer.stdout.startswith(HEALTH), answer
    named = ["--resolve", f"hub.local:{hub.port}:{LAN}", f"https://hub.local:{hub.port}/api/health"]
    assert curl(*trusting, *named).stdout.startswith(HEALTH)
    assert curl(f"{hub.url}/api/health").returncode == 60, "whoever does not know the authority is warned"
    assert curl(*trusting, "--resolve", f"bank.example:{hub.port}:{LAN}", f"https://bank.example:{hub.port}/").returncode == 60
    for host, status in (("evil.example", 421), (f"evil.example:{hub.port}", 421), ("localhost:1", 421), ("hub.local", 200)):
        told = curl(*trusting, "-o", os.devnull, "-w", "%{http_code}", "-H", f"Host: {host}", f"{hub.url}/api/health")
        assert told.stdout == str(status), host
    assert curl("--cacert", hub.authority, "--tls-max", "1.1", f"{hub.url}/").returncode == 35
    assert not curl(f"http://{LAN}:{hub.port}/").stdout


def test_openssl_agrees_with_chain_and_names(hub):
    chain = ["-CAfile", hub.authority, "-x509_strict", "-purpose", "sslserver"]
    openssl("verify", *chain, "-verify_hostname", "hub.local", hub.data / "tls/hub.pem")
    openssl("verify", *chain, "-verify_ip", LAN, hub.data / "tls/hub.pem")


def test_a_browser_that_trusts_the_authority_has_a_secure_place(hub, phone):
    with phone.visitor(hub.url) as visitor:
        visitor.sign_in({"email": OLGA, "password": PASSWORD})
        assert visitor.page.evaluate("() => isSecureContext && 'mediaDevices' in navigator && 'serviceWorker' in navigator")
        cookie = next(one for one in visitor.context.cookies() if one["name"] == "soglia_session")
        assert cookie["secure"] and cookie["httpOnly"]
        assert visitor.complaints == []


def test_a_browser_refuses_what_a_thief_of_the_authority_makes_for_another_site(hub, phone, folder):
    (folder / "pass").write_text(PASSPHRASE)
    for name, host in (("DNS:bank.example", "bank.example"), ("IP:127.0.0.4", "127.0.0.4")):
        (folder / "ext").write_text(f"subjectAltName={name}\nextendedKeyUsage=serverAuth\n")
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder / "k.pem",
                "-subj", "/CN=thief", "-out", folder / "r.pem")
        openssl("x509", "-req", "-in", folder / "r.pem", "-CA", hub.authority, "-CAkey", hub.data / "tls/authority-key.pem",
                "-passin", f"file:{folder}/pass", "-set_serial", 7, "-days", 30, "-extfile", folder / "ext", "-out", folder / "f.pem")
        thief = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        thief.load_cert_chain(folder / "f.pem", folder / "k.pem")
        with socket.create_server(("127.0.0.4", 0)) as listener:
            port = listener.getsockname()[1]

            def serve():
                while True:
                    try:
                        connection, _ = listener.accept()
                        with thief.wrap_socket(connection, server_side=True) as secured:
                            secured.recv(1000)
                            secured.sendall(b"HTTP/1.0 200 OK\r\n\r\nyour money, please")
                    except ssl.SSLError:
                        continue
                    except OSError:
                        return
            threading.Thread(target=serve, daemon=True).start()
            done = curl("--cacert", hub.authority, "--resolve", f"{host}:{port}:127.0.0.4", f"https://{host}:{port}/")
            assert done.returncode == 60 and not done.stdout
            with phone.visitor(hub.url) as visitor:
                with pytest.raises(Exception, match="ERR_CERT"):
                    # Chromium finds no bank.example here: by its address, which the forged certificate names, or not at all.
                    visitor.page.goto(f"https://127.0.0.4:{port}/")
            listener.shutdown(socket.SHUT_RDWR)


def served(port, address=LAN):
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((address, port)))


def test_a_renewed_certificate_is_taken_up_while_the_hub_runs_and_nobody_is_cut_off(hub, olga):
    before, authority = served(hub.port), hub.authority.read_bytes()
    with olga.http.stream("GET", "/api/live") as live:
        assert live.status_code == 200
        wrong = run("admin", "ca", "--data", hub.data, "--renew", input="a long walk by the sea\n")
        assert wrong.returncode == 1 and "passphrase" in wrong.stderr
        done = run("admin", "ca", "--data", hub.data, "--renew", input=PASSPHRASE + "\n")
        assert done.returncode == 0, done.stderr
        wait_until(lambda: served(hub.port) != before, what="the new certificate")
        # The stream that was open is open: it says its next heartbeat over the old certificate.
        assert next(live.iter_raw()) is not None
    assert hub.authority.read_bytes() == authority
    assert curl("--cacert", hub.authority, f"{hub.url}/api/health").stdout.startswith(HEALTH)
    wait_until(lambda: "a new certificate is served" in hub.said, what="the line in the log")


def test_a_new_certificate_that_is_none_is_told_and_the_old_one_stays(hub):
    before = served(hub.port)
    path = hub.data / "tls/hub.pem"
    good = path.read_bytes()
    try:
        path.write_bytes(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        wait_until(lambda: "the new certificate cannot be used" in hub.said, what="the complaint")
        assert served(hub.port) == before
    finally:
        path.write_bytes(good)
    assert curl("--cacert", hub.authority, f"{hub.url}/api/health").stdout.startswith(HEALTH)


def make_certificate(folder, name, days):
    certificate, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", days, "-subj",
            f"/CN={name}", "-addext", f"subjectAltName=DNS:{name},IP:{LAN}", "-keyout", key, "-out", certificate)
    return certificate, key


def test_a_certificate_from_elsewhere_is_served_and_its_end_is_told_in_time(folder):
    certificate, key = make_certificate(folder, "doors.example.org", 10)
    port = free_port()
    hub = Process(folder / "out", "serve", "--data", folder / "d", "--port", port, "--listen", LAN, "--certificate", certificate,
                  "--key", key, "--bus-listen", "none")
    try:
        assert hub.wait_until_ready() == f"https://{LAN}:{port}"
        assert curl("--cacert", certificate, "--resolve", f"doors.example.org:{port}:{LAN}",
                    f"https://doors.example.org:{port}/api/health").stdout.startswith(HEALTH)
        wait_until(lambda: "the certificate ends in 9 days" in hub.said, what="the warning")
        assert "trust" not in hub.said, "who has a certificate of the web needs no page for it"
        with pytest.raises(OSError):
            socket.create_connection((LAN, port + 1), 2)
    finally:
        assert hub.end() == 0


def test_a_key_of_another_certificate_or_one_that_all_can_read_is_refused(folder):
    certificate, key = make_certificate(folder, "one.example.org", 10)
    _, other = make_certificate(folder, "two.example.org", 10)
    words = ["serve", "--data", folder / "d", "--port", 0, "--listen", LAN, "--certificate", certificate]
    refused = run(*words, "--key", other)
    assert refused.returncode == 1 and "another certificate" in refused.stderr
    os.chmod(key, 0o644)
    refused = run(*words, "--key", key)
    assert refused.returncode == 1 and "everybody" in refused.stderr


def test_the_doctor_says_what_is_wrong_with_keys_and_certificates(folder):
    data = folder / "d"
    make_authority(data)
    assert "secrets" not in run("doctor", "--data", data).stdout
    (data / "tls/hub.pem").chmod(0o644)
    said = run("doctor", "--data", data).stdout
    assert re.search(r"fail +secrets: others may read .*/tls/hub.pem", said), said
    certificate, key = make_certificate(folder, "doors.example.org", 20)
    (data / "tls/hub.pem").write_bytes(key.read_bytes() + certificate.read_bytes())
    said = run("doctor", "--data", data).stdout
    assert re.search(r"warn +certificate: hub.pem ends", said) and "admin ca" in said, said


# MARK: the page that teaches a phone


def test_without_tls_there_is_the_page_the_certificate_and_nothing_else(hub):
    der = ssl.PEM_cert_to_DER_cert(hub.authority.read_text())
    page = Api(hub.trust_url)
    answer = page.get("/trust/soglia-authority.crt")
    assert answer.content == der and answer.headers["content-type"] == "application/x-x509-ca-cert"
    profile = page.get("/trust/soglia.mobileconfig")
    assert profile.headers["content-type"] == "application/x-apple-aspen-config"
    content = plistlib.loads(profile.content)
    assert content["PayloadType"] == "Configuration"
    assert content["PayloadContent"][0]["PayloadType"] == "com.apple.security.root"
    assert content["PayloadContent"][0]["PayloadContent"] == der
    assert content["PayloadUUID"] != content["PayloadContent"][0]["PayloadUUID"]
    assert page.get("/trust/soglia.mobileconfig").content == profile.content, "installed twice it is there once"
    for path in ("/", "/trust", "/?language=it"):
        answer = page.get(path)
        assert answer.status_code == 200 and "set-cookie" not in answer.headers
    for path in ("/static/soglia.css", "/static/icon.svg"):
        assert page.get(path).status_code == 200
    for path in ("/sign-in", "/api/health", "/gates?x=1", "/first-run", "/static/live.js", "/trust/authority-key.pem"):
        answer = page.get(path)
        assert answer.status_code == 307 and answer.headers["location"] == hub.url + path, path
    answer = page.http.post("/api/session", json={"email": OLGA, "password": PASSWORD})
    assert answer.status_code == 307 and "set-cookie" not in answer.headers
    assert page.get("/", headers={"Host": "evil.example"}).status_code == 421
    page.close()


def fingerprint(hub):
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(hub.authority.read_text())).hexdigest().upper()


@pytest.mark.parametrize("language", ["en", "it", "es"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_by_everybody(hub, phone, language, scheme):
    for size in (PHONE, TABLET, DESK):
        with phone.visitor(hub.trust_url, size, language, scheme) as visitor:
            visitor.go("/")
            assert visitor.page.get_attribute("html", "lang") == language
            assert visitor.page.inner_text(".fingerprint").replace("\n", "").replace(" ", "") == fingerprint(hub)
            assert visitor.axe() == [] and not visitor.spills() and visitor.complaints == []


def test_the_page_comes_in_the_language_that_is_tapped_and_begins_with_the_phone_at_hand(hub, phone):
    with phone.visitor(hub.trust_url, javascript=False) as visitor:
        visitor.go("/")
        visitor.page.get_by_role("link", name="Italiano").click()
        assert visitor.page.get_attribute("html", "lang") == "it"
        assert visitor.page.get_by_role("link", name="Apri l'hub").get_attribute("href") == f"{hub.url}/"
    page = Api(hub.trust_url)
    for agent, first in (("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)", "iPhone"), ("Mozilla/5.0 (Linux; Android 15)", "Android")):
        titles = re.findall(r"<h2>(iPhone|Android)", page.get("/", headers={"User-Agent": agent}).text)
        assert titles[0] == first
    page.close()


def test_the_same_page_stands_in_the_app_and_the_fingerprint_is_said_at_the_start(hub, phone):
    with phone.visitor(hub.url, DESK) as visitor:
        visitor.go("/trust")
        assert visitor.page.inner_text(".fingerprint").replace("\n", "").replace(" ", "") == fingerprint(hub)
        visitor.page.get_by_role("button", name="Español").click()
        assert visitor.page.get_attribute("html", "lang") == "es" and visitor.page.url.endswith("/trust")
        assert visitor.axe() == [] and visitor.complaints == []
    wait_until(lambda: fingerprint(hub) in hub.said.replace(" ", "") and f"{hub.trust_url}\n" in hub.said, what="the fingerprint")


# MARK: behind a proxy


FORWARDED = "X-Forwarded-For: 192.0.2.7\nX-Forwarded-Proto: https\nX-Forwarded-Host: doors.example.org"


def test_forwarded_fields_are_believed_from_the_proxy_and_from_nobody_else(folder):
    proxy, stranger = "127.0.0.3", "127.0.0.4"
    hub = Process(folder / "out", "serve", "--data", folder / "d", "--port", 0, "--behind-proxy", proxy, "--host",
                  "doors.example.org")
    try:
        port = int(hub.wait_until_ready().rsplit(":", 1)[1])
        code = (folder / "d/setup-code").read_text().strip()
        visitor = Api(f"http://localhost:{port}", browser=True)
        assert visitor.http.post("/first-run", data={
            "code": code, "name": "Olga", "email": OLGA, "password": PASSWORD, "site": "Casa", "timezone": "Europe/Rome",
        }).status_code == 303
        visitor.close()

        def sign_in(source, fields, origin, host="localhost"):
            body = '{"email":"%s","password":"%s"}' % (OLGA, PASSWORD)
            return raw(source, ("127.0.0.1", port), (
                f"POST /api/session HTTP/1.1\nHost: {host}:{port}\n{fields}\nOrigin: {origin}\nCookie: a=b\n"
                f"Content-Type: application/json\nContent-Length: {len(body)}\n\n{body}"))

        answer = sign_in(proxy, FORWARDED, "https://doors.example.org")
        assert " 201 " in answer and "; Secure" in answer and "Strict-Transport-Security" in answer
        assert " 403 " in sign_in(proxy, FORWARDED, f"http://localhost:{port}"), "its own origin is the proxy's now"
        standard = "Forwarded: for=192.0.2.7;proto=https;host=doors.example.org"
        assert " 201 " in sign_in(proxy, standard, "https://doors.example.org")
        # A stranger writes the same fields.
        assert " 403 " in sign_in(stranger, FORWARDED, "https://doors.example.org")
        answer = sign_in(stranger, FORWARDED, f"http://localhost:{port}")
        assert " 201 " in answer and "; Secure" not in answer and "Strict-Transport-Security" not in answer
        # What a client wrote before the proxy adds to it does not count; what contradicts it is refused.
        longer = FORWARDED.replace("192.0.2.7", "6.6.6.6, 192.0.2.7")
        assert " 201 " in sign_in(proxy, longer, "https://doors.example.org")
        assert " 400 " in sign_in(proxy, FORWARDED + "\nForwarded: for=6.6.6.6", "https://doors.example.org")
        # Names that are not the hub's.
        evil = FORWARDED.replace("doors.example.org", "evil.example")
        assert " 421 " in sign_in(proxy, evil, "https://evil.example")
        assert " 421 " in sign_in(stranger, FORWARDED, "https://evil.example", host="evil.example")
    finally:
        assert hub.end() == 0


def test_the_tries_of_a_guesser_count_for_the_client_and_not_for_the_proxy(folder):
    proxy = "127.0.0.3"
    hub = Process(folder / "out", "serve", "--data", folder / "d", "--port", 0, "--behind-proxy", proxy)
    try:
        port = int(hub.wait_until_ready().rsplit(":", 1)[1])

        def guess(client):
            body = '{"email":"olga@example.com","password":"wrong"}'
            return raw(proxy, ("127.0.0.1", port), (
                f"POST /api/session HTTP/1.1\nHost: localhost:{port}\nX-Forwarded-For: {client}\n"
                f"Content-Type: application/json\nContent-Length: {len(body)}\n\n{body}"))
        for _ in range(30):
            if " 429 " in guess("192.0.2.66"):
                break
        else:
            pytest.fail("a guesser is never stopped")
        assert " 429 " in guess("6.6.6.6, 192.0.2.66"), "not by other addresses that he writes himself"
        assert " 401 " in guess("192.0.2.7"), "but somebody else behind the same proxy may try"
    finally:
        assert hub.end() == 0


def test_beyond_this_machine_without_tls_the_proxy_alone_is_answered(folder):
    proxy, port = "127.0.0.3", free_port()
    hub = Process(folder / "out", "serve", "--data", folder / "d", "--port", port, "--listen", LAN, "--behind-proxy", proxy,
                  "--host", "doors.example.org", "--bus-listen", "none")
    try:
        hub.wait_until_ready()
        ask = f"GET /api/health HTTP/1.1\nHost: doors.example.org\n{FORWARDED}\n\n"
        assert " 200 " in raw(proxy, (LAN, port), ask)
        for source in ("127.0.0.4", LAN, "127.0.0.1"):
            answer = raw(source, (LAN, port), ask)
            assert " 403 " in answer and "not-through-proxy" in raw(source, (LAN, port), ask) + answer
    finally:
        assert hub.end() == 0


# MARK: gates on other machines


@pytest.fixture(scope="module")
def cellar(hub, olga):
    """A gate that was paired over TLS, with where it keeps what it knows."""
    with paired_gate(hub, olga, "Cellar") as holder:
        yield holder


def facts(data):
    import contextlib
    import sqlite3
    with contextlib.closing(sqlite3.connect(f"file:{data}/gate.sqlite?mode=ro", uri=True)) as database:
        return dict(database.execute("SELECT name, value FROM facts"))


def test_a_gate_pairs_over_the_network_and_opens(hub, olga, cellar):
    assert opens(hub, olga, cellar["gate"])
    known = facts(cellar["data"])["broker"]
    assert known == hashlib.sha256(served(hub.bus_port)).digest(), "it knows its hub by the certificate of the bus"
    assert mode(hub.data / "broker/identity.pem") == 0o600
    assert (cellar["data"] / "hub").read_text() == f"mqtts://{LAN}:{hub.bus_port}\n"


def test_the_gate_comes_back_when_the_broker_is_killed(hub, olga, cellar):
    pid = hub.broker_pid()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: hub.broker_pid() not in (None, pid), what="another broker")
    assert opens(hub, olga, cellar["gate"])


def test_the_gate_comes_back_when_the_hub_was_restarted(hub, olga, cellar):
    hub.end()
    hub.start()
    wait_until(lambda: hub.state(olga, cellar["gate"]) == "ready", what="the gate")
    assert opens(hub, olga, cellar["gate"])


def test_the_gate_comes_back_by_itself_after_its_own_restart(hub, olga, cellar):
    end_gate(cellar["process"])
    wait_until(lambda: hub.state(olga, cellar["gate"]) != "ready", what="the loss")
    cellar["process"] = start_gate(hub.folder, cellar["data"], f"{LAN}:{hub.bus_port}")
    assert opens(hub, olga, cellar["gate"])


def test_a_gate_that_was_paired_over_tls_never_talks_without_it(hub, cellar):
    port = (hub.data / "broker/port").read_text().strip()
    end_gate(cellar["process"])
    try:
        done = run("gate", "--data", cellar["data"], "--hub", f"mqtt://127.0.0.1:{port}")
        assert done.returncode == 2 and "over TLS" in done.stderr
    finally:
        cellar["process"] = start_gate(hub.folder, cellar["data"], f"{LAN}:{hub.bus_port}")


def test_a_paired_gate_is_paired_anew_after_a_reset_alone(hub, olga, cellar):
    code = hub.code_for(olga, cellar["gate"])
    end_gate(cellar["process"])
    try:
        done = run("gate", "--data", cellar["data"], "--hub", f"{LAN}:{hub.bus_port}", "--pair", "-", input=code + "\n")
        assert done.returncode == 1 and "reset it at the gate first" in done.stderr
    finally:
        cellar["process"] = start_gate(hub.folder, cellar["data"], f"{LAN}:{hub.bus_port}")
    assert opens(hub, olga, cellar["gate"])


def test_the_page_of_a_code_names_the_bus_that_listens_on_the_network(hub, olga):
    gate = hub.new_gate(olga, "Loft")
    hub.code_for(olga, gate)
    visitor = hub.api(browser=True).sign_in(OLGA, PASSWORD)
    text = visitor.http.get(f"/sites/{olga.sites()[0]['id']}/gates/{gate}").text
    visitor.close()
    assert f"soglia gate --data FOLDER --hub mqtts://{LAN}:{hub.bus_port} --pair" in text


def test_where_only_the_bus_is_on_the_network_the_page_names_its_address(folder):
    port = free_port()
    with LoopbackHub(folder, "--bus-listen", f"{LAN}:{port}") as hub:
        hub.first_run()
        owner = hub.browser()
        site = owner.sites()[0]["id"]
        gate = owner.ok(owner.post(f"/api/sites/{site}/gates", {"name": "Loft", "policy": "doors"}))["id"]
        owner.ok(owner.post(f"/api/sites/{site}/gates/{gate}/pairing"))
        text = owner.http.get(f"/sites/{site}/gates/{gate}").text
        owner.close()
        assert f"--hub mqtts://{LAN}:{port} --pair" in text


def test_without_the_code_nobody_pairs_over_the_network(hub, olga):
    gate = hub.new_gate(olga, "Attic")
    hub.code_for(olga, gate)
    done = run("gate", "--data", hub.folder / "attic", "--hub", f"{LAN}:{hub.bus_port}", "--pair", "-", input="0" * 26 + "\n")
    assert done.returncode == 1 and "does not know this code" in done.stderr
    assert hub.state(olga, gate) == "notPaired"


def test_somebody_in_the_middle_with_another_certificate_gets_no_gate(hub, olga, folder):
    gate = hub.new_gate(olga, "Garden")
    relay = Relay(folder, (LAN, hub.bus_port))
    try:
        code = hub.code_for(olga, gate)
        data = folder / "garden"
        done = run("gate", "--data", data, "--hub", relay.address, "--pair", "-", input=code + "\n")
        assert done.returncode == 1 and "somebody stands between here and the hub" in done.stderr, done.stderr
        assert len(relay.read) > 100, "he did relay, and read along"
        assert code.encode() not in relay.read
        assert "key" not in facts(data) and "broker" not in facts(data), "nothing was kept"
        assert hub.state(olga, gate) == "notPaired", "on either side"
        # The same code, straight to the hub: it is not used up.
        process = start_gate(folder, data, f"{LAN}:{hub.bus_port}", code)
        try:
            assert opens(hub, olga, gate)
        finally:
            end_gate(process)
        # Afterwards he hears nothing at all, not even the gate's name on the bus.
        relay.read.clear()
        met = relay.handshakes
        process = start_gate(folder, data, relay.address)
        try:
            wait_until(lambda: "another certificate" in process.said(), what="the gate's complaint")
            assert relay.handshakes > met and not relay.read
            assert hub.state(olga, gate) != "ready"
        finally:
            end_gate(process)
    finally:
        relay.close()


def test_the_bus_outside_asks_for_credentials_and_holds_to_rights(hub, olga, cellar):
    import hmac

    import paho.mqtt.client as mqtt

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def connect(name, password, tls=True):
        answers, heard = [], []
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="x", reconnect_on_failure=False)
        if name:
            client.username_pw_set(name, password)
        if tls:
            client.tls_set_context(context)
        client.on_connect = lambda _client, _data, _flags, reason, _: answers.append(reason)
        client.on_disconnect = lambda _client, _data, _flags, reason, _: answers.append(reason)
        client.on_message = lambda _client, _data, message: heard.append(message.topic)
        try:
            client.connect(LAN, hub.bus_port, 10)
        except OSError:
            return None, False, heard
        client.loop_start()
        wait_until(lambda: answers, what="an answer")
        return client, not answers[0].is_failure, heard

    known = facts(cellar["data"])
    extracted = hmac.digest(bytes(32), known["key"], hashlib.sha256)
    name, password = "gate-" + known["gate"].hex(), hmac.digest(extracted, b"soglia bus password\x01", hashlib.sha256).hex()
    for wrong in ((None, None), (name, "guess"), ("hub", "guess"), ("hub", "")):
        client, isIn, _ = connect(*wrong)
        client.loop_stop()
        assert not isIn, wrong
    client, isIn, _ = connect(name, password, tls=False)
    assert not isIn, "without TLS nobody is even answered"
    if client:
        client.loop_stop()
    end_gate(cellar["process"])  # one client for each name
    try:
        client, isIn, heard = connect(name, password)
        assert isIn
        granted = {}
        client.on_subscribe = lambda _client, _data, mid, reasons, _: granted.update({mid: reasons[0]})
        for topic in ("#", "soglia/#", "soglia/+/gates/+/hello", CONTROL + "/response"):
            _, mid = client.subscribe(topic, 1)
            wait_until(lambda: mid in granted, what="an answer")
            assert granted[mid].is_failure, topic
        client.disconnect()
        client.loop_stop()
        assert not heard
    finally:
        cellar["process"] = start_gate(hub.folder, cellar["data"], f"{LAN}:{hub.bus_port}")
    assert opens(hub, olga, cellar["gate"])


def test_a_hub_that_begins_to_reach_the_network_keeps_the_gates_that_it_has(folder):
    hub = Hub(folder)
    local = Process(folder / "local", "serve", "--data", hub.data, "--port", hub.port)
    url = local.wait_until_ready()
    code = (hub.data / "setup-code").read_text().strip()
    visitor = Api(url, browser=True)
    assert visitor.http.post("/first-run", data={
        "code": code, "name": "Olga", "email": OLGA, "password": PASSWORD, "site": "Casa", "timezone": "Europe/Rome",
    }).status_code == 303
    visitor.close()
    olga = Api(url).sign_in(OLGA, PASSWORD)
    gate = hub.new_gate(olga, "Old gate")
    address = "mqtt://127.0.0.1:" + (hub.data / "broker/port").read_text().strip()
    process = start_gate(folder, folder / "old", address, hub.code_for(olga, gate))
    try:
        assert opens(hub, olga, gate)
        olga.close()
        assert local.end() == 0
        hub.start()
        try:
            olga = hub.owner()
            assert opens(hub, olga, gate), "the gate on loopback found it again"
            olga.close()
        finally:
            hub.end()
    finally:
        end_gate(process)
    assert run("admin", "verify", "--data", hub.data).returncode == 0
