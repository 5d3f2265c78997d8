import Synchronization

/// A time zone of the IANA database, as a site has one. The machine's own database is read (Debian's tzdata), each zone once.
public struct Zone: Hashable, Sendable {
    /// The name in the database, `Europe/Rome`.
    public let name: String
    private let file: ZoneFile

    /// Nil when this machine's database has no zone of that name.
    public init?(name: String) {
        guard Self.isName(name) else { return nil }
        // Looked up once: every decision about a person asks for the zone of a site.
        if let known = Self.known.withLock({ $0[name] }) {
            self = known
            return
        }
        guard let bytes = try? Files.read(Self.folder + name, limit: ZoneFile.longest), let file = ZoneFile(bytes)
        else { return nil }
        (self.name, self.file) = (name, file)
        let zone = self
        Self.known.withLock { $0[name] = zone }
    }

    /// For UTC, which needs no database.
    private init() {
        name = "UTC"
        file = ZoneFile(offset: 0)
    }

    /// Where the database lies.
    private static let folder = "/usr/share/zoneinfo/"

    /// What a name of the database is written with. The folders `posix` and `right` hold other forms of the same zones, the latter with
    /// leap seconds; `localtime` and `posixrules` are this machine's own.
    private static func isName(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count), name.utf8.first != UInt8(ascii: "/"),
            !["posix/", "right/"].contains(where: name.hasPrefix), !["localtime", "posixrules"].contains(name)
        else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
    }

    private static let known = Mutex<[String: Zone]>([:])

    /// Coordinated Universal Time.
    public static let utc = Zone()

    /// Names for a chooser, sorted: each country's zones, and UTC. Others, older names among them, are zones too.
    public static var allNames: [String] {
        let lines = (try? Files.read(folder + "zone.tab")) ?? []
        let names = lines.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
            let fields = line.split(separator: UInt8(ascii: "\t"))
            guard line.first != UInt8(ascii: "#"), fields.count >= 3 else { return nil }
            return String(decoding: fields[2], as: UTF8.self)
        }
        return (names + ["UTC"]).filter { Zone(name: $0) != nil }.sorted()
    }

    /// Zones are the same when their names are.
    public static func == (one: Zone, other: Zone) -> Bool { one.name == other.name }
    /// By the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private func offset(at time: Timestamp) -> Int64 {
        Int64(file.offset(at: Int64((Double(time.milliseconds) / 1000).rounded(.down))))
    }

    /// From the year 1 to the year 9999, and a little.
    private static let calendar: ClosedRange<Int64> = -719_164 * 86_400_000...2_932_898 * 86_400_000

    /// What a wall clock there shows, in milliseconds since it showed the epoch. A gate may say any time, and pages show it: what lies
    /// beyond the calendar is as the calendar's end.
    private func local(_ time: Timestamp) -> Int64 {
        let bounded = min(max(time.milliseconds, Self.calendar.lowerBound), Self.calendar.upperBound)
        return bounded + offset(at: Timestamp(milliseconds: bounded)) * 1000
    }

    /// The day that it is there at that time.
    public func day(at time: Timestamp) -> Day {
        Day(daysSinceEpoch: Int((Double(local(time)) / 86_400_000).rounded(.down)))
    }

    /// The hour and minute that a wall clock shows there, `08:52`.
    public func clockText(at time: Timestamp) -> String {
        let (hour, minute) = minute(at: time).quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
    }

    /// The first moment of a day there. On a day whose midnight a clock change skips, the first moment after the gap.
    public func start(of day: Day) -> Timestamp {
        let naive = Int64(day.daysSinceEpoch) * 86_400_000
        // The offset before and after a change differ: the earliest moment that already is this day is the start.
        let candidates = [-26, -12, 0, 12, 26].map { hours in
            Timestamp(milliseconds: naive - offset(at: Timestamp(milliseconds: naive + hours * 3_600_000)) * 1000)
        }
        let begins = candidates.filter { self.day(at: $0) == day && self.day(at: $0.adding(milliseconds: -1)) < day }
        if let first = begins.min() { return first }
        // Midnight does not exist: walk to the change by halving, at most a day.
        var (low, high) = (naive - 15 * 3_600_000, naive + 15 * 3_600_000)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self.day(at: Timestamp(milliseconds: middle)) < day { low = middle } else { high = middle }
        }
        return Timestamp(milliseconds: high)
    }

    /// Which of two moments, where a clock change lets the wall clock show a minute twice.
    public enum Occurrence: Sendable {
        /// The earlier.
        case first
        /// The later.
        case last
    }

    /// When the wall clock there shows a minute of a day. A minute that a clock change skips is the moment of the change.
    /// - Parameters:
    ///   - minute: from the day's midnight as the wall clock counts; 1440 and more lie on the days after.
    ///   - day: the day.
    ///   - occurrence: which one, of a minute that comes twice.
    public func moment(_ minute: Int, of day: Day, _ occurrence: Occurrence) -> Timestamp {
        let naive = (Int64(day.daysSinceEpoch) * 1440 + Int64(minute)) * 60_000
        func local(_ time: Int64) -> Int64 { time + offset(at: Timestamp(milliseconds: time)) * 1000 }
        let around = [-26, -3, 3, 26].map { naive - offset(at: Timestamp(milliseconds: naive + $0 * 3_600_000)) * 1000 }
        let shown = around.filter { local($0) == naive }
        if let found = occurrence == .first ? shown.min() : shown.max() { return Timestamp(milliseconds: found) }
        // Skipped: the wall clock jumps over it at a moment between the two that the two offsets would give.
        var (low, high) = (around.min()! - 1, around.max()!)
        while high - low > 1 {
            let middle = (low + high) / 2
            if local(middle) < naive { low = middle } else { high = middle }
        }
        return Timestamp(milliseconds: high)
    }

    /// The minute of the day that a wall clock shows there, 0 to 1439.
    public func minute(at time: Timestamp) -> Int {
        let local = local(time)
        return Int((local % 86_400_000 + 86_400_000) % 86_400_000 / 60_000)
    }
}
