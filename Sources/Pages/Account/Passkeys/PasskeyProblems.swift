import Accounts
import HTTPServer
import WebAuthn

extension Problem {
    static let noPasskeysHere = Problem.unprocessable(
        "passkeys work only under a name and with TLS, not at an address without either", type: "no-passkeys-here")
    static let tooManyPasskeys = Problem.conflict(
        "there are \(WayRecords.limit) already: remove one first", type: "too-many-passkeys")
    static let wrongPasskeyName = Problem.unprocessable("a name has 1 to 80 characters", type: "wrong-name")
    static let unknownPasskey = Problem(
        status: 422, type: "passkey-unknown", title: "The passkey is not known",
        detail: "no account here has that passkey: it may have been removed")
    static let stalePasskey = Problem(
        status: 422, type: "passkey-stale", title: "It took too long",
        detail: "the challenge was used, has expired, or belongs to another browser: ask for a new challenge")
}

extension CeremonyRefusal: ProblemConvertible {
    /// Which check failed, since whoever sees it holds what was checked.
    public var problem: Problem? {
        if self == .counterWentBack {
            return Problem(
                status: 422, type: "passkey-suspected", title: "There may be a copy of the passkey",
                detail: "it has signed more often than it says: remove it, and add another one")
        }
        return Problem(
            status: 422, type: "passkey-refused", title: "The passkey was not accepted",
            detail: "a check of the ceremony failed", extra: [("check", "\(self)")])
    }
}
