import Accounts
import JSON
import Ledger
import System

// The JSON interface: how one wants to be told.

extension Notices {
    func registerPreferences(_ routes: inout Routes) {
        routes.on(
            .get, "/api/account/notices",
            RouteDescription("How one wants to be told.", answer: PreferencesRow.schema)
        ) { _, principal in
            .json(PreferencesRow(try self.preferences(of: principal.person.id)))
        }
        routes.on(
            .put, "/api/account/notices",
            RouteDescription(
                "Says how one wants to be told. The inbox holds everything all the same; what is critical passes quiet hours and every switch. Takes a passkey where a site of theirs asks for one.",
                body: PreferencesRow.schema, answer: PreferencesRow.schema)
        ) { request, principal in
            let preferences = try PreferencesRow(request).preferences()
            try await self.setPreferences(preferences, by: principal)
            return .json(PreferencesRow(preferences))
        }
    }
}

/// A minute of the day as `22:05`.
public enum MinuteOfDay {
    /// Always five characters.
    public static func text(_ minute: Int) -> String {
        let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
        return (hours < 10 ? "0" : "") + "\(hours)" + (minutes < 10 ? ":0" : ":") + "\(minutes)"
    }

    /// Nil unless the text is two digits, a colon, two digits, and such a minute exists.
    public static func parse(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hours = Int(text.prefix(2)),
            let minutes = Int(text.suffix(2)), (0..<24).contains(hours), (0..<60).contains(minutes),
            self.text(hours * 60 + minutes) == text
        else { return nil }
        return hours * 60 + minutes
    }
}
