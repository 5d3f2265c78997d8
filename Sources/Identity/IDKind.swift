/// What the kinds of ids are called; each is only ever a type parameter.
public enum IDKind {
    /// A company, a building, a shopping centre, a home.
    public enum Site {}
    /// One account.
    public enum Person {}
    /// One entry of the ledger.
    public enum Event {}
}

/// The name of a site.
public typealias SiteID = ID<IDKind.Site>
/// The name of a person.
public typealias PersonID = ID<IDKind.Person>
/// The name of an event. An opening is known by the id of the event that decided it.
public typealias EventID = ID<IDKind.Event>

extension SiteID {
    /// The hub's own chain, which records each site's creation.
    public static let hub = SiteID(.zero)
}
