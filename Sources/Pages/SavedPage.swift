import Accounts
import HTTPServer
import Identity
import System

/// The form of a page that is kept on the device, for when the hub cannot be reached.
///
/// The hub makes that form itself, in the person's language: a page names in `Frame.page(keep:)` what to keep, its module
/// `shell` hands the names to the service worker, the worker asks for each with the field `Soglia-Saved`, and keeps an
/// answer only if the hub marks it with `Soglia-Keep`. What a handler does not offer in this way is never kept.
public struct SavedPage: Sendable, Hashable {
    /// Under the title while the day is the same.
    public let today: String
    /// Under the title on any later day.
    public let later: String
    /// The day, as `2026-11-21`, where the place is.
    public let day: String
    /// Where that is: a name of the IANA database.
    public let zone: String

    /// A page saved at that time, in the time zone of its place.
    public init(at time: Timestamp, in zone: Zone, _ language: Language) {
        let (words, day) = (ShellWords.in(language), zone.day(at: time))
        let (year, month, date) = day.civil
        let text = PagesWords.in(language).date(year: year, month: month, day: date)
        let clock = zone.clockText(at: time)
        today = words.savedAt(clock)
        later = words.savedOn(PagesWords.in(language).onDayAt(text, clock))
        (self.day, self.zone) = (day.iso8601, zone.name)
    }
}

extension Request {
    /// Whether the service worker asks for the form that it keeps.
    public var asksForSavedForm: Bool { headers["soglia-saved"] != nil }
}

extension Response {
    /// Lets the service worker keep this answer, for this person in this language: what it keeps for anybody else goes.
    ///
    /// For nobody everything goes.
    public func saved(for person: Person?, _ language: Language) -> Response {
        with("Soglia-Keep", person.map { "\($0.id.text)-\(language.rawValue)" } ?? "nobody")
    }

    /// Has the browser forget all that we left on the device: at sign-out.
    public func forgettingEverything() -> Response { with("Clear-Site-Data", "\"cache\", \"storage\"") }
}
