import Identity
import Store
import Synchronization
import System

/// `DIR/erased`: who was erased where, kept outside the database and outside every backup, so that a restore of an old backup cannot
/// bring anybody back. Mode 0600, appended to, flushed before an erasure is carried out.
///
/// One line each: `erased EVENT SITE PERSON TIME`, and `withdrawn EVENT` when it was refused after all. The ids lead nowhere once a
/// person is gone; no name is in it.
public struct ErasedFile: Sendable {
    /// The file.
    public let path: String
    /// It is read up to this size, in bytes: some 350,000 erasures.
    static let limit = 48 << 20

    private var mustExist = false

    /// - Parameter mustExist: whether reading it fails where there is none; else it is empty then.
    public init(_ path: String, mustExist: Bool = false) { (self.path, self.mustExist) = (path, mustExist) }

    /// In a hub's folder of data.
    public init(folder: String) { path = folder + "/erased" }

    /// Writes an erasure down. On disk when this returns; blocks for as long.
    public func append(_ erasure: Erasure) throws(SystemError) { try write(Self.line(erasure)) }

    /// Writes several down that belong together: all of them, or of a write that was cut off some.
    public func append(_ erasures: [Erasure]) throws(SystemError) { try write(erasures.map(Self.line).joined()) }

    /// Says that an erasure was refused after it had been written down.
    public func withdraw(_ erasure: Erasure) throws(SystemError) { try write("withdrawn \(erasure.id.text)\n") }

    /// Adds the erasures of another such file that are not here yet.
    public func merge(_ others: [Erasure]) throws {
        let known = Set(try read().map(\.id))
        for erasure in others where !known.contains(erasure.id) { try append(erasure) }
    }

    /// All erasures that were not withdrawn, oldest first; none when there is no file.
    /// - Throws: when a line cannot be made sense of: nothing is guessed about who was erased.
    public func read() throws(SystemError) -> [Erasure] {
        guard mustExist || Files.exists(path) else { return [] }
        var erasures: [Erasure] = []
        var withdrawn: Set<EventID> = []
        var lines = try Files.read(path, limit: Self.limit).split(separator: 0x0a, omittingEmptySubsequences: false)
        // A line without its end was cut off before anything was done about it.
        lines.removeLast()
        for (number, line) in lines.enumerated() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
            if words.count == 5, words[0] == "erased", let id = EventID(words[1]), let site = SiteID(words[2]),
                let person = PersonID(words[3]), let at = Timestamp(iso8601: words[4])
            {
                erasures.append(Erasure(id: id, person: person, site: site, at: at))
            } else if words.count == 2, words[0] == "withdrawn", let id = EventID(words[1]) {
                withdrawn.insert(id)
            } else {
                throw SystemError("\(path): line \(number + 1) is no erasure")
            }
        }
        return erasures.filter { !withdrawn.contains($0.id) }
    }

    /// Takes out what was withdrawn: refused erasures, of which there may be any number, leave nothing for good.
    /// - Throws: when a line cannot be made sense of, with nothing done.
    public func tidy() throws(SystemError) {
        try Self.writing.withLock { _ throws(SystemError) in
            guard Files.exists(path) else { return }
            let bytes = Array(try read().map(Self.line).joined().utf8)
            if try bytes.count < Files.read(path, limit: Self.limit).count { try Files.replace(path, with: bytes) }
        }
    }

    private static func line(_ erasure: Erasure) -> String {
        "erased \(erasure.id.text) \(erasure.site.text) \(erasure.person.text) \(erasure.at.iso8601)\n"
    }

    private func write(_ line: String) throws(SystemError) {
        try Self.writing.withLock { _ throws(SystemError) in try Files.appendLine(path, Array(line.utf8)) }
    }

    /// Erasures at two sites may be written down at once, and each would cut off what the other writes. No other process writes: a
    /// command that does holds the folder's lock.
    private static let writing = Mutex(())
}
