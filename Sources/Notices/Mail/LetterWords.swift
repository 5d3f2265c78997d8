import Accounts
import Identity

/// The words of letters. A language without one of them does not compile.
///
/// A letter to an address that nobody has proven to be theirs holds no word that its sender could choose: else strangers would send
/// their own words through us.
struct LetterWords: Sendable {
    /// A subject, and the text between greeting and end.
    struct Body: Sendable {
        let subject: String
        let text: String
    }

    /// The first line, to somebody whose name we know.
    let greeting: @Sendable (String) -> String
    /// The first line, to an address.
    let greetingToNobody: String
    /// The last line, with where it comes from.
    let end: @Sendable (String) -> String

    /// Choose another password: host and link.
    let reset: @Sendable (String, String) -> Body
    /// Make the account: host and link.
    let register: @Sendable (String, String) -> Body
    /// Somebody wanted to make an account with an address that has one: host, where to sign in, where to get a new password.
    let haveOne: @Sendable (String, String, String) -> Body
    /// A site expects somebody: host, name of the site, who invites, and link.
    let invite: @Sendable (String, String, String?, String) -> Body
    /// This address is to be an account's: host and link.
    let address: @Sendable (String, String) -> Body
    /// Somebody wanted to have an address that is another's: host.
    let addressIsYours: @Sendable (String) -> Body
    /// To the old address: host.
    let addressChanged: @Sendable (String) -> Body
    /// The password is another one: host, where to get a new one.
    let passwordChanged: @Sendable (String, String) -> Body
    /// A passkey or another service opens the account from now on: host, where the ways in are listed.
    let wayAdded: @Sendable (String, String) -> Body
    /// A passkey or another service opens the account no more: host, where the ways in are listed.
    let wayRemoved: @Sendable (String, String) -> Body
    /// Another device of theirs was signed out: host, where one's own password is changed.
    let signedOut: @Sendable (String, String) -> Body
    /// A device of theirs gets no notices any more: host, how many get some, where one's own password is changed.
    let unheard: @Sendable (String, Int, String) -> Body
    /// Their account is no more: host.
    let deleted: @Sendable (String) -> Body
    /// The original system's app has a password for one from now on: host, where one's own password is changed.
    let appPassword: @Sendable (String, String) -> Body
    /// A sign-in on a device that was not seen before: host, when, with what, from which address, and where to end it.
    let newDevice: @Sendable (String, String, String, String, String) -> Body
    /// With a browser that does not say which it is.
    let browser: String
    /// With a program that does not say which it is.
    let program: String
    /// Between browser and system: "Firefox on Linux".
    let on: String
    /// For trying out whether letters arrive: host.
    let trial: @Sendable (String) -> Body

    /// The words of a language.
    static func `in`(_ language: Language) -> LetterWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = LetterWords(
        greeting: { "Hello \($0)," }, greetingToNobody: "Hello,",
        end: { "Sent by Soglia at \($0). Do not reply to this email." },
        reset: { host, link in
            Body(
                subject: "Choose a new password",
                text: """
                    somebody asked for a new password for your account at \(host).

                    If it was you, open this link within 30 minutes. It works once:

                    \(link)

                    If it was not you, do nothing. Your password stays as it is.
                    """)
        },
        register: { host, link in
            Body(
                subject: "Your account at \(host)",
                text: """
                    somebody wants an account at \(host) with this address.

                    If it was you, open this link within two days and choose a password. It works once:

                    \(link)

                    If it was not you, do nothing. No account is made.
                    """)
        },
        haveOne: { host, signIn, forgotten in
            Body(
                subject: "You have an account already",
                text: """
                    somebody wanted to make an account at \(host) with this address. It has one already, and nothing was changed.

                    If it was you, sign in here:

                    \(signIn)

                    If you have forgotten the password, choose a new one:

                    \(forgotten)

                    If it was not you, do nothing.
                    """)
        },
        invite: { host, site, inviter, link in
            Body(
                subject: "Invitation to \(site)",
                text: """
                    \(inviter.map { "\($0) invites you to" } ?? "you are invited to") “\(site)” at \(host).

                    Open this link within a week to join. It works once:

                    \(link)

                    If you do not know \(inviter == nil ? "them" : "who invites you"), ignore this email. The sender does not learn whether you have an account.
                    """)
        },
        address: { host, link in
            Body(
                subject: "Confirm this address",
                text: """
                    somebody wants to use this address for their account at \(host).

                    If it was you, sign in to that account and open this link within two days. It works once:

                    \(link)

                    If it was not you, do nothing. The account keeps the address that it has.
                    """)
        },
        addressIsYours: { host in
            Body(
                subject: "Somebody asked for your address",
                text: """
                    somebody wanted to use this address for another account at \(host). It is yours, and stays yours: nothing was changed.

                    If it was you, you have two accounts. Sign in to this one with this address.
                    """)
        },
        addressChanged: { host in
            Body(
                subject: "Your account has another address",
                text: """
                    your account at \(host) has another address from now on, and emails go there. This is the last one to this address.

                    If it was not you, tell the administrator of \(host) at once.
                    """)
        },
        passwordChanged: { host, forgotten in
            Body(
                subject: "Your password was changed",
                text: """
                    the password of your account at \(host) was changed. On all other devices, sign in again.

                    If it was not you, choose a new one at once:

                    \(forgotten)
                    """)
        },
        wayAdded: { host, ways in
            Body(
                subject: "A new way to sign in",
                text: """
                    a passkey or another service can sign in to your account at \(host) from now on.

                    If it was not you, remove it here, and choose another password:

                    \(ways)
                    """)
        },
        wayRemoved: { host, ways in
            Body(
                subject: "A way to sign in was removed",
                text: """
                    a passkey or another service was removed from your account at \(host). It no longer signs in. On the devices that used it, sign in again.

                    If it was not you, choose another password at once, then add what is missing:

                    \(ways)
                    """)
        },
        signedOut: { host, password in
            Body(
                subject: "A device was signed out",
                text: """
                    another device or program was signed out of your account at \(host). It gets no notices and no alarms any more, until you sign in there again.

                    If it was not you, change your password at once:

                    \(password)
                    """)
        },
        unheard: { host, most, password in
            Body(
                subject: "A device gets no notices any more",
                text: """
                    your account at \(host) sends notices to \(most) devices at most. Another device was added, so one that was added before it gets no notices and no alarms any more. To get them there again, open Soglia on that device and switch notices on.

                    If it was not you, change your password at once:

                    \(password)
                    """)
        },
        deleted: { host in
            Body(
                subject: "Your account was deleted",
                text: """
                    your account at \(host) was deleted, with what was kept of you. No gate opens for you there any more, and no notice or alarm comes.

                    If it was not you, tell the people who look after the place at once: they can add you again.
                    """)
        },
        appPassword: { host, password in
            Body(
                subject: "A password for the old app",
                text: """
                    a password for the old app was made in your name at \(host). With it a phone opens old gates.

                    If neither you nor a manager you asked made it, change the password of your account here. That ends the app’s password, too:

                    \(password)
                    """)
        },
        newDevice: { host, time, client, address, sessions in
            Body(
                subject: "A sign-in on a new device",
                text: """
                    somebody signed in to your account at \(host) on a device that was not seen there before.

                    When: \(time)
                    With: \(client)
                    From: \(address)

                    If it was you, there is nothing to do.

                    If it was not you, end that session, then change your password:

                    \(sessions)
                    """)
        },
        browser: "a browser that does not say which", program: "a program", on: "on",
        trial: { host in
            Body(subject: "Test email", text: "emails from \(host) arrive. There is nothing to do.")
        })
}
