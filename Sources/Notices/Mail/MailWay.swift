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
        return [letter.parcel(for: person.id, subject: delivery.notice.id.raw.bytes, at: now, lifetime: lifetime)]
    }

    /// None: a letter is slow anyway, and goes when the notice has been written down.
    func parcelsAtOnce(for delivery: NoticeDelivery, at now: Timestamp) -> [Parcel] { [] }
}
