import Testing

@testable import Crypto

@Suite("Whose password is hashed next")
struct PasswordTurnsTests {
    private func one(_ name: UInt8, of place: UInt8 = 0) -> PasswordTurns.Owner { .init(name: [name], place: [place]) }

    @Test("Who asks now and then comes before thirty who ask on and on, also with ten codes and after a mistake")
    func newcomer() {
        var turns = PasswordTurns(at: 0)
        for owner in 0..<UInt8(30) { for _ in 0..<40 { _ = turns.add(.known, one(owner), cost: 10) } }
        // Fresh ones go in the order in which they came.
        for _ in 0..<120 { #expect(turns.next(at: 0) != nil) }
        for (round, cost) in [1, 10, 10, 1].enumerated() {
            for _ in 0..<7 { #expect(turns.next(at: UInt64(round) * 1_000) != nil) }
            let mine = turns.add(.known, one(100), cost: cost)
            #expect(turns.next(at: UInt64(round) * 1_000) == mine, "\(round)")
        }
        // Who has had as much as they is one of them.
        let much = turns.add(.known, one(101), cost: 50)
        #expect(turns.next(at: 4_000) == much)
        let again = turns.add(.known, one(101), cost: 1)
        #expect(turns.next(at: 4_000) != again)
    }

    @Test("What an account has had is forgotten by and by, also where none is served meanwhile")
    func forgetting() {
        var turns = PasswordTurns(at: 0)
        _ = turns.add(.known, one(1), cost: 10)
        #expect(turns.next(at: 0) == 1)
        func isFirst(_ owner: UInt8, before other: UInt8, cost: Int, at now: UInt64) -> Bool {
            var later = turns
            let (two, one) = (later.add(.known, one(other), cost: cost), later.add(.known, one(owner), cost: 1))
            let first = later.next(at: now)
            #expect(first == one || first == two)
            return first == one
        }
        _ = turns.add(.known, one(2), cost: 1)
        #expect(turns.next(at: 0) == 2)
        #expect(!isFirst(1, before: 2, cost: 1, at: 0), "ten have been had, and one")
        let hour = 60 * PasswordTurns.halfLife
        #expect(!isFirst(1, before: 2, cost: 1, at: hour), "both are as good as new, and the other came first")
        _ = turns.add(.known, one(2), cost: 1)
        #expect(turns.next(at: hour) == 3)
        #expect(isFirst(1, before: 2, cost: 1, at: hour))
    }

    @Test(
        "In a line that is full, the account that has had and waits for most gives way to one that would have less, and to no other"
    )
    func room() {
        var turns = PasswordTurns(at: 0)
        #expect(turns.makeRoom(in: .known, for: one(9), cost: 1) == nil, "none waits")
        for owner in [1, 2, 2, 2, 3, 3] as [UInt8] { _ = turns.add(.known, one(owner), cost: 1) }
        #expect(turns.makeRoom(in: .known, for: one(9), cost: 1) == 4, "the newest of the one who waits for three")
        _ = turns.add(.known, one(9), cost: 1)
        // Two have two now. Who has one would have as many, and so would who asks for two at once.
        #expect(turns.makeRoom(in: .known, for: one(1), cost: 1) == nil)
        #expect(turns.makeRoom(in: .known, for: one(8), cost: 2) == nil)
        #expect(turns.makeRoom(in: .new, for: one(8), cost: 1) == nil, "another line")
        // What has been had counts: 1 is served, and waits for another.
        #expect(turns.next(at: 0) == 1)
        _ = turns.add(.known, one(1), cost: 2)
        #expect(turns.makeRoom(in: .known, for: one(8), cost: 1) == 8)
        // What gave way is never served, and everything else is.
        var served: [UInt64] = []
        while let number = turns.next(at: 0) { served.append(number) }
        #expect(served.sorted() == [2, 3, 5, 6, 7])
    }

    @Test(
        "A thousand accounts of one place take its part of the time, and no other place waits for them, whatever was mistyped there"
    )
    func places() {
        var turns = PasswordTurns(at: 0)
        func flood(_ count: Int) {
            for number in 0..<count {
                _ = turns.add(.known, .init(name: [UInt8(number >> 8), UInt8(number & 255)], place: [1]), cost: 1)
            }
        }
        flood(1_300)
        for round in 0..<4 {
            // Ten hashes each time, and none of the others has had one yet: it is their turn after one of those.
            let mine = turns.add(.known, one(9, of: 2), cost: 10)
            let first = [turns.next(at: 0), turns.next(at: 0)]
            #expect(first.contains(mine), "\(round)")
            // Meanwhile as many of theirs were served.
            for _ in 0..<10 { #expect(turns.next(at: 0) != nil) }
        }
        // Three places with many each have a third.
        for number in 0..<UInt8(100) {
            for place in [2, 3] as [UInt8] { _ = turns.add(.new, one(number, of: place), cost: 1) }
        }
        let two = (0..<100).map { turns.add(.new, one(UInt8($0), of: 4), cost: 1) }
        let served = (0..<120).compactMap { _ in turns.next(at: 0) }
        #expect((18...22).contains(served.count(where: two.contains)), "half of them are of the other line")
    }

    @Test(
        "In a full line a place of which much waits gives way to one of which less does, there the account that has had most"
    )
    func roomForPlaces() {
        var turns = PasswordTurns(at: 0)
        var numbers: [[UInt64]] = []
        for number in 0..<UInt8(5) { numbers.append([turns.add(.known, one(number, of: 1), cost: 1)]) }
        numbers[2].append(turns.add(.known, one(2, of: 1), cost: 1))
        // Who has had much has it among their own.
        _ = turns.add(.known, one(7, of: 2), cost: 3)
        for _ in 0..<2 { _ = turns.next(at: 0) }
        let gone = turns.makeRoom(in: .known, for: one(7, of: 2), cost: 1)
        #expect(gone == numbers[2][1], "who waits for two")
        _ = turns.add(.known, one(7, of: 2), cost: 1)
        #expect(turns.makeRoom(in: .known, for: one(9, of: 1), cost: 1) == nil, "of theirs most waits")
        #expect(turns.makeRoom(in: .known, for: one(8, of: 3), cost: 4) == nil, "it would be as much")
        #expect(turns.makeRoom(in: .known, for: one(8, of: 3), cost: 3) != nil)
    }

    @Test("Each share has its part of the time, and what none wants the others have")
    func shares() {
        var turns = PasswordTurns(at: 0)
        for owner in 0..<UInt8(40) { _ = turns.add(.known, one(owner), cost: 1) }
        let strangers = (0..<10).map { _ in turns.add(.strangers, .stranger, cost: 1) }
        let new = (0..<10).map { _ in turns.add(.new, one(9), cost: 1) }
        let first = (0..<30).compactMap { _ in turns.next(at: 0) }
        #expect(first.filter(strangers.contains) == strangers && first.filter(new.contains) == new)
        var rest = 0
        while turns.next(at: 0) != nil { rest += 1 }
        #expect(rest == 30)
        #expect(turns.next(at: 0) == nil)
    }
}
