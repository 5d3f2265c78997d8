import Synchronization
import Testing

@testable import WebAuthn

@Suite struct ChallengesTests {
    private final class Clock: Sendable {
        let now = Mutex<UInt64>(1_000_000)
        func pass(_ milliseconds: UInt64) { now.withLock { $0 += milliseconds } }
    }
    private let clock = Clock()
    private let challenges: Challenges
    private let me: [UInt8] = [1]
    private let you: [UInt8] = [2]

    init() {
        let clock = clock
        challenges = Challenges(uptime: { clock.now.withLock { $0 } })
    }

    @Test func `A challenge is 32 bytes, another one each time, and good once`() {
        let one = challenges.give(.signIn, to: me)
        #expect(one.count == 32 && one != challenges.give(.signIn, to: me))
        #expect(challenges.spend(one, for: .signIn, by: me) == one)
        #expect(challenges.spend(one, for: .signIn, by: me) == nil)
    }

    @Test func `It is good for nobody else, and for nothing else`() {
        let one = challenges.give(.proof, to: me)
        #expect(challenges.spend(one, for: .proof, by: you) == nil)
        #expect(challenges.spend(one, for: .signIn, by: me) == nil)
        #expect(challenges.spend([], for: .proof, by: me) == nil)
        #expect(challenges.spend(one, for: .proof, by: me) != nil, "who is refused uses nothing up")
    }

    @Test func `It is over after five minutes`() {
        let (one, other) = (challenges.give(.proof, to: me), challenges.give(.proof, to: me))
        clock.pass(Challenges.lifetime - 1)
        #expect(challenges.spend(one, for: .proof, by: me) != nil)
        clock.pass(1)
        #expect(challenges.spend(other, for: .proof, by: me) == nil)
    }

    @Test func `Whoever asks holds the last four`() {
        let all = (0..<5).map { _ in challenges.give(.signIn, to: me) }
        #expect(challenges.spend(all[0], for: .signIn, by: me) == nil)
        #expect(all[1...].allSatisfy { challenges.spend($0, for: .signIn, by: me) != nil })
        #expect(challenges.count == 0)
    }

    @Test func `A flood of strangers makes nobody who is signed in begin anew`() {
        let (proof, passkey) = (challenges.give(.proof, to: me), challenges.give(.registration, to: me))
        for number in 0..<UInt32(2 * Challenges.capacity) {
            _ = challenges.give(
                .signIn, to: [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)])
        }
        #expect(challenges.spend(proof, for: .proof, by: me) == proof)
        #expect(challenges.spend(passkey, for: .registration, by: me) == passkey)
    }

    @Test func `A flood of askers takes bounded memory, and the last one is served`() {
        for number in 0..<UInt32(Challenges.capacity + 500) {
            _ = challenges.give(
                .signIn, to: [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)])
            if number.isMultiple(of: 1_000) { clock.pass(1) }
        }
        #expect(challenges.count <= Challenges.capacity)
        let one = challenges.give(.signIn, to: me)
        #expect(challenges.spend(one, for: .signIn, by: me) == one)
    }
}
