import Accounts
import Identity
import Ledger
import Store
import Synchronization
import System

/// What must be known of people when something cannot wait for the database: how they read, what their lock screens may show, what
/// places are called. A little old at most; whoever is not in it is told in English and without details.
final class Remembered: Sendable {
    /// At most so many people, those who came last.
    /// - Key: hub
    static let most = 50_000
    /// At most so many keys of what was said at once.
    /// - Key: hub
    static let mostKeys = 4_096
    /// It is read anew after so long.
    static let age = Duration.seconds(300)

    private struct State {
        var readers: [PersonID: PreferenceRecords.Reader] = [:]
        var places: [SiteID: String] = [:]
        var founders: [SiteID: PersonID] = [:]
        var said: [[UInt8]: (id: NoticeID, at: Timestamp)] = [:]
    }
    private let state = Mutex(State())

    /// Reads everybody anew, on a thread where waiting is allowed.
    func refresh(from store: Store) async throws {
        let (readers, sites, founders) = try await store.readAside { database in
            (
                try PreferenceRecords.readers(limit: Self.most, in: database), try AccountRecords.sites(in: database),
                try AccountRecords.founders(in: database)
            )
        }
        state.withLock { state in
            state.readers = Dictionary(readers.map { ($0.person, $0) }) { first, _ in first }
            state.places = Dictionary(sites.map { ($0.id, $0.name) }) { first, _ in first }
            state.founders = founders
        }
    }

    /// Who made a site. One that was made since all was read is looked up.
    func founder(of site: SiteID, in store: Store) -> PersonID? {
        if let known = state.withLock({ $0.founders[site] }) { return known }
        guard let found = try? store.read({ try AccountRecords.founder(of: site, in: $0) }) else { return nil }
        state.withLock { $0.founders[site] = found }
        return found
    }

    /// Somebody has just said how they want to be told.
    func note(_ reader: PreferenceRecords.Reader) {
        state.withLock { state in
            if state.readers[reader.person] != nil || state.readers.count < Self.most {
                state.readers[reader.person] = reader
            }
        }
    }

    func delivery(of notice: Notice, to person: PersonID) -> NoticeDelivery {
        state.withLock { state in
            let reader = state.readers[person]
            return NoticeDelivery(
                notice: notice, person: person, language: reader?.language ?? .en,
                showsDetails: reader?.preferences.showsDetails ?? false,
                place: notice.site.flatMap { state.places[$0] })
        }
    }

    /// The notice that said the same within the window; else from now on this one does.
    func same(as sameness: [UInt8], within window: Int64, else id: NoticeID, at now: Timestamp) -> NoticeID? {
        state.withLock { state in
            if let said = state.said[sameness], said.at <= now, now.milliseconds - said.at.milliseconds < window {
                return said.id
            }
            if state.said.count >= Self.mostKeys, let oldest = state.said.min(by: { $0.value.at < $1.value.at }) {
                state.said[oldest.key] = nil
            }
            state.said[sameness] = (id, now)
            return nil
        }
    }
}
