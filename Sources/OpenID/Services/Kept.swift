import Courier

/// Something that a service publishes: fetched when it is needed, by one at a time, and kept for as long as the service says, within
/// bounds.
actor Kept<Value: Sendable> {
    /// How long something is kept, in milliseconds: five minutes to a day, an hour where nothing is said.
    static var shortest: UInt64 { 300_000 }
    static var longest: UInt64 { 86_400_000 }
    static var usual: UInt64 { 3_600_000 }
    /// Something that is still good is fetched anew only once in so many milliseconds.
    static var pause: UInt64 { 60_000 }

    private let uptime: @Sendable () -> UInt64
    private var value: (value: Value, until: UInt64)?
    private var fetching: Task<(Value, UInt64), any Error>?
    private var renewed: UInt64?

    /// - Parameter uptime: milliseconds of a clock that never jumps.
    init(uptime: @escaping @Sendable () -> UInt64) { self.uptime = uptime }

    /// What is kept, else what the service answers now.
    /// - Parameter fetch: the value, and for how many milliseconds it is good.
    func get(_ fetch: @escaping @Sendable () async throws -> (Value, UInt64)) async throws -> Value {
        if let value, uptime() < value.until { return value.value }
        return try await load(fetch)
    }

    /// What the service answers now, though something good is kept; nil when that was done within the last minute.
    func renew(_ fetch: @escaping @Sendable () async throws -> (Value, UInt64)) async throws -> Value? {
        let now = uptime()
        if let renewed, now < renewed + Self.pause { return nil }
        renewed = now
        return try await load(fetch)
    }

    private func load(_ fetch: @escaping @Sendable () async throws -> (Value, UInt64)) async throws -> Value {
        if let fetching { return try await fetching.value.0 }
        let task = Task { try await fetch() }
        fetching = task
        defer { fetching = nil }
        let (found, lifetime) = try await task.value
        value = (found, uptime() + min(max(lifetime, Self.shortest), Self.longest))
        return found
    }
}

/// For how many milliseconds an answer may be kept (RFC 9111, 5.2.2.1), before any bounds.
func lifetime(of answer: HTTPClientResponse) -> UInt64 {
    guard let control = answer.header("cache-control")?.lowercased() else { return Kept<Void>.usual }
    let words = control.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\"" } }
    if words.contains("no-store") || words.contains("no-cache") { return 0 }
    guard let age = words.first(where: { $0.hasPrefix("max-age=") }) else { return Kept<Void>.usual }
    return UInt64(age.dropFirst(8)).map { $0 > Kept<Void>.longest ? Kept<Void>.longest : $0 * 1000 } ?? Kept<Void>.usual
}
