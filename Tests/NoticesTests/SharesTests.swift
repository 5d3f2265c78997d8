import System
import Testing

@testable import Notices

@Suite struct SharesTests {
    private let ids = (0..<20).map { _ in ShareID.new(at: Timestamp(milliseconds: 0)) }

    /// What is known after an attempt.
    private func tried(_ shares: Held, _ share: ShareID, isSlow: Bool) {
        #expect(shares.take(share, in: .trial))
        shares.giveBack(share, in: .trial, isSlow: isSlow)
    }

    @Test func `One share holds a quarter of the lanes, and at least one`() {
        for (lanes, quarter) in [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)] {
            let shares = Held(lanes: lanes)
            tried(shares, ids[0], isSlow: false)
            var taken = 0
            while shares.take(ids[0], in: .ordinary) { taken += 1 }
            #expect(taken == quarter, "\(lanes) lanes")
        }
    }

    @Test func `Slow shares hold half together, with unknown ones three quarters, and the others have the rest`() {
        let shares = Held(lanes: 8)
        for (place, share) in ids.enumerated() where place < 16 { tried(shares, share, isSlow: place < 8) }
        func take(_ range: Range<Int>) -> Int { range.count { shares.take(ids[$0], in: .ordinary) } }
        #expect(take(0..<8) == 4)
        #expect(take(16..<20) == 2)
        #expect(take(8..<16) == 2)
        #expect(shares.isFull(.ordinary))
    }

    @Test func `A share is slow until something of it is answered; what was never tried says nothing`() {
        let shares = Held(lanes: 2)
        for share in ids[0..<2] { tried(shares, share, isSlow: true) }
        #expect(shares.take(ids[0], in: .ordinary))
        #expect(!shares.hasPlace(for: ids[1], in: .ordinary))
        shares.giveBack(ids[0], in: .ordinary, isSlow: nil)
        #expect(shares.take(ids[0], in: .ordinary))
        #expect(!shares.hasPlace(for: ids[1], in: .ordinary))
        shares.giveBack(ids[0], in: .ordinary, isSlow: false)
        #expect(shares.take(ids[0], in: .ordinary))
        #expect(shares.hasPlace(for: ids[1], in: .ordinary))
    }

    @Test func `What was tried in vain before the hub began makes its share slow`() {
        let shares = Held(lanes: 2)
        #expect(shares.take(ids[0], in: .ordinary, hasFailed: true))
        #expect(!shares.take(ids[1], in: .ordinary, hasFailed: true))
        #expect(shares.take(ids[2], in: .ordinary))
    }

    @Test func `Each kind of lane is counted by itself, and what is known of a share holds for all`() {
        let shares = Held(lanes: 2)
        #expect(shares.take(ids[0], in: .ordinary))
        #expect(shares.take(ids[1], in: .ordinary))
        #expect(shares.take(ids[0], in: .atOnce))
        shares.giveBack(ids[0], in: .ordinary, isSlow: true)
        tried(shares, ids[2], isSlow: true)
        #expect(!shares.hasPlace(for: ids[2], in: .atOnce))
        #expect(shares.take(ids[3], in: .atOnce))
    }

    @Test func `The turn goes to who was served longest ago, and among the new ones to what is soonest too late`() {
        let shares = Held(lanes: 4)
        for share in [ids[2], ids[0]] {
            #expect(shares.take(share, in: .ordinary))
            shares.giveBack(share, in: .ordinary, isSlow: false)
        }
        let waiting = ids[0..<4].enumerated().map { place, share in
            WaitingShare(
                share: share, due: Timestamp(milliseconds: 0), expires: Timestamp(milliseconds: Int64(10 - place)))
        }
        #expect(shares.inTurn(waiting) == [ids[3], ids[1], ids[2], ids[0]])
        // Who had nothing left is new again.
        shares.keepTurns(of: [ids[2]])
        #expect(shares.inTurn(waiting) == [ids[3], ids[1], ids[0], ids[2]])
    }
}

/// The value, held by a test: an expectation changes nothing that it was given.
private final class Held {
    private(set) var shares: Shares

    init(lanes: Int) { shares = Shares(lanes: lanes) }

    func take(_ share: ShareID, in kind: LaneKind, hasFailed: Bool = false) -> Bool {
        shares.take(share, in: kind, hasFailed: hasFailed)
    }

    func giveBack(_ share: ShareID, in kind: LaneKind, isSlow: Bool?) {
        shares.giveBack(share, in: kind, isSlow: isSlow)
    }
    func hasPlace(for share: ShareID, in kind: LaneKind) -> Bool { shares.hasPlace(for: share, in: kind) }
    func isFull(_ kind: LaneKind) -> Bool { shares.isFull(kind) }
    func inTurn(_ waiting: [WaitingShare]) -> [ShareID] { shares.inTurn(waiting) }
    func keepTurns(of waiting: Set<ShareID>) { shares.keepTurns(of: waiting) }
}
