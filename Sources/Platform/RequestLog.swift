import HTTPServer
import System

/// Which answers are told in the log.
///
/// A line says the method, the route's pattern, the status, the time it took and the address that it came from: what helps whoever keeps
/// the hub running. Never a path, a query, a header or a body, in which there could be a secret or a name.
public enum RequestLog: String, Sendable, CaseIterable {
    case none
    /// Those with which the hub failed: 500 and more.
    case errors
    /// Those that it refused, too: 400 and more.
    case refusals

    /// The lowest status that is told.
    var from: Int {
        switch self {
        case .none: 600
        case .errors: 500
        case .refusals: 400
        }
    }

    /// Tells of one. The status and the route are in the words, so that a flood of one kind is counted and another still seen.
    static func tell(_ answered: Answered) {
        Log.write(
            answered.status >= 500 ? .warning : .info, "http",
            "\(answered.status) for \(answered.method) \(answered.route)",
            ["address": answered.address, "milliseconds": "\(answered.milliseconds)"])
    }
}

extension Hub {
    /// Whether the hub is alive, not merely running: its loop takes a turn and its writer commits. Both have to answer.
    /// - Throws: when the database refuses.
    public func checkPulse() async throws {
        _ = await server?.openConnections
        try await given.store.write { _ in }
    }
}
