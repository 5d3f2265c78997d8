import Accounts
import Gates
import Identity
import Ledger
import Pages
import Store
import Synchronization
import System

/// What an owner can do about what the hub keeps of people: erase somebody, and say how long things are kept.
public final class Privacy: Sendable {
    let given: Given
    let erasing: Erasing
    let file: ErasedFile
    private let folder: String
    private let sparing = Sparing()
    private let wiping = Mutex(Wiping())
    /// What all rooms tell somebody of themselves.
    let tellers: [Teller]
    private let freeTexts: [FreeText]

    /// - Parameter folder: the folder of data, where `erased` lies.
    init(_ given: Given, _ erasing: Erasing, tellers: [Teller], freeTexts: [FreeText], folder: String) {
        (self.given, self.erasing, self.tellers, self.folder) = (given, erasing, tellers, folder)
        self.freeTexts = freeTexts
        file = ErasedFile(folder: folder)
    }

    /// Why nobody was erased.
    enum Refusal: Error, Equatable {
        /// There is no such person at the site.
        case notHere
        /// The name that was typed is not theirs.
        case otherName
        /// Nobody erases themselves: another owner does. So a site is never left without one.
        case yourself
        /// Who asks does not own the site any more.
        case notOwner
        /// They are the only owner of the site without a last day.
        case lastOwner
        /// They join the site in the same moment, again and again.
        case moving
    }

    /// Somebody whom a site knows; the account, for a stand-in whose place it has taken.
    func person(_ id: PersonID, at site: SiteID) throws -> Person? {
        try given.store.read { try Self.person(id, at: site, in: $0) }
    }

    private static func person(_ named: PersonID, at site: SiteID, in database: Database) throws -> Person? {
        let id = try InvitationRecords.holder(of: named, in: database)
        return try isKnown(id, at: site, in: database) ? AccountRecords.person(id, in: database) : nil
    }

    /// Also somebody who has left, as long as something here tells of them.
    private static func isKnown(_ id: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        try !AccountRecords.memberships(of: id, at: site, in: database).isEmpty
            || Ledger.tells(of: id, at: site, in: database)
    }

    /// What people typed at a site and what an erasure does not touch.
    func freeTexts(at site: SiteID) throws -> [FreeText.Found] {
        try given.store.read { database in try freeTexts.compactMap { try $0.found(at: site, in: database) } }
    }

    /// Erases somebody at a site: what they did there, what was kept of them there, and when no other site has them, the account.
    ///
    /// Written down in `DIR/erased` first: from then on neither a power cut nor a restore brings them back.
    /// - Parameter name: as the owner typed it, to be sure.
    /// - Throws: `Refusal`; a full disk, with nothing done.
    func erase(_ id: PersonID, at site: Site, by principal: Principal, typed name: String) async throws
        -> Erasing.Outcome
    {
        for _ in 0..<Self.tries {
            guard let person = try person(id, at: site.id) else { throw Refusal.notHere }
            if person.id == principal.person.id { throw Refusal.yourself }
            if !Self.isSame(name, person.name) { throw Refusal.otherName }
            do { return try await erase(person.id, at: site, by: principal.person.id) } catch is Moved { continue }
        }
        throw Refusal.moving
    }

    /// Somebody, last, and as whom a site knew them before they joined.
    private static func people(_ id: PersonID, at site: SiteID, in database: Database) throws -> [PersonID] {
        try InvitationRecords.standIns(of: id, in: database).filter {
            try isKnown($0, at: site, in: database)
        } + [id]
    }

    /// - Throws: `Moved`, with nothing done.
    private func erase(_ id: PersonID, at site: Site, by owner: PersonID) async throws -> Erasing.Outcome {
        let now = given.clock.now
        let people = try given.store.read { try Self.people(id, at: site.id, in: $0) }
        let erasures = people.map { Erasure(id: .new(at: now), person: $0, site: site.id, at: now) }
        var mentions: [[EventID]] = []
        for one in people {
            mentions.append(
                try await given.store.readAside(for: owner.raw.bytes) {
                    try Ledger.mentions(of: one, at: site.id, in: $0)
                })
        }
        // What is refused in any case is not written down: the file only grows.
        let (holder, isTheirs) = try given.store.read { database in
            try Self.requireOtherOwner(than: id, at: site, now, database)
            return (
                try AccountRecords.person(id, in: database), try LinkRecords.isSettled(id, at: now, in: database)
            )
        }
        let (file, erasing, wanted) = (file, erasing, Array(zip(erasures, mentions)))
        try await Thread.run(name: "erased") { try file.append(erasures) }
        let outcome: Erasing.Outcome
        do {
            outcome = try await given.gates.changeRights(.vital, at: site.id) { database, touched in
                touched = .people(Set(people))
                guard try Self.person(id, at: site.id, in: database) != nil else { throw Refusal.notHere }
                guard try AccountRecords.may(owner, [.owner], at: site.id, now: now, in: database) else {
                    throw Refusal.notOwner
                }
                guard try InvitationRecords.holder(of: id, in: database) == id,
                    try Self.people(id, at: site.id, in: database) == people
                else { throw Moved() }
                try Self.requireOtherOwner(than: id, at: site, now, database)
                var outcome = Erasing.Outcome()
                for (erasure, mentions) in wanted {
                    // The account itself is the last, and what the others did counts with it.
                    let before = outcome.events
                    outcome = try erasing.perform(erasure, mentions: mentions, by: owner, at: now, in: database)
                    outcome.events += before
                }
                return outcome
            }
        } catch {
            await withdraw(erasures)
            throw error
        }
        given.accounts.announceEnd(of: outcome.sessions)
        if !outcome.accountIsGone {
            await tellErased(id)
        } else if let holder, isTheirs {
            given.accounts.tell(holder, of: .deleted)
        }
        try given.gates.tellLive(given.live, person: id, at: site.id)
        await wipe()
        return outcome
    }

    /// - Throws: `Refusal.lastOwner`.
    private static func requireOtherOwner(
        than person: PersonID, at site: Site, _ now: Timestamp, _ database: Database
    ) throws {
        if try isLastOwner(person, of: site, at: now, in: database) { throw Refusal.lastOwner }
    }

    /// Who asks may be an owner for some days alone: a site keeps one without a last day.
    static func isLastOwner(
        _ person: PersonID, of site: Site, at now: Timestamp, in database: Database
    ) throws -> Bool {
        let today = site.zone.day(at: now)
        let isOwner = try AccountRecords.memberships(of: person, at: site.id, in: database).contains {
            $0.permission == .owner && $0.holds(on: today) && $0.lastDay == nil
        }
        return try isOwner && !AccountRecords.hasOwner(besides: person, at: site.id, on: today, in: database)
    }

    /// Says of erasures that were refused that they are not to be carried out.
    func withdraw(_ erasures: [Erasure]) async {
        let file = file
        for erasure in erasures {
            do { try await Thread.run(name: "erased") { try file.withdraw(erasure) } } catch {
                Log.failure(
                    "hub", "an erasure that was refused stays written down, and is judged again at the next start",
                    ["erasure": erasure.id.text, "why": "\(error)"])
            }
        }
    }

    /// Noted in an erasure's transaction until what was deleted is gone from the file, too: the next start, or the
    /// next day, takes it up.
    static func noteUnwiped(at now: Timestamp, in database: Database) throws {
        try setUnwiped(since: AccountRecords.hubValue(unwiped, in: database).flatMap(moment) ?? now, in: database)
    }

    private static func setUnwiped(since first: Timestamp, in database: Database) throws {
        try AccountRecords.setHubValue(
            unwiped, first.milliseconds.bigEndianBytes + Random.bytes(16), in: database)
    }
    static let unwiped = "unwiped"

    /// When the first erasure was that a note is about; nil: an older note, which did not tell.
    static func moment(of note: [UInt8]) -> Timestamp? {
        guard note.count == 24 else { return nil }
        return Timestamp(milliseconds: Int64(bigEndianBytes: note[..<8]))
    }

    private func unwipedNote() throws -> [UInt8]? {
        try given.store.read { try AccountRecords.hubValue(Self.unwiped, in: $0) }
    }

    /// Removes what was deleted from where it still stands. It stops everybody's writing for a moment, and so it is done for several at
    /// once where many are erased, and in the night where it takes long: see `Wiping`.
    /// - Parameter now: the moment of the daily work; nil: somebody was erased.
    func wipe(at now: Timestamp? = nil) async {
        guard let bytes = try? given.store.size(), let zone = try? self.zone(), let note = try? unwipedNote(),
            wiping.withLock({ $0.isDue(bytes, at: now, in: zone, asked: Self.moment(of: note)) })
        else {
            await removeCopies()
            // Whole rows are gone from the file with the log, whatever pieces stay.
            return await cutLog()
        }
        await sparing.run { await self.wipeNow() }
    }

    private func zone() throws -> Zone {
        Wiping.zone(of: try given.store.read { try AccountRecords.sites(in: $0) })
    }

    /// A restore puts aside what it replaces, and there the person would still be; so they would in what one that was cut off left behind,
    /// or a backup.
    private func removeCopies() async {
        let folder = folder
        _ = try? await Thread.run(name: "erased") {
            Files.removeTree(folder + "/" + Restore.old)
            Self.removeLeftovers(in: folder)
        }
    }

    /// What a restore or a backup left behind that was cut off. This hub has the folder: no restore is at work.
    private static func removeLeftovers(in folder: String) {
        Files.removeTree(folder + "/" + Restore.fresh)
        Backup.removeLeftovers(in: folder)
    }

    private func wipeNow() async {
        let (noted, now) = (try? unwipedNote(), given.clock.now)
        await removeCopies()
        guard await wipeFile(), let noted else { return }
        // Whom somebody erased meanwhile is done once more.
        _ = try? await given.store.write { database in
            try AccountRecords.removeHubValue(Self.unwiped, if: noted, in: database)
            guard try AccountRecords.hubValue(Self.unwiped, in: database) != nil else { return }
            try Self.setUnwiped(since: now, in: database)
        }
    }

    /// Blanks around a name and between its words do not count, nor does case.
    static func isSame(_ typed: String, _ name: String) -> Bool {
        func plain(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        }
        return plain(typed) == plain(name)
    }

    /// What was deleted may still stand between the rows of the database until they are written anew, and stands in the write-ahead log
    /// until that is cut off.
    /// - Returns: whether the rows were; the log is tried again daily.
    private func wipeFile() async -> Bool {
        let isRewritten: Bool
        do {
            let bytes = try given.store.size()
            let took = try await given.store.rewrite()
            let now = given.clock.now
            wiping.withLock { $0.note(bytes, took: took, at: now) }
            isRewritten = true
        } catch {
            isRewritten = false
            let now = given.clock.now
            wiping.withLock { $0.noteFailure(at: now) }
            Log.warning(
                "hub",
                "the database could not be written anew after an erasure: traces of what was erased may stay in its file",
                ["why": "\(error)"])
        }
        await cutLog()
        return isRewritten
    }

    private func cutLog() async {
        for _ in 0..<5 {
            if (try? await given.store.truncateLog()) == true { return }
            try? await Task.sleep(for: .seconds(1))
        }
        Log.warning(
            "hub", "the database's log could not be cut off while something reads an old state: it is tried again daily"
        )
    }

    // MARK: every day

    /// How often the daily work looks whether a day is over.
    private static let pause = Duration.seconds(3_600)

    /// Carries out what a power cut left, keeps the heads of the day, removes what is kept no longer. Runs until cancelled.
    func run() async throws {
        let store = given.store
        do {
            let left = try await erasing.carryOut(
                file.read(), isFirst: true, on: store, gates: given.gates, at: given.clock.now)
            if left.count > 0 {
                Log.info("hub", "erasures that were cut off have been carried out", ["count": "\(left.count)"])
            }
            if !left.refused.isEmpty {
                Log.warning(
                    "hub", "erasures that were cut off are refused: a site would be left without an owner",
                    ["count": "\(left.refused.count)"])
                await withdraw(left.refused)
            }
            if try unwipedNote() != nil { await wipe(at: given.clock.now) }
        } catch {
            Log.failure("hub", "what DIR/erased says could not be carried out", ["why": "\(error)"])
        }
        while true {
            do { try await daily() } catch {
                Log.failure(
                    "hub", "the daily work could not be done; it is tried again in an hour", ["why": "\(error)"])
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// One round of the daily work.
    func daily() async throws {
        let (now, file) = (given.clock.now, file)
        let folder = folder
        try await Thread.run(name: "erased") { Self.removeLeftovers(in: folder) }
        try await given.store.write(.vital) { _ = try Ledger.keepHeads(at: now, in: $0) }
        // A clock that is wrong would take for good what is young: the next round does it.
        let sites = given.clock.mayRemoveByAge ? try given.store.read { try AccountRecords.sites(in: $0) } : []
        var count = 0
        for site in sites {
            count += try await given.ledger.expire(at: site.id, now: now, erasers: erasing.erasers)
        }
        if count > 0 { Log.info("hub", "what is kept no longer has gone", ["events": "\(count)"]) }
        if try unwipedNote() != nil { await wipe(at: now) }
        if try await given.store.truncateLog() == false {
            Log.warning("hub", "the database's log is held by a long read; it is cut off at the next round")
        }
        // Last: on a full disk a shorter file cannot be written, and what makes room has gone before.
        try await Thread.run(name: "erased") { try file.tidy() }
    }
}
