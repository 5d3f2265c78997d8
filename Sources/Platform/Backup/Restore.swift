import Accounts
import Gates
import Identity
import JSON
import Ledger
import Notices
import Store
import System

/// Puts a backup back. Everything is checked and prepared beside what is there; only then is it replaced.
public struct Restore {
    /// What was done.
    public struct Report: Sendable {
        /// When the backup was made.
        public var made = ""
        /// Events in its ledger.
        public var events = 0
        public var sites = 0
        /// Erasures since the backup that were applied again.
        public var erasures = 0
        /// Whether there was a list of erasures.
        public var hadErasedList = false
        /// Gates that wait to be compared.
        public var gates = 0
        /// Whether something was there before, which now lies in `DIR/replaced`.
        public var replaced = false
    }

    /// Whoever was asked did not want it: everything is as it was.
    public struct NotConfirmed: Error {}

    /// While the parts of a backup are being put in their places; a hub does not start beside it.
    static let mark = "restoring"
    static let fresh = "restored.new"
    static let old = "replaced"

    private let folder: String
    private let features: [any Feature.Type]

    /// - Parameters:
    ///   - folder: the hub's folder of data; made when it is not there.
    ///   - features: the features of this program.
    public init(folder: String, features: [any Feature.Type]) { (self.folder, self.features) = (folder, features) }

    /// Does it.
    /// - Parameters:
    ///   - erased: a list of erasures from elsewhere; `DIR/erased` is applied in any case.
    ///   - confirm: whether to go on, given what becomes valid again. Nothing has been replaced by then.
    ///   - progress: bytes done.
    /// - Throws: `NotConfirmed`; `BackupError`; when a hub runs in the folder; when the backup is of a newer Soglia.
    public func run(
        _ file: String, passphrase: String, erased: String?, at now: Timestamp, confirm: (Revival) throws -> Bool,
        progress: (UInt64) -> Void
    ) async throws -> Report {
        // A folder that was made for a restore that comes to nothing goes again.
        var isNew = !Files.exists(folder)
        try Files.makeFolder(folder)
        defer { if isNew { Files.removeTree(folder) } }
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        try undoWhatWasCutOff()
        let fresh = folder + "/" + Self.fresh
        Files.removeTree(fresh)
        defer { Files.removeTree(fresh) }
        try Files.makeFolder(fresh)
        var done: UInt64 = 0
        let paths = try BackupReader(file, passphrase: passphrase).unpack(to: fresh) { count in
            done += UInt64(count)
            progress(done)
        }
        guard paths.first == Backup.about, paths.contains("soglia.sqlite"), !paths.contains(where: Backup.isLeft) else {
            throw BackupError.unexpected("or lacks a database")
        }
        let about = try JSONReader.decode(
            Backup.About.self, from: Files.read(fresh + "/" + Backup.about, limit: 64 << 10))
        Files.remove(fresh + "/" + Backup.about)
        Files.remove(fresh + "/" + Backup.clients)
        guard Timestamp(iso8601: about.made) != nil else {
            throw BackupError.unexpected("no time at which it was made")
        }

        // A list that is asked for and is not there is no empty one: who stands in it would be back without a word.
        let given = try erased.map { try ErasedFile($0, mustExist: true).read() } ?? []
        let list = ErasedFile(folder: folder)
        var report = Report(made: about.made)
        report.hadErasedList = erased != nil || Files.exists(list.path)
        let erasures = try list.read()
        let known = Set(erasures.map(\.id))
        let all = erasures + given.filter { !known.contains($0.id) }
        let revival = try await prepare(fresh, made: about.made, all, at: now, &report)
        guard try confirm(revival) else { throw NotConfirmed() }
        isNew = false
        try list.merge(given)
        report.replaced = try replace(by: fresh)
        return report
    }

    /// Makes the database of a backup fit for today: who was erased is erased, nobody is signed in, and nothing is issued for a gate
    /// before it was compared.
    private func prepare(
        _ fresh: String, made: String, _ erasures: [Erasure], at now: Timestamp, _ report: inout Report
    ) async throws -> Revival {
        let revival: Revival
        let migrations = Hub.migrations + features.flatMap { $0.migrations }
        let store = try Store(path: fresh + "/soglia.sqlite", migrations: migrations)
        do {
            // A trigger would go on acting for whoever put it there.
            guard try !store.hasStrangers(to: migrations) else {
                throw BackupError.unexpected("a trigger, a view or an index of its own in its database")
            }
            (report.gates, report.sites, report.events) = try await store.write { database in
                let sites = try AccountRecords.sites(in: database).map(\.id)
                var heads: [SiteID: Ledger.Head] = [:]
                for site in sites + [.hub] { heads[site] = try Ledger.head(of: site, in: database) }
                let kept = heads
                let gates = try GateRecords.markRestored(
                    at: now, heads: { try kept[$0] ?? Ledger.head(of: $0, in: $1) }, in: database)
                try AccountRecords.removeSessions(in: database)
                for (site, head) in kept where head.sequence > 0 {
                    var json = JSONWriter()
                    json.object { json in
                        json.field("made", made)
                        json.field("kept", head.sequence)
                    }
                    try Ledger.append(
                        NewEvent(
                            id: .new(at: now), site: site, kind: Ledger.restoredKind, at: now, payload: json.bytes),
                        to: database)
                }
                return (gates, sites.count, kept.values.reduce(0) { $0 + Int($1.sequence) })
            }
            report.erasures = try await Erasing(features: features).carryOut(erasures, on: store, at: now).count
            // Only now: whom one site erased keeps what they have at others.
            revival = try store.read { database in
                try Revival(
                    made: made, of: database, in: fresh, replacing: folder,
                    AccountRecords.grants + WebhookRecords.grants + features.flatMap { $0.grants }, at: now)
            }
            if report.erasures > 0 { try await store.rewrite() }
            // Wiped by that, or as the backup made it: what is put aside stays until somebody removes it.
            try await store.write { try AccountRecords.removeHubValue(Privacy.unwiped, in: $0) }
            // Alone in this file: nothing can hold it up.
            _ = try await store.truncateLog()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return revival
    }

    /// Puts the parts in their places. Cut off in the middle it leaves its mark, and is undone by the next one.
    private func replace(by fresh: String) throws -> Bool {
        let (mark, old) = (folder + "/" + Self.mark, folder + "/" + Self.old)
        Files.removeTree(old)
        try Files.makeFolder(old)
        try Files.replace(mark, with: [])
        let names = Files.names(in: fresh).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        for name in names + ["soglia.sqlite-wal", "soglia.sqlite-shm"] where Files.kind(folder + "/" + name) != nil {
            try Files.move(folder + "/" + name, to: old + "/" + name)
        }
        // Whatever is called so from here on is of the backup.
        try Files.replace(mark, with: Array(names.joined(separator: "\n").utf8))
        for name in names { try Files.move(fresh + "/" + name, to: folder + "/" + name) }
        Files.remove(mark)
        let replaced = !Files.names(in: old).isEmpty
        if !replaced { Files.removeTree(old) }
        return replaced
    }

    /// Puts everything back as it was before a restore that was cut off: what becomes valid again is told against that, and not against what
    /// that restore had put in its place. Cut off itself, it is done again.
    private func undoWhatWasCutOff() throws {
        let (mark, old) = (folder + "/" + Self.mark, folder + "/" + Self.old)
        guard Files.exists(mark) else { return }
        let names = String(decoding: try Files.read(mark, limit: 1 << 20), as: UTF8.self).split(separator: "\n")
        for name in names.map(String.init) where BackupFormat.isOwn(name) && Files.kind(old + "/" + name) == nil {
            Files.removeTree(folder + "/" + name)
        }
        // What is called so from here on is what was there before.
        try Files.replace(mark, with: [])
        for name in Files.names(in: old) {
            Files.removeTree(folder + "/" + name)
            try Files.move(old + "/" + name, to: folder + "/" + name)
        }
        Files.remove(mark)
    }

    /// Refuses to start where a restore was cut off.
    static func check(_ folder: String) throws {
        if Files.exists(folder + "/" + mark) {
            throw SystemError("a restore was cut off in \(folder): run it again before a hub starts here")
        }
    }
}
