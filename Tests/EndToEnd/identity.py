"""Certificates for peers on loopback that speak TLS: an authority in a folder of its own, which made one for localhost."""

import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

USAGES = dict.fromkeys((
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign",
    "crl_sign", "encipher_only", "decipher_only"), False)


def _name(words):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, words)])


class Identity:
    """What proves that a peer is `name`, to those who trust the file `authority`."""

    def __init__(self, folder, name="localhost", days=(-1, 30)):
        """`days`: from when until when the certificate holds, counted from today."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.authority = self.folder / "authority.pem"
        self.certificate, self.key = self.folder / "certificate.pem", self.folder / "key.pem"
        now = datetime.datetime.now(datetime.UTC)
        authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        # Each authority has a name of its own, so that nobody takes one for another.
        authority_name = _name(f"Authority of {self.folder}"[:64])

        def begin(subject, public_key, start, end):
            return (x509.CertificateBuilder().subject_name(subject).issuer_name(authority_name).public_key(public_key)
                    .serial_number(x509.random_serial_number()).not_valid_before(now + datetime.timedelta(days=start))
                    .not_valid_after(now + datetime.timedelta(days=end)))

        authority_id = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
        authority = (begin(authority_name, authority_key.public_key(), min(days[0], -1), max(days[1], 30))
                     .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
                     .add_extension(x509.KeyUsage(**USAGES | {"key_cert_sign": True}), critical=True)
                     .add_extension(authority_id, critical=False)
                     .sign(authority_key, hashes.SHA256()))
        names = [x509.DNSName(name)]
        if name == "localhost":
            names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
        certificate = (begin(_name(name), key.public_key(), *days)
                       .add_extension(x509.SubjectAlternativeName(names), critical=False)
                       .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
                       .add_extension(x509.AuthorityKeyIdentifier
                                      .from_issuer_subject_key_identifier(authority_id), critical=False)
                       .sign(authority_key, hashes.SHA256()))
        self.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
        self.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        self.key.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    def server_context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    def client_context(self):
        """What somebody trusts who trusts this authority alone."""
        return ssl.create_default_context(cafile=self.authority)
