import Courier
import System

/// A letter: to one person, in plain text.
public struct Letter: Sendable, Equatable {
    /// The address: visible ASCII, as `MailAddress` makes it.
    public let address: String
    /// Whose it is.
    public let name: String
    /// In a few words.
    public let subject: String
    /// Lines end with a line feed.
    public let text: String

    /// The longest text, in bytes.
    public static let longest = 64 << 10

    /// Nil when no letter can go to that address, or the text is too long.
    public init?(to address: String, name: String, subject: String, text: String) {
        guard let address = MailAddress.ascii(of: address), text.utf8.count <= Self.longest else { return nil }
        (self.address, self.name, self.subject, self.text) = (address, name, subject, text)
    }

    /// As it is handed to a mail server (RFC 5322, RFC 2045): one part, plain text in UTF-8.
    /// - Parameters:
    ///   - sender: whom it comes from.
    ///   - id: what a server knows it by, should it come twice; letters and digits.
    ///   - host: the hub's name, the other half of that.
    public func message(from sender: MailSender, at now: Timestamp, id: String, host: String) -> [UInt8] {
        var head = ""
        func field(_ name: String, _ value: String) { head += "\(name): \(value)\r\n" }
        field("From", "\(HeaderText.encoded(sender.name)) <\(sender.address)>")
        field("To", name.isEmpty ? "<\(address)>" : "\(HeaderText.encoded(name))\r\n <\(address)>")
        field("Subject", HeaderText.encoded(subject))
        field("Date", now.mailDate)
        field("Message-ID", "<\(id)@\(host)>")
        // Nobody's holiday greeting comes back for it (RFC 3834, 5).
        field("Auto-Submitted", "auto-generated")
        field("MIME-Version", "1.0")
        field("Content-Type", "text/plain; charset=utf-8")
        field("Content-Transfer-Encoding", "quoted-printable")
        return Array((head + "\r\n").utf8) + QuotedPrintable.encode(text)
    }
}

/// Whom letters come from.
public struct MailSender: Sendable, Equatable {
    /// Visible ASCII.
    public let address: String
    /// What stands before it.
    public let name: String

    /// Nil when it is no address.
    public init?(address: String, name: String) {
        guard let address = MailAddress.ascii(of: address) else { return nil }
        (self.address, self.name) = (address, name)
    }
}

extension Timestamp {
    /// As letters say it (RFC 5322, 3.3), in UTC: `Sat, 21 Nov 2026 08:52:07 +0000`.
    var mailDate: String {
        let day = Zone.utc.day(at: self)
        let (year, month, date) = day.civil
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekday = weekdays[((day.daysSinceEpoch % 7) + 7) % 7]
        let clock = iso8601.split(separator: "T")[1].prefix(8)
        return "\(weekday), \(date) \(months[month - 1]) \(year) \(clock) +0000"
    }
}
