import Crypto
import Glibc
import HTTPServer
import Identity
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Accounts
@testable import Notices

@Suite struct PushTests {
    // MARK: whose device it is

    @Test func `A person has ten devices at most; the oldest goes for a new one, and a letter tells`() async throws {
        try await Phones.run { phones in
            let told = Shared<[Accounts.WayChange]>([])
            phones.accounts.whenWaysChange { _, change in told.change { $0.append(change) } }
            var last = try await phones.signIn()
            for number in 1...12 {
                phones.time.change { $0 = $0.adding(milliseconds: 1) }
                last = try await phones.signIn()
                try await phones.put(number, last)
                #expect(told.value == Array(repeating: .unheard, count: max(0, number - 10)))
            }
            #expect(try phones.endpoints() == (3...12).map(Phones.endpoint))
            // It says again what it said, or takes another address: nobody loses anything.
            try await phones.put(12, last)
            try await phones.put(13, last)
            #expect(told.value.count == 2)
        }
    }

    @Test func `By a password alone nobody pushes out the telephones of sessions that have shown a passkey`()
        async throws
    {
        try await Phones.run { phones in
            func strong(_ number: Int) async throws {
                let one = try await phones.signIn()
                let now = phones.time.value
                try await phones.store.write {
                    _ = try $0.execute("UPDATE sessions SET strong_at = ? WHERE hash = ?", now, one.session)
                }
                try await phones.put(number, one)
            }
            for number in 1...3 { try await strong(number) }
            for number in 4...20 {
                phones.time.change { $0 = $0.adding(milliseconds: 1) }
                try await phones.put(number, try await phones.signIn())
            }
            #expect(Set(try phones.endpoints()) == Set(([1, 2, 3] + Array(14...20)).map(Phones.endpoint)))
            // A stronger one pushes out the weaker; where all are as strong, a weak one is told so.
            for number in 21...27 { try await strong(number) }
            #expect(Set(try phones.endpoints()) == Set(([1, 2, 3] + Array(21...27)).map(Phones.endpoint)))
            let weak = try await phones.signIn()
            await #expect(throws: Problem.self) { try await phones.put(28, weak) }
            #expect(try phones.endpoints().count == 10)
        }
    }

    @Test func `A session has one device, and an endpoint is one device whoever had it before`() async throws {
        try await Phones.run { phones in
            let (one, other) = (try await phones.signIn(), try await phones.signIn())
            try await phones.put(1, one)
            try await phones.put(2, one)
            #expect(try phones.endpoints() == [Phones.endpoint(2)])
            try await phones.put(2, other)
            #expect(try phones.notices.devices.device(of: one) == nil)
            #expect(try phones.notices.devices.device(of: other) != nil)
            let stranger = try await phones.signIn(phones.stranger)
            try await phones.put(2, stranger)
            #expect(
                try phones.notices.devices.devices(of: one).isEmpty, "who signs in there now is told, and nobody else")
            #expect(try phones.notices.devices.devices(of: stranger).count == 1)
        }
    }

    @Test func `A device goes with its session`() async throws {
        try await Phones.run { phones in
            let (one, other) = (try await phones.signIn(), try await phones.signIn())
            let id = try await phones.put(1, one)
            try await phones.put(2, other)
            try await phones.accounts.signOut(one)
            #expect(try phones.subscription(id) == nil, "at once, also before the row is gone")
            try #require(await eventually { try phones.endpoints() == [Phones.endpoint(2)] })
        }
    }

    @Test func `A session that ended by itself takes its device along`() async throws {
        try await Phones.run { phones in
            let id = try await phones.put(1, try await phones.signIn())
            phones.time.change { $0 = $0.adding(milliseconds: Accounts.browserLifetime + 1) }
            #expect(try phones.subscription(id) == nil)
            try await phones.sweep()
            #expect(try phones.endpoints() == [])
        }
    }

    @Test
    func `After a start no device goes by its session's age for ten minutes, and one of a renewed session goes along`()
        async throws
    {
        try await Phones.run { phones in
            let (old, renewed) = (try await phones.signIn(), try await phones.signIn(phones.stranger))
            try await phones.put(1, old)
            let id = try await phones.put(2, renewed)
            let token = try #require(try await phones.accounts.renew(renewed)).text
            let successor = try #require(try phones.accounts.principal(token: token))
            try await phones.accounts.confirmRenewal(successor)
            func session() throws -> [UInt8]? {
                try phones.store.read { try $0.row("SELECT session FROM push_devices WHERE id = ?", id) { $0[0] } }
            }
            try #require(await eventually { try session() == successor.session })
            // The hub was killed before it had done that.
            try await phones.store.write {
                _ = try $0.execute("UPDATE push_devices SET session = ? WHERE id = ?", renewed.session, id)
            }

            phones.time.change { $0 = $0.adding(milliseconds: Accounts.browserLifetime + 1) }
            let devices = phones.afterStart()
            try await devices.sweep()
            #expect(try phones.endpoints().sorted() == [Phones.endpoint(1), Phones.endpoint(2)])
            #expect(try session() == successor.session)
            phones.time.change { $0 = $0.adding(milliseconds: Int64(ClockCheck.firstMinutes)) }
            try await devices.sweep()
            #expect(try phones.endpoints() == [])
        }
    }

    @Test func `A session that is renewed at the start of the app keeps its device`() async throws {
        try await Phones.run { phones in
            var principal = try await phones.signIn()
            let id = try await phones.put(1, principal)
            for _ in 1...3 {
                let token = try #require(try await phones.accounts.renew(principal)).text
                #expect(try phones.subscription(id) != nil)
                principal = try #require(try phones.accounts.principal(token: token))
                try await phones.accounts.confirmRenewal(principal)
                #expect(try phones.subscription(id) != nil)
                let now = principal
                try #require(await eventually { try phones.notices.devices.device(of: now)?.id == id })
                phones.time.change { $0 = $0.adding(milliseconds: 86_400_000) }
                try await phones.sweep()
                #expect(try phones.subscription(id) != nil, "the old session has ended")
            }
            try await phones.accounts.signOut(principal)
            #expect(try phones.subscription(id) == nil)
        }
    }

    @Test func `Nothing of a device is left of somebody who is erased`() async throws {
        try await Phones.run { phones in
            let principal = try await phones.signIn()
            try await phones.put(1, principal)
            try await phones.store.write { try PushRecords.erase(principal.person.id, in: $0) }
            #expect(try phones.endpoints() == [])
        }
    }

    @Test func `What is no push service of the public internet is refused`() async throws {
        try await Phones.run { phones in
            let (key, secret) = (Base64.urlText(P256PrivateKey().publicBytes), Base64.urlText(Random.bytes(16)))
            for endpoint in [
                "http://push.example.com/1", "https://127.0.0.1/1", "https://[::1]:9/1", "https://10.1.2.3/1",
                "https://192.168.0.1:444/1", "https://[fd00::1]/1", "https://169.254.169.254/1", "ftp://a.example/1",
                "https://", "",
            ] {
                #expect(throws: Problem.self, "\(endpoint)") {
                    try phones.notices.devices.subscription(endpoint: endpoint, publicKey: key, secret: secret)
                }
            }
            for endpoint in ["https://push.example.com/1", "https://9.9.9.9:8443/1", "https://[2620:fe::fe]/1"] {
                let good = try phones.notices.devices.subscription(endpoint: endpoint, publicKey: key, secret: secret)
                #expect(good.endpoint == endpoint)
            }
            #expect(throws: Problem.self) {
                try phones.notices.devices.subscription(
                    endpoint: "https://push.example.com/1", publicKey: secret, secret: secret)
            }
        }
    }

    // MARK: what is sent

    @Test func `What a push service says becomes the fate of the parcel and of the device`() async throws {
        let fates: [(outcome: PushOutcome, carried: Carried, isKept: Bool, failures: Int)] = [
            (.delivered, .delivered, true, 0),
            (.gone, .refused(why: "the device is not there any more"), false, 0),
            (.again(afterSeconds: 9, why: "busy"), .again(afterSeconds: 9, why: "busy"), true, 1),
            (.refused(why: "never"), .refused(why: "never"), true, 1),
            (.tooLarge, .refused(why: "it is too long for a device"), true, 1),
        ]
        for fate in fates {
            try await Phones.run { phones in
                let principal = try await phones.signIn()
                let id = try await phones.put(1, principal)
                let service = Service(fate.outcome)
                let carrier = PushCarrier(store: phones.store, clock: phones.accounts.clock, sender: service)
                #expect(await carrier.carry(phones.parcel(to: id, urgency: .critical)) == fate.carried)
                let device = try phones.notices.devices.device(of: principal)
                #expect((device != nil) == fate.isKept)
                #expect((device?.failures ?? 0) == fate.failures)
                #expect((device?.reached != nil) == (fate.outcome == .delivered))
                #expect(service.sent.value.map(\.endpoint) == [Phones.endpoint(1)])
                #expect(service.sent.value.first?.options.urgency == .high)
                #expect(service.sent.value.first?.options.seconds == 120)
            }
        }
    }

    @Test func `A service on this machine that was kept once is told nothing where none is allowed`() async throws {
        try await Phones.run { phones in
            let principal = try await phones.signIn()
            let kept = try PushSubscription(
                endpoint: "https://localhost:8443/x", key: P256PrivateKey().publicBytes, auth: Random.bytes(16),
                allowsLoopback: true)
            let id = try await phones.notices.devices.put(kept, of: principal)
            for isAllowed in [false, true] {
                let service = Service(.delivered)
                let carrier = PushCarrier(
                    store: phones.store, clock: phones.accounts.clock, sender: service, allowsLoopback: isAllowed)
                let carried = await carrier.carry(phones.parcel(to: id, urgency: .critical))
                #expect(carried == (isAllowed ? .delivered : .refused(why: "the device is not there any more")))
                #expect(service.sent.value.isEmpty == !isAllowed)
            }
        }
    }

    @Test func `Nothing is sent to a device whose session is over`() async throws {
        try await Phones.run { phones in
            let principal = try await phones.signIn()
            let id = try await phones.put(1, principal)
            try await phones.accounts.signOut(principal)
            let service = Service(.delivered)
            let carrier = PushCarrier(store: phones.store, clock: phones.accounts.clock, sender: service)
            let carried = await carrier.carry(phones.parcel(to: id, urgency: .low))
            #expect(carried == .refused(why: "the device is not there any more"))
            #expect(service.sent.value.isEmpty)
        }
    }

    @Test func `Each device of a person gets a parcel, which says on a lock screen only what anybody may read`()
        async throws
    {
        try await Phones.run { phones in
            let principal = try await phones.signIn()
            try await phones.put(1, principal)
            try await phones.put(2, try await phones.signIn())
            let way = PushWay(store: phones.store)
            for showsDetails in [false, true] {
                let delivery = phones.delivery(to: principal.person.id, showsDetails: showsDetails)
                let parcels = way.parcelsAtOnce(for: delivery, at: phones.time.value)
                #expect(parcels.count == 2)
                for parcel in parcels {
                    let payload = try #require(PushPayload(parcel.payload))
                    let text = String(decoding: payload.message, as: UTF8.self)
                    #expect(text.contains("Marta") == showsDetails)
                    #expect(text.contains("Somebody is at the door") == !showsDetails)
                    #expect(parcel.expires == delivery.notice.expires)
                }
            }
        }
    }

    @Test func `Of a site that asks for a passkey a device of a session without one is told only what anybody may see`()
        async throws
    {
        try await Phones.run { phones in
            let principal = try await phones.signIn()
            let weak = try await phones.put(1, principal)
            let strong = try await phones.signIn()
            try await phones.put(2, strong)
            let site = Site(id: .new(at: noon), name: "Officina", kind: .company, zone: .utc)
            try await phones.accounts.change { database in
                try AccountRecords.add(site, at: noon, by: nil, in: database)
                try database.execute("UPDATE sessions SET strong_at = ? WHERE hash = ?", noon, strong.session)
            }
            let way = PushWay(store: phones.store)
            for isAsked in [false, true] {
                try await phones.accounts.change { database in
                    _ = try database.execute("UPDATE sites SET second_factor = ? WHERE id = ?", isAsked, site.id)
                }
                let delivery = phones.delivery(to: principal.person.id, at: site.id, showsDetails: true)
                let now = phones.time.value
                let written = try phones.store.read { try way.parcels(for: delivery, at: now, in: $0) }
                for parcels in [written, way.parcelsAtOnce(for: delivery, at: now)] {
                    #expect(parcels.count == 2)
                    for parcel in parcels {
                        let payload = try #require(PushPayload(parcel.payload))
                        let text = String(decoding: payload.message, as: UTF8.self)
                        let isLocked = isAsked && payload.device == weak
                        #expect(text.contains("Marta") == !isLocked)
                        #expect(text.contains("\"name\":\"open\"") == !isLocked)
                    }
                }
            }
        }
    }

    @Test func `A message fits into what a push service takes, whatever its words`() throws {
        for letter in ["\"", "\n", "語", "é", "👩‍👩‍👧‍👦"] {
            let words = NoticeWords(String(repeating: letter, count: 200), String(repeating: letter, count: 900))
            let content = NoticeContent(
                kind: "doors.test", text: .init(asWritten: words), publicText: .init(asWritten: words),
                actions: ["one", "two", "three"].map { NoticeAction(name: $0, words: .init(asWritten: .init("Do it"))) }
            )
            let notice = Notice(
                id: .new(at: noon), site: nil, content: content, sender: nil, created: noon,
                expires: noon.adding(milliseconds: 1_000))
            let message = PushMessage(
                NoticeDelivery(notice: notice, person: .new(at: noon), language: .it, showsDetails: true, place: nil),
                isLocked: false)
            #expect(message.json.count <= WebPushMessage.longest, "\(letter)")
            #expect(message.actions.count == 2)
        }
    }

    @Test func `A topic tells a push service neither what a notice is about nor who else is told`() {
        let (one, other) = (PersonID.new(at: noon), PersonID.new(at: noon))
        let topic = PushPayload.topic("gas-kitchen", for: one)
        #expect(topic == PushPayload.topic("gas-kitchen", for: one))
        #expect(topic != PushPayload.topic("gas-kitchen", for: other))
        #expect(topic != PushPayload.topic("gas-cellar", for: one))
        #expect(!topic.text.contains("gas"))
    }

    @Test func `The hub has one key, whoever asks first`() async throws {
        try await Phones.run { phones in
            let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 1...8 { group.addTask { try await phones.notices.devices.publicKey() } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
            let again = PushDevices(accounts: phones.accounts)
            #expect(try await again.publicKey() == keys.first)
        }
    }
}

private let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

/// A push service that says always the same.
private final class Service: PushSending {
    private let outcome: PushOutcome
    let sent = Shared<[(endpoint: String, options: PushOptions)]>([])

    init(_ outcome: PushOutcome) { self.outcome = outcome }

    func send(_ text: [UInt8], to subscription: PushSubscription, _ options: PushOptions) async -> PushOutcome {
        sent.change { $0.append((subscription.endpoint, options)) }
        return outcome
    }
}

/// Somebody with phones, and a clock that a test moves.
private struct Phones {
    let store: Store
    let accounts: Accounts
    let notices: Notices
    let person: PersonID
    let stranger: PersonID
    let time: Shared<Timestamp>

    static func endpoint(_ number: Int) -> String { "https://push.example.com/\(number)" }

    func signIn(_ person: PersonID? = nil) async throws -> Principal {
        let signedIn = try await accounts.signIn(person ?? self.person, by: .password, from: Visitor(address: "::1"))
        return try #require(try accounts.principal(token: signedIn.token.text))
    }

    @discardableResult
    func put(_ number: Int, _ principal: Principal) async throws -> PushDeviceID {
        let subscription = try PushSubscription(
            endpoint: Self.endpoint(number), key: P256PrivateKey().publicBytes, auth: Random.bytes(16))
        return try await notices.devices.put(subscription, of: principal)
    }

    func subscription(_ id: PushDeviceID) throws -> PushSubscription? {
        try store.read { try PushRecords.subscription(of: id, at: time.value, allowsLoopback: false, in: $0) }
    }

    func endpoints() throws -> [String] {
        try store.read { try $0.rows("SELECT endpoint FROM push_devices ORDER BY created, id") { $0[0] as String } }
    }

    func sweep() async throws { try await notices.devices.sweep() }

    /// The devices as a hub has them that starts now.
    func afterStart() -> PushDevices {
        let start = time.value
        let clock = CheckedClock(
            CheckedClock.Source(
                machine: { time.value }, steady: { UInt64(time.value.milliseconds - start.milliseconds) },
                isKept: { false }, boot: [UInt8](repeating: 3, count: 16)), mark: nil, newest: nil)
        return PushDevices(
            accounts: Accounts(store: store, passwords: Passwords(memory: 64 << 10), clock: WallClock(clock)))
    }

    func parcel(to device: PushDeviceID, urgency: Urgency) -> Parcel {
        let now = time.value
        let payload = PushPayload(
            device: device, urgency: urgency, topic: PushPayload.topic("a", for: person), message: Array("{}".utf8))
        return Parcel(
            id: .new(at: now), channel: .push, person: person, payload: payload.encoded, created: now,
            expires: now.adding(milliseconds: 120_000))
    }

    func delivery(to person: PersonID, at site: SiteID? = nil, showsDetails: Bool) -> NoticeDelivery {
        let content = NoticeContent(
            kind: "doors.visitor", text: .init(asWritten: .init("Marta is at the door")),
            publicText: .init(asWritten: .init("Somebody is at the door")),
            actions: [NoticeAction(name: "open", words: .init(asWritten: .init("Open")))])
        let now = time.value
        let notice = Notice(
            id: .new(at: now), site: site, content: content, sender: nil, created: now,
            expires: now.adding(milliseconds: 60_000))
        return NoticeDelivery(
            notice: notice, person: person, language: .en, showsDetails: showsDetails, place: "Officina")
    }

    static func run(_ body: (Phones) async throws -> Void) async throws {
        let folder = "/tmp/soglia-push-\(getpid())-\(Random.bytes(6).map { String($0, radix: 16) }.joined())"
        try Files.makeFolder(folder)
        let time = Shared(noon)
        let store = try Store(
            path: folder + "/push.sqlite",
            migrations: Ledger.migrations + AccountRecords.migrations + Notices.migrations)
        let (person, stranger) = (PersonID.new(at: noon), PersonID.new(at: noon))
        let outcome: Result<Void, any Error>
        do {
            let accounts = Accounts(
                store: store, passwords: Passwords(memory: 64 << 10), clock: WallClock { time.value })
            try await accounts.change { database in
                for (id, name) in [(person, "ada"), (stranger, "bruno")] {
                    try AccountRecords.add(
                        Person(id: id, name: name, email: "\(name)@example.org", language: nil), passwordHash: nil,
                        at: noon, in: database)
                }
            }
            outcome = .success(
                try await body(
                    Phones(
                        store: store, accounts: accounts, notices: Notices(accounts: accounts), person: person,
                        stranger: stranger, time: time)))
        } catch { outcome = .failure(error) }
        await store.close()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }
}
