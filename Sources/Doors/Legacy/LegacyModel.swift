import Gates
import Identity
import Ledger
import System
import Wire

/// Somebody's way into a site with the original system's app: a user name and a password that are good for nothing else.
struct LegacyAccount: Sendable, Equatable {
    let person: PersonID
    let site: SiteID
    let username: String
    /// When the present password was made.
    let created: Timestamp
    /// When it was last right; nil: never.
    let lastUsed: Timestamp?
    /// When it was taken away; nil: it is in force.
    let revoked: Timestamp?
}

/// A badge of the original system, valid at a site's legacy gates and nowhere else.
struct LegacyBadge: Sendable, Equatable {
    /// What opens: it is in no event, no log and on no page.
    let code: [UInt8]
    let person: PersonID
    /// When it was taken away; nil: it is in force.
    let revoked: Timestamp?
}

/// A site has as many legacy badges as a gate can hold.
struct LegacyBadgesFull: Error {}

/// What the original web service answers to whoever signed in: the names are the original's, and so is their order.
struct LegacyAnswer: Sendable, Equatable {
    struct User: Sendable, Equatable {
        var id: Int
        var name: String
        var surname: String
        var username: String
        var badgeCode: String
    }

    struct Role: Sendable, Equatable {
        var id: Int
        var name: String
        var level: Int
        var readers: [Reader]
    }

    struct Reader: Sendable, Equatable {
        var id: Int
        var name: String
        var profile: LegacyProfile
        /// The beacons of its site, 16 bytes.
        var beacon: [UInt8]
        /// 0 to 65,535.
        var major: Int
        /// 0 to 65,535.
        var minor: Int
    }

    var user: User
    var companyName: String
    var roles: [Role]
}

/// Why nobody was signed in.
enum LegacyRefusal: Error, Sendable, Equatable {
    /// The request came in the open.
    case notSecure
    /// No such account, or not its password: nobody is told which.
    case wrong
    /// The password is right, and no role is in force today.
    case noRole
    /// The password is right, and the site takes POST alone.
    case postOnly
    /// Too many wrong passwords for this account from this address.
    case tooManyAttempts(seconds: Int)
    /// Too many sign-ins at this moment.
    case busy
}
