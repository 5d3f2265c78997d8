import Courier
import Crypto
import HTTPServer
import Synchronization
import System
import Wire

/// What somebody wants who is sent to a service.
public enum Errand: Sendable, Equatable {
    /// To come in.
    case signIn
    /// To add the service to the ways into their account, in this session.
    case link(session: [UInt8])
    /// To prove once more who they are, in this session.
    case prove(session: [UInt8])
}

/// Who has something asked of a service: each has their turns.
public enum Asker: Sendable, Hashable {
    /// A stranger, by the network that they come from.
    case network(ClientNetwork)
    /// Who is in, by an id that is theirs alone.
    case holder([UInt8])
    /// All strangers of one IPv6 /48: a site may have 65,536 networks.
    case around(UInt64)

    /// With whom their turns are shared.
    var owner: Asker {
        if case .network(.ipv6(let half)) = self { .around(UInt64(bigEndian: half) >> 16) } else { self }
    }
}

/// The services that people may sign in by, and everybody who is on the way to one.
public final class SignInServices: Sendable {
    /// As they were set up, in the same order.
    public let settings: [ProviderSettings]
    private let services: [String: any SignInService]
    private let clock: WallClock
    private let uptime: @Sendable () -> UInt64
    private let pending = Mutex(Pending())
    /// In which a service is asked about strangers, and in which about those who are in: these wait for no stranger.
    private let lanes: [String: (strangers: FairLanes<Asker>, holders: FairLanes<Asker>)]

    /// About so many strangers a service is asked at once, an eighth of them from one network; others have their turns.
    /// - Key: service
    public static let strangersAtOnce = 16
    /// And about so many who are in.
    /// - Key: service
    public static let holdersAtOnce = 8

    /// The longest answer of a service that is taken, in bytes.
    public static let longestAnswer = 256 << 10

    /// - Parameters:
    ///   - settings: each with an id of its own.
    ///   - clock: what tokens are held against.
    ///   - allowsLoopback: whether services may be on this machine, without TLS: in the demo and in tests.
    ///   - uptime: milliseconds of a clock that never jumps.
    ///   - patience: how long somebody waits for their turn.
    ///   - caller: who sends the requests for a service; nobody else's wait for them.
    public init(
        _ settings: [ProviderSettings], clock: WallClock, allowsLoopback: Bool = false,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }, patience: Duration = .seconds(10),
        caller: (ProviderSettings) -> any WebCaller = {
            HTTPClient(name: "by " + $0.id.prefix(9), lanes: strangersAtOnce + holdersAtOnce, limit: longestAnswer)
        }
    ) {
        let usable = settings.filter { WebAddress($0.issuer, allowsLoopback: allowsLoopback) != nil }
        for one in settings where !usable.contains(one) {
            Log.warning("sign-in", "a service without TLS is left out", ["service": one.id])
        }
        (self.settings, self.clock, self.uptime) = (usable, clock, uptime)
        lanes = Dictionary(
            usable.map { one in
                (
                    one.id,
                    (
                        FairLanes(lanes: Self.strangersAtOnce, patience: patience),
                        FairLanes(lanes: Self.holdersAtOnce, patience: patience)
                    )
                )
            }, uniquingKeysWith: { first, _ in first })
        services = Dictionary(
            usable.map { one -> (String, any SignInService) in
                switch one.kind {
                case .openID:
                    (
                        one.id,
                        OpenIDService(
                            one, caller: caller(one), clock: clock, allowsLoopback: allowsLoopback, uptime: uptime)
                    )
                case .facebook: (one.id, OAuthService(one, .facebook(one.issuer), caller: caller(one)))
                }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The one of that id.
    public func settings(of id: String) -> ProviderSettings? { settings.first { $0.id == id } }

    /// Where somebody is sent, and what their browser keeps meanwhile.
    public struct Departure: Sendable {
        /// The service's page, with everything that it must know.
        public let address: WebAddress
        /// Shown by the browser when it comes back: proves that it is the same one. 43 characters.
        public let browser: String
    }

    /// Somebody who has come back.
    public struct Arrival: Sendable {
        /// Whom the service speaks of.
        public let profile: Profile
        /// What they want.
        public let errand: Errand
        /// Where they were to go then, as `begin` was told.
        public let back: String
    }

    /// Begins a sign-in.
    /// - Parameters:
    ///   - id: of the service.
    ///   - errand: what it is for.
    ///   - asker: who wants it.
    ///   - redirect: where the service sends the browser back to: what it was told when this hub was registered there.
    ///   - back: to be handed back in the end.
    /// - Throws: `SignInRefusal`.
    public func begin(
        _ id: String, _ errand: Errand, of asker: Asker, redirect: String, back: String
    ) async throws(SignInRefusal) -> Departure {
        guard let service = services[id] else { throw .unknownService }
        let isProof = if case .prove = errand { true } else { false }
        let attempt = Attempt(redirect: redirect, begun: clock.now, isProof: isProof)
        let address = try await asking(id, for: asker) { try await service.departure(attempt) }
        let holder: [UInt8]? = if case .holder(let id) = asker { id } else { nil }
        let (browser, now) = (Token().text, uptime())
        let entry = Pending.Entry(
            service: id, browser: Token.hash(browser), attempt: attempt, errand: errand, holder: holder,
            back: back, until: now + Pending.lifetime)
        pending.withLock { $0.add(entry, state: Token.hash(attempt.state), now: now) }
        return Departure(address: address, browser: browser)
    }

    /// What a service sent a browser back with.
    public struct Return: Sendable {
        /// `state`, `code`, `error` and `iss` (RFC 6749, 4.1.2; RFC 9207).
        public var state, code, error, issuer: String?
        /// What the browser kept.
        public var browser: String?
        /// Where it came to.
        public var redirect: String
        /// Where it came from.
        public var network: ClientNetwork

        /// See the properties.
        public init(
            state: String?, code: String?, error: String?, issuer: String?, browser: String?, redirect: String,
            network: ClientNetwork
        ) {
            (self.state, self.code, self.error, self.issuer) = (state, code, error, issuer)
            (self.browser, self.redirect, self.network) = (browser, redirect, network)
        }
    }

    /// Ends a sign-in: whatever comes of it, it can be ended once.
    /// - Parameter id: of the service whose page it is.
    /// - Throws: `SignInRefusal`; then with where they were to go, when that is known.
    public func finish(_ id: String, _ back: Return) async throws(SignInRefusal) -> Arrival {
        guard let service = services[id] else { throw .unknownService }
        guard let state = back.state, state.utf8.count == 43,
            let entry = pending.withLock({ $0.take(state: Token.hash(state), now: uptime()) }),
            let browser = back.browser, constantTimeEquals(Token.hash(browser), entry.browser),
            entry.service == id, entry.attempt.redirect == back.redirect
        else { throw .notBegun }
        let asker = entry.holder.map(Asker.holder) ?? .network(back.network)
        let profile = try await asking(id, for: asker) {
            // Another's word, or none where there must be one, is somebody mixing two services up (RFC 9207, 2.4).
            if let issuer = back.issuer {
                guard issuer == service.settings.issuer else { throw ServiceFault.returnedIssuer }
            } else if try await service.namesItself() {
                throw ServiceFault.returnedIssuer
            }
            if back.error != nil { throw SignInRefusal.declined }
            guard let code = back.code, (1...4_096).contains(code.utf8.count),
                code.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
            else { throw ServiceFault.returnedNothing }
            return try await service.profile(code: code, entry.attempt)
        }
        return Arrival(profile: profile, errand: entry.errand, back: entry.back)
    }

    /// Reads what a service posts when somebody asks it to have their data erased.
    /// - Throws: `SignInRefusal`: nobody of that id, or not what the service would sign.
    public func erasureRequest(_ id: String, _ text: String) throws(SignInRefusal) -> SignedRequest {
        guard let settings = settings(of: id), settings.kind == .facebook else { throw .unknownService }
        do { return try SignedRequest(text, secret: settings.clientSecret) } catch { throw .untrusted(error) }
    }

    /// Runs something that asks a service, when it is the asker's turn.
    private func asking<Value: Sendable>(
        _ id: String, for asker: Asker, _ body: () async throws -> Value
    ) async throws(SignInRefusal) -> Value {
        let lanes =
            switch asker {
            case .network, .around: lanes[id]?.strangers
            case .holder: lanes[id]?.holders
            }
        let outcome = await lanes?.run(for: asker.owner, asker, asker) {
            () -> (Result<Value, SignInRefusal>, took: UInt64) in
            // How long it takes is the service's doing, not the asker's.
            do { return (.success(try await body()), 0) } catch { return (.failure(SignInRefusal(error)), 0) }
        }
        guard let outcome else { throw .busy }
        return try outcome.get()
    }
}
