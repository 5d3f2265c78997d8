"""The JSON interface, as a program uses it."""

import httpx

from patience import PATIENCE


class Api:
    """Somebody's program, or with `browser=True` a page of the hub's own."""

    def __init__(self, url, browser=False, language=None, verify=True):
        headers = {"Accept": "application/json"}
        if browser:
            headers["Origin"] = url
        if language:
            headers["Accept-Language"] = language
        # No pool of idle connections: a hub that was killed must not be met through an old one.
        self.http = httpx.Client(
            base_url=url, headers=headers, timeout=PATIENCE, verify=verify,
            limits=httpx.Limits(max_keepalive_connections=0))
        self.url = url
        self.browser = browser

    def close(self):
        self.http.close()

    def sign_in(self, email, password):
        answer = self.post("/api/session", {"email": email, "password": password, "program": not self.browser})
        assert answer.status_code == 201, answer.text
        if not self.browser:
            self.token = answer.json()["token"]
            self.http.headers["Authorization"] = f"Bearer {self.token}"
        return self

    def get(self, path, **more):
        return self.http.get(path, **more)

    def post(self, path, body=None, **more):
        return self.http.post(path, json={} if body is None else body, **more)

    def put(self, path, body, **more):
        return self.http.put(path, json=body, **more)

    def delete(self, path, **more):
        return self.http.delete(path, **more)

    # MARK: what tests ask for

    def ok(self, answer):
        assert answer.status_code in (200, 201), f"{answer.status_code} {answer.text}"
        return answer.json()

    def gates(self):
        return self.ok(self.get("/api/gates"))["items"]

    def sites(self):
        return self.ok(self.get("/api/sites"))["items"]

    def open(self, gate, **more):
        return self.ok(self.post(f"/api/gates/{gate}/open", **more))

    def events(self, site, after=0):
        """Every event of a site after a sequence."""
        found = []
        while True:
            page = self.ok(self.get("/api/events", params={"site": site, "after": after, "limit": 500}))
            found += page["items"]
            if page["next"] is None:
                return found
            after = page["next"]

    def person(self, site, email):
        return next(
            row for row in self.ok(self.get(f"/api/sites/{site}/people", params={"search": email}))["items"]
            if row["email"] == email)

    def share(self, site, body):
        """Adds to another site a person who has an account with the password of the body, and joins as them, by an invitation on paper."""
        row = self.ok(self.post(f"/api/sites/{site}/people", {name: body[name] for name in body if name != "password"}))
        code = self.ok(self.post(
            f"/api/sites/{site}/people/{row['membership']}/invitation", {"way": "paper"}))["code"]
        own = Api(self.url).sign_in(body["email"], body["password"])
        own.ok(own.post("/api/account/join", {"code": code}))
        own.close()
        return row

    def change_membership(self, site, row, **changes):
        body = {name: row[name] for name in ("permission", "role", "firstDay", "lastDay")} | changes
        return self.put(f"/api/sites/{site}/people/{row['membership']}", body)
