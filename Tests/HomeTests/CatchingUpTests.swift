import Testing

@testable import Home
@testable import Household

struct CatchingUpTests {
    @Test func `The broker is asked once nothing is dropped any more, and less often where asking is too much`() {
        var (catching, dropped, looks) = (CatchingUp(), 0, [Int]())
        func look() -> Bool { catching.look(dropped) }
        for _ in 0..<1_000 { #expect(!look()) }
        // Dropped for a while, then calm.
        for _ in 0..<10 {
            dropped += 5
            #expect(!look())
        }
        // The answer is too much each time.
        for _ in 0..<12 {
            var count = 1
            while !look(), count < 1_000 { count += 1 }
            looks.append(count)
            dropped += 1
            #expect(!look())
        }
        #expect(looks == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        // A flood that goes on keeps nothing unheard.
        var asked = 0
        for _ in 0..<1_000 {
            dropped += 1
            if look() { asked += 1 }
        }
        #expect((2...4).contains(asked))
        // After a long calm it begins anew.
        for _ in 0...2 * CatchingUp.longest { _ = look() }
        dropped += 1
        #expect(!look())
        #expect(look())
    }
}
