import Accounts
import Identity
import JSON
import Ledger
import Store
import System

// The JSON interface: a manager tells people of the site something, and sees what became of it.

extension Notices {
    /// A person sends at most so many notices at a site in an hour.
    /// - Key: person and site
    static let mostInAnHour = 30
    /// What people send at a site in an hour has at most so many recipients, each counted once for each notice: five notices to as many as
    /// one may have (`Recipients.most`). Each recipient is some rows, for which doors wait.
    /// - Key: site
    static let mostReadersInAnHour = 25_000

    /// How much news may matter: what is critical is not a manager's to say.
    private enum NewsUrgency: String, JSONChoice { case low, normal, high }
    private static let news = JSONBody(
        JSONKey<String>("title", "1 to 120 characters"), JSONKey<String?>("body", "at most 600 characters"),
        JSONKey<NewsUrgency?>("urgency"),
        JSONKey<[PersonID]?>("people", "a person's id; null: everybody who is there today"),
        JSONKey<Int?>("minutesBetween", "1 to 1440: one person after the other, until one takes care"))

    func registerSending(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/notices", for: Permission.managing,
            RouteDescription(
                "Tells people of a site something.",
                body: Self.news.schema, answer: SentAnswer.schema, status: 201), bodyLimit: 256 << 10
        ) { request, principal in
            let (title, body, urgency, people, minutesBetween) = try request.json(Self.news)
            let site = try request.parameter("site", as: SiteID.self)
            let words = try NoticeWords(typedTitle: title, body: body ?? "")
            let id = try await self.sendNews(
                words, urgency.flatMap { Urgency(rawValue: $0.rawValue) } ?? .normal, at: site, to: people,
                minutesBetween: minutesBetween, by: principal.person.id)
            return .json(SentAnswer(id: id), status: 201)
        }
        routes.on(
            .get, "/api/notices/{id}/delivery",
            RouteDescription(
                "What became of a notice, per person and way, for who sent it and for managers of its site. No addresses.",
                answer: DeliveryRow.schema)
        ) { request, principal in
            let id = try request.parameter("id", as: NoticeID.self)
            let delivery = try self.delivery(of: id, for: principal)
            return .json(
                DeliveryRow(delivery: delivery, language: Self.language(principal, request)), capacity: 4096)
        }
    }

    /// A manager tells people of a site something in their own words.
    /// - Parameter people: nil: everybody who is there today.
    public func sendNews(
        _ words: NoticeWords, _ urgency: Urgency, at site: SiteID, to people: [PersonID]?, minutesBetween: Int?,
        by sender: PersonID
    ) async throws -> NoticeID {
        let now = clock.now
        let members = try store.read { try Self.present(at: site, now, in: $0) }
        if let people, people.isEmpty || people.count > Recipients.most || !members.isSuperset(of: people) {
            throw NoticeRefusal.invalid(field: "people")
        }
        let all = people ?? members.sorted()
        if let minutesBetween, !(1...1_440).contains(minutesBetween) || all.count > Recipients.mostInTurn {
            throw NoticeRefusal.invalid(field: "minutesBetween")
        }
        let content = NoticeContent(
            kind: "site.news", urgency: urgency, text: LocalizedText(asWritten: words),
            publicText: LocalizedText(
                en: NoticeWords("You have a message"), it: NoticeWords("Hai un messaggio"),
                es: NoticeWords("Tienes un mensaje")))
        let news = Notify(
            site: site, content: content, to: minutesBetween.map { .inTurn(all, minutes: $0) } ?? .all(all))
        let readers = news.recipients.people.count
        return try await telling.run(for: sender) {
            // Doors that waited for the last one go before the next.
            if let pause = Self.pause(before: readers) { try await Task.sleep(for: pause) }
            // Counted where it is written: many at once are as many as one after the other.
            return try await Store.writing(
                only: { database in
                    let start = now.adding(milliseconds: -3_600_000)
                    let sent = try NoticeRecords.countSent(by: sender, at: site, since: start, in: database)
                    if sent >= Self.mostInAnHour { throw NoticeRefusal.tooMany(retryAfterSeconds: 600) }
                    let before = try NoticeRecords.countReaders(at: site, since: start, in: database)
                    if before + readers > Self.mostReadersInAnHour {
                        throw NoticeRefusal.tooMany(retryAfterSeconds: 600)
                    }
                }, { try await self.send(news, by: .person(sender)) })
        }
    }

    /// To so many people it takes no time that a person notices.
    private static let few = 100

    /// How long others have the writer before a notice to many: the longer, the more it reaches. Nil: it reaches few.
    static func pause(before readers: Int) -> Duration? {
        readers > few ? .milliseconds(max(100, readers / 10)) : nil
    }

    /// Who has a part in a site today.
    public static func present(
        at site: SiteID, _ now: Timestamp, _ permissions: Set<Permission> = Set(Permission.allCases),
        in database: Database
    ) throws -> Set<PersonID> {
        guard let zone = try AccountRecords.site(site, in: database)?.zone else { return [] }
        let today = zone.day(at: now)
        return Set(
            try AccountRecords.memberships(at: site, in: database).filter {
                $0.holds(on: today) && permissions.contains($0.permission)
            }.map(\.person))
    }

    /// What became of a notice, for who may know: its sender, as long as they have a part in its site, and managers of it.
    public func delivery(of id: NoticeID, for principal: Principal) throws -> Delivery {
        guard let delivery = try store.read({ try NoticeRecords.delivery(of: id, in: $0) }) else {
            throw NoticeRefusal.unknown
        }
        let notice = delivery.notice
        let isSender = notice.sender == principal.person.id
        let mayKnow =
            notice.site.map { site in
                principal.current(at: site, clock.now).contains {
                    isSender || Permission.managing.contains($0.permission)
                }
            } ?? isSender
        guard mayKnow else { throw NoticeRefusal.unknown }
        return delivery
    }
}

extension NoticeRecords {
    static func countSent(
        by person: PersonID, at site: SiteID, since time: Timestamp, in database: Database
    ) throws -> Int {
        try database.row(
            "SELECT count(*) FROM notices WHERE created > ? AND site = ? AND sender = ?", time, site, person
        ) { $0[0] as Int } ?? 0
    }

    /// How many recipients the notices have that people sent at a site since a time.
    static func countReaders(at site: SiteID, since time: Timestamp, in database: Database) throws -> Int {
        try database.row(
            """
            SELECT count(*) FROM notices AS n JOIN notice_recipients AS r ON r.notice = n.id
            WHERE n.site = ? AND n.created > ? AND n.sender IS NOT NULL
            """, site, time
        ) { $0[0] as Int } ?? 0
    }
}
