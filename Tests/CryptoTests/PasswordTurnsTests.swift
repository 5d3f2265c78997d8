import Testing

@testable import Crypto

@Suite("Whose password is hashed next")
struct PasswordTurnsTests {
    @Test("Who had little comes before thirty who had much, however much of theirs waits")
    func newcomer() {
        var turns = PasswordTurns()
        for owner in 0..<UInt8(30) { for _ in 0..<20 { _ = turns.add(.known, [owner], cost: 10) } }
        for served in 0..<500 {
            #expect(turns.next() != nil)
            if served % 50 != 37 { continue }
            let mine = turns.add(.known, [100, UInt8(served / 50)], cost: 10)
            #expect(turns.next() == mine, "after \(served)")
        }
        // Who comes again waits for one turn of each at most, also who takes ten hashes each time.
        let again = turns.add(.known, [100, 0], cost: 10)
        var before = 0
        while turns.next() != again { before += 1 }
        #expect(before <= 30)
    }

    @Test("Of one owner the oldest is first; what costs ten counts as ten")
    func order() {
        var turns = PasswordTurns()
        let house = (0..<4).map { _ in turns.add(.known, [1], cost: 10) }
        let person = (0..<20).map { _ in turns.add(.known, [2], cost: 1) }
        var served: [UInt64] = []
        while let next = turns.next() { served.append(next) }
        #expect(served.filter(house.contains) == house && served.filter(person.contains) == person)
        #expect(served.firstIndex(of: house[2]) == 22, "two of the house, and the person’s twenty")
    }

    @Test("Each share has its part of the time, and what none wants the others have")
    func shares() {
        var turns = PasswordTurns()
        for owner in 0..<UInt8(40) { _ = turns.add(.known, [owner], cost: 1) }
        let strangers = (0..<10).map { _ in turns.add(.strangers, [], cost: 1) }
        let new = (0..<10).map { _ in turns.add(.new, [9], cost: 1) }
        let first = (0..<30).compactMap { _ in turns.next() }
        #expect(first.filter(strangers.contains) == strangers && first.filter(new.contains) == new)
        var rest = 0
        while turns.next() != nil { rest += 1 }
        #expect(rest == 30)
        #expect(turns.next() == nil)
    }
}
