import Accounts
import Bus
import Gates
import HTTPServer
import Identity
import Ledger
import Store
import Synchronization
import System

/// The hub's figures for Prometheus: how it is, and never who. Labels are routes, kinds and states; no name, no id, no address.
final class Metrics: Sendable {
    private struct State {
        var server: Server?
        /// Up to where events were counted.
        var position: Int64
        var events: [EventName: UInt64] = [:]
    }

    private struct EventName: Hashable, Comparable {
        let siteKind: String
        let kind: String

        static func < (a: EventName, b: EventName) -> Bool { (a.siteKind, a.kind) < (b.siteKind, b.kind) }
    }

    private let given: Given
    private let bus: BusClient?
    private let disk: DiskWatch
    private let door: MetricsDoor
    private let state: Mutex<State>
    private let started = Uptime.milliseconds
    /// Counting events may read many rows: not on the server's loop.
    private let thread = ThreadExecutor(name: "metrics")

    init(_ given: Given, bus: BusClient?, disk: DiskWatch, door: MetricsDoor) throws {
        (self.given, self.bus, self.disk, self.door) = (given, bus, disk, door)
        state = Mutex(State(position: try given.ledger.position()))
    }

    /// The server whose answers are counted.
    func watch(_ server: Server) { state.withLock { $0.server = server } }

    func register(on router: inout Router) {
        router.on(.get, "/metrics", options: RouteOptions(bodyLimit: 0)) { request in
            guard self.door.admits(request) else {
                throw Problem.unauthorized("the figures are for this machine, or for whoever brings the token")
            }
            let text = try await self.exposition()
            return Response(contentType: Exposition.mediaType, body: .bytes(Array(text.utf8)))
        }
    }

    private func exposition() async throws -> String {
        let figures = await state.withLock { $0.server }?.figures
        let stored = try await Task(executorPreference: thread) { try self.stored() }.value
        var text = Exposition()
        writeProcess(&text)
        if let figures { Self.write(figures, &text) }
        writeGates(stored.gates, &text)
        writeEvents(&text)
        writeStore(&text)
        writeDisk(&text)
        text.family("soglia_follower_lag_events", .gauge, "Events that a follower of the ledger has still to see.")
        for lag in stored.lags { text.sample([("follower", lag.follower)], UInt64(lag.events)) }
        return text.text
    }

    // MARK: what is read from the database

    private struct Stored: Sendable {
        let gates: [String: UInt64]
        let lags: [(follower: String, events: Int64)]
    }

    /// Counts the events since the last time, and the gates as they are. On the thread of its own, so one after another: two that ask
    /// at the same moment count nothing twice.
    private func stored() throws -> Stored {
        let (counts, position) = try given.ledger.counts(after: state.withLock { $0.position })
        let (sites, gates) = try given.store.read { database in
            (try AccountRecords.sites(in: database), try GateRecords.gates(in: database))
        }
        let kinds = Dictionary(uniqueKeysWithValues: sites.map { ($0.id, $0.kind.rawValue) })
        state.withLock { state in
            state.position = position
            for count in counts {
                let siteKind = count.site == .hub ? "hub" : kinds[count.site] ?? "gone"
                state.events[EventName(siteKind: siteKind, kind: count.kind), default: 0] += count.count
            }
        }
        let states = Dictionary(grouping: gates) { given.gates.state(of: $0).rawValue }
        return Stored(gates: states.mapValues { UInt64($0.count) }, lags: try given.ledger.lags())
    }

    // MARK: families

    private func writeProcess(_ text: inout Exposition) {
        text.family("soglia_build_info", .gauge, "The version that runs.")
        text.sample([("version", Version.current)], 1 as UInt64)
        text.family("soglia_uptime_seconds", .gauge, "Since the hub was made.")
        text.sample([], Double(Uptime.milliseconds - started) / 1000)
        text.family("soglia_resident_bytes", .gauge, "Resident memory of the hub's process.")
        text.sample([], UInt64(max(0, ThisProcess.residentBytes)))
        text.family("soglia_log_lines_total", .counter, "Lines of the log, those included that were only counted.")
        for level in Log.Level.allCases { text.sample([("level", level.rawValue)], Log.count(level)) }
        text.family("soglia_bus_connected", .gauge, "1 while the hub is connected to its broker.")
        text.sample([], bus?.state == .connected ? 1 as UInt64 : 0)
    }

    private static func write(_ figures: ServerFigures, _ text: inout Exposition) {
        text.family("soglia_http_connections", .gauge, "Open connections.")
        text.sample([], UInt64(figures.connections))
        text.family("soglia_http_streams", .gauge, "Open live streams.")
        text.sample([], UInt64(figures.streams))
        text.family("soglia_http_requests_total", .counter, "Answers by route and class of status.")
        for route in figures.routes {
            for (index, count) in route.classes.enumerated() where count > 0 {
                text.sample(
                    [("method", route.method), ("route", route.pattern), ("status", "\(index + 1)xx")], count)
            }
        }
        text.family(
            "soglia_http_request_duration_seconds", .histogram, "From the complete request to its answer, by route.")
        let bounds = ServerFigures.bounds.map { Double($0) / 1e9 }
        for route in figures.routes {
            text.histogram(
                [("method", route.method), ("route", route.pattern)], bounds: bounds, counts: route.durations,
                sum: Double(route.nanoseconds) / 1e9)
        }
    }

    private func writeGates(_ gates: [String: UInt64], _ text: inout Exposition) {
        text.family("soglia_gates", .gauge, "Gates by state.")
        for state in ["ready", "notReachable", "notPaired"] { text.sample([("state", state)], gates[state] ?? 0) }
    }

    private func writeEvents(_ text: inout Exposition) {
        let events = state.withLock { $0.events }
        text.family("soglia_openings_total", .counter, "Decisions and outcomes of openings since the start.")
        for kind in [OpeningKind.granted] + OpeningKind.endings {
            let count = events.filter { $0.key.kind == kind }.values.reduce(0, +)
            text.sample([("outcome", String(kind.split(separator: ".").last ?? ""))], count)
        }
        text.family("soglia_events_total", .counter, "Events of the ledger since the start, by kind of site.")
        for (name, count) in events.sorted(by: { $0.key < $1.key }) {
            text.sample([("site_kind", name.siteKind), ("kind", name.kind)], count)
        }
    }

    private func writeStore(_ text: inout Exposition) {
        let figures = given.store.figures
        text.family("soglia_store_group_size", .histogram, "Changes that were committed together.")
        text.histogram(
            bounds: StoreFigures.bounds.map(Double.init), counts: figures.sizes, sum: Double(figures.changes))
    }

    private func writeDisk(_ text: inout Exposition) {
        if let space = disk.space {
            text.family("soglia_disk_free_bytes", .gauge, "Free room on the disk of the folder of data.")
            text.sample([], UInt64(clamping: space.free))
            text.family("soglia_disk_bytes", .gauge, "The size of that disk.")
            text.sample([], UInt64(clamping: space.total))
        }
        text.family("soglia_disk_reserve_bytes", .gauge, "Room that is kept for alarms, openings and revocations.")
        text.sample([], UInt64(clamping: given.store.reserve?.held ?? 0))
        text.family("soglia_disk_refuses_ordinary_writes", .gauge, "1 while the disk is too full for what can wait.")
        text.sample([], given.store.isScarce ? 1 as UInt64 : 0)
    }
}
