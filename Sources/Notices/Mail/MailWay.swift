import Accounts
import Store
import System

/// Notices as letters, for those of whom an address is known.
struct MailWay: NoticeWay {
    let channel = Channel.mail
    let writer: LetterWriter

    func parcels(for delivery: NoticeDelivery, at now: Timestamp, in database: Database) throws -> [Parcel] {
        guard let person = try AccountRecords.person(delivery.person, in: database),
            let letter = writer.notice(delivery, to: person)
        else { return [] }
        let lifetime = delivery.notice.expires.milliseconds - now.milliseconds
        // What a site tells many takes the site's share. An alarm's letter waits behind none of those.
        let site = delivery.notice.content.urgency == .critical ? nil : delivery.notice.site
        return [
            letter.parcel(
                for: person.id, subject: delivery.notice.id.raw.bytes, at: now, lifetime: lifetime,
                share: site.map { ShareID($0.raw) })
        ]
    }

    /// None: a letter is slow anyway, and goes when the notice has been written down.
    func parcelsAtOnce(for delivery: NoticeDelivery, at now: Timestamp) -> [Parcel] { [] }
}
