import Foundation
import HTTPServer
import Identity
import Ledger
import Notices
import Store
import System
import TestSupport
import Testing

@testable import Accounts
@testable import Platform

@Suite("How full a disk is")
struct DiskLevelTests {
    private func level(_ percent: Int64, after before: DiskLevel = .plenty, refuses: Bool = false) -> DiskLevel {
        before.next(FreeSpace(free: percent * 10, total: 1_000), refuses: refuses)
    }

    @Test("Below 10 % is little, below 2 % nearly nothing, and so is a disk that refuses")
    func levels() {
        #expect(level(10) == .plenty)
        #expect(level(9) == .low)
        #expect(level(2) == .low)
        #expect(level(1) == .nearlyFull)
        #expect(level(50, refuses: true) == .nearlyFull)
    }

    @Test("A level is over when clearly more is free")
    func hysteresis() {
        #expect(level(10, after: .low) == .low)
        #expect(level(12, after: .low) == .low)
        #expect(level(13, after: .low) == .plenty)
        #expect(level(2, after: .nearlyFull) == .nearlyFull)
        #expect(level(3, after: .nearlyFull) == .low)
        #expect(level(12, after: .nearlyFull) == .low)
        #expect(level(13, after: .nearlyFull) == .plenty)
    }
}

@Suite("The watch over the disk", .serialized)
struct DiskWatchTests {
    /// A hub that serves nobody, with a site and its owner, on a disk that is as full as the test says.
    private struct Place {
        let hub: Hub
        let watch: DiskWatch
        let free: Shared<Int64>
        let owner: PersonID
        let member: PersonID
        /// Who was told what.
        let told: Shared<[(person: PersonID, title: String)]>

        static func with(pageLimit: Int? = nil, _ body: (Place) async throws -> Void) async throws {
            let folder = NSTemporaryDirectory() + "soglia-disk-\(UInt32.random(in: 0 ... .max))"
            defer { Files.removeTree(folder) }
            var settings = Hub.Settings(folder: folder, server: ServerSettings())
            settings.pageLimit = pageLimit
            let hub = try Hub(settings, features: [])
            let now = WallClock.system.now
            let people = (0..<2).map { PersonID.new(at: now.adding(milliseconds: Int64($0))) }
            let site = Site(id: .new(at: now), name: "Works", kind: .company, zone: .utc)
            try await hub.given.accounts.change { database in
                try AccountRecords.add(site, at: now, by: nil, in: database)
                for (number, person) in people.enumerated() {
                    try AccountRecords.add(
                        Person(id: person, name: "P", email: "p\(number)@example.com", language: nil),
                        passwordHash: nil, at: now, in: database)
                    try AccountRecords.add(
                        Membership(
                            id: .new(at: now), person: person, site: site.id,
                            permission: number == 0 ? .owner : .member, role: nil, firstDay: nil, lastDay: nil),
                        at: now, by: nil, in: database)
                }
            }
            let (told, free) = (Shared<[(person: PersonID, title: String)]>([]), Shared<Int64>(500))
            hub.given.notices.whenToldInApp { person, delivery in
                guard let title = delivery?.notice.content.text[.en].title else { return }
                told.change { $0.append((person, title)) }
            }
            let watch = DiskWatch(
                hub.given, hub.health, folder: folder, read: { _ in FreeSpace(free: free.value, total: 1_000) },
                uptime: { 0 })
            let place = Place(hub: hub, watch: watch, free: free, owner: people[0], member: people[1], told: told)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(place)) } catch { outcome = .failure(error) }
            await hub.stop()
            try outcome.get()
        }

        func look(_ bytes: Int64) async -> [HubTrouble] {
            free.change { $0 = bytes }
            await watch.look()
            return hub.health.troubles
        }
    }

    @Test("Owners are told at 10 % and at 2 %, once each, and the health says so until there is room")
    func levels() async throws {
        try await Place.with { place in
            #expect(await place.look(500) == [])
            #expect(place.told.value.isEmpty)
            #expect(await place.look(90) == [.diskLow])
            #expect(await place.look(80) == [.diskLow])
            #expect(await place.look(110) == [.diskLow])
            #expect(place.told.value.map(\.person) == [place.owner])
            #expect(place.told.value.map(\.title) == ["Free up disk space on the hub"])
            #expect(await place.look(10) == [.diskFull])
            #expect(await place.look(0) == [.diskFull])
            #expect(place.told.value.map(\.title).last == "Free up disk space on the hub now")
            #expect(place.told.value.count == 2)
            #expect(await place.look(500) == [])
            #expect(place.told.value.count == 2)
        }
    }

    @Test("A write that finds the disk full is enough, and the notice goes out though it cannot be recorded")
    func outOfMemory() async throws {
        try await Place.with(pageLimit: 400) { place in
            let store = place.hub.given.store
            var size = 100_000
            while size > 10 {
                let (filler, now) = ([UInt8](repeating: 0x20, count: size), WallClock.system.now)
                do {
                    try await store.write { database in
                        let site = try database.row("SELECT id FROM sites LIMIT 1") { $0[0] as SiteID }!
                        _ = try Ledger.append(
                            NewEvent(id: .new(at: now), site: site, kind: "test.filler", at: now, payload: filler),
                            to: database)
                    }
                } catch let error as StoreError where error.isFull { size /= 4 }
            }
            #expect(await place.look(500) == [.diskFull])
            #expect(place.told.value.map(\.person) == [place.owner])
            #expect(place.told.value.map(\.title) == ["Free up disk space on the hub now"])
        }
    }

    @Test("Every language says first what to do")
    func words() {
        for level in [DiskLevel.low, .nearlyFull] {
            let content = DiskNotice.content(level)
            #expect(content.urgency == .high)
            for language in Language.allCases {
                #expect(!content.text[language].title.isEmpty && !content.text[language].body.isEmpty)
            }
        }
    }
}
