import Accounts
import Commands
import Identity
import JSON
import Ledger
import Store
import System

// How a notice is sent: one transaction decides and writes, and whoever has a page open hears of it after the commit.

extension Notices {
    /// What a transaction has sent, to be told to the pages that live after its commit.
    struct Sent: Sendable {
        let id: NoticeID
        var told: [NoticeDelivery] = []
    }

    /// Tells people something.
    /// - Returns: the name of the notice; that of an earlier one, when the same was said within the window.
    @discardableResult
    public func send(_ notify: Notify, by caller: Caller = .hub) async throws -> NoticeID {
        let now = clock.now
        let notice = Self.notice(notify, by: caller, at: now)
        let sent = try await store.write(notify.content.urgency.weight) { database in
            try self.authorize(notify, caller, at: now, in: database)
            return try self.write(notice, notify, at: now, in: database)
        }
        for delivery in sent.told { tellInApp(delivery.person, delivery) }
        return sent.id
    }

    static func notice(_ notify: Notify, by caller: Caller, at now: Timestamp) -> Notice {
        let sender: PersonID? = if case .person(let person) = caller { person } else { nil }
        return Notice(
            id: .new(at: now), site: notify.site, content: notify.content, sender: sender, created: now,
            expires: now.adding(milliseconds: notify.lifetime))
    }

    /// The hub tells anybody; a person only whoever has a part in a site that they manage.
    private func authorize(_ notify: Notify, _ caller: Caller, at now: Timestamp, in database: Database) throws {
        guard case .person(let person) = caller else { return }
        guard let site = try notify.site.flatMap({ try AccountRecords.site($0, in: database) }) else {
            throw NoticeRefusal.notAllowed
        }
        let isManager = try AccountRecords.may(person, Permission.managing, at: site.id, now: now, in: database)
        let members = Set(try AccountRecords.memberships(at: site.id, in: database).map(\.person))
        guard isManager, notify.recipients.people.allSatisfy(members.contains) else { throw NoticeRefusal.notAllowed }
    }

    private func write(
        _ notice: Notice, _ notify: Notify, at now: Timestamp, in database: Database
    ) throws -> Sent {
        let sameness = NoticeRecords.sameness(notify)
        let start = now.adding(milliseconds: -notify.window)
        if let sameness, let earlier = try NoticeRecords.same(as: sameness, since: start, at: now, in: database) {
            return Sent(id: earlier)
        }
        let minutes = notify.recipients.minutesBetween
        let readers = try notify.recipients.people.compactMap { try PreferenceRecords.reader($0, in: database) }
        try put(notice, notify, sameness, readers.map(\.person), in: database)
        let site = try notice.site.flatMap { try AccountRecords.site($0, in: database) }
        var sent = Sent(id: notice.id)
        for reader in minutes == nil ? readers[...] : readers.prefix(1) {
            sent.told.append(try tell(reader, notice, at: site, now, in: database))
        }
        if let minutes, readers.count > 1 {
            try NoticeRecords.setTurn(now.adding(milliseconds: Int64(minutes) * 60_000), of: notice.id, in: database)
        }
        return sent
    }

    /// The notice itself, whom it is for, its event, and what leaves for the site's own server.
    /// - Parameter isServerCalled: whether that is on its way already.
    func put(
        _ notice: Notice, _ notify: Notify, _ sameness: [UInt8]?, _ people: [PersonID], isServerCalled: Bool = false,
        in database: Database
    ) throws {
        let about = try notify.about.flatMap { try Self.isKnown($0, at: notice.site, in: database) ? $0 : nil }
        try NoticeRecords.add(
            notice, about: about, sameness: sameness, pause: notify.recipients.minutesBetween, in: database)
        for (place, person) in people.enumerated() {
            try NoticeRecords.addRecipient(person, of: notice, place: place, in: database)
        }
        guard let site = notice.site else { return }
        if !isServerCalled, let parcel = try WebhookRecords.parcel(for: notice, in: database) {
            try OutboxRecords.add(parcel, in: database)
        }
        try Ledger.append(
            NewEvent(
                id: .new(at: notice.created), site: site, kind: "notice.sent", at: notice.created, person: about,
                payload: NoticeSentPayload(notice: notice, count: people.count, about: about).document()), to: database)
    }

    /// Whether a notice may still be about a person: one who was erased meanwhile is not written down again.
    private static func isKnown(_ person: PersonID, at site: SiteID?, in database: Database) throws -> Bool {
        guard let site else { return try AccountRecords.person(person, in: database) != nil }
        return try !AccountRecords.memberships(of: person, at: site, in: database).isEmpty
    }

    /// Tells one person: the inbox, and by which other ways and when as the policy decides.
    func tell(
        _ reader: PreferenceRecords.Reader, _ notice: Notice, at site: Site?, _ now: Timestamp, in database: Database
    ) throws -> NoticeDelivery {
        let delivery = NoticeDelivery(notice, to: reader, at: site?.name)
        let content = notice.content
        let zone = reader.zone ?? site?.zone ?? .utc
        let decision = NoticePolicy(
            urgency: content.urgency, group: content.kind.group, preferences: reader.preferences,
            quietEnd: reader.preferences.quiet?.end(at: now, in: zone),
            told: content.kind.isCountedBySender
                ? 0
                : try NoticeRecords.countTold(
                    reader.person, kind: content.kind, at: notice.site,
                    since: now.adding(milliseconds: -NoticePolicy.day), in: database),
            now: now, expires: notice.expires
        ).decide()
        try NoticeRecords.setTold(reader.person, of: notice.id, at: now, held: decision.held, in: database)
        for way in ways {
            guard let due = decision.due(by: way.channel) else { continue }
            for parcel in try way.parcels(for: delivery, at: now, in: database) {
                try OutboxRecords.add(parcel, due: due, in: database)
            }
        }
        return delivery
    }
}

extension NoticeDelivery {
    init(_ notice: Notice, to reader: PreferenceRecords.Reader, at place: String?) {
        self.init(
            notice: notice, person: reader.person, language: reader.language,
            showsDetails: reader.preferences.showsDetails, place: place)
    }
}
