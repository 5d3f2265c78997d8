import Accounts
import Identity
import Ledger
import System
import Wire

/// The decisions of the original web service: pure.
enum LegacyPolicy {
    /// No user name is longer.
    static let maxUsername = 128

    /// The roles that are in force on a day, each once.
    static func roles(of memberships: [Membership], on day: Day) -> Set<RoleID> {
        Set(memberships.filter { $0.holds(on: day) }.compactMap(\.role))
    }

    /// What the app calls the password: the 40 hexadecimal digits of its SHA-1, in lower case; nil for anything else.
    static func digest(_ text: String) -> String? {
        guard text.utf8.count == 40, text.utf8.allSatisfy({ isHexadecimal($0) }) else { return nil }
        return text.lowercased()
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// A user name as it is stored and looked for; nil for what cannot be one.
    static func username(_ text: String) -> String? {
        guard (1...maxUsername).contains(text.utf8.count) else { return nil }
        return text.lowercased()
    }

    /// The user name of a person at a site, such as `ada.rossi@officine-rossi`; a number behind it where that is somebody else's.
    static func username(of name: String, at site: String, number: Int) -> String {
        let person = slug(name, between: ".", orElse: "user")
        return (number > 1 ? "\(person)\(number)" : person) + "@" + slug(site, between: "-", orElse: "site")
    }

    private static func slug(_ text: String, between mark: String, orElse other: String) -> String {
        var words: [String] = []
        for word in text.lowercased().split(whereSeparator: \.isWhitespace) {
            let letters = word.utf8.filter { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
            if !letters.isEmpty { words.append(String(decoding: letters, as: UTF8.self)) }
        }
        let joined = words.joined(separator: mark).prefix(48)
        return joined.isEmpty ? other : String(joined)
    }

    /// A name in the original's two parts: the first word, and what follows it.
    static func parts(of name: String) -> (name: String, surname: String) {
        let words = name.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        return (words.first.map(String.init) ?? "", words.count > 1 ? String(words[1]) : "")
    }

    /// Whether an address is of this machine itself: nothing on a wire.
    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }

    /// What a legacy gate holds reaches so far ahead, in milliseconds: longer than a gate that is alone trusts its clock.
    static let outlook: Int64 = 8 * 86_400_000
    /// It begins a little before now, since a gate's clock may be behind the hub's: in milliseconds.
    static let leeway: Int64 = 60_000

    /// The most badges in force, and the most that open one gate. So many always fit into `LocalRights.room`, and leave a seventh of it to
    /// the calendars.
    /// - Key: site
    static let mostBadges = 6_000

    /// What a legacy gate must know by itself, as much of it as fits into one message: first the badges that open the gate, up to
    /// `mostBadges`, then their different hours, then the others.
    ///
    /// Those are badges that were taken away or whose holder may at no time: they are in it as ended, so that the journal says who tried. A
    /// badge that is not in it does not open.
    /// - Parameters:
    ///   - badges: those that come first are left out last.
    ///   - times: when people may open, sorted, in Unix seconds.
    ///   - name: what the gate calls a code.
    /// - Returns: also how many badges that may open are left out, or have their first stretch alone.
    static func localRights(
        of badges: [LegacyBadge], times: [PersonID: [Interval]], name: ([UInt8]) -> ID16
    ) throws(WireError) -> (rights: LocalRights, cut: Int) {
        var (opening, ended): ([(badge: LegacyBadge, hours: [Interval])], [LegacyBadge]) = ([], [])
        for badge in badges {
            let hours = badge.revoked == nil ? Array((times[badge.person] ?? []).prefix(LocalRights.maxIntervals)) : []
            if hours.isEmpty { ended.append(badge) } else { opening.append((badge, hours)) }
        }
        var cut = max(0, opening.count - mostBadges)
        opening.removeLast(cut)
        var room = LocalRights.room - opening.count * LocalRights.holderBytes
        var (calendars, places): ([[Interval]], [[Interval]: UInt16]) = ([], [:])
        var holders: [LocalRights.Holder] = []
        for (badge, hours) in opening {
            var (calendar, end): (UInt16?, UInt64) = (nil, hours[hours.count - 1].end)
            if hours.count > 1 {
                let bytes = LocalRights.byteCount(of: hours)
                if places[hours] == nil, calendars.count < LocalRights.maxCalendars, bytes <= room {
                    places[hours] = UInt16(calendars.count)
                    calendars.append(hours)
                    room -= bytes
                }
                calendar = places[hours]
                // More different hours than a gate can hold: the first stretch, and not all that lies between.
                if calendar == nil { (end, cut) = (hours[0].end, cut + 1) }
            }
            holders.append(
                .init(badge: name(badge.code), notBefore: hours[0].start, notAfter: end, calendar: calendar))
        }
        // Ended before all time: by a clock that is behind, when they were taken away is still to come.
        for badge in ended.prefix(room / LocalRights.holderBytes) {
            holders.append(.init(badge: name(badge.code), notBefore: 0, notAfter: 0, calendar: nil))
        }
        return (try LocalRights(calendars: calendars, holders: holders), cut)
    }
}
