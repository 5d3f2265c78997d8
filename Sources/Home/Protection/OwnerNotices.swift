import Accounts
import Commands
import Household
import Identity
import Ledger
import Notices
import Platform
import Store
import Synchronization
import System

/// Tells the owners of a house what is changed of its protection, so that nobody lowers it unnoticed.
final class OwnerNotices: HouseWork {
    private let store: Store
    private let ledger: Ledger
    private let commands: Commands
    private let clock: WallClock
    /// What is told one by one.
    private let budget = Mutex(ProtectionBudget())
    /// What is told as many changes.
    private let many = Mutex(ManyChanges())

    init(_ given: Given) {
        (store, ledger, commands, clock) = (given.store, given.ledger, given.commands, given.clock)
    }

    /// A change that is told.
    private struct News {
        let change: ProtectionChange
        let site: SiteID
        let author: ProtectionNotice.Author
        /// The id of who did it.
        let source: String
        /// What is lost by it; nil: it is about nothing that has a name.
        var lost: LostProtection?
        /// What says so in the ledger, which is told of once; nil: nothing does.
        var event: EventID?
        /// Who did it, and is not told; nil: no person.
        var person: PersonID?
        /// Whose ownership is given, changed or taken; nil: nobody's.
        var ownership: PersonID?
        /// They are told although they may be owners no more.
        var former: Set<PersonID> = []
        /// What is counted together: many changes of one kind hide nothing of another, and of owners each has their own count.
        let kind: String

        var counted: String { "\(source)/\(ownership?.text ?? kind)" }
    }

    /// Tells the owners of a house, but for who did it. It is told when this returns, so that no crash after an answer keeps it from them.
    /// - Parameter person: nil: who looks after the hub's machine.
    func tell(of change: ProtectionChange, at site: SiteID, by person: PersonID?) async {
        await admit(
            News(
                change: change, site: site, author: author(person), source: person?.text ?? "hub", person: person,
                kind: change.rawValue))
    }

    /// The same of what protects it at any time.
    /// - Parameters:
    ///   - person: nil: no person did it.
    ///   - gateway: of the devices that did it, by what they say of themselves.
    func tell(of lost: LostProtection, at site: SiteID, by person: PersonID?, through gateway: Gateway? = nil) async {
        let change = ProtectionChange.alwaysOn
        for part in lost.parts(of: ProtectionNotice.shownNames, most: ProtectionNotice.parts) {
            await admit(
                News(
                    change: change, site: site, author: gateway.map { .connection($0.name) } ?? author(person),
                    source: gateway?.id.text ?? person?.text ?? "hub", lost: part, person: person,
                    kind: change.rawValue))
        }
    }

    private func author(_ person: PersonID?) -> ProtectionNotice.Author {
        guard let person else { return .administrator }
        let name = try? store.read { try AccountRecords.person(person, in: $0)?.name }
        return name.map { .named($0) } ?? .gone
    }

    /// Each is told: what is changed a little and then much is two changes, though the words are the same.
    private func admit(_ told: News) async {
        // Companies have thousands of members, and no owner who is told.
        do {
            guard try store.read({ try AccountRecords.site(told.site, in: $0) })?.kind == .home else { return }
        } catch { return Self.failed(error) }
        let isEach = budget.withLock {
            $0.admit(
                (told.lost?.ids ?? []).prefix(ProtectionNotice.shownNames), of: told.counted, at: told.site, clock.now)
        }
        if isEach {
            return await send(
                of: told.change, told.lost, told, key: told.event.map { "\($0.text)/\(told.change.rawValue)" })
        }
        await tellOfMany(told)
    }

    private func tellOfMany(_ told: News) async {
        let key = "\(told.site.text)/\(told.counted)"
        guard many.withLock({ $0.begins(key, about: told.ownership) }) else { return }
        await send(of: .many, nil, told, key: nil)
        Task { [weak self] in
            try await Task.sleep(for: ProtectionNotice.window)
            guard let self, let owners = many.withLock({ $0.ends(key) }) else { return }
            var rest = told
            rest.former = owners
            await tellOfMany(rest)
        }
    }

    private func send(of change: ProtectionChange, _ lost: LostProtection?, _ told: News, key: String?) async {
        do {
            let now = clock.now
            let found = try store.read { database -> (place: Site, owners: [PersonID])? in
                guard let place = try AccountRecords.site(told.site, in: database) else { return nil }
                let owners = try Notices.present(at: told.site, now, [.owner], in: database)
                return (place, owners.filter { $0 != told.person }.union(told.former).sorted())
            }
            guard let (place, owners) = found, !owners.isEmpty else { return }
            let content = ProtectionNotice.content(change, lost, by: told.author, at: place)
            _ = try await commands.send(Notify(site: told.site, content: content, to: .all(owners), key: key), by: .hub)
        } catch { Self.failed(error) }
    }

    private static func failed(_ error: any Error) {
        Log.warning("home", "owners could not be told of a change to the protection", ["why": "\(error)"])
    }

    /// Tells the owners of what the pages and routes of every site change of a house: its members, its server, its zone and sign-in. The
    /// ledger has each, whoever made it. Runs until it is cancelled.
    func run() async throws {
        let name = "home.protection"
        try await ledger.follow(as: name, fromNow: true) { events in
            for event in events {
                guard let (changes, person) = ProtectionChange.told(by: event) else { continue }
                let owner = ProtectionChange.ownership(in: event)
                for change in changes {
                    var told = News(
                        change: change, site: event.site,
                        author: person == nil && event.kind == RemovalKind.erased ? .gone : author(person),
                        source: person?.text ?? "hub", event: event.id, person: person, ownership: owner?.of,
                        kind: "\(event.kind)/\(change.rawValue)")
                    // An owner who did it to an ownership that they had is told, too: who knows their password can do it in their name.
                    if let owner, owner.isOld || owner.of != person { told.former = [owner.of] }
                    await admit(told)
                }
            }
        }
    }
}
