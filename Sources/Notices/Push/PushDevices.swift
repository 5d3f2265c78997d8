import Accounts
import Courier
import HTTPServer
import Identity
import Ledger
import Store
import Synchronization
import System

/// The devices that somebody lets the hub reach: what the settings page and the service worker of each of them ask for.
public final class PushDevices: Sendable {
    /// At most so many tests of a device in a minute.
    /// - Key: device
    static let mostTests = 5
    /// A test that has not arrived by then matters no more, in milliseconds.
    static let testLifetime: Int64 = 60_000

    private let accounts: Accounts
    let key: PushKey
    /// Whether push services on this machine will do, without TLS.
    private let allowsLoopback = Mutex(false)

    init(accounts: Accounts) {
        (self.accounts, key) = (accounts, PushKey(store: accounts.store))
        accounts.whenSessionEnds { [accounts] session in
            let now = accounts.clock.now
            Task {
                do {
                    try await accounts.store.write(.vital) { try PushRecords.sessionEnded(session, at: now, in: $0) }
                } catch {
                    // It is sent to no more: whoever sends looks whether the session lasts. The row goes with the next sweep.
                    Log.warning("notices", "a device of an ended session is still listed", ["why": "\(error)"])
                }
            }
        }
    }

    /// What a browser subscribes with: the uncompressed point of the hub's public key, 65 bytes.
    public func publicKey() async throws -> [UInt8] { try await key.pair().publicBytes }

    /// The device of somebody's session; nil: it is not told anything.
    public func device(of principal: Principal) throws -> PushDevice? {
        try devices(of: principal).first { $0.session == principal.session }
    }

    /// All devices of a person, the newest first.
    public func devices(of principal: Principal) throws -> [PushDevice] {
        let now = accounts.clock.now
        return try accounts.store.read { try PushRecords.devices(of: principal.person.id, at: now, in: $0) }
    }

    /// From now on the device of this session is told what its person is told. Where another one is not any more for it, a letter tells.
    @discardableResult
    public func put(_ subscription: PushSubscription, of principal: Principal) async throws -> PushDeviceID {
        let now = accounts.clock.now
        let (id, isInPlaceOfAnother) = try await accounts.store.write(.vital) {
            try PushRecords.put(subscription, of: principal.person.id, session: principal.session, at: now, in: $0)
        }
        if isInPlaceOfAnother { accounts.tell(principal.person, of: .unheard) }
        return id
    }

    /// The device of this session is told nothing any more. Answers whether it was.
    @discardableResult
    public func remove(of principal: Principal) async throws -> Bool {
        try await accounts.store.write(.vital) { try PushRecords.remove(session: principal.session, in: $0) }
    }

    /// What a browser says of itself when its person lets the hub reach it.
    /// - Throws: 422 for a push service that is none of the public internet, and for keys that are none.
    public func subscription(endpoint: String, publicKey: String, secret: String) throws(Problem) -> PushSubscription {
        let subscription: PushSubscription
        do throws(PushSubscription.Refusal) {
            subscription = try PushSubscription(
                endpoint: endpoint, p256dh: publicKey, auth: secret, allowsLoopback: allowsLoopback.withLock { $0 })
        } catch { throw .unprocessable("\(error)", type: "not-a-subscription") }
        // Names are looked at where they lead when something is sent; an address is one now. There is no list of the services of
        // browsers' makers: whoever runs their own, or a new one, is reached as well.
        let host = subscription.origin.dropFirst("https://".count).prefix { $0 != "/" }
        let address = host.first == "[" ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        if !subscription.isLoopback, let address = InternetAddress(String(address)), !address.isPublic {
            throw .unprocessable("\(PushSubscription.Refusal.endpoint)", type: "not-a-subscription")
        }
        return subscription
    }

    /// Also takes push services on this machine: for the demo and for tests; before `run`.
    func allowLoopback() { allowsLoopback.withLock { $0 = true } }

    /// Sends a notice to the device of this session, that says only that it came.
    /// - Throws: 409 when there is no such device, 429 when it was done too often.
    public func test(of principal: Principal, _ language: Language) async throws {
        let now = accounts.clock.now
        guard let device = try device(of: principal) else {
            throw Problem.conflict("this device is told nothing yet: switch it on first", type: "not-subscribed")
        }
        let id = ParcelID.new(at: now)
        let message = PushMessage(test: id.text, language)
        let payload = PushPayload(
            device: device.id, urgency: .high, topic: PushPayload.topic(message.tag, for: principal.person.id),
            message: message.json)
        let parcel = Parcel(
            id: id, channel: .push, person: principal.person.id, subject: device.id.raw.bytes,
            payload: payload.encoded, created: now, expires: now.adding(milliseconds: Self.testLifetime))
        try await accounts.store.write(.vital) { database in
            let since = now.adding(milliseconds: -Self.testLifetime)
            guard try OutboxRecords.count(of: device.id.raw.bytes, since: since, in: database) < Self.mostTests else {
                throw Problem.tooManyRequests(retryAfter: Int(Self.testLifetime / 1000))
            }
            try OutboxRecords.add(parcel, in: database)
        }
    }

    /// Puts away the devices of sessions that ended while nobody looked, once an hour. Runs until cancelled.
    func keepHouse() async throws {
        while !Task.isCancelled {
            try await sweep()
            try await Task.sleep(for: .seconds(3_600))
        }
    }

    /// Puts them away once.
    func sweep() async throws {
        let (now, sweeps) = (accounts.clock.now, accounts.clock.mayRemoveByAge)
        try await accounts.store.write(.vital) { try PushRecords.sweep(at: now, sweeps: sweeps, in: $0) }
    }
}
