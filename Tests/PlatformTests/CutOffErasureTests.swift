import Foundation
import HTTPServer
import Identity
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Accounts
@testable import Platform

/// A site with owners, in a folder of its own.
private struct Owned {
    static let now = Timestamp(iso8601: "2026-11-27T12:00:00.000Z")!
    static let site = Site(id: .new(at: now), name: "Casa", kind: .home, zone: .utc)

    let store: Store
    let people: [PersonID]

    /// - Parameters:
    ///   - more: further sites, where the first of them is a member.
    ///   - free: the bytes of its disk that are free, where room is kept on it.
    static func with(
        owners: Int, also more: [Site] = [], free: Shared<Int64>? = nil, _ body: (Owned) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "soglia-cut-off-\(UInt32.random(in: 0 ... .max))"
        try Files.makeFolder(folder)
        let reserve = free.map { free in
            Reserve(folder: folder, limit: 64 << 10, read: { _ in FreeSpace(free: free.value, total: 1 << 40) })
        }
        let store = try Store(path: folder + "/soglia.sqlite", migrations: Hub.migrations, reserve: reserve)
        let people = try await store.write { database in try add(owners: owners, also: more, to: database) }
        do { try await body(Owned(store: store, people: people)) } catch {
            await store.close()
            Files.removeTree(folder)
            throw error
        }
        await store.close()
        Files.removeTree(folder)
    }

    private static func add(owners: Int, also more: [Site], to database: Database) throws -> [PersonID] {
        try AccountRecords.add(site, at: now, by: nil, in: database)
        let people = (0..<owners).map { _ in PersonID.new(at: now) }
        func add(_ person: PersonID, _ permission: Permission, at site: SiteID) throws {
            try AccountRecords.add(
                Membership(
                    id: .new(at: now), person: person, site: site, permission: permission, role: nil, firstDay: nil,
                    lastDay: nil), at: now, by: nil, in: database)
        }
        for (number, id) in people.enumerated() {
            let person = Person(id: id, name: "Owner \(number)", email: "o\(number)@example.org", language: nil)
            try AccountRecords.add(person, passwordHash: "x", at: now, in: database)
            try add(id, .owner, at: site.id)
        }
        for other in more {
            try AccountRecords.add(other, at: now, by: nil, in: database)
            try add(people[0], .member, at: other.id)
        }
        return people
    }

    func erasure(_ person: PersonID, at site: SiteID = Owned.site.id, later: Int64 = 0) -> Erasure {
        Erasure(id: .new(at: Self.now), person: person, site: site, at: Self.now.adding(milliseconds: later))
    }

    func carryOut(_ erasures: [Erasure], isFirst: Bool = true) async throws -> Erasing.Carried {
        try await Erasing(features: []).carryOut(erasures, isFirst: isFirst, on: store, at: Self.now)
    }

    func isThere(_ person: PersonID) throws -> Bool {
        try store.read { try AccountRecords.person(person, in: $0) } != nil
    }
}

@Suite("Erasures that the hub was cut off in: they are written down before the transaction judges them")
struct CutOffErasureTests {
    @Test("The only owner of a site is not erased; one of two is")
    func onlyOwner() async throws {
        for owners in [1, 2] {
            try await Owned.with(owners: owners) { place in
                let erasure = place.erasure(place.people[0])
                let carried = try await place.carryOut([erasure])
                #expect(carried == (owners == 1 ? .init(refused: [erasure]) : .init(count: 1)))
                #expect(try place.isThere(place.people[0]) == (owners == 1))
            }
        }
    }

    @Test("On a full disk it is carried out all the same")
    func fullDisk() async throws {
        let free = Shared<Int64>(1 << 30)
        try await Owned.with(owners: 2, free: free) { place in
            free.change { $0 = 0 }
            let carried = try await place.carryOut([place.erasure(place.people[0])])
            #expect(carried == .init(count: 1))
            #expect(try !place.isThere(place.people[0]))
        }
    }

    @Test("Two owners who erased each other in the same moment: one of them stays")
    func eachOther() async throws {
        try await Owned.with(owners: 2) { place in
            let erasures = place.people.map { place.erasure($0) }
            let carried = try await place.carryOut(erasures)
            #expect(carried == .init(count: 1, refused: [erasures[1]]))
            #expect(try !place.isThere(place.people[0]))
            #expect(try place.isThere(place.people[1]))
        }
    }

    @Test("Who deleted themselves and is the only owner of one site stays at all of them")
    func allOrNothing() async throws {
        let mill = Site(id: .new(at: Owned.now), name: "Mill", kind: .company, zone: .utc)
        for owners in [1, 2] {
            try await Owned.with(owners: owners, also: [mill]) { place in
                let me = place.people[0]
                let erasures = [mill.id, Owned.site.id, .hub].map { place.erasure(me, at: $0) }
                // What somebody else asked for at another moment is judged for itself.
                let other = place.erasure(me, at: mill.id, later: 1)
                let carried = try await place.carryOut(erasures + [other])
                let left = try place.store.read { database in
                    try [mill, Owned.site].map {
                        try AccountRecords.memberships(of: me, at: $0.id, in: database).count
                    }
                }
                #expect(carried == (owners == 1 ? .init(count: 1, refused: erasures) : .init(count: 4)))
                #expect(left == (owners == 1 ? [0, 1] : [0, 0]))
                #expect(try place.isThere(me) == (owners == 1))
            }
        }
    }

    @Test("A restore judges nothing: what its list says was carried out once")
    func restored() async throws {
        try await Owned.with(owners: 1) { place in
            let carried = try await place.carryOut([place.erasure(place.people[0])], isFirst: false)
            #expect(carried == .init(count: 1))
            #expect(try !place.isThere(place.people[0]))
        }
    }

    @Test("A hub that starts takes out of the list what it refuses, and removes copies that were cut off")
    func takenOut() async throws {
        let folder = NSTemporaryDirectory() + "soglia-cut-off-\(UInt32.random(in: 0 ... .max))"
        defer { Files.removeTree(folder) }
        func withHub(_ body: (Hub) async throws -> Void) async throws {
            let hub = try Hub(Hub.Settings(folder: folder, server: ServerSettings()), features: [])
            _ = try await hub.start()
            try await body(hub)
            await hub.stop()
        }
        let (owner, site) = (PersonID.new(at: Owned.now), Owned.site)
        try await withHub { hub in
            try await hub.given.store.write { database in
                try AccountRecords.add(site, at: Owned.now, by: nil, in: database)
                try AccountRecords.add(
                    Person(id: owner, name: "Olga", email: "o@example.org", language: nil), passwordHash: nil,
                    at: Owned.now, in: database)
                try AccountRecords.add(
                    Membership(
                        id: .new(at: Owned.now), person: owner, site: site.id, permission: .owner, role: nil,
                        firstDay: nil, lastDay: nil), at: Owned.now, by: nil, in: database)
            }
        }
        let file = ErasedFile(folder: folder)
        try file.append(Erasure(id: .new(at: Owned.now), person: owner, site: site.id, at: Owned.now))
        // What else was cut off, where somebody who is erased would still be.
        for name in ["restored.new", ".backup-1"] {
            try Files.makeFolder(folder + "/" + name)
            try Files.replace(folder + "/" + name + "/soglia.sqlite", with: [1])
        }
        try await withHub { hub in
            let isTakenOut = try await eventually { try file.read().isEmpty }
            #expect(isTakenOut)
            let isGone = await eventually {
                !Files.exists(folder + "/restored.new") && !Files.exists(folder + "/.backup-1")
            }
            #expect(isGone)
            #expect(try hub.given.store.read { try AccountRecords.person(owner, in: $0) } != nil)
        }
    }
}
