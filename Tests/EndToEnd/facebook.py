"""A sign-in like Facebook's: OAuth 2.0 with a dialog of its own, a graph that answers who somebody is, and signed requests
for the erasure of data. What it answers follows the documents of its versions 19 to 23."""

import hmac
import json
import re
import secrets
import time
from urllib.parse import urlencode

from peer import Answer, Peer, encode, redirect
from provider import DENIED, Person

# How a signed request can be wrong.
FORGERIES = {
    "another secret": "signed with another secret",
    "tampered": "for another person than was signed",
    "no signature": "with an empty signature",
    "another algorithm": "says HMAC-SHA1, though it is signed as usual",
    "no payload": "a signature and nothing else",
    "not JSON": "signed as it should be, but holds no JSON",
    "no person": "signed as it should be, but names nobody",
}


class Facebook(Peer):
    """The service with one app.

    `person` is who is signed in at once. With `denies` she said no. With `wants_proof` the graph answers only with an
    `appsecret_proof`.
    """

    client_id = "1047298361"
    client_secret = "5f0c2e9b7a6d4831"

    def __init__(self, identity=None):
        super().__init__(identity)
        self.person = Person(subject="10222333444555666")
        self.denies = False
        self.wants_proof = True
        self.codes = {}
        self.tokens = {}

    def name_of(self, request):
        """The endpoint without its version: `dialog/oauth`, `oauth/access_token`, `me`."""
        return re.sub(r"^v\d+\.\d+/", "", request.path.strip("/"))

    def answer(self, name, request):
        answers = {"dialog/oauth": self._dialog, "oauth/access_token": self._access_token, "me": self._me}
        return answers[name](request) if name in answers else self._refusal("Unknown path components", 2500, 404)

    def _dialog(self, request):
        asked = request.query
        if asked.get("client_id") != self.client_id or not asked.get("redirect_uri"):
            return Answer("Invalid App ID: the provided app ID does not look like a valid app ID.", 400)
        if self.denies:
            back = {"error": "access_denied", "error_code": "200", "error_description": DENIED, "error_reason": "user_denied"}
        else:
            code = secrets.token_urlsafe(120)
            self.codes[code] = (asked, self.person)
            back = {"code": code}
        # The odd end of the address is Facebook's.
        return redirect(f"{asked['redirect_uri']}?{urlencode(back | {'state': asked.get('state', '')})}#_=_")

    def _access_token(self, request):
        asked = request.query | request.form
        if (asked.get("client_id"), asked.get("client_secret")) != (self.client_id, self.client_secret):
            return self._refusal("Error validating client secret.", 1)
        dialog, person = self.codes.pop(asked.get("code"), (None, None))
        if dialog is None or asked.get("redirect_uri") != dialog["redirect_uri"]:
            return self._refusal("This authorization code has been used.", 100)
        token = "EAA" + secrets.token_urlsafe(120)
        self.tokens[token] = person
        return Answer({"access_token": token, "token_type": "bearer", "expires_in": 5_183_944})

    def _me(self, request):
        token = self.token_of(request)
        person = self.tokens.get(token)
        if person is None:
            return self._refusal("Invalid OAuth access token - Cannot parse access token", 190, 401)
        if self.wants_proof and not hmac.compare_digest(request.query.get("appsecret_proof", ""), self.proof(token)):
            return self._refusal("API calls from the server require an appsecret_proof argument", 100)
        fields = request.query.get("fields", "id,name").split(",")
        facts = {"id": person.subject, "name": person.name, "email": person.email}
        return Answer({name: facts[name] for name in fields if facts.get(name) is not None})

    @staticmethod
    def _refusal(message, code, status=400):
        return Answer({"error": {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "A0"}}, status)

    @staticmethod
    def token_of(request):
        bearer = (request.headers.get("Authorization") or "").removeprefix("Bearer ")
        return bearer or request.query.get("access_token", "")

    def proof(self, token):
        """What proves that a token is used by the app itself."""
        return hmac.digest(self.client_secret.encode(), token.encode(), "sha256").hex()

    def signed_request(self, subject=None, forgery=None):
        """What is posted to an app when a person (`person`, or another by their subject) removes it and asks for erasure;
        or a forgery of it."""
        assert forgery is None or forgery in FORGERIES, forgery

        def payload(subject):
            claims = {"algorithm": "HMAC-SHA256", "issued_at": int(time.time()), "user_id": subject}
            if forgery == "another algorithm":
                claims["algorithm"] = "HMAC-SHA1"
            if forgery == "no person":
                del claims["user_id"]
            return encode(b"[not JSON" if forgery == "not JSON" else json.dumps(claims).encode())

        signed = sent = payload(subject or self.person.subject)
        secret = "another secret" if forgery == "another secret" else self.client_secret
        signature = encode(hmac.digest(secret.encode(), signed.encode(), "sha256"))
        if forgery == "tampered":
            sent = payload("10999888777666555")
        if forgery == "no signature":
            signature = ""
        return signature if forgery == "no payload" else f"{signature}.{sent}"
