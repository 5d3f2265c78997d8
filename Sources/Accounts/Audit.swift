import Identity
import JSON
import Ledger
import Store
import System

/// A change that somebody made to what a site is: what it was before, and what it is now.
public struct Audit: Sendable {
    /// `role.changed`
    public let kind: String
    /// What was changed, with its id: `("role", "0192…")`.
    public let subject: (name: StaticString, id: String)
    /// Its fields before, in the words of the JSON interface; nil: it was not there.
    public var before: [(name: StaticString, value: String)]?
    /// Its fields now; nil: it is gone.
    public var after: [(name: StaticString, value: String)]?

    /// See the properties.
    public init(
        _ kind: String, _ subject: (name: StaticString, id: String),
        before: [(name: StaticString, value: String)]? = nil, after: [(name: StaticString, value: String)]? = nil
    ) {
        (self.kind, self.subject, self.before, self.after) = (kind, subject, before, after)
    }

    /// Appends it to the site's chain: `{SUBJECT: id, before: {…}, after: {…}, by: id}`. Nothing is written when nothing changed.
    /// - Parameters:
    ///   - about: whom it is about, where it is about somebody: what erasing them takes away.
    ///   - person: who did it; nil: the hub itself.
    public func append(
        at now: Timestamp, site: SiteID, about: PersonID? = nil, by person: PersonID?, in database: Database
    ) throws {
        if let before, let after,
            before.elementsEqual(after, by: { "\($0.name)" == "\($1.name)" && $0.value == $1.value })
        {
            return
        }
        var json = JSONWriter()
        json.object { json in
            json.field(subject.name, subject.id)
            for (name, fields) in [("before", before), ("after", after)]
                as [(StaticString, [(name: StaticString, value: String)]?)]
            {
                guard let fields else { continue }
                json.object(name) { json in for field in fields { json.field(field.name, field.value) } }
            }
            if let person { json.field("by", person.text) }
        }
        try Ledger.append(
            NewEvent(id: .new(at: now), site: site, kind: kind, at: now, person: about, payload: json.bytes),
            to: database)
    }
}
