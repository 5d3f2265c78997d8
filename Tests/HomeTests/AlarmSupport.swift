import Identity
import Ledger
import Notices
import Store
import System
import TestSupport
import Testing

@testable import Accounts
@testable import Home
@testable import Household

/// Telephones of everybody, in memory.
final class HandPhones: NoticeWay, Carrier {
    let channel = Channel.push
    /// More than people: what finds no lane at once is left to the outbox, which does not run here.
    let lanes = 64
    /// What arrived: to whom, and what the lock screen shows.
    let rang = Shared<[(person: PersonID, text: String)]>([])
    /// Who has allowed details on the lock screen.
    private let isDetailed: Bool

    init(isDetailed: Bool = false) { self.isDetailed = isDetailed }

    func parcels(for delivery: NoticeDelivery, at now: Timestamp, in database: Database) throws -> [Parcel] {
        parcelsAtOnce(for: delivery, at: now)
    }

    func parcelsAtOnce(for delivery: NoticeDelivery, at now: Timestamp) -> [Parcel] {
        let words = isDetailed ? delivery.notice.content.text[delivery.language] : delivery.lockScreen
        return [delivery.parcel(by: .push, Array((words.title + "|" + words.body).utf8), at: now)]
    }

    func carry(_ parcel: Parcel) async -> Carried {
        if let person = parcel.person {
            rang.change { $0.append((person, String(decoding: parcel.payload, as: UTF8.self))) }
        }
        return .delivered
    }
}

/// The words of a leak.
let leakWords = LocalizedText(
    en: NoticeWords("gas in the kitchen"), it: NoticeWords("gas in cucina"), es: NoticeWords("gas en la cocina"))
/// The same as an alarm's message.
let leak = AlarmMessage(leakWords)

extension TestHouse {
    var alarms: AlarmDesk { parts.alarms }
    func move(minutes: Int) { time.change { $0 = $0.adding(milliseconds: Int64(minutes) * 60_000) } }
    func move(seconds: Int) { time.change { $0 = $0.adding(milliseconds: Int64(seconds) * 1_000) } }

    /// People with a membership, without a password.
    func people(_ permissions: [Permission]) async throws -> [PersonID] {
        let people = permissions.indices.map { _ in PersonID.new(at: noon) }
        try await parts.store.write { [site] database in
            for (index, permission) in permissions.enumerated() {
                try AccountRecords.add(
                    Person(
                        id: people[index], name: "Person \(index)", email: "person\(index)@example.org", language: "en"),
                    passwordHash: nil, at: noon, in: database)
                try AccountRecords.add(
                    Membership(
                        id: .new(at: noon), person: people[index], site: site.id, permission: permission, role: nil,
                        firstDay: nil, lastDay: nil), at: noon, by: nil, in: database)
            }
        }
        return people
    }

    /// Rings in memory from now on.
    func phones(isDetailed: Bool = false) -> HandPhones {
        let phones = HandPhones(isDetailed: isDetailed)
        parts.given.notices.use(phones)
        parts.given.notices.outbox.use(phones, for: .push)
        return phones
    }

    /// An alarm as the log has it; nil: it is not written down.
    func logged(_ id: HouseAlarmID) throws -> AlarmRecords.Logged? {
        try parts.store.read { try AlarmRecords.alarm(id, in: $0) }
    }

    /// The ids of a page of the log, as a person sees it.
    func log(
        before: HouseAlarmID? = nil, kind: HouseAlarm.Kind? = nil, limit: Int
    ) throws -> (items: [HouseAlarmID], next: HouseAlarmID?) {
        let page = try AlarmPages(access: parts.access, acts: parts.alarmActs, registry: parts.registry).alarmLog(
            site, before: before, kind: kind, limit, .en)
        return (page.items.map(\.alarm.id), page.next)
    }

    /// The one alarm that a sensor has in the log, once it is there.
    func alarm(of sensor: Sensor) async throws -> HouseAlarm {
        func found() throws -> [HouseAlarm] {
            let log = try parts.store.read {
                try AlarmRecords.log(of: site.id, unwritten: [], limit: 100, in: $0).items
            }
            return log.map(\.alarm).filter { $0.sensor == sensor.id }
        }
        try #require(await eventually { try found().count == 1 })
        return try found()[0]
    }

    /// What was told of it, as far as it is written down.
    func notices(_ id: HouseAlarmID) throws -> [NoticeID] {
        try parts.store.read { try AlarmRecords.notices(of: id, in: $0).map(\.notice) }
    }

    /// The kinds of the house's events that begin so.
    func events(_ prefix: String) throws -> [String] {
        try parts.given.ledger.events(of: site.id, after: 0, limit: 500).map(\.kind).filter {
            $0.hasPrefix(prefix)
        }
    }

    /// Nothing that is written fits any more, but a row or two.
    func fillTheDisk() async throws {
        try await parts.store.write { database in
            _ = try database.row("PRAGMA max_page_count = 1") { $0[0] as Int }
        }
        let hub = SiteID.hub
        for size in [3_000, 10] {
            while (try? await parts.store.write({ database in
                try Ledger.append(
                    NewEvent(
                        id: .new(at: noon), site: hub, kind: "test.filler", at: noon,
                        payload: Array(("{\"text\":\"" + String(repeating: "x", count: size) + "\"}").utf8)),
                    to: database)
            })) != nil {}
        }
    }

    /// There is room again.
    func emptyTheDisk() async throws {
        try await parts.store.write { database in
            _ = try database.row("PRAGMA max_page_count = 1000000") { $0[0] as Int }
        }
    }
}
