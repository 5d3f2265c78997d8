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
        detail: "the challenge was used, or is over, or was given to somebody else: ask for another one")

    /// The answer to a ceremony that failed a check: which one, since whoever sees it holds what was checked.
    static func refused(_ refusal: CeremonyRefusal) -> Problem {
        if refusal == .counterWentBack {
            return Problem(
                status: 422, type: "passkey-suspected", title: "There may be a copy of the passkey",
                detail: "it has signed more often than it says: remove it, and add another one")
        }
        return Problem(
            status: 422, type: "passkey-refused", title: "The passkey was not accepted",
            detail: "a check of the ceremony failed", extra: [("check", "\(refusal)")])
    }

    /// Turns the refusals of a ceremony, and of the ways in, into their problems.
    static func translating<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch { throw problem(for: error) }
    }

    /// The same for what waits for nobody.
    static func translating<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw problem(for: error) }
    }

    private static func problem(for error: any Error) -> any Error {
        switch error {
        case let refusal as CeremonyRefusal: refused(refusal)
        case WayRefusal.isLast: conflict("it is the only way in: add another one first", type: "last-way")
        case WayRefusal.belongsToAnother: conflict("this passkey is there already", type: "passkey-taken")
        case WayRefusal.tooMany: tooManyPasskeys
        case WayRefusal.unknown: notFound()
        default: error
        }
    }
}
