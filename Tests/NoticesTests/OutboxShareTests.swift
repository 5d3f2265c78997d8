import Accounts
import Glibc
import Identity
import Ledger
@testable import Store
import System
import TestSupport
import Testing
import Wire

@testable import Notices

/// No one's parcels keep another's from being carried.
@Suite struct OutboxShareTests {
    @Test func `A person whose devices never answer holds a quarter of the lanes, and the others are reached`()
        async throws
    {
        try await withOutbox { place in
            let silent = PersonID.new(at: place.clock.now)
            let carrier = HeldCarrier(lanes: 8) { $0.person == silent }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .push)
            for _ in 0..<20 { try await place.add(.push, of: silent, lifetime: 60_000) }
            try await place.running {
                try #require(await eventually { carrier.held.count >= 2 })
                for _ in 0..<4 {
                    let id = try await place.add(.push, of: .new(at: place.clock.now), lifetime: 7 * 86_400_000)
                    try #require(await eventually { try place.state(of: id) == .delivered })
                }
                #expect(carrier.held.count == 2)
            }
        }
    }

    @Test func `While twelve servers never answer, one that has answered before is called`() async throws {
        try await withOutbox { place in
            let silent = Set((0..<12).map { _ in SiteID.new(at: place.clock.now) })
            let healthy = SiteID.new(at: place.clock.now)
            let carrier = HeldCarrier(lanes: 8) { silent.contains(Self.site(of: $0)) }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .webhook)
            try await place.running {
                let first = try await place.add(.webhook, to: healthy)
                try #require(await eventually { try place.state(of: first) == .delivered })
                for site in silent { for _ in 0..<3 { try await place.add(.webhook, to: site) } }
                try #require(await eventually { carrier.held.count >= 6 })
                for _ in 0..<3 {
                    let id = try await place.add(.webhook, to: healthy)
                    try #require(await eventually { try place.state(of: id) == .delivered })
                }
                #expect(carrier.held.count == 6)
            }
        }
    }

    @Test func `Servers that answer, but late, hold half of the lanes as those that do not`() async throws {
        let uptime = Shared<UInt64>(0)
        try await withOutbox(uptime: uptime) { place in
            let late = Set((0..<12).map { _ in SiteID.new(at: place.clock.now) })
            let answered = Shared(Set<SiteID>())
            let carrier = HeldCarrier(lanes: 8) { parcel in
                let site = Self.site(of: parcel)
                guard late.contains(site), !answered.value.contains(site) else { return late.contains(site) }
                answered.change { $0.insert(site) }
                uptime.change { $0 += Outbox.slowAnswer }
                return false
            }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .webhook)
            try await place.running {
                for site in late {
                    let id = try await place.add(.webhook, to: site)
                    try #require(await eventually { try place.state(of: id) == .delivered })
                }
                for site in late { try await place.add(.webhook, to: site) }
                try #require(await eventually { carrier.held.count >= 4 })
                for _ in 0..<3 {
                    let id = try await place.add(.webhook, to: .new(at: place.clock.now))
                    try #require(await eventually { try place.state(of: id) == .delivered })
                }
                #expect(carrier.held.count == 4)
            }
        }
    }

    @Test func `What nobody carries any more ends when it is too late, and what it held goes`() async throws {
        try await withOutbox { place in
            let id = try await place.add(.mail, of: .new(at: place.clock.now), lifetime: 1_000)
            place.move(by: 3_600_000)
            while try await place.store.write({ try OutboxRecords.sweep(at: place.clock.now, in: $0) }) {}
            #expect(try place.state(of: id) == .waiting, "its channel may still be at it")
            place.move(by: 2_000)
            while try await place.store.write({ try OutboxRecords.sweep(at: place.clock.now, in: $0) }) {}
            #expect(try place.state(of: id) == .expired)
            #expect(try place.payload(of: id) == [])
        }
    }

    @Test func `Servers that have left a call unanswered hold half of the lanes, and a new one is called`() async throws
    {
        try await withOutbox { place in
            let silent = Set((0..<12).map { _ in SiteID.new(at: place.clock.now) })
            let carrier = HeldCarrier(lanes: 8) { silent.contains(Self.site(of: $0)) }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .webhook)
            for site in silent { try await place.add(.webhook, to: site) }
            try await place.running {
                try #require(
                    await eventually {
                        carrier.answer(.again(afterSeconds: nil, why: "no answer"))
                        return Set(carrier.seen.map(Self.site)).count == 12 && carrier.held.isEmpty
                    })
                let soon = place.clock.now.adding(milliseconds: 5_000)
                try #require(await eventually { try place.waiting(until: soon) == 0 })
                place.move(by: 5_000)
                try await place.outboxIsWoken()
                try #require(await eventually { carrier.held.count >= 4 })
                let id = try await place.add(.webhook, to: .new(at: place.clock.now))
                try #require(await eventually { try place.state(of: id) == .delivered })
                #expect(carrier.held.count == 4)
            }
        }
    }

    @Test func `Who was served longest ago comes first, and of each what is soonest too late`() async throws {
        try await withOutbox { place in
            let (busy, calm, single) = (
                PersonID.new(at: place.clock.now), PersonID.new(at: place.clock.now), PersonID.new(at: place.clock.now)
            )
            let carrier = Hand(lanes: 1) { _ in .delivered }
            place.outbox.use(carrier, for: .mail)
            var of: [PersonID: [ParcelID]] = [:]
            for hours in [5, 1, 4, 2, 3] {
                of[busy, default: []].append(try await place.add(.mail, of: busy, lifetime: Int64(hours) * 3_600_000))
            }
            for hours in [20, 19] {
                of[calm, default: []].append(try await place.add(.mail, of: calm, lifetime: Int64(hours) * 3_600_000))
            }
            of[single] = [try await place.add(.mail, of: single, lifetime: 30 * 3_600_000)]
            try await place.running {
                try #require(await eventually { carrier.seen.count == 8 })
            }
            let (b, c, s) = (try #require(of[busy]), try #require(of[calm]), try #require(of[single]))
            #expect(carrier.seen.map(\.id) == [b[1], c[1], s[0], b[3], c[0], b[4], b[2], b[0]])
        }
    }

    @Test func `The invitations of one site keep no other's letters from leaving`() async throws {
        try await withOutbox { place in
            let (site, other) = (ShareID.new(at: place.clock.now), ShareID.new(at: place.clock.now))
            let carrier = HeldCarrier(lanes: 2) { $0.share == site }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .mail)
            for _ in 0..<400 { try await place.add(.mail, of: .new(at: place.clock.now), share: site) }
            try await place.running {
                try #require(await eventually { carrier.held.count == 1 })
                let letter = try await place.add(.mail, lifetime: 7 * 86_400_000, share: other)
                try #require(await eventually { try place.state(of: letter) == .delivered })
                #expect(carrier.held.count == 1)
            }
        }
    }

    @Test func `Where more shares wait than one look goes through, each has its turn`() async throws {
        try await withOutbox { place in
            let count = 2 * Outbox.window + 10
            let carrier = HeldCarrier(lanes: 4) { $0.payload.isEmpty }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .push)
            let now = place.clock.now
            let parcels = (0..<count).flatMap { _ in
                let person = PersonID.new(at: now)
                return (0..<2).map { _ in
                    Parcel(
                        id: .new(at: now), channel: .push, person: person, payload: [1], created: now,
                        expires: now.adding(milliseconds: 60_000))
                }
            }
            try await place.store.write { for parcel in parcels { try OutboxRecords.add(parcel, in: $0) } }
            try await place.running {
                try #require(await eventually { carrier.seen.count == 2 * count })
            }
            #expect(Set(carrier.seen.map(\.id)).count == 2 * count)
        }
    }

    @Test func `Behind more silent shares than one look goes through, one that answers is found`() async throws {
        try await withOutbox { place in
            let now = place.clock.now
            let carrier = HeldCarrier(lanes: 4) { $0.payload == [0] }
            defer { carrier.end() }
            place.outbox.use(carrier, for: .push)
            let silent = (0..<2 * Outbox.window).map { _ in
                Parcel(
                    id: .new(at: now), channel: .push, person: .new(at: now), payload: [0], created: now,
                    expires: now.adding(milliseconds: 60_000), attempts: 1)
            }
            // Later ids come later in the table.
            let last = Parcel(
                id: .new(at: now), channel: .push, person: .new(at: now.adding(milliseconds: 1)), payload: [1],
                created: now, expires: now.adding(milliseconds: 90_000))
            try await place.store.write { for parcel in silent + [last] { try OutboxRecords.add(parcel, in: $0) } }
            try await place.running {
                try #require(await eventually { try place.state(of: last.id) == .delivered })
                #expect(carrier.held.count == 2)
            }
        }
    }

    @Test func `A test finds no lane while the same share has too many out; others have theirs`() async throws {
        try await withOutbox { place in
            let now = place.clock.now
            let silent = (0..<3).map { _ in ShareID.new(at: now) }
            let carrier = HeldCarrier(lanes: 8) { silent.contains($0.share) }
            place.outbox.use(carrier, for: .webhook)
            func parcel(_ share: ShareID) -> Parcel {
                Parcel(
                    id: .new(at: now), channel: .webhook, person: nil, payload: [], created: now,
                    expires: now.adding(milliseconds: 60_000), share: share)
            }
            let outbox = place.outbox
            await withTaskGroup(of: Void.self) { group in
                for share in silent {
                    for _ in 0..<2 {
                        let parcel = parcel(share)
                        group.addTask { _ = await outbox.tryOut(parcel) }
                    }
                }
                let isFull = await eventually { carrier.held.count == 6 }
                #expect(isFull)
                #expect(
                    await outbox.tryOut(parcel(silent[0]))
                        == .again(afterSeconds: nil, why: "the server has not answered earlier calls yet"))
                #expect(
                    await outbox.tryOut(parcel(.new(at: now)))
                        == .again(afterSeconds: nil, why: "the hub is testing other servers: try again in some seconds")
                )
                // What cannot wait has lanes of its own.
                #expect(await outbox.carryAtOnce(parcel(.new(at: now))) == .delivered)
                carrier.answer(.again(afterSeconds: nil, why: "no answer"))
            }
            await withTaskGroup(of: Void.self) { group in
                for share in silent {
                    for _ in 0..<2 {
                        let parcel = parcel(share)
                        group.addTask { _ = await outbox.tryOut(parcel) }
                    }
                }
                let isHalf = await eventually { carrier.held.count == 4 }
                #expect(isHalf)
                #expect(await outbox.tryOut(parcel(.new(at: now))) == .delivered)
                carrier.end()
            }
        }
    }

    @Test func `Parcels of before get a share: the site's, the person's, the subject's, or their own`() async throws {
        let folder = "/tmp/soglia-outbox-\(getpid())-\(Random.bytes(6).map { String($0, radix: 16) }.joined())"
        try Files.makeFolder(folder)
        defer { Files.removeTree(folder) }
        let path = folder + "/outbox.sqlite"
        let now = Timestamp(milliseconds: 1_000)
        let (site, person, subject) = (SiteID.new(at: now), PersonID.new(at: now), ParcelID.new(at: now))
        let ids = (0..<5).map { _ in ParcelID.new(at: now) }
        let before = try Store(path: path, migrations: [OutboxRecords.migration, OutboxRecords.expiryMigration])
        try await before.write { database in
            func add(
                _ place: Int, _ channel: Channel, _ person: PersonID?, _ subject: ParcelID?, _ payload: [UInt8],
                _ state: String = "waiting"
            ) throws {
                try database.execute(
                    """
                    INSERT INTO outbox (id, channel, person, subject, payload, created, expires, attempts, due, state)
                    VALUES (?, ?, ?, ?, ?, 0, 2000, 0, 0, ?)
                    """, ids[place], channel.rawValue, person, subject, payload, state)
            }
            try add(0, .webhook, nil, subject, site.raw.bytes + [0x7b])
            try add(1, .push, person, subject, [1])
            try add(2, .mail, nil, subject, [1])
            try add(3, .mail, nil, nil, [1])
            try add(4, .webhook, nil, subject, [], "delivered")
        }
        await before.close()
        let store = try Store(
            path: path,
            migrations: [OutboxRecords.migration, OutboxRecords.expiryMigration, OutboxRecords.shareMigration])
        let shares = try store.read { database in
            try ids.map { try database.row("SELECT share FROM outbox WHERE id = ?", $0) { $0[0] as [UInt8] } }
        }
        #expect(
            shares == [site.raw.bytes, person.raw.bytes, subject.raw.bytes, ids[3].raw.bytes, []])
        let found = try store.read { database in
            try [Channel.webhook, .push, .mail].flatMap {
                try OutboxRecords.waitingShares(on: $0, after: nil, limit: 10, in: database).map(\.share.raw)
            }
        }
        #expect(Set(found) == [site.raw, person.raw, subject.raw, ids[3].raw])
        await store.close()
    }

    @Test func `A look steps over the shares by an index, whatever each of them has waiting`() async throws {
        try await withOutbox { place in
            let queries = [OutboxRecords.waitingSharesQuery, OutboxRecords.firstQuery, OutboxRecords.nextDueQuery].map {
                query in
                "\(query)".replacing("?1", with: "'push'").replacing("?2", with: "x'00'").replacing("?3", with: "128")
                    .replacing("LIMIT ?", with: "LIMIT 3").replacing("?", with: "7")
            }
            let plans = try await place.store.write { database in
                try queries.map { query in
                    try database.run("CREATE TEMP VIEW looked AS " + query)
                    defer { try? database.run("DROP VIEW temp.looked") }
                    return try database.rows("EXPLAIN QUERY PLAN SELECT * FROM looked") { $0[3] as String }
                }
            }
            for plan in plans {
                let ofTable = plan.filter { $0.contains("outbox") }
                #expect(!ofTable.isEmpty && ofTable.allSatisfy { $0.hasPrefix("SEARCH outbox USING") }, "\(plan)")
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            }
            #expect(plans[0].count { $0.contains("share=?") || $0.contains("share>?") } == 4, "\(plans[0])")
        }
    }

    @Test func `A letter takes the share of the site that writes to many, or of whoever it is for`() async throws {
        try await Office.with { office in
            let settings = try Self.mail()
            let letters = Letters(office.notices, settings)
            let owner = try #require(try office.store.read { try AccountRecords.person(office.owner, in: $0) })
            func shares() throws -> [ShareID] {
                try office.store.read {
                    try $0.rows("SELECT share FROM outbox WHERE channel = 'mail' ORDER BY rowid") { $0[0] as ShareID }
                }
            }
            for person in office.people { try await letters.invite(person, to: office.site.id, by: owner) }
            #expect(try shares() == office.people.map { _ in ShareID(office.site.id.raw) })
            try await letters.forgotten("p1@example.org", .en)
            try await letters.forgotten("p2@example.org", .en)
            try await letters.forgotten("p1@example.org", .en)
            let asked = try shares().dropFirst(office.people.count)
            #expect(asked.count == 3 && Set(asked).count == 2 && asked.first == asked.last)
            #expect(!asked.contains(ShareID(office.site.id.raw)))
            // What a site tells many is the site's; an alarm's letter waits behind none of that.
            let way = MailWay(writer: LetterWriter(accounts: office.notices.accounts, settings: settings))
            for (urgency, share) in [
                (Urgency.normal, ShareID(office.site.id.raw)), (.critical, ShareID(office.owner.raw)),
            ] {
                let notice = Notices.notice(office.notify("home.gas", urgency), by: .hub, at: office.now)
                let delivery = NoticeDelivery(
                    notice: notice, person: office.owner, language: .en, showsDetails: false, place: nil)
                let parcels = try office.store.read { try way.parcels(for: delivery, at: office.now, in: $0) }
                #expect(parcels.map(\.share) == [share], "\(urgency)")
            }
        }
    }

    @Test func `No letter of what has happened is kept for somebody who was erased meanwhile`() async throws {
        try await Office.with { office in
            let settings = try Self.mail()
            let letters = Letters(office.notices, settings)
            let owner = try #require(try office.store.read { try AccountRecords.person(office.owner, in: $0) })
            let erased = Person(id: .new(at: office.now), name: owner.name, email: owner.email, language: nil)
            for person in [erased, owner] { await letters.tell(person) { $0.wayAdded(person) } }
            let kept = try office.store.read {
                try $0.rows("SELECT person FROM outbox WHERE channel = 'mail'") { $0[0] as PersonID }
            }
            #expect(kept == [owner.id])
        }
    }

    /// A mail server at which nobody answers.
    private static func mail() throws -> MailSettings {
        let sender = try #require(MailSender(address: "soglia@hub.example.org", name: "Soglia"))
        return try #require(
            MailSettings(url: "smtp://127.0.0.1:1", isPlain: true, sender: sender, origin: "https://hub.example.org"))
    }

    private static func site(of parcel: Parcel) -> SiteID {
        SiteID(ID16(Array(parcel.payload.prefix(16))) ?? .zero)
    }
}
