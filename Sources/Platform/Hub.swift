import Accounts
import Bus
import Commands
import Crypto
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import OpenID
import Pages
import Store
import Synchronization
import System
import Wire

/// The hub: the database, the openings, the pages and the features, put together.
public final class Hub: Sendable {
    /// What a hub is told at its start.
    public struct Settings: Sendable {
        /// The folder of data.
        public var folder: String
        /// How the web is served.
        public var server: ServerSettings
        /// A clock that is believed whatever it says, for tests; nil: the machine's.
        public var clock: WallClock?
        /// The machine's clocks, of which that of the day is believed as long as it does not jump.
        public var machine = CheckedClock.Source.system
        /// Milliseconds of a clock that never jumps, by which requests are counted; the machine's unless a test moves its own.
        public var uptime: @Sendable () -> UInt64 = { Uptime.milliseconds }
        /// How controllers are reached; nil: they are not.
        public var bus: (address: BusAddress, credentials: BusCredentials)?
        /// Where other machines reach the broker; nil: nowhere.
        public var outsideBus: BusAddress?
        /// What gates know this hub by: SHA-256 of its broker's certificate, 32 bytes; nil: of its static public key.
        public var identity: [UInt8]?
        /// The authority that phones are to trust, and where they reach the hub then; nil: there is none.
        public var trust: Trust?
        /// Where the certificate comes from, to be looked at again while the hub runs; nil: it serves without TLS.
        public var certificate: CertificateSource?
        /// Instead of a bus, for measuring without one.
        public var carrier: (any GateCarrier)?
        /// What one password hash takes, in bytes.
        public var passwordMemory = 19 << 20
        /// Which answers are told in the log, one line each.
        public var requestLog = RequestLog.errors
        /// Whether other services may be on this machine, without TLS: in the demo and in tests.
        public var allowsLoopback = false
        /// The lock on the folder, where it was taken before; nil: the hub takes it.
        public var lock: FolderLock?
        /// At most so many pages of 4 KiB in the database, for tests of a full disk.
        public var pageLimit: Int?
        /// Room that is kept for what cannot wait on a full disk; nil: none.
        public var reserve: Reserve?
        /// How the room on the disk is read.
        public var space: FreeSpace.Reader = { FreeSpace(of: $0) }

        /// See the properties.
        public init(folder: String, server: ServerSettings, clock: WallClock? = nil) {
            (self.folder, self.server, self.clock) = (folder, server, clock)
        }
    }

    /// The tables of every room below the features.
    public static let migrations =
        Ledger.migrations + AccountRecords.migrations + Notices.migrations + GateRecords.migrations

    /// What the features are given.
    public let given: Given
    /// The JSON interface, as it was registered.
    public let routes: Routes
    private let settings: Settings
    private let features: [any Feature]
    private let privacy: Privacy
    private let bus: BusClient?
    private let desk: PairingDesk?
    private let link: BusLink?
    private let router: Router
    private let metrics: Metrics
    private let keeper: ClockKeeper
    /// What keeps it from some of its work.
    public let health = HubHealth()
    private let disk: DiskWatch
    private let lock: FolderLock
    private let running = Mutex<(server: Server?, tasks: [Task<Void, Never>])>((nil, []))

    /// A hub that nobody can reach while there is no bus.
    private struct NoCarrier: GateCarrier {
        func send(_ frame: GateFrame, to gate: GateID, at site: SiteID) throws { throw Gates.Unknown() }
    }

    /// Opens the folder and puts everything together; nothing runs yet.
    public init(_ settings: Settings, features types: [any Feature.Type]) throws {
        self.settings = settings
        try Files.makeFolder(settings.folder)
        lock = try settings.lock ?? FolderLock(settings.folder)
        try Restore.check(settings.folder)
        let store = try Store(
            path: settings.folder + "/soglia.sqlite", migrations: Self.migrations + types.flatMap { $0.migrations },
            pageLimit: settings.pageLimit, reserve: settings.reserve)
        let checked = try ClockKeeper.clock(settings.machine, store)
        let clock = settings.clock ?? WallClock(checked)
        let accounts = Accounts(
            store: store, passwords: Passwords(memory: settings.passwordMemory), clock: clock,
            uptime: settings.uptime)
        let bus = try settings.bus.map { try BusClient(address: $0.address, credentials: $0.credentials) }
        let link = bus.map { BusLink($0) }
        let gates = Gates(
            accounts: accounts, carrier: settings.carrier ?? link ?? NoCarrier(), clock: clock)
        let commands = Commands()
        let notices = Notices(accounts: accounts)
        let mail = try MailSettings.load(settings.folder)
        let letters = Letters(notices, mail)
        notices.usePush(
            contact: Self.contact(mail, settings.server), allowsLoopback: settings.allowsLoopback)
        let (navigation, live) = (Navigation(), Live(accounts: accounts))
        let access = bus.map { BusAccess($0, outside: settings.outsideBus) }
        let desk = try access.map {
            PairingDesk(
                gates: gates, bus: $0.client, control: $0.control, address: $0.address,
                identity: try settings.identity ?? Self.identity(settings.folder))
        }
        given = Given(
            store: store, ledger: Ledger(store), clock: clock, accounts: accounts, commands: commands,
            notices: notices, letters: letters, gates: gates,
            navigation: navigation, live: live, bus: access, pairing: desk)
        (self.bus, self.link, self.desk) = (bus, link, desk)
        keeper = ClockKeeper(given, checked, health)
        disk = DiskWatch(
            given, health, folder: settings.folder, read: settings.space, uptime: settings.uptime)
        features = try types.map { [given] in try $0.init(given) }
        privacy = Privacy(
            given, Erasing(features: types), tellers: Privacy.tellers(of: types),
            freeTexts: types.flatMap { $0.freeTexts },
            folder: settings.folder)

        let services = SignInServices(
            Self.providers(settings.folder), clock: clock, allowsLoopback: settings.allowsLoopback)
        let entrance = Entrance(
            accounts: accounts, live: live, letters: letters, folder: settings.folder, services: services)
        var routes = Routes(router: Router(), accounts: accounts)
        entrance.register(routes: &routes)
        health.register(routes: &routes)
        let account = OwnAccount(accounts: accounts, services: services)
        account.register(routes: &routes)
        let passkeys = Passkeys(accounts: accounts)
        passkeys.register(routes: &routes)
        gates.register(commands: commands)
        notices.callWebhooks(isOpen: settings.allowsLoopback)
        notices.register(commands: commands)
        notices.register(routes: &routes)
        gates.register(routes: &routes, commands: commands, pairing: desk)
        Self.registerLedger(&routes, given.ledger)
        let sites = Sites(given: given)
        sites.register(routes: &routes)
        for feature in features {
            feature.register(commands: commands)
            feature.register(routes: &routes)
        }
        let invitations = Invitations(given, features: types)
        invitations.register(routes: &routes)
        privacy.register(routes: &routes)
        ClockPages.register(keeper, routes: &routes)
        let document = Self.registerOpenAPI(&routes)
        self.routes = routes

        var pages = PageRoutes(router: routes.router, accounts: accounts)
        entrance.register(pages: &pages)
        LetterPages(accounts: accounts, letters: letters).register(pages: &pages)
        account.register(pages: &pages)
        NoticePages(notices: notices, navigation: navigation, live: live).register(pages: &pages)
        passkeys.register(pages: &pages)
        gates.register(pages: &pages, commands: commands, navigation: navigation, live: live, pairing: desk)
        for feature in features { feature.register(pages: &pages) }
        sites.register(pages: &pages)
        invitations.register(pages: &pages)
        settings.trust?.register(pages: &pages)
        privacy.register(pages: &pages)
        ClockPages.register(keeper, pages: &pages)
        let statics = try StaticFolder.files()
        pages.router.on(.get, "/static/{file...}") { try statics.respond(to: $0, file: "file") }
        try Shell(files: statics, accounts: accounts, navigation: navigation).register(pages: &pages)
        metrics = try Metrics(
            given, bus: bus, disk: disk,
            door: MetricsDoor(folder: settings.folder, isBehindProxy: !settings.server.proxies.isEmpty))
        metrics.register(on: &pages.router)
        let patterns = pages.router.routes.filter { $0.method == .get && !$0.pattern.hasPrefix("/api/") }.map(\.pattern)
        pages.leadToPages()
        router = pages.router
        let bytes = routes.openAPI(version: Version.current, pages: patterns)
        document.bytes.withLock { $0 = SharedBytes(bytes) }
    }

    /// The services that people may sign in by. A list that cannot be read keeps nobody from opening a door.
    private static func providers(_ folder: String) -> [ProviderSettings] {
        do { return try ProviderFile.load(folder: folder).providers } catch {
            Log.failure("sign-in", "nobody can sign in by another service", ["why": "\(error)"])
            return []
        }
    }

    /// Where the hub's own key lies in the folder of data.
    static let identityFile = "identity"

    private static func identity(_ folder: String) throws -> [UInt8] {
        let path = folder + "/" + identityFile
        if let secret = try? Files.read(path, limit: 32), let pair = KeyAgreement(secret: secret) {
            return Digest.sha256(pair.publicKey)
        }
        let pair = KeyAgreement()
        try Files.replace(path, with: pair.secretBytes)
        return Digest.sha256(pair.publicKey)
    }

    /// Where strangers find whoever runs this hub; nil: nowhere.
    private static func contact(_ mail: MailSettings?, _ server: ServerSettings) -> String? {
        if let mail { return "mailto:\(mail.sender.address)" }
        return server.hosts.sorted().first { $0.utf8.contains(UInt8(ascii: ".")) }.map { "https://\($0)" }
    }

    // MARK: routes of the hub itself

    private static func registerLedger(_ routes: inout Routes, _ ledger: Ledger) {
        let clock = routes.accounts.clock
        routes.on(
            .get, "/api/events",
            RouteDescription(
                "What happened at a site, oldest first, for its owners and managers.",
                answer: .object([
                    (
                        "items",
                        .list(
                            .object([
                                ("id", .text("the event's id")), ("site", .text("the site's id")),
                                ("sequence", .integer("its place in the site's chain")),
                                ("at", .text("when the hub wrote it")),
                                ("kind", .text("what happened")),
                                ("payload", .optional(.anything("what it was; null when erased"))),
                            ]))
                    ), ("next", .optional(.text("pass it as after to go on; null at the end"))),
                ]),
                query: [
                    ("site", true, "the site's id"), ("after", false, "a sequence; only events after it"),
                    ("limit", false, "1 to 500; 100"),
                ])
        ) { request, principal in
            guard let site = SiteID(try request.query.require("site", as: String.self)) else {
                throw Problem.notFound()
            }
            guard principal.may(Permission.managing, at: site, clock.now) else { throw Problem.notFound() }
            let after = try request.query.get("after", as: UInt64.self) ?? 0
            let limit = min(max(try request.query.get("limit", as: Int.self) ?? 100, 1), 500)
            let events = try ledger.events(of: site, after: min(after, UInt64(Int64.max)), limit: limit)
            var json = JSONWriter(capacity: 4096)
            json.object { json in
                json.array("items") { json in for event in events { event.write(to: &json) } }
                json.field("next", events.count == limit ? events.last.map { String($0.sequence) } : nil)
            }
            return .json(json.bytes)
        }
    }

    /// The document is written when everything has been registered.
    private static func registerOpenAPI(_ routes: inout Routes) -> Document {
        let document = Document()
        routes.onPublic(
            .get, "/api/openapi.json", why: "it says nothing about this hub that its source does not",
            RouteDescription("This interface, as an OpenAPI document.", answer: .anything("OpenAPI 3.1"))
        ) { _ in
            Response(contentType: "application/json", body: .shared(document.bytes.withLock { $0 }))
        }
        return document
    }

    private final class Document: Sendable { let bytes = Mutex(SharedBytes([])) }

    // MARK: life

    /// Starts serving. Answers the port.
    public func start() async throws -> UInt16 {
        try await given.accounts.prepareFirstRun(folder: settings.folder)
        #if DEBUG
            try await given.gates.fenceRights()
        #endif
        var server = settings.server
        server.problemPage = PageRoutes.page
        server.onError = { Log.failure("hub", $0) }
        server.answersFrom = settings.requestLog.from
        server.onAnswer = RequestLog.tell
        let serving = try Server(on: EventLoop(), settings: server, router: router)
        running.withLock { $0.server = serving }
        metrics.watch(serving)
        var tasks: [Task<Void, Never>] = []
        func work(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
            tasks.append(
                Task {
                    while !Task.isCancelled {
                        do { return try await body() } catch is CancellationError { return } catch {
                            Log.failure("hub", "\(name) stopped, and begins again in a second", ["why": "\(error)"])
                        }
                        try? await Task.sleep(for: .seconds(1))
                    }
                })
        }
        let gates = given.gates
        if let bus, let link {
            bus.start()
            work("the bus") { [desk] in try await link.listen(for: gates, desk) }
            work("the broker's list") { [desk] in
                for await state in bus.states where state == .connected {
                    gates.sendUnsentRights()
                    try await desk?.restore()
                }
            }
        }
        work("the watch for silent gates") { try await gates.watchSilence() }
        if settings.clock == nil { work("the watch over the clock") { [keeper] in try await keeper.run() } }
        work("the daily work") { [privacy] in try await privacy.run() }
        work("the watch over the disk") { [disk] in try await disk.run() }
        work("the outbox") { [notices = given.notices] in try await notices.run() }
        work("leftover openings") { try await gates.finishLeftovers() }
        if let certificate = settings.certificate {
            let clock = given.clock
            work("the watch over the certificate") {
                try await certificate.watch(clock) { try await serving.replace($0) }
            }
        }
        for feature in features { work("\(type(of: feature))") { try await feature.run() } }
        running.withLock { $0.tasks = tasks }
        return serving.port
    }

    /// What serves, while it does.
    var server: Server? { running.withLock { $0.server } }

    /// Stops: no new request, those in flight end, what features said last on the bus is with the broker, everything that was promised is on
    /// disk, and another hub may have the folder.
    public func stop() async {
        let (server, tasks) = running.withLock { running in
            defer { running = (nil, []) }
            return running
        }
        await server?.stop(within: .seconds(4))
        for task in tasks { task.cancel() }
        await waitForEnd(of: tasks)
        await bus?.stop()
        for feature in features { await feature.end() }
        if settings.clock == nil { await keeper.keep() }
        do { try await given.accounts.writeUses() } catch {
            Log.warning("hub", "when sessions were last used was not written", ["why": "\(error)"])
        }
        await given.store.close()
        lock.release()
    }

    /// How long the work of a hub that stops may go on: one that hangs keeps nothing else from its end.
    private static let patience = Duration.seconds(10)

    private func waitForEnd(of tasks: [Task<Void, Never>]) async {
        let (isOver, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            for task in tasks { await task.value }
            end.finish()
        }
        let limit = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            Log.warning("hub", "some of its work has not ended, and is left")
            end.finish()
        }
        for await _ in isOver {}
        limit.cancel()
    }
}

extension Event {
    /// The event as the JSON interface and the export show it.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id.text)
            json.field("site", site.text)
            json.field("sequence", sequence)
            json.field("at", at.iso8601)
            json.field("kind", kind)
            json.key("payload")
            if let payload { json.raw(payload) } else { json.null() }
        }
    }
}
