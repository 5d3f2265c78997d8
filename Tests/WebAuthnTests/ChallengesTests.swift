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

    @Test func `What is changed, shorter or longer is none`() {
        let one = challenges.give(.signIn, to: me)
        for place in one.indices {
            var other = one
            other[place] ^= 1
            #expect(challenges.spend(other, for: .signIn, by: me) == nil, "\(place)")
        }
        for other in [Array(one.dropLast()), one + [0], Array(one.prefix(16))] {
            #expect(challenges.spend(other, for: .signIn, by: me) == nil)
        }
        #expect(Challenges().spend(one, for: .signIn, by: me) == nil, "another hub's")
        #expect(challenges.spend(one, for: .signIn, by: me) == one)
    }

    @Test func `However many ask, nobody's is forgotten, and nothing is remembered of them`() {
        let mine = challenges.give(.signIn, to: me)
        for number in 0..<UInt32(50_000) {
            _ = challenges.give(
                .signIn, to: [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)])
        }
        #expect(challenges.count == 0)
        #expect(challenges.spend(mine, for: .signIn, by: me) == mine)
    }

    @Test func `A flood of answers takes bounded memory, and makes nothing good again of those who are signed in`() {
        let proof = challenges.give(.proof, to: me)
        #expect(challenges.spend(proof, for: .proof, by: me) == proof)
        for _ in 0..<Challenges.spentLimit + 500 {
            let one = challenges.give(.signIn, to: you)
            #expect(challenges.spend(one, for: .signIn, by: you) != nil)
        }
        #expect(challenges.count <= Challenges.spentLimit + 1)
        #expect(challenges.spend(proof, for: .proof, by: me) == nil)
        clock.pass(Challenges.lifetime)
        for _ in 0..<Challenges.spentLimit / 2 {
            _ = challenges.spend(challenges.give(.signIn, to: you), for: .signIn, by: you)
        }
        let last = challenges.give(.signIn, to: me)
        #expect(challenges.spend(last, for: .signIn, by: me) == last)
        #expect(challenges.spend(last, for: .signIn, by: me) == nil)
        #expect(challenges.count <= Challenges.spentLimit + 1)
    }
}
