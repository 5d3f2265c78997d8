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

    private static let parcelSchema = Schema.object([
        ("channel", .choice(Channel.allCases.map(\.rawValue))),
        ("state", .choice(["waiting", "delivered", "refused", "expired"])),
        ("at", .optional(.text("when it came to its end; null while it waits"))),
    ])
    private static let deliverySchema = Schema.object([
        ("id", .text("the notice's id")), ("title", .text("what it says")),
        ("sent", .text("when it was sent")), ("acknowledged", .optional(.text("when somebody took care"))),
        ("nextTurn", .optional(.text("when the next person is told, unless somebody takes care before"))),
        (
            "recipients",
            .list(
                .object([
                    ("person", .text("the person's id")), ("name", .text("what people call them")),
                    (
                        "reachable",
                        .truth("whether it can reach them: not who has not joined yet, unless a letter goes to them")
                    ),
                    ("told", .optional(.text("when they were told; null: their turn has not come"))),
                    (
                        "held",
                        .optional(.choice(["budget", "quietHours", "preference"]))
                    ), ("read", .optional(.text("when they read it"))),
                    ("acknowledged", .optional(.text("when they said that they take care"))),
                    ("shown", .optional(.text("when a device of theirs showed it first"))),
                    ("parcels", .list(parcelSchema)),
                ]))
        ), ("webhook", .list(parcelSchema)),
    ])

    func registerSending(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/notices", for: Permission.managing,
            RouteDescription(
                "Tells people of a site something.",
                body: .object([
                    ("title", .text("1 to 120 characters")),
                    ("body", .optional(.text("at most 600 characters"))),
                    ("urgency", .optional(.choice(["low", "normal", "high"]))),
                    ("people", .optional(.list(.text("a person's id; null: everybody who is there today")))),
                    (
                        "minutesBetween",
                        .optional(.integer("1 to 1440: one after the other, until somebody takes care"))
                    ),
                ]),
                answer: .object([("id", .text("the notice's id"))]), status: 201), bodyLimit: 256 << 10
        ) { request, principal in
            struct Body: Decodable {
                let title: String
                let body: String?
                let urgency: String?
                let people: [String]?
                let minutesBetween: Int?
            }
            let body = try request.json(Body.self)
            let site = try request.parameter("site", as: SiteID.self)
            let words = try NoticeWords(typedTitle: body.title, body: body.body ?? "")
            guard let urgency = Urgency(rawValue: body.urgency ?? "normal"), urgency != .critical else {
                throw NoticeRefusal.invalid(field: "urgency")
            }
            let people = try body.people?.map { text throws(NoticeRefusal) in
                guard let person = PersonID(text) else { throw .invalid(field: "people") }
                return person
            }
            let id = try await self.sendNews(
                words, urgency, at: site, to: people, minutesBetween: body.minutesBetween,
                by: principal.person.id)
            var json = JSONWriter()
            json.object { $0.field("id", id.text) }
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .get, "/api/notices/{id}/delivery",
            RouteDescription(
                "What became of a notice, per person and way, for who sent it and for managers of its site. No addresses.",
                answer: Self.deliverySchema)
        ) { request, principal in
            let id = try request.parameter("id", as: NoticeID.self)
            let delivery = try self.delivery(of: id, for: principal)
            return .json(Self.json(delivery, Self.language(principal, request)))
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

    /// To so many people it takes no time that anybody notices.
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

    private static func json(_ delivery: Delivery, _ language: Language) -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.field("id", delivery.notice.id.text)
            json.field("title", delivery.notice.content.text[language].title)
            json.field("sent", delivery.notice.created.iso8601)
            json.field("acknowledged", delivery.acknowledged?.iso8601)
            json.field("nextTurn", delivery.turn?.iso8601)
            json.array("recipients") { json in
                for recipient in delivery.recipients {
                    json.object { json in
                        json.field("person", recipient.person.text)
                        json.field("name", recipient.name)
                        json.field("reachable", recipient.isReachable)
                        json.field("told", recipient.told?.iso8601)
                        json.field("held", recipient.held?.rawValue)
                        json.field("read", recipient.read?.iso8601)
                        json.field("acknowledged", recipient.acknowledged?.iso8601)
                        json.field("shown", recipient.shown?.iso8601)
                        write(recipient.parcels, "parcels", &json)
                    }
                }
            }
            write(delivery.webhook, "webhook", &json)
        }
        return json.bytes
    }

    private static func write(_ parcels: [Delivery.Parcel], _ name: StaticString, _ json: inout JSONWriter) {
        json.array(name) { json in
            for parcel in parcels {
                json.object { json in
                    json.field("channel", parcel.channel.rawValue)
                    json.field("state", parcel.state.rawValue)
                    json.field("at", parcel.finished?.iso8601)
                }
            }
        }
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
