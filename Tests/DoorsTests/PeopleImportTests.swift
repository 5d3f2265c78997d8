import Glibc
import HTTPServer
import Identity
import Ledger
import Pages
import System
import Testing

@testable import Accounts
@testable import Doors
@testable import Store

@Suite("Importing people")
struct PeopleImportTests {
    private func file(_ text: String, _ language: Language = .en) -> ImportFile {
        ImportFile(Array(text.utf8)[...], language: language)
    }

    private func codes(_ problems: ImportProblems) -> [String] { problems.list.map { "\($0.line) \($0.why.code)" } }

    /// A site where Ada (owner) and Bruno (member with a role, badge 000007) are.
    private func facts(allowed: Set<Permission> = [.owner, .manager, .installer, .member, .guest]) -> ImportFacts {
        var facts = ImportFacts()
        let site = SiteID.new(at: noon)
        let role = Role(id: .new(at: noon), site: site, name: "Magazzino", level: 1)
        facts.roles = [role]
        facts.allowed = allowed
        facts.badges = ["000001", "000007"]
        for (email, permission, role, badge) in [
            ("ada@example.org", Permission.owner, nil, "000001"), ("bruno@example.org", .member, role.id, "000007"),
        ] {
            let person = PersonID.new(at: noon)
            facts.people[email] = .init(
                person: person,
                memberships: [
                    Membership(
                        id: .new(at: noon), person: person, site: site, permission: permission, role: role,
                        firstDay: nil,
                        lastDay: nil)
                ], badges: [person: badge])
        }
        facts.people["known@example.org"] = .init(person: .new(at: noon), memberships: [], badges: [:])
        return facts
    }

    private func plan(
        _ rows: String, facts: ImportFacts? = nil, makesRoles: Bool = false
    ) -> (decisions: [ImportDecision?], problems: [String], roles: [String]) {
        let file = file("name,email,role,permission,last day,badge\n" + rows)
        #expect(file.problems.isEmpty)
        let plan = PeopleImport(file.lines, facts ?? self.facts(), makesRoles: makesRoles)
        return (plan.decisions, codes(plan.problems), plan.newRoles)
    }

    // MARK: the file

    @Test(
        "Columns are found by name in three languages, in any order; unknown ones are told",
        arguments: [
            "Last day;E-mail;Shoe size;Name;Role\n2026-12-31;b@example.org;44;Bo Li;Guard",
            "ultimo giorno;EMAIL;Numero;Nome;Cognome;Ruolo\n31/12/2026;b@example.org;1;Bo;Li;Guard",
            "ÚLTIMO DÍA\tCorreo electrónico\tTalla\tNombre\tApellidos\tRol\n31.12.2026\tb@example.org\t1\tBo\tLi\tGuard",
        ])
    func columns(_ text: String) throws {
        let file = file(text, .it)
        #expect(codes(file.problems) == [])
        let line = try #require(file.lines.first)
        #expect(line.name == "Bo Li")
        #expect(line.email == "b@example.org")
        #expect(line.role == "Guard")
        #expect(line.lastDay == day("2026-12-31"))
        #expect(line.permission == .member)
        #expect(file.unknownColumns.count == 1)
    }

    @Test("A file without a column that is needed, or with one twice, is refused as a whole")
    func headings() {
        #expect(codes(file("name,role\nBo,Guard").problems) == ["1 columnMissing"])
        #expect(codes(file("\nname,email,E-Mail\nBo,b@example.org,x").problems) == ["2 columnTwice"])
        #expect(file("name,role\nBo,Guard").lines.isEmpty)
        #expect(codes(file("").problems) == ["1 empty"])
    }

    @Test("Each line that will not do is told with its column, what stands there, and why; the others are read")
    func problems() {
        let file = file(
            """
            name,email,permission,first day,last day,badge,language,password
            ,a@example.org,,,,,,
            Bo,nobody,,,,,,
            Bo,b@example.org,king,,,,,
            Bo,b@example.org,,2026-02-29,,,,
            Bo,b@example.org,,2026-03-02,2026-03-01,,,
            Bo,b@example.org,,,,no badge,,
            Bo,b@example.org,,,,,fr,
            Bo,b@example.org,,,,,,short
            Bo,b@example.org,owner,2024-02-29,2026-10-25,12,IT,long enough
            only,two
            Bo,c@example.org,,2026-03-29,,,español,
            """)
        #expect(
            codes(file.problems) == [
                "2 nameMissing", "3 notAnAddress", "4 permissionUnknown", "5 notADay", "6 endsBeforeItBegins",
                "7 notABadge",
                "8 languageUnknown", "9 passwordTooShort", "11 ragged",
            ])
        #expect(file.problems.list[1].column == .email)
        #expect(file.problems.list[1].text == "nobody")
        #expect(file.problems.list[7].text == "")
        #expect(file.lines.map(\.line) == [10, 12])
        #expect(file.lines[0].badge == "12")
        #expect(file.lines[0].language == "it")
        #expect(file.lines[1].language == "es")
    }

    @Test("What is wrong in the same way on many lines is shown once, with how many have it")
    func problemsTogether() {
        var problems = ImportProblems()
        for line in 2...301 { problems.append(ImportProblem(line, .role, .roleUnknown, text: "Staff")) }
        problems.append(ImportProblem(9, .role, .roleUnknown, text: "Guard"))
        problems.append(ImportProblem(9, .badge, .badgeTaken, text: "Staff"))
        let shown = problems.together
        #expect(
            shown.map { "\($0.first.line) \($0.first.why.code) \($0.others)" } == [
                "2 roleUnknown 299", "9 roleUnknown 0", "9 badgeTaken 0",
            ])
    }

    @Test("What is wrong is counted, and not kept without end")
    func manyProblems() {
        let file = file("name,email\n" + String(repeating: ",x\n", count: 1_500))
        #expect(file.problems.count == 3_000)
        #expect(file.problems.list.count == ImportProblems.kept)
    }

    @Test(
        "A day is ISO, or as the language writes it, and never guessed",
        arguments: [
            ("2026-12-31", Language.en, "2026-12-31"), ("31/12/2026", .it, "2026-12-31"),
            ("1/2/2026", .es, "2026-02-01"),
            ("31-12-2026", .it, "2026-12-31"), ("12/31/2026", .it, nil), ("31/12/2026", .en, "2026-12-31"),
            ("12/31/2026", .en, "2026-12-31"), ("03/03/2026", .en, "2026-03-03"), ("29/02/2024", .it, "2024-02-29"),
            ("29/02/2026", .it, nil), ("31/12/26", .it, nil), ("2026/12/31", .it, nil), ("31/12-2026", .it, nil),
            ("٣١/١٢/٢٠٢٦", .it, nil), ("x", .it, nil), ("29/03/2026", .it, "2026-03-29"),
            ("25/10/2026", .it, "2026-10-25"),
        ] as [(String, Language, String?)])
    func days(_ text: String, _ language: Language, _ expected: String?) {
        #expect(ImportDay(text, language) == expected.map { .day(day($0)) })
    }

    @Test("A day that English could read two ways is refused as that")
    func ambiguous() {
        #expect(ImportDay("03/04/2026", .en) == .ambiguous)
        #expect(codes(file("name,email,last day\nBo,b@example.org,03/04/2026").problems) == ["2 ambiguousDay"])
    }

    @Test("An apostrophe that an export put before a formula comes off again")
    func apostrophe() {
        #expect(file("name,email\n'=SUM(A1),b@example.org").lines.first?.name == "=SUM(A1)")
        #expect(file("name,email\n'tHooft,b@example.org").lines.first?.name == "'tHooft")
    }

    // MARK: what it would do

    @Test("Somebody new, somebody with an account, and somebody who is there already")
    func decisions() {
        let found = plan(
            """
            Cy,cy@example.org,Magazzino,,,
            Another name,known@example.org,,,,
            Bruno,BRUNO@example.org,magazzino,,,000007
            Bruno,bruno@example.org,Magazzino,,2026-12-31,000007
            """)
        #expect(found.problems == [])
        #expect(found.decisions == [.newPerson, .membership, .unchanged, .membership])
    }

    @Test("A role that is missing is refused, or made once")
    func roles() {
        let rows = "Cy,cy@example.org,Guard,,,\nDi,di@example.org,guard,,,\n"
        #expect(plan(rows).problems == ["2 roleUnknown", "3 roleUnknown"])
        let made = plan(rows, makesRoles: true)
        #expect(made.problems == [])
        #expect(made.roles == ["Guard"])
    }

    @Test("A manager makes nobody an owner, but an owner who is there is no problem")
    func permissions() {
        let rows = "Ada,ada@example.org,,owner,,\nCy,cy@example.org,,owner,,\nDi,di@example.org,,merchant,,\n"
        #expect(
            plan(rows, facts: facts(allowed: [.manager, .installer, .member, .guest])).problems
                == ["3 permissionNotAllowed", "4 permissionNotAllowed"])
        #expect(plan(rows).problems == ["4 permissionNotAllowed"])
    }

    @Test("Lines that say the same, or contradict each other, are told with the other line")
    func duplicates() {
        let found = plan(
            """
            Cy,cy@example.org,Magazzino,,,
            Cy,CY@example.org,magazzino,member,,
            Cy Young,cy@example.org,,,2027-01-01,
            Cy,cy@example.org,,,2027-01-02,
            """)
        #expect(found.problems == ["3 sameLine", "4 anotherName"])
        #expect(found.decisions == [.newPerson, nil, nil, .membership])
    }

    @Test("A site in which somebody has the same membership twice reads its own export again")
    func thereTwice() {
        let found = plan("Bruno,bruno@example.org,Magazzino,,,000007\nBruno,bruno@example.org,Magazzino,,,000007")
        #expect(found.problems == [])
        #expect(found.decisions == [.unchanged, .unchanged])
    }

    @Test("Nobody gets somebody else's badge, and nobody another one than they have")
    func badges() {
        #expect(plan("Cy,cy@example.org,,,,000007").problems == ["2 badgeTaken"])
        #expect(plan("Cy,cy@example.org,,,,7").problems == [])
        #expect(plan("Bruno,bruno@example.org,Magazzino,,,8").problems == ["2 badgeIsAnother"])
        #expect(plan("Cy,cy@example.org,,,,9\nDi,di@example.org,,,,9").problems == ["3 badgeTwice"])
        #expect(plan("Cy,cy@example.org,,,,9\nDi,di@example.org,,,,009").problems == [])
        #expect(plan("Cy,cy@example.org,,,,9\nCy,cy@example.org,,,2027-01-01,10").problems == ["3 badgeTwice"])
        #expect(plan("Cy,cy@example.org,,,,9\nCy,cy@example.org,,,2027-01-01,9").problems == [])
        #expect(plan("Known,known@example.org,,,,B-12").problems == [])
    }

    // MARK: on a real database

    private func text(_ rows: [String]) -> ArraySlice<UInt8> {
        Array(("name,email,role,last day,badge,password\n" + rows.joined(separator: "\n")).utf8)[...]
    }

    private func check(
        _ rows: [String], _ company: Company, by principal: Principal, makesRoles: Bool = true
    ) async throws -> ImportDraft {
        try await company.doors.checkImport(
            text(rows), at: company.site, by: principal.person.id, language: .en, makesRoles: makesRoles)
    }

    /// Applies a dry run and waits for its end.
    private func apply(_ draft: ImportDraft, _ company: Company, by principal: Principal) async throws {
        #expect(await company.doors.applyImport(draft.id, at: company.site, by: principal))
        while let now = company.doors.imports.draft(draft.id, at: draft.site, of: draft.author), now.isAtWork {
            await Task.yield()
        }
    }

    private func people(_ company: Company) throws -> [AccountRecords.Listed] {
        try company.given.store.read {
            try AccountRecords.people(
                of: company.site.id, PeopleFilter(today: day("2026-11-21")), offset: 0, limit: 1_000, in: $0)
        }
    }

    private func kinds(_ company: Company) throws -> [String] {
        try company.given.ledger.events(of: company.site.id, after: 0, limit: 1_000).map(\.kind)
    }

    @Test(
        "A dry run writes nothing; applying it writes people, memberships, badges, roles and their events; undoing takes all away"
    )
    func wayThereAndBack() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let before = (try people(company).count, try kinds(company))
            let draft = try await check(
                [
                    "Cy,cy@example.org,Guard,2027-01-31,,", "Di,di@example.org,Guard,,44,",
                    "Di,di@example.org,,2026-12-31,,",
                ],
                company, by: owner)
            #expect(draft.isReady)
            #expect((try people(company).count, try kinds(company)) == before)

            try await apply(draft, company, by: owner)
            let after = try people(company)
            #expect(after.count == before.0 + 3)
            #expect(after.first { $0.person.name == "Cy" }?.role == "Guard")
            let badges = try company.given.store.read { database in
                try after.map { try DoorsRecords.badge(of: $0.person.id, at: company.site.id, in: database) }
            }
            #expect(Set(badges) == [nil, "000001", "44"])
            #expect(
                try kinds(company).dropFirst(before.1.count)
                    == ["role.added", "membership.added", "membership.added", "membership.added", "people.imported"])

            company.time.change { $0 = noon.adding(milliseconds: 23 * 3_600_000) }
            #expect(try await company.doors.undoImport(draft.id, at: company.site, by: owner.person.id))
            #expect(try people(company).count == before.0)
            #expect(try company.given.store.read { try AccountRecords.person(email: "cy@example.org", in: $0) } == nil)
            #expect(try company.given.store.read { try AccountRecords.roles(of: company.site.id, in: $0) }.isEmpty)
            #expect(try company.doors.importDone(draft.id, at: company.site.id)?.keptCount == 0)
            // Twice is once.
            let count = try kinds(company).count
            #expect(try await company.doors.undoImport(draft.id, at: company.site, by: owner.person.id))
            #expect(try kinds(company).count == count)
        }
    }

    @Test("Somebody without a password cannot sign in with any, not even with none; one with a password can")
    func passwords() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let draft = try await check(
                ["Cy,cy@example.org,,,,", "Di,di@example.org,,,,correct horse"], company, by: owner)
            try await apply(draft, company, by: owner)
            for password in ["", "correct horse"] {
                await #expect(throws: AccountRefusal.wrongPassword) {
                    try await company.given.accounts.signIn(
                        email: "cy@example.org", password: password, address: "::1", isProgram: true)
                }
            }
            let (_, person) = try await company.given.accounts.signIn(
                email: "di@example.org", password: "correct horse", address: "::1", isProgram: true)
            #expect(person.name == "Di")
        }
    }

    @Test("When what is there changes after the dry run, nothing is written and a new dry run is shown")
    func changed() async throws {
        try await Company.run { company in
            let (ada, mia) = (try await company.principal("Ada", .owner), try await company.principal("Mia", .manager))
            let rows = ["Cy,cy@example.org,,,,", "Di,di@example.org,,,,"]
            let first = try await check(rows, company, by: ada)
            let second = try await check(rows, company, by: mia)
            try await apply(first, company, by: ada)
            let count = try kinds(company).count
            try await apply(second, company, by: mia)
            #expect(try kinds(company).count == count)
            let now = try #require(company.doors.imports.draft(second.id, at: company.site.id, of: mia.person.id))
            #expect(now.state == .changed)
            #expect(now.plan.decisions == [.unchanged, .unchanged])
            #expect(!now.isReady)
        }
    }

    @Test("A dry run is seen by its maker alone, for half an hour, and whoever lost their permission applies nothing")
    func guarded() async throws {
        try await Company.run { company in
            let (ada, mia) = (try await company.principal("Ada", .owner), try await company.principal("Mia", .manager))
            let draft = try await check(["Cy,cy@example.org,,,,"], company, by: mia)
            let imports = company.doors.imports
            #expect(imports.draft(draft.id, at: company.site.id, of: ada.person.id) == nil)
            #expect(imports.draft(draft.id, at: .new(at: noon), of: mia.person.id) == nil)
            #expect(await !company.doors.applyImport(draft.id, at: company.site, by: ada))

            var membership = try #require(mia.memberships.first?.membership)
            membership.permission = .member
            let changed = membership
            try await company.given.accounts.change {
                try AccountRecords.change(changed, at: noon, by: ada.person.id, in: $0)
            }
            try await apply(draft, company, by: mia)
            #expect(
                imports.draft(draft.id, at: company.site.id, of: mia.person.id)?.state == .failed(.notAllowed))
            #expect(try company.given.store.read { try AccountRecords.person(email: "cy@example.org", in: $0) } == nil)

            company.time.change { $0 = noon.adding(milliseconds: ImportDesk.lifetime) }
            #expect(imports.draft(draft.id, at: company.site.id, of: mia.person.id) == nil)
        }
    }

    @Test("An import is written only while the session that applied it stands, however long it hashes passwords")
    func judgedWhenWritten() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let draft = try await check(["Di,di@example.org,,,,correct horse"], company, by: owner)
            // The one who applied it has been shut out since.
            try await company.given.accounts.signOut(owner)
            try await apply(draft, company, by: owner)
            #expect(
                company.doors.imports.draft(draft.id, at: company.site.id, of: owner.person.id)?.state
                    == .failed(.notAllowed))
            #expect(try company.given.store.read { try AccountRecords.person(email: "di@example.org", in: $0) } == nil)
        }
    }

    @Test("Undoing keeps what was changed or used since, and says which; after a day nothing is undone")
    func kept() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let draft = try await check(
                ["Cy,cy@example.org,,,,", "Di,di@example.org,,,,correct horse", "Ed,ed@example.org,,,,"], company,
                by: owner)
            try await apply(draft, company, by: owner)
            var changed = try #require(try people(company).first { $0.person.name == "Cy" }).membership
            changed.lastDay = day("2027-01-01")
            let after = changed
            try await company.given.accounts.change {
                try AccountRecords.change(after, at: noon, by: owner.person.id, in: $0)
            }
            _ = try await company.given.accounts.signIn(
                email: "di@example.org", password: "correct horse", address: "::1", isProgram: true)

            #expect(try await company.doors.undoImport(draft.id, at: company.site, by: owner.person.id))
            // Di has signed in: the account stays, and in the list, from which an owner can erase it.
            let left = try people(company)
            #expect(Set(left.map(\.person.name)) == ["Ada", "Cy", "Di"])
            #expect(left.filter { $0.membership.revoked != nil }.map(\.person.name) == ["Di"])
            let kept = try #require(try company.doors.importDone(draft.id, at: company.site.id)).kept
            #expect(kept.map { "\($0.name) \($0.why.rawValue)" } == ["Cy changed", "Di ended"])
            #expect(try company.given.store.read { try AccountRecords.person(email: "ed@example.org", in: $0) } == nil)

            let later = try await check(["Fay,fay@example.org,,,,"], company, by: owner)
            try await apply(later, company, by: owner)
            company.time.change { $0 = noon.adding(milliseconds: Doors.undoTime) }
            #expect(try await !company.doors.undoImport(later.id, at: company.site, by: owner.person.id))
            #expect(try people(company).contains { $0.person.name == "Fay" })
        }
    }

    @Test("On a full disk nothing is written, the page says so, and with room again the same dry run is applied")
    func fullDisk() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let draft = try await check(
                (0..<400).map { "Cy \($0),cy\($0)@example.org,Guard,,," }, company, by: owner)
            let before = (try people(company).count, try kinds(company))
            // SQLite takes what the file has already for the least that it may have.
            try await company.given.store.write { _ = try $0.execute("PRAGMA max_page_count = 1") }
            try await apply(draft, company, by: owner)
            let imports = company.doors.imports
            #expect(imports.draft(draft.id, at: draft.site, of: draft.author)?.state == .failed(.diskFull))
            #expect((try people(company).count, try kinds(company)) == before)
            try await company.given.store.write { _ = try $0.execute("PRAGMA max_page_count = 1000000") }
            try await apply(draft, company, by: owner)
            #expect(try people(company).count == before.0 + 400)
        }
    }

    @Test("A few dry runs per person are kept; the oldest makes room")
    func room() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            var drafts: [ImportDraft] = []
            for number in 0...ImportDesk.perPerson {
                company.time.change { $0 = noon.adding(milliseconds: Int64(number)) }
                drafts.append(try await check(["Cy,cy@example.org,,,,"], company, by: owner))
            }
            let kept = drafts.filter {
                company.doors.imports.draft($0.id, at: company.site.id, of: owner.person.id) != nil
            }
            #expect(kept.map(\.id) == drafts.dropFirst().map(\.id))
        }
    }

    private func draft(
        _ site: SiteID, _ author: PersonID, _ number: Int64, of founder: PersonID, bytes: Int = 1
    ) -> ImportDraft {
        ImportDraft(
            id: .new(at: noon), site: site, author: author, founder: founder,
            made: noon.adding(milliseconds: number - 1_000), bytes: bytes, makesRoles: false,
            file: ImportFile([], language: .en), plan: PeopleImport([], .init(), makesRoles: false))
    }

    private func isKept(_ draft: ImportDraft, _ desk: ImportDesk) -> Bool {
        desk.draft(draft.id, at: draft.site, of: draft.author) != nil
    }

    @Test("Where a site has many dry runs its own make room, and none of those that are being applied")
    func roomOfSites() {
        let desk = ImportDesk(clock: WallClock { noon })
        let (house, owner) = (SiteID.new(at: noon), PersonID.new(at: noon))
        let other = PersonID.new(at: noon)
        let theirs = draft(.new(at: noon), other, 0, of: other)
        #expect(throws: Never.self) { try desk.keep(theirs) }
        let people = (0..<ImportDesk.perSite).map { _ in PersonID.new(at: noon) }
        var made: [ImportDraft] = []
        for number in 0..<(2 * ImportDesk.capacity) {
            made.append(draft(house, people[number % people.count], Int64(number), of: owner))
            #expect(throws: Never.self) { try desk.keep(made[number]) }
        }
        #expect(made.filter { isKept($0, desk) }.map(\.id) == made.suffix(ImportDesk.perSite).map(\.id))
        for one in made { desk.set(.writing, of: one.id) }
        #expect(throws: ImportDesk.Full.self) { try desk.keep(draft(house, people[0], 99, of: owner)) }
        #expect(throws: Never.self) { try desk.keep(draft(theirs.site, other, 99, of: other)) }
        #expect(isKept(theirs, desk) && made.suffix(ImportDesk.perSite).allSatisfy { isKept($0, desk) })
    }

    @Test("One owner's imports, in however many sites and by however many people, take nothing from others")
    func roomOfOwners() {
        let desk = ImportDesk(clock: WallClock { noon })
        let (mal, olga) = (PersonID.new(at: noon), PersonID.new(at: noon))
        let theirs = draft(.new(at: noon), olga, 0, of: olga)
        #expect(throws: Never.self) { try desk.keep(theirs) }
        var kept = 0
        for number in 0..<(3 * ImportDesk.capacity) {
            let one = draft(.new(at: noon), .new(at: noon), Int64(number), of: mal, bytes: 9 << 20)
            do {
                try desk.keep(one)
                kept += 1
            } catch {}
            desk.set(.writing, of: one.id)
        }
        #expect(kept == ImportDesk.byteLimit / (9 << 20), "what is being applied stays")
        #expect(isKept(theirs, desk), "who has less gives nothing")
        // What they leave is for who comes.
        for number in 0..<ImportDesk.perPerson {
            let one = draft(theirs.site, olga, 100 + Int64(number), of: olga)
            #expect(throws: Never.self) { try desk.keep(one) }
            #expect(isKept(one, desk))
        }
        for number in 0..<100 {
            let one = draft(.new(at: noon), .new(at: noon), 200 + Int64(number), of: .new(at: noon))
            #expect(throws: Never.self) { try desk.keep(one) }
            #expect(isKept(one, desk))
        }
    }

    @Test("Where everything is being applied by owners who have as many, the rest goes to who comes")
    func roomOfMany() {
        let desk = ImportDesk(clock: WallClock { noon })
        let theirs = draft(.new(at: noon), .new(at: noon), 0, of: .new(at: noon))
        #expect(throws: Never.self) { try desk.keep(theirs) }
        var all = 0
        while all < ImportDesk.capacity - 2 {
            let owner = PersonID.new(at: noon)
            for _ in 0..<min(ImportDesk.perFounder, ImportDesk.capacity - 2 - all) {
                let one = draft(.new(at: noon), .new(at: noon), 1, of: owner)
                #expect(throws: Never.self) { try desk.keep(one) }
                desk.set(.writing, of: one.id)
                all += 1
            }
            // Who has many takes nothing from who has one.
            for _ in 0..<ImportDesk.capacity { try? desk.keep(draft(.new(at: noon), .new(at: noon), 2, of: owner)) }
            #expect(isKept(theirs, desk))
        }
    }

    @Test("An import that failed counts when it is applied again")
    func countedAgain() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let draft = try await check(["Cy,cy@example.org,,,,", "Di,di@example.org,,,,"], company, by: owner)
            company.doors.imports.set(.failed(.full), of: draft.id)
            try company.given.accounts.admit(rows: ChangeLimit.rows.burst - 3, of: owner)
            try company.doors.requireProof(toApply: draft.id, at: company.site, owner)
            let problem = #expect(throws: Problem.self) {
                try company.doors.requireProof(toApply: draft.id, at: company.site, owner)
            }
            #expect(problem?.status == 429)
        }
    }

    @Test("Whom a site knows by an address is found by indexes alone, however many people there are")
    func knownByIndex() async throws {
        try await Company.run { company in
            let query = "\(InvitationRecords.knownByAddress)".replacing("?1", with: "'a'").replacing(
                "?2", with: "x'00'")
            let plan = try await company.given.store.write { database in
                try database.run("CREATE TEMP VIEW known AS " + query)
                defer { try? database.run("DROP VIEW temp.known") }
                return try database.rows("EXPLAIN QUERY PLAN SELECT * FROM known") { $0[3] as String }
            }
            #expect(plan.contains { $0.contains("SEARCH p USING INDEX") })
            #expect(!plan.contains { $0.contains("SCAN") }, "\(plan)")
        }
    }

    @Test("All sites of an owner have few files read at a time; a short one waits for no long one")
    func readAtOnce() async throws {
        let desk = ImportDesk(clock: WallClock { noon })
        let (mal, olga) = (PersonID.new(at: noon), PersonID.new(at: noon))
        let (begun, refused, isOpen) = (Shared(0), Shared(0), Shared(false))
        let tasks = (0..<10).map { _ in
            Task {
                do {
                    try await desk.read(1 << 20, by: .new(at: noon), for: mal) {
                        begun.change { $0 += 1 }
                        while !isOpen.value { usleep(1000) }
                    }
                } catch { refused.change { $0 += 1 } }
            }
        }
        #expect(await eventually { refused.value == 10 - ImportDesk.readAtOnce && begun.value == 1 })
        #expect(try await desk.read(100, by: olga, for: olga) { 1 } == 1)
        // What waits is bounded, too, however many owners there are.
        let late = Shared(0)
        let crowd = (0..<20).map { _ in
            Task {
                do { try await desk.read(9 << 20, by: .new(at: noon), for: .new(at: noon)) {} } catch {
                    late.change { $0 += 1 }
                }
            }
        }
        let room = (ImportDesk.byteLimit - (ImportDesk.readAtOnce << 20)) / (9 << 20)
        #expect(await eventually { late.value == 20 - room })
        isOpen.change { $0 = true }
        for task in tasks { await task.value }
        for task in crowd { await task.value }
        #expect(begun.value == ImportDesk.readAtOnce && late.value == 20 - room)
        #expect(try await desk.read(9 << 20, by: mal, for: mal) { 2 } == 2)
        // One person has few, wherever.
        let (mine, isDone) = (Shared(0), Shared(false))
        let own = (0...ImportDesk.readOfOne).map { number in
            Task {
                do {
                    try await desk.read(1, by: mal, for: number == 0 ? mal : olga) {
                        while !isDone.value { usleep(1_000) }
                    }
                } catch { mine.change { $0 += 1 } }
            }
        }
        #expect(await eventually { mine.value == 1 })
        isDone.change { $0 = true }
        for task in own { await task.value }
        #expect(mine.value == 1)
    }
}
