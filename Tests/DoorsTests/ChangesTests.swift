import Accounts
import Identity
import Ledger
import Pages
import System
import Testing

@testable import Doors
@testable import Ledger

@Suite("What was changed")
struct ChangesTests {
    private func change(_ kind: String, _ payload: String?) -> Change {
        Change(
            Event(
                id: .new(at: noon), site: .new(at: noon), sequence: 3, position: 9, kind: kind, at: noon, person: nil,
                payload: payload.map { Array($0.utf8) }))
    }

    @Test("A change tells what is other than before, in the order of the form")
    func changes() {
        let found = change(
            "membership.changed",
            #"{"before":{"person":"p","lastDay":null,"role":"a","permission":"member"},"after":{"person":"p","lastDay":"2026-12-31","role":"b","permission":"member"},"by":"m"}"#
        )
        #expect(found.by == "m")
        #expect(found.about == "p")
        #expect(
            found.fields == [
                .init(name: "role", before: "a", after: "b"), .init(name: "lastDay", before: nil, after: "2026-12-31"),
            ])
    }

    @Test("What was done to many at once is one change, with what is the same for all")
    func manyAtOnce() {
        func added(_ person: String, _ last: String, by: String = "m") -> Change {
            change(
                "membership.added",
                #"{"after":{"person":"\#(person)","permission":"member","lastDay":"\#(last)"},"by":"\#(by)"}"#)
        }
        var first = added("a", "2026-12-31")
        for person in ["b", "c", "d", "e", "f"] {
            let isAbsorbed = first.absorb(added(person, person))
            #expect(isAbsorbed)
        }
        #expect(first.otherCount == 5)
        #expect(first.others == ["b", "c", "d", "e"])
        #expect(first.fields == [.init(name: "permission", before: nil, after: "member")])
        for other in [added("g", "x", by: "other"), change("role.added", #"{"role":"r","by":"m"}"#)] {
            let isAbsorbed = first.absorb(other)
            #expect(!isAbsorbed)
        }
    }

    @Test("Something that is gone tells what it was")
    func gone() {
        let found = change(
            "membership.removed", #"{"before":{"person":"p","permission":"member"},"name":"Cy","by":"m"}"#)
        #expect(found.isGone)
        #expect(found.name == "Cy")
        #expect(found.fields == [.init(name: "permission", before: "member", after: nil)])
    }

    @Test("Payloads of any shape are told as they are, or as nothing")
    func strangePayloads() {
        #expect(
            change("role.added", #"{"role":"r","name":"Guard","level":2}"#).fields
                == [
                    .init(name: "name", before: nil, after: "Guard"), .init(name: "role", before: nil, after: "r"),
                    .init(name: "level", before: nil, after: "2"),
                ])
        #expect(
            change("x.y", #"{"list":[1,"a",null,true],"deep":{"a":{"b":1}}}"#).fields == [
                .init(name: "list", before: nil, after: "1, a, true")
            ])
        for payload in ["", "[]", "null", "{", #"{"before":7,"by":[]}"#, "\u{0}"] { _ = change("x", payload) }
        #expect(change("x", nil).isErased)
    }

    @Test("A kind that nobody has words for is told as it is called", arguments: Language.allCases)
    func unknownKinds(_ language: Language) {
        let words = ChangeWords.in(language)
        #expect(words.text(kind: "drawbridge.raised").contains("drawbridge.raised"))
        #expect(words.text(kind: "drawbridge.added").contains("drawbridge.added"))
        #expect(!words.text(kind: "role.changed").contains("role.changed"))
        #expect(ChangeGroup.allCases.allSatisfy { words.groups[$0] != nil })
        #expect(words.things.count == ChangeWords.in(.en).things.count)
        #expect(words.fields.count == ChangeWords.in(.en).fields.count)
        #expect(words.kinds.keys == ChangeWords.in(.en).kinds.keys)
        #expect(words.means.keys == ChangeWords.in(.en).means.keys)
        #expect(words.verbs.keys == ChangeWords.in(.en).verbs.keys)
    }
}
