import Accounts
import Foundation
import Identity
import Pages
import System
import Testing

@testable import Doors
@testable import Ledger

/// Changes that come from Home, which knows nothing of this room: its sources say which kinds of events there are.
struct HomeChangesTests {
    /// Every kind of event that Home appends.
    static let kinds: [String] = {
        let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let home = tests.appendingPathComponent("../../Sources/Home").standardized
        var found: Set = ["house.changed", "home.device.found", "home.device.changed", "home.device.removed"]
        let files = FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil)
        for case let file as URL in files! where file.pathExtension == "swift" {
            let text = try! String(contentsOf: file, encoding: .utf8)
            // What a command, a notice, or a setting is called is no event; nor is a migration, which ends in a number.
            for match in text.matches(of: /(name: |NoticeKind = |let name = )?"(home\.[a-z][a-zA-Z.]*[a-zA-Z])"/)
            where match.1 == nil { found.insert(String(match.2)) }
        }
        return found.sorted()
    }()

    @Test("Home's sources name their events, of which some are known")
    func search() {
        #expect(Self.kinds.count > 30)
        #expect(
            Set(["home.armed", "home.code.added", "home.retention.changed", "home.box.record"]).isSubset(of: Self.kinds)
        )
        #expect(!Self.kinds.contains("home.actuator.set") && !Self.kinds.contains("home.fault"))
    }

    @Test("Every kind of event that Home appends has its words", arguments: kinds)
    func words(_ kind: String) {
        for language in Language.allCases { #expect(!ChangeWords.in(language).text(kind: kind).contains(kind)) }
    }

    @Test("What was armed by a person, a code or a tag says so")
    func panel() {
        func change(_ payload: String, by person: PersonID?) -> Change {
            Change(
                Event(
                    id: .new(at: noon), site: .new(at: noon), sequence: 1, position: 1, kind: "home.armed", at: noon,
                    person: person, payload: Array(payload.utf8)))
        }
        let lucia = PersonID.new(at: noon)
        let byCode = change(#"{"mode":"armed_away","by":"code","person":"\#(lucia.text)"}"#, by: lucia)
        #expect(byCode.by == lucia.text && byCode.about == nil)
        let byTag = change(#"{"mode":"armed_away","by":"tag"}"#, by: nil)
        #expect(byTag.by == "tag" && byTag.about == nil)
        for language in Language.allCases { #expect(ChangeWords.in(language).means["tag"] != nil) }
    }
}
