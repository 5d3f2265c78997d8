import HTTPServer
import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite struct IdentityTests {
    private func introduced(
        _ subject: String = "7", name: String? = "Giulia Ferri", address: String? = nil, isConfirmed: Bool = true
    ) -> Introduced {
        Introduced(
            issuer: "https://id.example.org", subject: subject, name: name, address: address,
            isAddressConfirmed: isConfirmed && address != nil, service: "Debian")
    }

    private let visitor = Visitor(address: "::1")

    /// A house with one account, so that the first run is over.
    private func inHouse(open: Bool = true, _ test: @escaping (House, Person) async throws -> Void) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            try await AccountRecords.setRegistration(open: open, at: noon, in: house.store)
            try await test(house, ada)
        }
    }

    private func principal(_ house: House, _ signedIn: Accounts.SignedIn) throws -> Principal {
        try #require(try house.accounts.principal(token: signedIn.token.text))
    }

    @Test func `A stranger gets an account once, and comes back to it`() async throws {
        try await inHouse { house, _ in
            let first = try await house.accounts.signIn(introduced(address: "Giulia@Example.org"), from: visitor)
            #expect(first.person.name == "Giulia Ferri" && first.person.email == "giulia@example.org")
            #expect(try house.accounts.isConfirmed(first.person.id))
            // Another address and name over there changes nothing here.
            let again = try await house.accounts.signIn(
                introduced(name: "Anna", address: "ada@example.org"), from: visitor)
            #expect(again.person == first.person)
            let way = try #require(try house.accounts.waysIn(of: first.person.id).identities.first)
            #expect(way.label == "Giulia@Example.org" && way.used == noon)
            let holder = try principal(house, again)
            #expect(holder.proof.isFresh(at: noon))
        }
    }

    @Test func `Where strangers may not come in, none does, and no account is made`() async throws {
        try await inHouse(open: false) { house, ada in
            await #expect(throws: IntroductionRefusal.closed) {
                try await house.accounts.signIn(introduced(address: "g@example.org"), from: visitor)
            }
            await #expect(throws: IntroductionRefusal.closed) {
                try await house.accounts.signIn(introduced(address: ada.email), from: visitor)
            }
            let made = try house.store.read { try AccountRecords.person(email: "g@example.org", in: $0) }
            #expect(made == nil)
        }
    }

    @Test func `An address never makes two people one`() async throws {
        try await inHouse { house, ada in
            for isConfirmed in [true, false] {
                await #expect(throws: IntroductionRefusal.addressTaken) {
                    try await house.accounts.signIn(
                        introduced(address: " ADA@example.org", isConfirmed: isConfirmed), from: visitor)
                }
            }
            let ways = try house.accounts.waysIn(of: ada.id)
            #expect(ways.identities.isEmpty)
        }
    }

    @Test func `Somebody without address, and with a name that will not do, gets an account all the same`() async throws
    {
        try await inHouse { house, _ in
            for (index, name) in [nil, "", " ", "a\u{202e}b", String(repeating: "x", count: 81)].enumerated() {
                let person = try await house.accounts.signIn(introduced("\(index)", name: name), from: visitor).person
                #expect(person.address == nil && person.name == "Debian")
                #expect(try !house.accounts.isConfirmed(person.id))
            }
            let told = try await house.accounts.signIn(
                introduced("x", name: nil, address: "marco@example.org", isConfirmed: false), from: visitor
            ).person
            #expect(told.name == "marco" && told.address == "marco@example.org")
            #expect(try !house.accounts.isConfirmed(told.id), "nobody made sure of it")
            for address in ["no address", "a@b", "\"a\"@example.org", "a@example.org\r\nBcc: b@example.org"] {
                let person = try await house.accounts.signIn(introduced(address, address: address), from: visitor)
                    .person
                #expect(person.address == nil)
            }
        }
    }

    @Test func `One is linked with one's own account, and belongs to no other`() async throws {
        try await inHouse { house, ada in
            let program = try await house.token(ada, isProgram: false)
            let her = try #require(try house.accounts.principal(token: program))
            try await house.accounts.link(introduced("7", address: "x@example.org"), to: her)
            #expect(try await house.accounts.signIn(introduced("7"), from: visitor).person == ada)
            let other = try await house.accounts.signIn(introduced("8"), from: visitor)
            let stranger = try principal(house, other)
            await #expect(throws: WayRefusal.belongsToAnother) {
                try await house.accounts.link(introduced("7"), to: stranger)
            }
            for subject in ["7", "9"] {
                await #expect(throws: IntroductionRefusal.another) {
                    try await house.accounts.prove(stranger, by: introduced(subject))
                }
            }
        }
    }

    @Test func `It proves anew who holds a session`() async throws {
        try await inHouse { house, _ in
            let signedIn = try await house.accounts.signIn(introduced(), from: visitor)
            house.wait(milliseconds: Proof.freshness)
            let stale = try principal(house, signedIn)
            #expect(throws: Problem.self) { try Routes.requireFreshProof(stale, at: house.time.value) }
            try await house.accounts.prove(principal(house, signedIn), by: introduced())
            let proof = try principal(house, signedIn).proof
            #expect(proof.isFresh(at: house.time.value) && !proof.isStrong)
        }
    }

    @Test func `Who asks the service to be forgotten is, also where it was the last way in`() async throws {
        try await inHouse { house, _ in
            let signedIn = try await house.accounts.signIn(introduced(), from: visitor)
            func ways() throws -> Int { try house.accounts.waysIn(of: signedIn.person.id).count }
            func forget(_ subject: String, asked: Timestamp) async throws {
                try await house.accounts.forgetIdentity(
                    issuer: "https://id.example.org", subject: subject, asked: asked)
            }
            try await forget("8", asked: noon)
            // Words that were said before it was linked, and are said again, count for nothing.
            try await forget("7", asked: noon.adding(milliseconds: -120_000))
            #expect(try ways() == 1)
            try await forget("7", asked: noon)
            #expect(try ways() == 0)
            try await forget("7", asked: noon)
            let kinds = try Ledger(house.store).events(of: .hub, after: 0, limit: 100).map(\.kind)
            #expect(kinds.count { $0 == "way.removed" } == 1)
        }
    }

    @Test(arguments: [false, true])
    func `What an identity opened ends when it is unlinked here, or its service asks for that`(isAsked: Bool)
        async throws
    {
        try await inHouse { house, ada in
            let token = try await house.token(ada, isProgram: false)
            let her = try #require(try house.accounts.principal(token: token))
            for subject in ["7", "8"] { try await house.accounts.link(introduced(subject), to: her) }
            let opened = try await house.accounts.signIn(introduced("7"), from: visitor)
            let other = try await house.accounts.signIn(introduced("8"), from: visitor)
            let (hash, ended) = (try principal(house, opened).session, Shared<[[UInt8]]>([]))
            house.accounts.whenSessionEnds { session in ended.change { $0.append(session) } }
            let told = Shared<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.change { $0.append(change) } }
            let issuer = introduced().issuer
            if isAsked {
                try await house.accounts.forgetIdentity(issuer: issuer, subject: "7", asked: noon)
            } else {
                try await house.accounts.removeIdentity(issuer: issuer, subject: "7", of: her)
            }
            #expect(try house.accounts.principal(token: opened.token.text) == nil)
            #expect(ended.value == [hash])
            #expect(told.value == [.removed])
            _ = try principal(house, other)
            #expect(try house.accounts.principal(token: token) != nil)
        }
    }

    @Test(arguments: [false, true])
    func `A session that unlinks what opened it goes on only with another proof`(proves: Bool) async throws {
        try await inHouse { house, ada in
            let token = try await house.token(ada, isProgram: false)
            let her = try #require(try house.accounts.principal(token: token))
            try await house.accounts.link(introduced(), to: her)
            let own = try await house.accounts.signIn(introduced(), from: visitor)
            if proves { try await house.accounts.prove(principal(house, own), password: House.password, from: visitor) }
            try await house.accounts.removeIdentity(
                issuer: introduced().issuer, subject: "7", of: principal(house, own))
            #expect(try (house.accounts.principal(token: own.token.text) != nil) == proves)
        }
    }

    @Test func `A receipt is good for the service that it was made for, and for no other text`() async throws {
        try await inHouse { house, _ in
            let receipt = try await house.accounts.forgettingReceipt(service: "facebook")
            #expect(try await house.accounts.forgotten(receipt: receipt, service: "facebook") == noon)
            #expect(try await house.accounts.forgotten(receipt: receipt, service: "other") == nil)
            for wrong in ["", String(repeating: "A", count: 43), String(receipt.dropLast()), receipt + "A"] {
                #expect(try await house.accounts.forgotten(receipt: wrong, service: "facebook") == nil)
            }
        }
    }
}
