import Accounts
import Household
import Identity
import JSON
import Ledger
import Pages
import Synchronization
import System

/// Tells the pages that live how houses are: the event `home`, with what changed of each house that its reader may see.
///
/// Values are told at most four times a second; the panel and alarms at once. Whoever reports a change is on the bus's own path and
/// waits for nothing.
final class HouseStream: HouseWork {
    /// Between two tellings of values.
    static let pause: Duration = .milliseconds(250)

    private struct State {
        var news: [SiteID: HouseNews] = [:]
        /// Not sorted by house yet: that takes the catalog, and can wait.
        var changes: Set<LiveReadings.Change> = []
        var wake: AsyncStream<Void>.Continuation?
        var alarm: AsyncStream<Void>.Continuation?
    }
    private let state = Mutex(State())
    private let sight: HouseSight
    private let pages: Live

    /// - Parameter pages: those that live.
    init(_ sight: HouseSight, _ pages: Live) {
        (self.sight, self.pages) = (sight, pages)
        sight.live.follow { [weak self] in self?.changed($0) }
        let known = Mutex(sight.registry.catalog)
        sight.registry.follow { [weak self] catalog in
            let before = known.withLock { known in
                defer { known = catalog }
                return known
            }
            for site in catalog.sites(otherThan: before) { self?.urge(site) { $0.devices = true } }
        }
        // An alarm was raised, taken up or ended; a panel stands otherwise than before.
        sight.alarms.follow { [weak self] site in self?.urge(site) { $0.alarms = true } }
        sight.panels.follow { [weak self] change in self?.urge(change.site) { $0.panel = true } }
    }

    private func changed(_ change: LiveReadings.Change) {
        let wake = state.withLock { state in
            let isFirst = state.changes.isEmpty
            state.changes.insert(change)
            return isFirst ? state.wake : nil
        }
        wake?.yield()
    }

    /// Its pages hear it at once.
    private func urge(_ site: SiteID, _ mark: (inout HouseNews) -> Void) {
        let alarm = state.withLock { state in
            mark(&state.news[site, default: HouseNews()])
            return state.alarm
        }
        alarm?.yield()
    }

    /// Tells until the task is cancelled.
    func run() async {
        let (values, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (alarms, alarm) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { ($0.wake, $0.alarm) = (wake, alarm) }
        wake.yield()
        await withTaskGroup { group in
            group.addTask { for await _ in alarms { self.tell(values: false) } }
            group.addTask {
                for await _ in values {
                    self.tell(values: true)
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// - Parameter values: also what sensors, actuators and gateways say.
    func tell(values: Bool) {
        var (news, changes) = state.withLock { state in
            defer {
                state.news = [:]
                if values { state.changes = [] }
            }
            return (state.news, values ? state.changes : [])
        }
        sort(changes, into: &news)
        if news.isEmpty { return }
        let now = sight.clock.now
        // One text for all who read the same language.
        var texts: [Language: [SiteID: [UInt8]]] = [:]
        pages.publish { principal, language in
            let sites = news.keys.filter { !principal.current(at: $0, now).isEmpty }
            if sites.isEmpty { return nil }
            let houses = sites.map { site in
                if let text = texts[language]?[site] { return text }
                var own = JSONWriter(capacity: 1024)
                sight.now(site, news[site], language).write(to: &own)
                texts[language, default: [:]][site] = own.bytes
                return own.bytes
            }
            var json = JSONWriter(capacity: 64 + houses.reduce(0) { $0 + $1.count + 1 })
            HomeEvent(at: now, houses: houses).write(to: &json)
            return .init(event: "home", id: nil, data: json.bytes)
        }
    }

    private func sort(_ changes: some Sequence<LiveReadings.Change>, into news: inout [SiteID: HouseNews]) {
        let catalog = sight.registry.catalog
        for change in changes {
            switch change {
            case .sensor(let id):
                guard let site = catalog.sensors[id]?.site else { continue }
                news[site, default: HouseNews()].sensors.insert(id)
            case .actuator(let id):
                guard let site = catalog.actuators[id]?.site else { continue }
                news[site, default: HouseNews()].actuators.insert(id)
            case .gateway(let id):
                guard let site = catalog.gateways[id]?.site else { continue }
                news[site, default: HouseNews()].gateways.insert(id)
            }
        }
    }
}
