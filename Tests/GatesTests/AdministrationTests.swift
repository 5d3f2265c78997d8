import Accounts
import Identity
import Ledger
import Pages
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("Looking after gates")
struct AdministrationTests {
    private func refusal(_ body: () async throws -> Void) async throws -> GateRefusal? {
        do {
            try await body()
            return nil
        } catch let refusal as GateRefusal { return refusal }
    }

    private func events(_ house: House, _ prefix: String = "gate.") throws -> [(kind: String, payload: String)] {
        try house.ledger.events(of: house.site.id, after: 0, limit: 1000).filter { $0.kind.hasPrefix(prefix) }.map {
            ($0.kind, String(decoding: $0.payload ?? [], as: UTF8.self))
        }
    }

    @Test(
        "Seconds are read as people write them",
        arguments: [
            ("3", 3000), ("0.5", 500), ("0,5", 500), (" 1.25 ", 1250), ("30", 30_000), ("07", 7000), ("2.005", 2005),
        ])
    func seconds(_ text: String, _ milliseconds: Int) {
        #expect(Gate.pulse(text: text) == milliseconds)
    }

    @Test(
        "What is no number of seconds is none",
        arguments: ["", ".", "3.", ".5", "-3", "+3", "3s", "1e3", "1.2.3", "0x1", "٣", "100", "1.2345", "3\n4"])
    func noSeconds(_ text: String) { #expect(Gate.pulse(text: text) == nil) }

    @Test("A name has no signs that are not seen, and no blanks around it")
    func names() {
        #expect(GivenName.parse("  Main entrance ") == "Main entrance")
        #expect(GivenName.parse(String(repeating: "x", count: 80)) != nil)
        for bad in ["", "   ", "a\nb", "a\u{202e}b", "\u{feff}", "a\u{0}", String(repeating: "x", count: 81)] {
            #expect(GivenName.parse(bad) == nil)
        }
        for unseen in ["\u{200b}", "\u{200b} \u{2060}", "\u{ad}", "\u{3164}", "\u{2800}", "\u{fe0f}", "a\u{61c}"] {
            #expect(GivenName.parse(unseen) == nil)
        }
        // One character may have any number of marks.
        let marked = "a" + String(repeating: "\u{301}", count: 1_000)
        #expect(GivenName.parse(marked) == nil && !GivenName.fits(marked, longest: 120))
        #expect(GivenName.fits(String(repeating: "👩‍👩‍👧‍👦", count: 64), longest: 120))
        #expect(!GivenName.fits("", longest: 120) && !GivenName.fits(String(repeating: "x", count: 121), longest: 120))
        // In some languages they join and part letters.
        #expect(GivenName.parse("می\u{200c}روم") != nil)
    }

    @Test("A change is told with before and after, once; another pulse reaches the controller at once")
    func changed() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let site = house.site.id
            let person = house.person.id
            let gate = try await house.gates.changeGate(
                lock.gate.id, at: site, by: person, name: "Portone", pulse: nil)
            #expect((gate.name, gate.pulse, gate.rightsVersion) == ("Portone", 3000, 1))
            #expect(house.carrier.rights.isEmpty, "a name is nothing to a controller")
            _ = try await house.gates.changeGate(lock.gate.id, at: site, by: person, name: nil, pulse: 500)
            #expect(house.carrier.rights.map(\.settings.pulseMilliseconds) == [500])
            #expect(house.carrier.rights.map(\.version) == [2])
            let told = try events(house)
            #expect(told.map(\.kind) == ["gate.added", "gate.changed", "gate.changed"])
            #expect(told[1].payload.contains(#""before":{"name":"Ingresso","pulse":"3000 ms"}"#))
            #expect(told[1].payload.contains(#""after":{"name":"Portone","pulse":"3000 ms"}"#))
            #expect(told[2].payload.contains(person.text))
            _ = try await house.gates.changeGate(lock.gate.id, at: site, by: person, name: "Portone", pulse: 500)
            #expect(try events(house).count == 3, "saying the same again writes nothing")
        }
    }

    @Test("What will not do is refused in words, and nothing is written")
    func refused() async throws {
        try await House.run { house in
            let (a, b) = (try await house.lock("A"), try await house.lock("B"))
            let (site, person) = (house.site.id, house.person.id)
            let before = try house.ledger.position()
            for (name, pulse, why) in [
                ("B", nil, .taken), ("", nil, .name), (String(repeating: "x", count: 81), nil, .name),
                (nil, 499, .pulse), (nil, 30_001, .pulse), (nil, -1, .pulse), (nil, 65_536 + 500, .pulse),
            ] as [(String?, Int?, GateRefusal)] {
                let found = try await refusal {
                    _ = try await house.gates.changeGate(a.gate.id, at: site, by: person, name: name, pulse: pulse)
                }
                #expect(found == why)
            }
            let elsewhere = try await refusal {
                _ = try await house.gates.retire(b.gate.id, at: .new(at: noon), by: person)
            }
            #expect(elsewhere == .unknown)
            #expect(try house.ledger.position() == before)
            let policy = try await refusal {
                _ = try await house.gates.addGate(name: "C", policy: "nobody", at: site, by: person)
            }
            #expect(policy == .policy)
            #expect(try await house.gates.addGate(name: "C", policy: nil, at: site, by: person).policy == "test")
        }
    }

    @Test("A gate out of use opens for nobody, its passes end at the gate, and it comes back as it was")
    func retired() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (site, person) = (house.site.id, house.person.id)
            let pass = try #require(try await house.gates.issuePasses(to: person, at: site).first).pass
            let gone = try await house.gates.retire(lock.gate.id, at: site, by: person)
            #expect(gone.retired == noon)
            #expect(house.carrier.rights.last?.isDenied(pass.header.passID) == true)
            #expect(try await house.gates.issuePasses(to: person, at: site).isEmpty)
            await #expect(throws: Gates.Unknown.self) {
                try await house.gates.open(lock.gate.id, by: person, intent: .apri)
            }
            #expect(try house.gates.list(of: site).isEmpty)
            _ = try await house.gates.retire(lock.gate.id, at: site, by: person)

            // What it still did before it heard of it is written down.
            try await house.say(try lock.record(of: pass, sequence: 1), lock)
            #expect(try house.transits() == 1)

            let back = try await house.gates.reinstate(lock.gate.id, at: site, by: person)
            #expect(back.retired == nil && back.key?.bytes == lock.key.bytes)
            #expect(try await house.gates.issuePasses(to: person, at: site).count == 1)
            #expect(try events(house).map(\.kind) == ["gate.added", "gate.retired", "gate.reinstated"])
        }
    }

    @Test("A controller that was away while its gate was taken out of use hears of it with its next hello")
    func retiredWhileAway() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            let (site, person) = (house.site.id, house.person.id)
            let pass = try #require(try await house.gates.issuePasses(to: person, at: site).first).pass
            _ = try await house.gates.retire(lock.gate.id, at: site, by: person)
            #expect(house.carrier.rights.isEmpty)
            try await house.say(try lock.hello(), lock)
            #expect(house.carrier.rights.last?.isDenied(pass.header.passID) == true)
        }
    }

    @Test("The pages of a gate stand in every language with hostile names", arguments: Language.allCases)
    func pages(_ language: Language) {
        let hostile = "<script>alert(1)</script>\"onload='x'&amp;"
        let around = Surroundings(
            language: language, person: hostile, siteID: "s", siteName: hostile, navigation: [])
        let states: [GateListView.State] = [.connected, .notConnected, .waiting, .notPaired, .outOfUse]
        let now = noon
        let site = Site(id: .new(at: now), name: hostile, kind: .company, zone: .utc)
        var pages = [
            GateListView.page(around, rows: []),
            GateListView.page(around, rows: states.map { .init(id: "g", name: hostile, pulse: "3", state: $0) }),
            GateAdminView.page(around, .init()),
            GateAdminView.retirement(around, id: "g", name: hostile, panel: .empty),
        ]
        for state in states {
            var model = GateAdminView.Model(id: "g", name: hostile, pulse: hostile)
            (model.state, model.policies) = (state, [hostile, "doors"])
            model.refused = ["name": hostile]
            if state == .waiting {
                let pending = PairingRecords.Pending(
                    kind: "gate", subject: site.id.raw, code: [UInt8](repeating: 7, count: 16), username: hostile,
                    expires: now.adding(milliseconds: 600_000), tries: 0, maker: nil)
                model.code = PairingCodeView.Code(pending, at: site, now: now)
            }
            if state == .outOfUse { model.retired = hostile }
            pages.append(GateAdminView.page(around, model))
        }
        for page in pages {
            #expect(!page.string.contains("<script>"))
            #expect(!page.string.contains(" style="))
            #expect(page.string.ranges(of: "<h1>").count == 1)
        }
    }
}
