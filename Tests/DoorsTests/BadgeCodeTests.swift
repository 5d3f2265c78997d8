import Accounts
import HTTPServer
import System
import Testing

@testable import Doors

@Suite("The codes of badges")
struct BadgeCodeTests {
    /// Those that a badge may have, at both ends of the rule; some that spreadsheets take for numbers, days or formulas.
    private static let accepted = [
        "7", "007", "0", "000001", "A-1", "a-1", "-1", "--", "1E5", "1-2", "MAR-1", "TRUE", "12345678901234567890",
        String(repeating: "9", count: 24), String(repeating: "Z", count: 24), "A.1", "a_b",
    ]
    private static let refused = [
        "=1", "+1", "@A", "A 1", "'7", "\"7\"", "A,1", "A;1", "A/1", "é", "٣", "１", "A\u{301}",
        String(repeating: "9", count: 25), "<b>",
    ]

    private func imported(_ code: String) -> (badge: String?, problems: [String]) {
        var writer = CSVWriter(delimiter: UInt8(ascii: ";"))
        writer.ownRow(["name", "email", "badge"])
        writer.ownRow(["Cy", "cy@example.org", code])
        let file = ImportFile(writer.bytes[...], language: .en)
        return (file.lines.first?.badge, file.problems.list.map(\.why.code))
    }

    @Test("A code is the same at the page and in a file, and stays as it is written", arguments: accepted)
    func good(_ code: String) async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let own = try #require(owner.memberships.first?.membership.id)
            try await company.doors.setBadge(code, ofHolderOf: own, at: company.site, by: owner)
            let kept = try company.given.store.read {
                try DoorsRecords.badge(of: owner.person.id, at: company.site.id, in: $0)
            }
            #expect(kept == code)
            #expect(imported(code) == (code, []))
            #expect(imported("'" + code) == (code, []))
        }
    }

    @Test("What is no code is refused at the page and in a file", arguments: refused)
    func bad(_ code: String) async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let own = try #require(owner.memberships.first?.membership.id)
            let refusal = try await company.refusal {
                try await company.doors.setBadge(code, ofHolderOf: own, at: company.site, by: owner)
            }
            #expect(refusal == .init(field: "badge", why: .missing))
            if code != "'7" { #expect(imported(code) == (nil, ["notABadge"])) }
        }
    }

    @Test("The next number is one that nobody has, also after 999999")
    func next() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let own = try #require(owner.memberships.first?.membership.id)
            try await company.doors.setBadge("999999", ofHolderOf: own, at: company.site, by: owner)
            var codes: [String?] = []
            for name in ["Bo", "Cy", "Di"] {
                let (_, person) = try await company.doors.addPerson(
                    company.entry(name), at: company.site, by: owner)
                codes.append(
                    try company.given.store.read {
                        try DoorsRecords.badge(of: person.id, at: company.site.id, in: $0)
                    })
            }
            #expect(codes == ["1000000", "1000001", "1000002"])
        }
    }

    @Test func `Numbers of more digits are found by their highest, and not by trying each`() async throws {
        try await Company.run { company in
            func next(_ code: String) async throws -> String? {
                let (_, person) = try await company.doors.addPerson(
                    company.entry("p\(code.filter(\.isNumber))"), at: company.site, by: owner)
                try await company.given.store.write { database in
                    try DoorsRecords.setBadge(code, of: person.id, at: company.site.id, in: database)
                }
                let (_, after) = try await company.doors.addPerson(
                    company.entry("after\(code.filter(\.isNumber))"), at: company.site, by: owner)
                return try company.given.store.read {
                    try DoorsRecords.badge(of: after.id, at: company.site.id, in: $0)
                }
            }
            let owner = try await company.principal("Ada", .owner)
            #expect(try await next("0000007") == "000001", "it has seven digits, and is no number of this kind")
            #expect(try await next("A-12") == "000002")
            #expect(try await next("2000000") == "000003")
            #expect(try await next("999999") == "2000001")
            #expect(try await next("9999999") == "10000000")
        }
    }
}
