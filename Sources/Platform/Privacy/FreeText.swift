import Accounts
import Identity
import Ledger
import Pages
import Store

/// Text that people typed and that may name a person although no id says so: a code called "Anna".
///
/// An eraser never reads it, since names are chosen by their bearers and stand inside one another. The owner who erases a person sees it
/// and decides.
public struct FreeText: Sendable {
    /// For programs.
    let name: String
    /// What it is, as a heading.
    let title: @Sendable (Language) -> String
    /// The page where an owner of the site changes or removes it.
    let page: @Sendable (SiteID) -> LocalPath
    /// The texts of a site; some dozens at most.
    let texts: @Sendable (SiteID, Database) throws -> [String]

    /// See the properties.
    public init(
        _ name: String, title: @escaping @Sendable (Language) -> String,
        page: @escaping @Sendable (SiteID) -> LocalPath,
        texts: @escaping @Sendable (SiteID, Database) throws -> [String]
    ) {
        (self.name, self.title, self.page, self.texts) = (name, title, page, texts)
    }

    /// What a site has of it; nil when nothing.
    func found(at site: SiteID, in database: Database) throws -> Found? {
        let texts = try texts(site, database)
        return texts.isEmpty ? nil : Found(name: name, title: title, page: page(site), texts: texts)
    }

    /// The texts of one kind at one site.
    struct Found: Sendable {
        let name: String
        let title: @Sendable (Language) -> String
        let page: LocalPath
        let texts: [String]
    }
}
