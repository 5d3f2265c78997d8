/// The offsets of one zone from UTC, as a compiled file of the IANA database tells them (TZif, RFC 8536 and RFC 9636).
struct ZoneFile: Sendable {
    /// No file of the database is longer, in bytes.
    static let longest = 64 << 10

    /// When the offset changes, in seconds since the epoch, rising.
    private let changes: [Int64]
    /// The offset from each of them on, in seconds east of Greenwich.
    private let offsets: [Int32]
    /// Before the first.
    private let first: Int32
    /// After the last; nil: as the last says.
    private let rule: ZoneRule?

    /// Nil for anything but a whole file of version 2 or later without leap seconds.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        // The first block counts in 32 bits, for old readers: it is passed over.
        guard let old = Header(&reader), reader.skip(old.size(timeBytes: 4)), let header = Header(&reader),
            header.leaps == 0, header.types > 0
        else { return nil }
        let times = (0..<header.times).map { _ in Int64(bitPattern: UInt64(reader.number(8))) }
        let indices = (0..<header.times).map { _ in Int(reader.number(1)) }
        let types = (0..<header.types).map { _ in
            let offset = Int32(bitPattern: UInt32(truncatingIfNeeded: reader.number(4)))
            _ = reader.number(2)
            return offset
        }
        guard reader.skip(header.letters + header.leaps * 12 + header.standards + header.universals),
            let footer = reader.line(), !reader.isBeyond, indices.allSatisfy(types.indices.contains),
            types.allSatisfy({ abs($0) < 26 * 3600 }), zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        (changes, offsets, first) = (times, indices.map { types[$0] }, types[0])
        rule = footer.isEmpty ? nil : ZoneRule(footer)
        if rule == nil, !footer.isEmpty { return nil }
    }

    /// The same offset always.
    init(offset: Int32) { (changes, offsets, first, rule) = ([], [], offset, nil) }

    /// Seconds east of Greenwich.
    /// - Parameter time: seconds since the epoch.
    func offset(at time: Int64) -> Int32 {
        guard let last = changes.last, time < last else { return rule?.offset(at: time) ?? offsets.last ?? first }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    /// How much of what a block holds.
    private struct Header {
        let universals, standards, leaps, times, types, letters: Int

        init?(_ reader: inout ByteReader) {
            guard reader.number(4) == 0x545a_6966, (0x32...0x34).contains(reader.number(1)) else { return nil }
            _ = reader.skip(15)
            let counts = (0..<6).map { _ in Int(reader.number(4)) }
            guard !reader.isBeyond, counts.allSatisfy({ $0 <= ZoneFile.longest }) else { return nil }
            (universals, standards, leaps) = (counts[0], counts[1], counts[2])
            (times, types, letters) = (counts[3], counts[4], counts[5])
        }

        func size(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + letters + leaps * (timeBytes + 4) + standards + universals
        }
    }

    /// Reads numbers one after another; beyond the end they are 0, and it is noted.
    private struct ByteReader {
        private let bytes: [UInt8]
        private var place = 0
        private(set) var isBeyond = false

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func number(_ count: Int) -> UInt64 {
            guard bytes.count - place >= count else {
                isBeyond = true
                return 0
            }
            defer { place += count }
            return UInt64(bigEndianBytes: bytes[place..<place + count])
        }

        mutating func skip(_ count: Int) -> Bool {
            guard bytes.count - place >= count else {
                isBeyond = true
                return false
            }
            place += count
            return true
        }

        /// What stands between two ends of lines.
        mutating func line() -> [UInt8]? {
            guard number(1) == 0x0a, let end = bytes[place...].firstIndex(of: 0x0a) else { return nil }
            defer { place = end + 1 }
            return Array(bytes[place..<end])
        }
    }
}
