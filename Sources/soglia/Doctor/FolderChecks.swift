import Crypto
import Glibc
import Ledger
import Platform
import Store
import System

/// What a hub needs of its folder. Nothing is changed in it.
struct FolderChecks {
    let folder: String

    /// Below so many free bytes soon, and below so many now.
    private static let (little, nothing) = (1 << 30, 100 << 20)
    /// A certificate is to be renewed within so many milliseconds of its end: when the hub begins to say so, too.
    private static let renewal = ServedCertificate.warningDays * 86_400_000
    /// An event may be so many milliseconds ahead of the clock: a minute.
    private static let leeway: Int64 = 60_000

    func all() -> [Finding] {
        guard Files.exists(folder) else {
            return [.warn("folder", "there is no \(folder)", "The first start of soglia serve makes it")]
        }
        let findings = rights()
        // What cannot be read for the owner's sake is not broken: no backup helps.
        let cause = findings.first { $0.verdict == .fail && ["folder", "owner"].contains($0.name) }
        let tables = cause.map { Finding.unchecked("tables", because: $0.name) } ?? self.tables()
        return findings + [room(), tables] + ledgerTime() + certificates() + [broker()]
    }

    // MARK: rights

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }

    private func rights() -> [Finding] {
        var findings: [Finding] = []
        guard let own = Self.status(folder), own.st_mode & S_IFMT == S_IFDIR else {
            return [.fail("folder", "\(folder) is not a folder", "Name a folder with --data")]
        }
        if own.st_mode & 0o077 != 0 {
            findings.append(.warn("folder", "others may look into \(folder)", "chmod 700 \(folder)"))
        }
        if access(folder, R_OK | W_OK | X_OK) != 0 {
            findings.append(
                .fail(
                    "folder", "\(folder) belongs to \(Files.userName(own.st_uid)), and this program cannot write there",
                    "Run it as \(Files.userName(own.st_uid)), or chown the folder"))
        }
        for (path, owner) in foreign(below: folder, of: own.st_uid, depth: 2) {
            let name = Files.userName(own.st_uid)
            findings.append(
                .fail(
                    "owner", "\(path) belongs to \(Files.userName(owner)), the folder to \(name)",
                    "As root: chown -R -h \(name) \(folder)"))
        }
        let secrets = open(below: folder, depth: 2)
        for path in secrets { findings.append(.fail("secrets", "others may read \(path)", "chmod 600 \(path)")) }
        return findings.isEmpty ? [.ok("folder", "\(folder) is for its owner alone")] : findings
    }

    /// What belongs to another user than the folder, and so may keep the hub from running; some levels deep.
    private func foreign(below folder: String, of owner: uid_t, depth: Int) -> [(path: String, owner: uid_t)] {
        Files.names(in: folder).flatMap { name -> [(path: String, owner: uid_t)] in
            let path = folder + "/" + name
            var found = stat()
            guard lstat(path, &found) == 0 else { return [] }
            if found.st_uid != owner { return [(path, found.st_uid)] }
            guard found.st_mode & S_IFMT == S_IFDIR, depth > 0 else { return [] }
            return foreign(below: path, of: owner, depth: depth - 1)
        }
    }

    /// Files that others may read or write, some levels deep.
    private func open(below folder: String, depth: Int) -> [String] {
        Files.names(in: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            guard let found = Self.status(path) else { return [] }
            if found.st_mode & S_IFMT == S_IFDIR { return depth > 0 ? open(below: path, depth: depth - 1) : [] }
            // A certificate may be read by everybody, but not the key that may lie in the same file.
            let isCertificate = (name.hasSuffix(".pem") || name.hasSuffix(".crt")) && !Self.holdsKey(path)
            let isOpen = found.st_mode & S_IFMT == S_IFREG && found.st_mode & 0o077 != 0
            return isOpen && !isCertificate && !Self.logs.contains(name) ? [path] : []
        }
    }

    /// Of the bus; there is no secret in them.
    private static let logs: Set<String> = ["haproxy.log", "mosquitto.log"]

    private static func holdsKey(_ path: String) -> Bool {
        guard let text = try? Files.read(path) else { return false }
        return text.contains("PRIVATE KEY-----".utf8)
    }

    // MARK: room and tables

    private func room() -> Finding {
        guard let space = FreeSpace(of: folder) else {
            return .warn("room", "how much is free is not known", "df \(folder)")
        }
        let (free, kept) = (Int(clamping: space.free), Files.allocated(folder + "/" + Reserve.file))
        let reserve = kept.map { $0 >> 20 > 0 ? ", \($0 >> 20) MB more are kept for alarms" : "" } ?? ""
        let words = "\(free >> 20) MB are free" + reserve
        if free < Self.nothing {
            return .fail("room", words, "Make room: on a full disk only alarms, openings and revocations are recorded")
        }
        if free < Self.little { return .warn("room", words, "Make room soon: a gigabyte is a good reserve") }
        return .ok("room", words)
    }

    private func tables() -> Finding {
        let path = folder + "/soglia.sqlite"
        guard Files.exists(path) else { return .ok("tables", "none yet: the first start makes them") }
        let known = Set(AdminCommand.migrations.map(\.name))
        do {
            let done = try Store.steps(path: path)
            if let newer = done.subtracting(known).min() {
                return .fail(
                    "tables", "a newer Soglia has written them (\(newer))", "Use that version, or bring a backup back")
            }
            let missing = known.subtracting(done).count
            return .ok(
                "tables", missing == 0 ? "\(done.count) steps, all taken" : "\(missing) steps come with the next start")
        } catch {
            return .fail(
                "tables", "\(path) cannot be read: \(error)", "Bring a backup back, or ask before you remove anything")
        }
    }

    private func ledgerTime() -> [Finding] {
        let path = folder + "/soglia.sqlite"
        guard Files.exists(path), let last = try? Store.newestEvent(path: path) else { return [] }
        let ahead = last.milliseconds - WallClock.system.now.milliseconds
        guard ahead > Self.leeway else { return [] }
        return [
            .warn(
                "ledger", "its newest event is \(ahead / 1000) seconds ahead of the clock",
                "The clock was put back, or was wrong: set it right")
        ]
    }

    // MARK: certificate, broker, port

    private func certificates() -> [Finding] {
        let tls = folder + "/tls"
        let now = WallClock.system.now
        return Files.names(in: tls).filter { $0.hasSuffix(".pem") || $0.hasSuffix(".crt") }.compactMap { name in
            guard let pem = try? Files.read(tls + "/" + name), let end = CertificateEnd.of(pem: pem) else { return nil }
            if end <= now { return .fail("certificate", "\(name) ended \(end.iso8601)", Self.renew(folder)) }
            if end.milliseconds - now.milliseconds < Self.renewal {
                return .warn("certificate", "\(name) ends \(end.iso8601)", Self.renew(folder))
            }
            return .ok("certificate", "\(name) holds until \(end.iso8601)")
        }
    }

    private static func renew(_ folder: String) -> String { "soglia admin ca --data \(folder) --renew" }

    private func broker() -> Finding {
        let broker = folder + "/broker"
        guard Files.exists(broker) else { return .ok("bus", "no broker of its own yet, or one is named with --mqtt") }
        let (hub, clients) = (Files.exists(broker + "/hub.json"), Files.exists(broker + "/dynamic-security.json"))
        if clients && !hub {
            return .fail(
                "bus", "\(broker)/hub.json is missing",
                "Bring it back from a backup, or remove \(broker) and pair every device again")
        }
        return .ok("bus", "the broker's folder is whole")
    }

    /// Whether a hub could listen, or does.
    static func port(_ port: UInt16, folder: String?) -> Finding {
        do {
            try LoopbackPort.requireFree(port)
            return .ok("port", "\(port) is free")
        } catch {
            if let folder, isRunning(folder) { return .ok("port", "a hub runs in \(folder)") }
            return .warn("port", "somebody listens on \(port) already", "If that is not the hub: --port another one")
        }
    }

    /// Whether somebody holds the lock of a folder.
    private static func isRunning(_ folder: String) -> Bool {
        guard Files.exists(folder + "/lock") else { return false }
        do {
            _ = try FolderLock(folder)
            return false
        } catch { return true }
    }
}
