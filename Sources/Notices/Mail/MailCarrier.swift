import Accounts
import Courier
import Ledger
import Store
import System

/// Brings letters to the mail server.
struct MailCarrier: Carrier {
    let settings: MailSettings
    let clock: WallClock
    /// Writes the letter of an errand; nil when none has to be written.
    let write: @Sendable (Errand) async throws -> Letter?
    private let client: MailClient

    /// Letters at a time. `Shares` says how many of them are one site's or person's.
    /// - Key: hub
    static let lanes = 2

    var lanes: Int { Self.lanes }

    init(
        _ settings: MailSettings, clock: WallClock, write: @escaping @Sendable (Errand) async throws -> Letter?
    ) {
        (self.settings, self.clock, self.write) = (settings, clock, write)
        client = MailClient(settings.server, lanes: Self.lanes)
    }

    func carry(_ parcel: Parcel) async -> Carried {
        let letter: Letter?
        switch MailParcel(payload: parcel.payload) {
        case .letter(let ready): letter = ready
        case .errand(let errand):
            // An address that was typed here; of one that somebody says is theirs nobody is told.
            if errand.kind == .invite, errand.address.flatMap(MailAddress.ascii) == nil {
                return refused(.badAddress)
            }
            do { letter = try await write(errand) } catch {
                Log.warning("mail", "a letter could not be written", ["why": "\(error)"])
                return .again(afterSeconds: nil, why: "the hub could not write the letter")
            }
        case nil: return .refused(why: "the letter cannot be read any more")
        }
        // Nobody has that address: there is nothing to be sent, and nobody is told.
        guard let letter else { return .delivered }
        let message = letter.message(from: settings.sender, at: clock.now, id: parcel.id.text, host: settings.host)
        return await send(letter.address, message)
    }

    private func send(_ address: String, _ message: [UInt8]) async -> Carried {
        let envelope = Envelope(sender: settings.sender.address, recipients: [address], message: message)
        do {
            try await client.send(envelope)
            return .delivered
        } catch {
            if error.isPermanent { return refused(error) }
            Log.warning("mail", "a letter has to wait", ["why": "\(error)"])
            return .again(afterSeconds: nil, why: "\(error)")
        }
    }

    private func refused(_ error: MailError) -> Carried {
        Log.warning("mail", "a letter will not arrive", ["why": "\(error)"])
        return .refused(why: "\(error)")
    }

    /// Whoever invites somebody is shown what keeps the letter.
    func note(_ outcome: Carried, of parcel: Parcel, in database: Database) throws {
        guard case .errand(let errand) = MailParcel(payload: parcel.payload), errand.kind == .invite,
            let person = errand.person
        else { return }
        let trouble: Invitation.LetterTrouble? =
            switch outcome {
            case .delivered: nil
            case .again: .held
            case .refused: .refused
            }
        try InvitationRecords.note(trouble, of: errand.invitation, to: person, in: database)
    }
}

extension MailSettings {
    /// Sends a letter to try out whether letters arrive.
    /// - Throws: `MailError`, in words.
    public func tryOut(to address: String, at now: Timestamp) async throws(MailError) {
        guard let letter = LetterWriter.trial(to: address, from: self) else { throw .badAddress }
        let message = letter.message(
            from: sender, at: now, id: ParcelID.new(at: now).text, host: host)
        try await MailClient(server).send(
            Envelope(sender: sender.address, recipients: [letter.address], message: message))
    }
}
