"""Authenticators: the one that Chromium plays for a page, and one of our own that can lie."""


class Authenticator:
    """A phone's own authenticator, played by Chromium: its person's face is right until told otherwise."""

    def __init__(self, visitor, **options):
        self.cdp = visitor.context.new_cdp_session(visitor.page)
        self.cdp.send("WebAuthn.enable")
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
            "defaultBackupEligibility": True, "defaultBackupState": True} | options})["authenticatorId"]

    def sees(self, is_its_person):
        self.cdp.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": is_its_person})

    def credentials(self):
        return self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]
