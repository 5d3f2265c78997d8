/// A gate's own copy of who may open it, for a gate in legacy mode: there the phone brings a badge and no pass, so the
/// gate itself must know whose badges open it, and when. It decides with the hub away, for as far ahead as the hub computed
/// the calendars.
///
/// Layout: calendar count u16 · (interval count u8 · (start u64 · end u64) each) each · holder count u16 · (badge 16 ·
/// not-before u64 · not-after u64 · calendar u16) each, strictly ascending by badge. Calendar 65535: at any time.
public struct LocalRights: Hashable, Sendable {
    /// The most holders that a gate reads. How many a hub sends, `room` decides.
    public static let maxHolders = 20_000
    /// The most calendars: one for each different set of hours.
    public static let maxCalendars = 1024
    /// The most intervals of a calendar: eight a day for a week.
    public static let maxIntervals = 56
    /// How many bytes calendars and holders may have together at a hub: the rest of a frame is for as many denied passes as there may be.
    public static let room =
        GateFrame.maxBytes - 1 - Rights.byteCount(denied: Rights.maxDenied) - 4
    /// How many bytes of that a holder takes.
    public static let holderBytes = 34
    private static let anyTime = UInt16.max

    /// Somebody whose badge opens the gate. Nobody is named.
    public struct Holder: Hashable, Sendable {
        /// The badge, as `LocalRights.name(of:gateKey:)` calls it here.
        public let badge: ID16
        /// The first second of the right. Unix seconds, UTC.
        public let notBefore: UInt64
        /// The first second after the right.
        public let notAfter: UInt64
        /// Which of the calendars; nil: at any time between the two.
        public let calendar: UInt16?

        /// See the properties.
        public init(badge: ID16, notBefore: UInt64, notAfter: UInt64, calendar: UInt16?) {
            self.badge = badge
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.calendar = calendar
        }
    }

    /// The sets of hours, each sorted and disjoint, half-open, in absolute UTC: a gate needs no time zone.
    public let calendars: [[Interval]]
    /// Who may open, ascending by badge, each once.
    public let holders: [Holder]

    /// For a gate: the hub's side. Sorts the holders; of two entries for one badge the first stays. Throws `tooLong` above a limit and
    /// for more bytes than `room`, `unsortedIntervals`, and `badValue` for a calendar that is not there.
    public init(calendars: [[Interval]], holders: [Holder]) throws(WireError) {
        var unique: [Holder] = []
        unique.reserveCapacity(holders.count)
        // Sorted by place too, since the first of two must be the first that was given.
        for entry in holders.enumerated().sorted(by: { ($0.element.badge, $0.offset) < ($1.element.badge, $1.offset) })
        where unique.last?.badge != entry.element.badge { unique.append(entry.element) }
        try self.init(checking: calendars, unique)
        guard encodedLength <= 4 + Self.room else { throw .tooLong }
    }

    private init(checking calendars: [[Interval]], _ holders: [Holder]) throws(WireError) {
        guard calendars.count <= Self.maxCalendars, holders.count <= Self.maxHolders else { throw .tooLong }
        for calendar in calendars {
            guard calendar.count <= Self.maxIntervals else { throw .tooLong }
            var previousEnd: UInt64 = 0
            for interval in calendar {
                guard interval.start < interval.end, interval.start >= previousEnd else { throw .unsortedIntervals }
                previousEnd = interval.end
            }
        }
        for holder in holders {
            if let calendar = holder.calendar, calendar >= calendars.count { throw .badValue }
        }
        self.calendars = calendars
        self.holders = holders
    }

    /// Reads them and leaves the reader behind them. Throws `truncated`, `tooLong`, `unsortedIntervals`, and `badValue` for a
    /// list that is not strictly ascending or a calendar that is not there.
    static func decode(from reader: inout Reader) throws(WireError) -> LocalRights {
        let calendarCount = Int(try reader.u16())
        guard calendarCount <= maxCalendars else { throw .tooLong }
        var calendars: [[Interval]] = []
        calendars.reserveCapacity(calendarCount)
        for _ in 0..<calendarCount {
            let count = Int(try reader.u8())
            guard count <= maxIntervals else { throw .tooLong }
            var intervals: [Interval] = []
            intervals.reserveCapacity(count)
            for _ in 0..<count {
                let start = try reader.u64()
                intervals.append(Interval(start: start, end: try reader.u64()))
            }
            calendars.append(intervals)
        }
        let holderCount = Int(try reader.u16())
        guard holderCount <= maxHolders else { throw .tooLong }
        // Nothing is reserved for what did not come.
        guard reader.remaining >= holderCount * holderBytes else { throw .truncated }
        var holders: [Holder] = []
        holders.reserveCapacity(holderCount)
        for _ in 0..<holderCount {
            let badge = try reader.id()
            if let previous = holders.last, previous.badge >= badge { throw .badValue }
            let notBefore = try reader.u64()
            let notAfter = try reader.u64()
            let calendar = try reader.u16()
            holders.append(
                Holder(
                    badge: badge, notBefore: notBefore, notAfter: notAfter,
                    calendar: calendar == anyTime ? nil : calendar))
        }
        return try LocalRights(checking: calendars, holders)
    }

    /// How many bytes of `room` a calendar takes.
    public static func byteCount(of calendar: [Interval]) -> Int { 1 + 16 * calendar.count }

    /// How many bytes `write(to:)` writes.
    var encodedLength: Int {
        4 + calendars.reduce(0) { $0 + Self.byteCount(of: $1) } + Self.holderBytes * holders.count
    }

    func write(to writer: inout ByteWriter) {
        writer.u16(UInt16(calendars.count))
        for calendar in calendars {
            writer.u8(UInt8(calendar.count))
            for interval in calendar {
                writer.u64(interval.start)
                writer.u64(interval.end)
            }
        }
        writer.u16(UInt16(holders.count))
        for holder in holders {
            writer.id(holder.badge)
            writer.u64(holder.notBefore)
            writer.u64(holder.notAfter)
            writer.u16(holder.calendar ?? Self.anyTime)
        }
    }

    // MARK: deciding

    /// What a badge code is called at one gate: the first 16 bytes of `H(K, 14 ‖ code)`, so that two gates' copies cannot be
    /// laid side by side, and no copy holds a code.
    public static func name(of code: [UInt8], gateKey: Key) -> ID16 {
        var writer = ByteWriter(.badge, capacity: 1 + code.count)
        writer.append(code)
        let tag = HMACSHA256(key: gateKey).authenticate(writer)
        return ID16(high: tag.w0, low: tag.w1)
    }

    /// The holder of a badge, nil when the gate knows none.
    public func holder(of badge: ID16) -> Holder? {
        var range = holders.startIndex..<holders.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if holders[middle].badge == badge { return holders[middle] }
            range = holders[middle].badge < badge ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The first reason against a badge at a time, or `none`.
    /// - Parameter utc: Unix seconds; nil while the gate's clock is not trusted.
    public func decide(_ badge: ID16, at utc: UInt64?) -> GateReason {
        guard let holder = holder(of: badge) else { return .notValid }
        guard let utc else { return .clockUntrusted }
        guard utc >= holder.notBefore else { return .notYet }
        guard utc < holder.notAfter else { return .expired }
        guard let calendar = holder.calendar else { return .none }
        return calendars[Int(calendar)].contains { $0.contains(utc) } ? .none : .outsideInterval
    }
}
