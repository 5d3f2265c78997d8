import Accounts
import HTTPServer
import Identity
import Ledger
import Synchronization

/// What a page that lives hears: one stream per browser, over which the hub tells what changed.
public final class Live: Sendable {
    /// A browser or program has at most so many streams; the oldest makes room.
    /// - Key: session
    static let perSession = 6
    /// All of one person's have at most so many; the oldest makes room.
    /// - Key: person
    static let perPerson = 24

    /// Something to tell.
    public struct Notice: Sendable {
        /// What the browser listens for.
        public let event: String
        /// Where a reader that comes back goes on; nil for what is only true now.
        public let id: String?
        /// A JSON object.
        public let data: [UInt8]

        /// See the properties.
        public init(event: String, id: String?, data: [UInt8]) { (self.event, self.id, self.data) = (event, id, data) }
    }

    private struct Listener: Sendable {
        let number: Int
        let stream: EventStream
        let principal: Principal
        let language: Language
    }
    private struct State {
        var next = 0
        var listeners: [Int: Listener] = [:]
        var catchUps: [@Sendable (Principal, Language, String) -> [Notice]] = []
    }
    private let state = Mutex(State())
    private let accounts: Accounts

    /// - Parameter accounts: whose sessions the streams belong to: signing out cuts them.
    public init(accounts: Accounts) {
        self.accounts = accounts
        accounts.whenSessionEnds { [weak self] session in self?.cut(session) }
    }

    /// Says what a reader that comes back has missed: called with the id that it saw last.
    public func whenSomebodyReturns(_ body: @escaping @Sendable (Principal, Language, String) -> [Notice]) {
        state.withLock { $0.catchUps.append(body) }
    }

    /// A new stream.
    /// - Parameter lastID: what the browser sends as `Last-Event-ID`.
    public func open(_ principal: Principal, _ language: Language, lastID: String?) -> EventStream {
        let (stream, session) = (EventStream(), principal.session)
        let (catchUps, crowded) = state.withLock { state in
            state.next += 1
            let listener = Listener(number: state.next, stream: stream, principal: principal, language: language)
            state.listeners[state.next] = listener
            let all = state.listeners.values.filter { $0.principal.person.id == principal.person.id }
            let own = all.filter { $0.principal.session == principal.session }
            let crowd = own.count > Self.perSession ? own : all.count > Self.perPerson ? all : []
            let oldest = crowd.min { $0.number < $1.number }
            if let oldest { state.listeners[oldest.number] = nil }
            return (state.catchUps, oldest)
        }
        crowded?.stream.end()
        // As they are now: what changed between the request's check and this was told to the streams that there were.
        let principal = try? accounts.principal(session: session)
        if principal == nil { cut(session) }
        stream.send(event: "hello", data: Array("{}".utf8))
        if let lastID, let principal {
            for notice in catchUps.flatMap({ $0(principal, language, lastID) }) where !send(notice, stream) { break }
        }
        return stream
    }

    private func send(_ notice: Notice, _ stream: EventStream) -> Bool {
        stream.send(event: notice.event, id: notice.id, data: notice.data)
    }

    /// Tells everybody whom it concerns.
    /// - Parameters:
    ///   - person: only their pages; everybody's when nil.
    ///   - body: answers what to tell one reader, nil when it does not concern them. Called with the principal as it is now.
    public func publish(to person: PersonID? = nil, _ body: (Principal, Language) -> Notice?) {
        let listeners = state.withLock { state in
            state.listeners.values.filter { person == nil || $0.principal.person.id == person }
        }
        var gone: [Int] = []
        for listener in listeners {
            // As they are now: somebody whose membership was changed hears no more than a new request would get.
            guard let principal = try? accounts.principal(session: listener.principal.session) else {
                listener.stream.end()
                gone.append(listener.number)
                continue
            }
            guard let notice = body(principal, listener.language) else {
                if listener.stream.isClosed { gone.append(listener.number) }
                continue
            }
            if !send(notice, listener.stream) { gone.append(listener.number) }
        }
        if !gone.isEmpty { state.withLock { state in for number in gone { state.listeners[number] = nil } } }
    }

    private func cut(_ session: [UInt8]) {
        let ended = state.withLock { state in
            let own = state.listeners.filter { $0.value.principal.session == session }
            for number in own.keys { state.listeners[number] = nil }
            return own.values.map(\.stream)
        }
        for stream in ended { stream.end() }
    }
}
