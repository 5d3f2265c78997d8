import Accounts
import Glibc
import Ledger
import Store
import System
import Testing

@Suite("The first run")
struct FirstRunTests {
    private func owner(_ name: String = "Ada") -> Person {
        Person(id: .new(at: noon), name: name, email: "\(name.lowercased())@example.org", language: "it")
    }
    private func site() -> Site { Site(id: .new(at: noon), name: "Officina", kind: .company, zone: rome) }

    private func code(_ house: House) throws -> String {
        let bytes = try Files.read(house.folder + "/setup-code")
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    private func run(_ house: House, code: String, person: Person, password: String = House.password) async -> (
        any Error
    )? {
        do {
            try await house.accounts.firstRun(
                code: code, person: person, password: password, site: site(), folder: house.folder)
            return nil
        } catch { return error }
    }

    @Test("Whoever brings the code becomes the owner of the first site, once; then the code and its file are gone")
    func once() async throws {
        try await House.run { house in
            try await house.accounts.prepareFirstRun(folder: house.folder)
            var info = stat()
            #expect(stat(house.folder + "/setup-code", &info) == 0)
            #expect(info.st_mode & 0o777 == 0o600)
            let code = try code(house)
            // As people type it.
            let typed = code.lowercased().map { "\($0)" }.joined(separator: " ")
            #expect(await run(house, code: typed, person: owner()) == nil)
            #expect(try !house.accounts.isEmpty())
            #expect(!Files.exists(house.folder + "/setup-code"))
            #expect(await run(house, code: code, person: owner("Bruno")) as? AccountRefusal == .wrongSetupCode)
            let token = try await house.token(owner())
            let principal = try #require(try house.accounts.principal(token: token))
            #expect(principal.memberships.map(\.membership.permission) == [.owner])
            #expect(principal.memberships.map(\.site.name) == ["Officina"])
            let ledger = Ledger(house.store)
            let site = try #require(principal.memberships.first).site.id
            #expect(
                try ledger.events(of: site, after: 0, limit: 9).map(\.kind) == ["site.created", "membership.added"])
            #expect(try ledger.events(of: .hub, after: 0, limit: 9).map(\.kind) == ["site.created"])
            #expect(try ledger.verify().firstBad == nil)
        }
    }

    @Test(
        "Without the right code nothing is made",
        arguments: ["", "0", "00000000000000000000000000", "ZZZZZZZZZZZZZZZZZZZZZZZZZW", "no code"])
    func wrong(code: String) async throws {
        try await House.run { house in
            try await house.accounts.prepareFirstRun(folder: house.folder)
            #expect(await run(house, code: code, person: owner()) as? AccountRefusal == .wrongSetupCode)
            #expect(try house.accounts.isEmpty())
            #expect(Files.exists(house.folder + "/setup-code"))
        }
    }

    @Test("Before a code was made no text opens")
    func noCode() async throws {
        try await House.run { house in
            #expect(
                await run(house, code: "00000000000000000000000000", person: owner()) as? AccountRefusal
                    == .wrongSetupCode)
            let isEmpty = try house.accounts.isEmpty()
            #expect(isEmpty)
        }
    }

    @Test("Two who bring the code at the same moment: exactly one becomes the owner")
    func concurrent() async throws {
        try await House.run { house in
            try await house.accounts.prepareFirstRun(folder: house.folder)
            let code = try code(house)
            let refusals = await withTaskGroup(of: AccountRefusal?.self) { group in
                for name in ["Ada", "Bruno", "Carla", "Dario"] {
                    group.addTask { await run(house, code: code, person: owner(name)) as? AccountRefusal }
                }
                return await group.reduce(into: [AccountRefusal?]()) { $0.append($1) }
            }
            #expect(refusals.filter { $0 == nil }.count == 1)
            #expect(refusals.filter { $0 == .wrongSetupCode }.count == 3)
            let (people, sites) = try house.store.read { database in
                (
                    try database.row("SELECT count(*) FROM people") { $0[0] as Int },
                    try AccountRecords.sites(in: database).count
                )
            }
            #expect(people == 1)
            #expect(sites == 1)
        }
    }

    @Test("A new start makes a new code, and the old one opens no more; after the owner there is none")
    func restarted() async throws {
        try await House.run { house in
            try await house.accounts.prepareFirstRun(folder: house.folder)
            let old = try code(house)
            try await house.accounts.prepareFirstRun(folder: house.folder)
            let new = try code(house)
            #expect(old != new)
            #expect(await run(house, code: old, person: owner()) as? AccountRefusal == .wrongSetupCode)
            #expect(await run(house, code: new, person: owner()) == nil)
            try Files.replace(house.folder + "/setup-code", with: Array("left behind".utf8))
            try await house.accounts.prepareFirstRun(folder: house.folder)
            #expect(!Files.exists(house.folder + "/setup-code"))
        }
    }

    @Test("Fields that will not do are named, and the code stays good")
    func fields() async throws {
        try await House.run { house in
            try await house.accounts.prepareFirstRun(folder: house.folder)
            let code = try code(house)
            let short = await run(house, code: code, person: owner(), password: "short")
            #expect(short as? AccountRefusal == .weakPassword(.tooShort))
            let nameless = await run(
                house, code: code, person: Person(id: .new(at: noon), name: "", email: "a@b.c", language: nil))
            #expect(nameless as? AccountRefusal == .invalid(field: "name"))
            #expect(await run(house, code: code, person: owner()) == nil)
        }
    }
}

@Suite("The fields of an account")
struct FieldTests {
    private func refused(_ name: String, _ email: String, _ password: String?) -> String? {
        do throws(AccountRefusal) {
            try Accounts.check(name: name, email: email, password: password)
            return nil
        } catch {
            switch error {
            case .invalid(let field): return field
            case .weakPassword(let fault): return fault.rawValue
            default: return "?"
            }
        }
    }

    @Test("A name has 1 to 120 characters of any language and nothing that controls a terminal")
    func names() {
        for name in ["A", "Ada Rossi", "門番", String(repeating: "é", count: 120)] {
            #expect(refused(name, "a@b.c", nil) == nil)
        }
        for name in ["", String(repeating: "a", count: 121), "a\nb", "a\u{7f}", "\u{1b}[31m"] {
            #expect(refused(name, "a@b.c", nil) == "name")
        }
    }

    @Test("An address has one @ with something before it and a name with a dot after it")
    func emails() {
        for email in [
            "a@b.c", "a+b@sub.example.org", "é@è.it", "क@उदाहरण.भारत", "a@3com.com", "a@1.it", "a@xn--caf-dma.it",
            "a@4.4a",
        ] {
            #expect(refused("A", email, nil) == nil)
        }
        for email in [
            "", "a", "a@b", "@b.c", "a@", "a@b.", "a@.c", "a@@b.c", "a@b@c.d", "a b@c.d", "a@b.c\n", "a@b.c,d@e.f",
            "<a@b.c>", "a@127.0.0.1", "a@x..example", "a@x.exam/ple", "a@x.example?x", "a@x.example#", "a@-b.c",
            "a@b-.c", "a\u{2800}@b.c", "e\u{301}@b.c",
            "a@e\u{300}.it",
            "a@" + String(repeating: "x", count: 64) + ".it", "\u{212B}@b.c", "a\u{200B}@b.c", "a@b.c\u{FEFF}",
            "a\u{202E}b@c.d", "a\u{AD}@b.c",
            String(repeating: "a", count: 251) + "@b.c",
        ] { #expect(refused("A", email, nil) == "email") }
    }

    @Test("A password has at least 10 characters and at most 1,024 bytes, and is none that others would try")
    func passwords() {
        let long = String(repeating: "a threshold at dawn, ", count: 49).prefix(1024)
        for password in ["fog on lake", String(long), "門番は朝に扉を開けます", nil] {
            #expect(refused("A", "a@b.c", password) == nil)
        }
        for (password, why) in [
            ("", "tooShort"), ("fog on sea", nil), ("fog on pa", "tooShort"), (String(long) + "x", "tooLong"),
            ("xxxxxxxxxxxx", "repeats"), ("qwertyuiop123", "sequence"), ("password1234", "wellKnown"),
        ] {
            #expect(refused("A", "a@b.c", password) == why)
        }
    }

    @Test("An address is kept in lower case and without blanks around it")
    func normalised() {
        #expect(Accounts.normalised(" \tAda@Example.ORG\n") == "ada@example.org")
        #expect(Accounts.normalised("") == "")
        #expect(Accounts.normalised("   ") == "")
    }
}
