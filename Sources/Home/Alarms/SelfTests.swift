import Accounts
import Identity
import Ledger
import Notices
import Platform
import Store
import Synchronization
import System

/// The boxes of houses, as a test asks them.
protocol TestedBoxes: Sendable {
    /// Lets all boxes of a house sound and light for a moment.
    /// - Returns: whether one of them says within that time that it did.
    func answers(at site: SiteID, within patience: Duration) async -> Bool
}

/// Tries the way of alarms, when somebody asks for it and once a week by itself.
final class SelfTests: HouseWork {
    /// How often it is looked what telephones say, while a test runs.
    static let beat = Duration.milliseconds(500)
    /// A test that could not begin at its hour begins so much later at most, in milliseconds; then it waits for the next week.
    static let lateness: Int64 = 3_600_000

    /// Why no test begins.
    enum Refusal: Error, Sendable, Equatable {
        /// The last one was a moment ago.
        case tooSoon(seconds: Int)
        /// The house has nobody who would be told.
        case nobody
    }

    private struct State {
        var running: [SelfTest] = []
        var begun: [SiteID: Timestamp] = [:]
    }
    private let state = Mutex(State())
    private let given: Given
    private let boxes: any TestedBoxes

    init(_ given: Given, _ boxes: any TestedBoxes) { (self.given, self.boxes) = (given, boxes) }

    /// Begins a test.
    /// - Parameter person: who asks; nil: it is its hour.
    @discardableResult
    func begin(at site: SiteID, by person: PersonID?) async throws -> SelfTestID {
        let began = given.clock.now
        let early = state.withLock { state -> Int64? in
            // One of a later time than now is of a clock that was ahead, and no hindrance.
            if let last = state.begun[site], last <= began,
                began.milliseconds - last.milliseconds < SelfTest.pause
            {
                return SelfTest.pause - (began.milliseconds - last.milliseconds)
            }
            state.begun[site] = began
            return nil
        }
        if let early { throw Refusal.tooSoon(seconds: Int(early + 999) / 1000) }
        let isBox = await boxes.answers(at: site, within: SelfTest.boxPatience)
        let heard = given.clock.now
        guard let call = try given.store.read({ try AlarmCallRecords.call(of: site, at: heard, in: $0) }),
            !call.people.isEmpty
        else { throw Refusal.nobody }
        let phones = try given.notices.phones(of: call.people)
        let notice = given.notices.notifyAtOnce(
            Notify(
                site: site, content: AlarmNotice.test(at: site, call.house), to: .all(call.people), about: person,
                lifetime: SelfTest.patience))
        let test = SelfTest(
            id: .new(at: began), site: site, at: began, by: person, origin: isBox ? .box : .hub, heard: heard,
            told: given.clock.now, notice: notice, ended: nil,
            phones: phones.map {
                SelfTest.Phone(device: $0.id, person: $0.person, name: nil, client: $0.client)
            })
        try await given.store.write(.vital) { try SelfTestRecords.add(test, in: $0) }
        state.withLock { $0.running.append(test) }
        return test.id
    }

    // MARK: life

    /// Until it is cancelled.
    func run() async throws {
        let left = try given.store.read { try SelfTestRecords.running(in: $0) }
        state.withLock { $0.running += left }
        var looks = 0
        while !Task.isCancelled {
            try await look()
            // The clock is on the minute.
            if looks % 60 == 0 { try await beginDue() }
            looks += 1
            try await Task.sleep(for: Self.beat)
        }
    }

    /// Takes over what telephones have said.
    func look() async throws {
        let now = given.clock.now
        let running = state.withLock { $0.running }
        if running.isEmpty { return }
        let updated = try await given.store.write(.vital) { database in
            try running.map { try SelfTestRecords.update($0, at: now, in: database) }
        }
        let over = Set(updated.filter { $0.ended != nil }.map(\.id))
        state.withLock { $0.running.removeAll { over.contains($0.id) } }
    }

    /// Begins the tests whose hour it is.
    func beginDue() async throws {
        let now = given.clock.now
        let due = try given.store.read { database in
            try AlarmCallRecords.weeklyTests(in: database).filter { site, test in
                guard let hour = Self.hour(of: test, in: site.zone, before: now),
                    now.milliseconds - hour.milliseconds < Self.lateness
                else { return false }
                return try SelfTestRecords.last(at: site.id, before: now, in: database).map { $0 < hour } ?? true
            }
        }
        for one in due {
            do { try await begin(at: one.site.id, by: nil) } catch is Refusal { continue }
        }
    }

    /// The last time that it was the hour of a test.
    static func hour(of test: AlarmSettings.WeeklyTest, in zone: Zone, before now: Timestamp) -> Timestamp? {
        let today = zone.day(at: now)
        for back in 0...7 {
            let day = today.adding(days: -back)
            guard day.weekday == test.weekday else { continue }
            let moment = zone.moment(test.minute, of: day, .first)
            if moment <= now { return moment }
        }
        return nil
    }
}
