import Accounts
import Identity
import Ledger
import Notices
import Platform
import System

/// Tells the others of a house that somebody types codes that are none.
enum CodeNotice {
    static let kind: NoticeKind = "home.codes"
    /// Told at most so often of one person, in milliseconds: an hour.
    static let window: Int64 = 3_600_000

    static func content(_ name: String, at site: Site) -> NoticeContent {
        NoticeContent(
            kind: kind, urgency: .high,
            text: LocalizedText(
                en: NoticeWords(
                    "\(site.name): wrong codes",
                    "\(name) typed several codes that are none. The alarm stands as it was."),
                it: NoticeWords(
                    "\(site.name): codici sbagliati",
                    "\(name) ha digitato più codici che non esistono. L’allarme resta com’era."),
                es: NoticeWords(
                    "\(site.name): códigos equivocados",
                    "\(name) ha escrito varios códigos que no existen. La alarma sigue como estaba.")),
            publicText: LocalizedText(
                en: NoticeWords("Wrong codes at one of your houses"),
                it: NoticeWords("Codici sbagliati in una delle tue case"),
                es: NoticeWords("Códigos equivocados en una de tus casas")),
            link: "/houses/\(site.id.text)/safety")
    }

    static func tell(_ site: SiteID, _ person: PersonID, _ count: Int, _ given: Given) async {
        do {
            let now = given.clock.now
            let found = try given.store.read { database in
                (
                    try AccountRecords.site(site, in: database), try AccountRecords.person(person, in: database),
                    try AccountRecords.memberships(at: site, in: database)
                )
            }
            guard let place = found.0, let who = found.1 else { return }
            let today = place.zone.day(at: now)
            let others = found.2.filter {
                $0.holds(on: today) && Permission.atHome.contains($0.permission) && $0.person != person
            }
            let payload = Array("{\"count\":\(count),\"person\":\"\(person.text)\"}".utf8)
            _ = try await given.store.write(.vital) { database in
                try Ledger.append(
                    NewEvent(
                        id: .new(at: now), site: site, kind: "home.codes.wrong", at: now, person: person,
                        payload: payload), to: database)
            }
            guard !others.isEmpty else { return }
            _ = try await given.commands.send(
                Notify(
                    site: site, content: content(who.name, at: place), to: .all(others.map(\.person)), about: person,
                    key: "codes/\(person.text)", window: window), by: .hub)
        } catch {
            Log.warning("home", "wrong codes could not be told", ["why": "\(error)"])
        }
    }
}
