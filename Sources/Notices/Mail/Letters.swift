import Accounts
import Identity
import Ledger
import Store
import Synchronization
import System

/// What the hub writes to people about their accounts: confirm an address, choose a password, look at a sign-in.
public final class Letters: Sendable {
    /// Whether letters leave this hub at all.
    public var isSetUp: Bool { writer != nil }

    private let accounts: Accounts
    private let writer: LetterWriter?
    private let carrier: MailCarrier?
    private let farewells = Mutex(Farewells())
    /// Whose letters about a deletion go next: by domain, so that one whose server is slow holds up its own.
    private let farewellTurns = FairLanes<String>(lanes: 1, patience: Farewells.patience)

    /// - Parameters:
    ///   - notices: before they run: the channel for mail is taken here.
    ///   - settings: nil when this hub has no way to send letters.
    public init(_ notices: Notices, _ settings: MailSettings?) {
        accounts = notices.accounts
        let writer = settings.map { LetterWriter(accounts: notices.accounts, settings: $0) }
        self.writer = writer
        if let settings, let writer {
            let carrier = MailCarrier(settings, clock: accounts.clock) { try await writer.write($0) }
            self.carrier = carrier
            notices.outbox.use(carrier, for: .mail)
            notices.use(MailWay(writer: writer))
        } else {
            carrier = nil
        }
        accounts.whenSomebodySignsIn { [weak self] signIn in
            // Never within the sign-in: whatever goes wrong here, it is done.
            if signIn.isNewDevice { Task { await self?.tell(signIn) } }
        }
        accounts.whenWaysChange { [weak self] person, change in
            Task {
                if change == .deleted { return await self?.tellOfDeletion(to: person) }
                await self?.tell(person) {
                    switch change {
                    case .added: $0.wayAdded(person)
                    case .removed: $0.wayRemoved(person)
                    case .originalApp: $0.appPassword(person)
                    case .password: $0.passwordChanged(person)
                    case .signedOut: $0.signedOut(person)
                    case .unheard: $0.unheard(person)
                    case .deleted: nil
                    }
                }
            }
        }
    }

    // MARK: asked for by somebody who may be anybody

    /// Whether strangers may make themselves an account: it is open, and the letter for it can be sent.
    public func isRegistrationOpen() throws -> Bool { try isSetUp && accounts.isRegistrationOpen() }

    /// Somebody says that they have forgotten their password. What is done here, and how long it takes, is the same whether there is such
    /// an account or not; so is the count of letters to one address.
    public func forgotten(_ email: String, _ language: Language) async throws {
        try await send(Errand(.forgotten, address: Accounts.normalised(email), language: language), .reset, .forgotten)
    }

    /// Somebody wants an account. The same is done whether the address has one already or not.
    /// - Throws: `AccountRefusal.invalid`.
    public func register(name: String, email: String, _ language: Language) async throws {
        let email = Accounts.normalised(email)
        try Accounts.check(name: name, email: email, password: nil)
        try await send(Errand(.register, address: email, name: name, language: language), .register, .account)
    }

    private func send(_ errand: Errand, _ purpose: LinkPurpose, _ asked: LetterAsked) async throws {
        // To an address that no letter can reach, and beyond the count, nothing is sent, and nothing else is said.
        guard let address = errand.address, address.utf8.count <= 254, accounts.admitLetter(to: address, asked)
        else { return }
        // Nobody knows yet whose it is. The share tells two addresses apart, and is gone with the letter.
        try await put(errand, lifetime: purpose.lifetime, share: ShareID(address: address))
    }

    // MARK: asked for by somebody who is signed in

    /// Somebody wants to show that their own address is theirs, which they do by choosing the password anew.
    /// - Throws: `AccountRefusal.tooManyAttempts`.
    public func confirmAddress(of person: Person, _ language: Language) async throws {
        let email = person.address ?? ""
        guard accounts.admitLetter(to: email, .confirmation(person.id)) else {
            throw AccountRefusal.tooManyAttempts(retryAfterSeconds: 1_200)
        }
        try await put(
            Errand(.forgotten, address: email, language: language), lifetime: LinkPurpose.reset.lifetime,
            share: ShareID(address: email))
    }

    /// Somebody wants to have another address. The same is done whether it is somebody else's or not.
    /// - Throws: `AccountRefusal.invalid`, `tooManyAttempts`.
    public func changeAddress(of person: Person, to email: String, _ language: Language) async throws {
        let email = Accounts.normalised(email)
        try Accounts.check(name: person.name, email: email, password: nil)
        guard accounts.admitLetter(to: email, .claim(person.id)) else {
            throw AccountRefusal.tooManyAttempts(retryAfterSeconds: 1_200)
        }
        let sweeps = accounts.clock.mayRemoveByAge
        try await put(
            Errand(.address, person: person.id, address: email, language: language),
            lifetime: LinkPurpose.address.lifetime
        ) { now, database in
            try LinkRecords.wish(email, for: person.id, at: now, sweeps: sweeps, in: database)
        }
    }

    /// Somebody who manages a site sends the letter by which somebody whom it expects takes their place there.
    /// - Parameter act: when they asked for it, one moment for all whom they invite at once; nil: now.
    /// - Throws: `InvitingRefusal`; `AccountRefusal.tooManyAttempts`, also beyond `LimitedAction.lettersOfSite`.
    public func invite(
        _ person: PersonID, to site: SiteID, by inviter: Person, act: Timestamp? = nil
    ) async throws {
        try accounts.requireToInvite(person, at: site, by: inviter.id)
        let address = try accounts.store.read { try AccountRecords.person(person, in: $0)?.shownAddress } ?? ""
        guard accounts.admitLetter(to: address, .invitation(inviter.id)) else {
            throw AccountRefusal.tooManyAttempts(retryAfterSeconds: 1_200)
        }
        let standIn: Person
        let letter: Invitation.LetterID
        do {
            (standIn, letter) = try await accounts.inviteByLetter(
                person, at: site, by: inviter.id, act: act ?? accounts.clock.now)
        } catch {
            accounts.giveBackLetter(to: address, .invitation(inviter.id))
            throw error
        }
        // They have chosen no language yet: in that of whoever invites them.
        let language = (standIn.language ?? inviter.language).flatMap(Language.init(rawValue:)) ?? .en
        try await put(
            Errand(.invite, person: person, address: standIn.invited, language: language, invitation: letter),
            lifetime: Invitation.lifetime, share: ShareID(site.raw))
    }

    /// - Parameters:
    ///   - share: whose share of the lanes it takes; the person's unless told.
    ///   - noting: what is written in the same transaction.
    private func put(
        _ errand: Errand, lifetime: Int64, share: ShareID? = nil,
        noting: @escaping @Sendable (Timestamp, Database) throws -> Void = { _, _ in }
    ) async throws {
        let now = accounts.clock.now
        let parcel = Parcel(
            id: .new(at: now), channel: .mail, person: errand.person, payload: MailParcel(errand).payload,
            created: now, expires: now.adding(milliseconds: lifetime), share: share)
        try await accounts.store.write { database in
            try noting(now, database)
            try OutboxRecords.add(parcel, in: database)
        }
    }

    // MARK: done

    /// Sets a password by the link of a letter, and tells its person so.
    /// - Throws: see `Accounts.setPassword`.
    public func setPassword(_ password: String, by link: String) async throws -> Person {
        let person = try await accounts.setPassword(password, by: link)
        await tell(person) { $0.passwordChanged(person) }
        return person
    }

    /// Gives an account the address of a link, and tells the old address so.
    /// - Throws: see `Accounts.changeAddress`.
    public func changeAddress(by link: String, as principal: Principal) async throws -> Person {
        let (before, after) = try await accounts.changeAddress(by: link, as: principal)
        if before.email != after.email { await tell(before) { $0.addressChanged(before) } }
        return after
    }

    private func tell(_ signIn: Accounts.SignIn) async {
        let person = signIn.person
        do {
            let isFirst = try await accounts.store.write {
                try LinkRecords.noteSignIn(of: person.id, at: signIn.at, in: $0)
            }
            // By a letter: whoever reads them all knows already.
            if isFirst || signIn.method == .letter || !accounts.admitsLetter(of: signIn) { return }
            let zone = try accounts.store.read { try AccountRecords.clockZone(of: person.id, in: $0) }
            await tell(person) { $0.newDevice(signIn, in: zone) }
        } catch {
            Log.warning("mail", "nobody was told of a sign-in on a new device", ["why": "\(error)"])
        }
    }

    /// After so many milliseconds such a letter is tried again, and then no more.
    private static let farewellPauses: [Int64] = [5_000, 60_000, 600_000]

    /// Tells somebody that their account is no more. Nothing of them is written down for it: the letter is tried a few times, and is gone
    /// with the hub's process.
    private func tellOfDeletion(to person: Person) async {
        guard let carrier, let letter = writer?.deleted(person) else { return }
        guard farewells.withLock({ $0.admits(letter.address) }) else { return Self.gaveUp("many such letters wait") }
        defer { farewells.withLock { $0.leave(letter.address) } }
        let parcel = letter.parcel(for: nil, at: accounts.clock.now)
        for pause in Self.farewellPauses {
            guard await carryInTurn(parcel, to: letter.address, by: carrier) else { return }
            do { try await Task.sleep(for: .milliseconds(pause)) } catch { return Self.gaveUp("the hub stops") }
        }
        if await carryInTurn(parcel, to: letter.address, by: carrier) { Self.gaveUp("the mail server was away") }
    }

    /// - Returns: whether it has to be tried again.
    private func carryInTurn(_ parcel: Parcel, to address: String, by carrier: MailCarrier) async -> Bool {
        let domain = Farewells.domain(of: address)
        let outcome = await farewellTurns.run(for: domain, domain, domain) {
            let began = Uptime.milliseconds
            return (await carrier.carry(parcel), Uptime.milliseconds - began)
        }
        return outcome?.isAgain ?? true
    }

    private static func gaveUp(_ why: String) {
        Log.warning("mail", "the holder of a deleted account was not told", ["why": why])
    }

    /// What has happened has happened, whether a letter about it can be sent or not.
    func tell(_ person: Person, _ write: (LetterWriter) -> Letter?) async {
        guard let writer, let letter = write(writer) else { return }
        let parcel = letter.parcel(for: person.id, at: accounts.clock.now)
        do {
            try await accounts.store.write { database in
                // Who was erased meanwhile gets none, and none is kept.
                guard try AccountRecords.person(person.id, in: database) != nil else { return }
                try OutboxRecords.add(parcel, in: database)
            }
        } catch {
            Log.warning("mail", "a letter could not be handed in", ["why": "\(error)"])
        }
    }
}
