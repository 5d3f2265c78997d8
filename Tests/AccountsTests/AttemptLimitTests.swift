import HTTPServer
import Testing

@testable import Accounts

@Suite("Limits on guesses")
struct AttemptLimitTests {
    private typealias Limit = AttemptLimit

    private func attempt(
        _ email: String = "ada@example.org", from address: String = "192.0.2.1", device: [UInt8]? = nil
    ) -> Limit.Attempt {
        .init(account: .init(email), network: ClientNetwork(address), device: device)
    }

    @Test("Ten wrong ones close a pair of account and network for ten minutes after the last; a right one forgets them")
    func pair() {
        var limit = Limit()
        for n in 0..<10 { #expect(limit.begin(attempt(), UInt64(n)) == nil) }
        #expect(limit.begin(attempt(), 10) == 600)
        #expect(limit.begin(attempt(), 600_008) == 1)
        #expect(limit.begin(attempt(from: "192.0.2.2"), 10) == nil)
        #expect(limit.begin(attempt("bruno@example.org"), 10) == nil)
        #expect(limit.begin(attempt(), 600_009) == nil)
        limit.succeeded(attempt())
        for n in 0..<10 { #expect(limit.begin(attempt(), 600_010 + UInt64(n)) == nil) }
        #expect(limit.begin(attempt(), 600_020) != nil)
    }

    @Test("An attempt that was never looked at does not count")
    func withdrawn() {
        var limit = Limit()
        for n in 0..<1_000 {
            #expect(limit.begin(attempt(), UInt64(n)) == nil)
            limit.withdraw(attempt())
        }
        #expect(limit.begin(attempt(device: [1]), 0) == nil)
        limit.withdraw(attempt(device: [1]))
    }

    @Test(
        "From many networks together an account takes a hundred wrong ones, then one a minute, and no other account is touched"
    )
    func account() {
        var limit = Limit()
        for n in 0..<100 { #expect(limit.begin(attempt(from: "10.0.\(n).1"), 5) == nil, "\(n)") }
        #expect(limit.begin(attempt(from: "10.1.0.1"), 5) == 60)
        #expect(limit.begin(attempt(from: "10.1.0.1"), 60_004) == 1)
        #expect(limit.begin(attempt(from: "10.1.0.1"), 60_005) == nil)
        #expect(limit.begin(attempt(from: "10.1.0.2"), 60_005) == 60)
        #expect(limit.begin(attempt("bruno@example.org", from: "10.1.0.1"), 60_005) == nil)
        // In a day: the hundred come back, once, and then one a minute.
        var heard = 0
        for minute in 2..<1_442
        where limit.begin(attempt(from: "10.2.\(minute / 256).\(minute % 256)"), UInt64(minute) * 60_005) == nil {
            heard += 1
        }
        #expect(heard <= 1_440)
    }

    @Test("One network takes a hundred wrong ones for all accounts together, then ten a minute")
    func network() {
        var limit = Limit()
        for n in 0..<100 { #expect(limit.begin(attempt("p\(n)@example.org"), 5) == nil) }
        #expect(limit.begin(attempt("p100@example.org"), 5) == 6)
        #expect(limit.begin(attempt("p100@example.org", from: "198.51.100.1"), 5) == nil)
        #expect((1...10).allSatisfy { limit.begin(attempt("q\($0)@example.org"), 5 + 60_000) == nil })
        #expect(limit.begin(attempt("q11@example.org"), 60_005) != nil)
    }

    @Test(
        "A known device gets in while its account and its network are closed to strangers, and has ten tries of its own"
    )
    func knownDevice() {
        var limit = Limit()
        for n in 0..<200 { _ = limit.begin(attempt(from: "10.0.\(n).1"), 5) }
        for n in 0..<200 { _ = limit.begin(attempt("p\(n)@example.org"), 5) }
        for _ in 0..<20 { _ = limit.begin(attempt(), 5) }
        #expect(limit.begin(attempt(), 6) != nil)
        #expect(limit.begin(attempt(device: [1]), 6) == nil)
        limit.succeeded(attempt(device: [1]))
        for n in 0..<10 { #expect(limit.begin(attempt(device: [1]), 7) == nil, "\(n)") }
        #expect(limit.begin(attempt(device: [1]), 7) == 600)
        #expect(limit.begin(attempt(device: [2]), 7) == nil)
        #expect(limit.begin(attempt("bruno@example.org", device: [1]), 7) == nil)
    }

    @Test("What known devices do wrong keeps no stranger out, and the other way about")
    func apart() {
        var limit = Limit()
        for n in 0..<500 { _ = limit.begin(attempt(device: [UInt8(n & 255), UInt8(n >> 8)]), 5) }
        #expect(limit.begin(attempt(), 5) == nil)
    }

    @Test("However many accounts, networks and devices are tried, at most so many are remembered")
    func bounded() {
        var limit = Limit()
        for n in 0..<(Limit.capacity * 5 / 2) {
            let now = UInt64(n)
            _ = limit.begin(attempt("p\(n)@example.org", from: "10.\(n >> 16).\(n >> 8 & 255).\(n & 255)"), now)
            _ = limit.begin(attempt("p\(n)@example.org", device: [UInt8(n & 255), UInt8(n >> 8 & 255)]), now)
        }
        #expect(limit.count <= 4 * Limit.capacity)
    }

    @Test("A flood of new keys does not wash away the one that is closed")
    func flood() {
        var limit = Limit()
        for _ in 0..<10 { _ = limit.begin(attempt(), 5) }
        for n in 0..<(Limit.capacity * 5 / 2) {
            _ = limit.begin(attempt("p\(n)@example.org", from: "10.\(n >> 16).\(n >> 8 & 255).\(n & 255)"), 6)
        }
        #expect(limit.begin(attempt(), 7) == 600)
    }

    @Test(
        "Other addresses of one IPv6 /64 are one network; an IPv4 address over IPv6 is the IPv4 address",
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("::1", "::", true),
            ("fe80::1%eth0", "fe80::2%eth1", true), ("not an address", "not an address", true), ("a", "b", false),
            ("192.0.2.1", "::c000:201", false),
        ])
    func networks(_ one: String, _ other: String, _ isSame: Bool) {
        #expect((ClientNetwork(one) == ClientNetwork(other)) == isSame)
    }

    @Test("What is no address is kept short")
    func garbage() {
        #expect(ClientNetwork(String(repeating: "x", count: 5_000)) == ClientNetwork(String(repeating: "x", count: 64)))
    }

    @Test(
        "Each limited action has an allowance of its own, per network and per known browser, and comes back",
        arguments: LimitedAction.allCases, [false, true])
    func actions(_ action: LimitedAction, isKnown: Bool) {
        var limits = RequestLimits()
        let networks = (Asker.network(ClientNetwork("192.0.2.1")), Asker.network(ClientNetwork("192.0.2.2")))
        let (here, there) = isKnown ? (.known([1]), .known([2])) : networks
        let allowance = isKnown ? action.knownAllowance : action.allowance
        for _ in 0..<allowance.burst { #expect(limits.admit(action, here, 1_000_000) == nil) }
        #expect(limits.admit(action, here, 1_000_000) == Int((allowance.refill + 999) / 1000))
        #expect(limits.admit(action, isKnown ? networks.0 : .known([1]), 1_000_000) == nil)
        #expect(limits.admit(action, there, 1_000_000) == nil)
        for other in LimitedAction.allCases where other != action {
            #expect(limits.admit(other, here, 1_000_000) == nil)
        }
        #expect(limits.admit(action, here, 1_000_000 + allowance.refill) == nil)
    }
}
