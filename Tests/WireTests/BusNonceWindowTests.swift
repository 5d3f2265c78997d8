import TestSupport
import Testing

@testable import Wire

@Suite("The bus nonce window")
struct BusNonceWindowTests {
    let session: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    @Test("Nonces in random order are taken once each, exactly while they lie less than 64 behind the highest")
    func againstModel() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<200 {
            var window = BusNonceWindow(session: session)
            var used: Set<UInt64> = []
            var highest: UInt64?
            var base: UInt64 = generator.pick([0, 5, UInt64.max - 400])
            for _ in 0..<200 {
                base = min(base, UInt64.max - 300)
                let counter = base + UInt64.random(in: 0...130, using: &generator)
                let nonce = try #require(BusNonceWindow.nonce(session: session, counter: counter))
                let inWindow = highest.map { counter > $0 || $0 - counter < 64 } ?? true
                #expect(window.accept(nonce) == (inWindow && !used.contains(counter)))
                used.insert(counter)
                highest = max(highest ?? counter, counter)
                if generator.pick([true, false, false]) { base += 3 }
            }
        }
    }

    @Test("The extremes of the counter do not trap")
    func extremes() throws {
        var window = BusNonceWindow(session: session)
        for (counter, accepted) in [
            (0, true), (UInt64.max, true), (UInt64.max, false), (UInt64.max - 63, true), (UInt64.max - 64, false),
            (0, false),
        ] {
            #expect(window.accept(try #require(BusNonceWindow.nonce(session: session, counter: counter))) == accepted)
        }
    }

    @Test("Another session's nonce is refused, and a session that is not 8 bytes accepts nothing")
    func sessions() throws {
        var window = BusNonceWindow(session: session)
        let other = window.accept(try #require(BusNonceWindow.nonce(session: session.reversed(), counter: 1)))
        #expect(!other)
        var broken = BusNonceWindow(session: [])
        let accepted = broken.accept(.zero)
        #expect(!accepted)
        #expect(BusNonceWindow.nonce(session: [1], counter: 1) == nil)
    }
}
