import Accounts
import HTTPServer

extension AccountRefusal: ProblemConvertible {
    /// In words.
    public var problem: Problem? {
        switch self {
        case .wrongPassword:
            .unauthorized("the address and the password do not belong together", type: "wrong-password")
        case .tooManyAttempts(let seconds): .tooManyRequests(retryAfter: seconds)
        case .busy: .unavailable("too many sign-ins at this moment", retryAfter: Entrance.busyPause)
        case .wrongSetupCode: .forbidden("the set-up code is not the one in the folder of data")
        case .addressTaken: .conflict("an account has that address already")
        case .invalid(let field): .unprocessable("the field \(field) will not do")
        case .weakPassword(let fault):
            .unprocessable(
                "the new password will not do: \(PasswordWords.en.refused(fault))", type: "weak-password")
        }
    }
}

extension WayRefusal: ProblemConvertible {
    /// In words.
    public var problem: Problem? {
        switch self {
        case .isLast: .conflict("it is the only way in: add another one first", type: "last-way")
        case .belongsToAnother: .conflict("this passkey is there already", type: "passkey-taken")
        case .tooMany: .tooManyPasskeys
        case .unknown: .notFound()
        }
    }
}
