import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Accounts

@Suite("Known devices")
struct KnownDeviceTests {
    private let key = Key([UInt8](repeating: 7, count: 32))!
    private let ada = PersonID.new(at: noon)

    private func name(_ text: String, of person: PersonID? = nil, hash: String = "h", after days: Int64 = 0) -> [UInt8]?
    {
        KnownDevice.name(
            in: text, of: person ?? ada, passwordHash: hash, at: noon.adding(milliseconds: days * 86_400_000), key: key)
    }

    @Test("What was made for somebody names a device of theirs, each another, until they have another password")
    func good() throws {
        let (one, two) = (
            KnownDevice.make(for: ada, passwordHash: "h", at: noon, key: key),
            KnownDevice.make(for: ada, passwordHash: "h", at: noon, key: key)
        )
        #expect(try #require(name(one)) != #require(name(two)))
        #expect(name(one, of: .new(at: noon)) == nil)
        #expect(name(one, hash: "other") == nil)
        #expect(name(one, after: 399) != nil)
        #expect(name(one, after: 400) == nil)
        #expect(name(one, after: -1) != nil, "a clock that was put back makes nobody a stranger")
    }

    @Test("A text with any other bit, of another length or of another key names none")
    func forged() throws {
        let text = KnownDevice.make(for: ada, passwordHash: "h", at: noon, key: key)
        let bytes = try #require(Base64.bytes(urlText: text))
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(name(Base64.urlText(changed)) == nil)
        }
        for wrong in ["", "x", text + "A", String(text.dropLast()), String(repeating: "A", count: 100_000)] {
            #expect(name(wrong) == nil)
        }
        let other = Key([UInt8](repeating: 8, count: 32))!
        #expect(KnownDevice.name(in: text, of: ada, passwordHash: "h", at: noon, key: other) == nil)
    }

    @Test(
        "After a good sign-in a device gets in through a flood of wrong passwords; without it, not until the flood ends"
    )
    func throughTheFlood() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            func signIn(_ visitor: Visitor, _ password: String = House.password) async throws -> Accounts.SignedIn {
                try await house.accounts.signIn(email: ada.email, password: password, from: visitor, isProgram: false)
            }
            let device = try await signIn(Visitor(address: "192.0.2.7")).device
            for n in 0..<110 { _ = try? await signIn(Visitor(address: "10.0.\(n).1"), "wrong") }
            await #expect(throws: AccountRefusal.tooManyAttempts(retryAfterSeconds: 60)) {
                _ = try await signIn(Visitor(address: "192.0.2.8"))
            }
            _ = try await signIn(Visitor(address: "192.0.2.8", device: device))
            await #expect(throws: AccountRefusal.wrongPassword) {
                _ = try await signIn(Visitor(address: "192.0.2.8", device: device), "wrong")
            }
            let bruno = try await house.person("Bruno")
            for n in 0..<110 {
                _ = try? await house.accounts.signIn(
                    email: bruno.email, password: "wrong", from: Visitor(address: "10.0.\(n).1"), isProgram: false)
            }
            await #expect(throws: AccountRefusal.tooManyAttempts(retryAfterSeconds: 60)) {
                _ = try await house.accounts.signIn(
                    email: bruno.email, password: House.password, from: Visitor(address: "192.0.2.9", device: device),
                    isProgram: false)
            }
        }
    }

    @Test(
        "A network's flood of whatever is limited keeps out neither a known browser nor a session, whoever forges one is a stranger",
        arguments: LimitedAction.allCases)
    func flooded(_ action: LimitedAction) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let flooder = Visitor(address: "192.0.2.7")
            let signedIn = try await house.accounts.signIn(
                email: ada.email, password: House.password, from: flooder, isProgram: false)
            for _ in 0..<action.allowance.burst { try house.accounts.admit(action, from: flooder) }
            func isRefused(_ device: String?) -> Bool {
                (try? house.accounts.admit(action, from: Visitor(address: flooder.address, device: device))) == nil
            }
            let forged = String(signedIn.device.dropLast(4)) + "AAAA"
            for stranger in [nil, "", forged, KnownDevice.make(for: ada.id, passwordHash: "h", at: noon, key: key)] {
                #expect(isRefused(stranger))
            }
            for _ in 0..<action.knownAllowance.burst { #expect(!isRefused(signedIn.device)) }
            #expect(isRefused(signedIn.device), "its own count has an end, too")
            let principal = try #require(try house.accounts.principal(token: signedIn.token.text))
            try house.accounts.admit(action, of: principal)
        }
    }

    @Test("Letters to others are counted by person: no new session and no new browser gives more of them")
    func letters() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            func signIn() async throws -> (browser: Visitor, principal: Principal) {
                let signedIn = try await house.accounts.signIn(
                    email: ada.email, password: House.password, from: Visitor(address: "192.0.2.7"), isProgram: false)
                return (
                    Visitor(address: "192.0.2.7", device: signedIn.device),
                    try #require(try house.accounts.principal(token: signedIn.token.text))
                )
            }
            let (first, second) = (try await signIn(), try await signIn())
            for n in 0..<LimitedAction.letter.allowance.burst {
                try house.accounts.admit(.letter, of: n % 2 == 0 ? first.principal : second.principal)
            }
            let third = try await signIn()
            for one in [first, second, third] {
                #expect(throws: Problem.self) { try house.accounts.admit(.letter, of: one.principal) }
            }
            // A browser that was signed in once spends what is hers for letters to others, and none of what she asks for herself.
            for n in 0..<LimitedAction.letter.allowance.burst {
                try house.accounts.admitLetter(
                    to: "p\(n)@example.org", from: n % 2 == 0 ? first.browser : second.browser)
            }
            for one in [first, second, third] {
                #expect(throws: Problem.self) {
                    try house.accounts.admitLetter(to: "stranger@example.org", from: one.browser)
                }
            }
            for _ in 0..<LimitedAction.letter.allowance.burst {
                try house.accounts.admitLetter(to: ada.email, from: first.browser)
            }
            #expect(throws: Problem.self) { try house.accounts.admitLetter(to: ada.email, from: first.browser) }
            try house.accounts.admitLetter(to: " ADA@example.org", from: second.browser)
            try house.accounts.admitLetter(to: "stranger@example.org", from: Visitor(address: "192.0.2.7"))
        }
    }

    @Test("A session that is renewed has the guesses that are left, and no new requests")
    func renewed() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let visitor = Visitor(address: "192.0.2.7")
            var token = try await house.token(ada, isProgram: false)
            func principal() throws -> Principal { try #require(try house.accounts.principal(token: token)) }
            func guess() async throws { try await house.accounts.prove(principal(), password: "wrong", from: visitor) }
            for _ in 0..<AttemptLimit.free {
                await #expect(throws: AccountRefusal.wrongPassword) { try await guess() }
                token = try #require(try await house.accounts.renew(principal())).text
            }
            for _ in 0..<LimitedAction.password.knownAllowance.burst {
                try house.accounts.admit(.password, of: principal())
            }
            token = try #require(try await house.accounts.renew(principal())).text
            await #expect(throws: AccountRefusal.tooManyAttempts(retryAfterSeconds: 600)) { try await guess() }
            #expect(throws: Problem.self) { try house.accounts.admit(.password, of: principal()) }
        }
    }

    @Test("A good link is counted by itself, a wrong one by its network")
    func links() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let visitor = Visitor(address: "192.0.2.7")
            let token = try await house.store.write {
                try LinkRecords.add(
                    OneTimeLink(
                        purpose: .reset, person: ada.id, address: ada.email, expires: noon.adding(milliseconds: 60_000)),
                    at: noon, sweeps: true, in: $0
                ).text
            }
            func admit(_ link: String) throws {
                try house.accounts.admit(.password, from: visitor, showing: link, for: [.reset])
            }
            for _ in 0..<LimitedAction.password.allowance.burst { try admit(Token().text) }
            #expect(throws: Problem.self) { try admit(Token().text) }
            try admit(token)
        }
    }
}
