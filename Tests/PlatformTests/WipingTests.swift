import Accounts
import System
import Testing

@testable import Platform

@Suite("When the file is written anew after an erasure")
struct WipingTests {
    private let zone = Zone(name: "Europe/Rome")!
    private let night = Timestamp(iso8601: "2026-11-27T04:59:00.000Z")!
    private let day = Timestamp(iso8601: "2026-11-27T05:00:00.000Z")!

    @Test("At once where that is short, else in the hours of the night")
    func due() {
        let wiping = Wiping()
        #expect(
            wiping.isDue(50_000_000, at: nil, in: zone, asked: day)
                && wiping.isDue(50_000_000, at: day, in: zone, asked: day))
        #expect(
            !wiping.isDue(51_000_000, at: nil, in: zone, asked: day)
                && !wiping.isDue(51_000_000, at: day, in: zone, asked: day))
        #expect(wiping.isDue(51_000_000, at: night, in: zone, asked: day))
        #expect(
            !wiping.isDue(51_000_000, at: nil, in: zone, asked: day), "an erasure at that time: the daily work does it")
    }

    @Test("It learns how fast the disk is, and not from a small file")
    func learning() {
        var wiping = Wiping()
        wiping.note(40_000, took: .seconds(2), at: day)
        #expect(wiping.isDue(50_000_000, at: nil, in: zone, asked: day))
        wiping.note(20_000_000, took: .seconds(2), at: day)
        #expect(
            wiping.isDue(10_000_000, at: nil, in: zone, asked: day)
                && !wiping.isDue(11_000_000, at: nil, in: zone, asked: day))
        wiping.note(20_000_000, took: .milliseconds(100), at: day)
        #expect(wiping.isDue(200_000_000, at: nil, in: zone, asked: day))
    }

    @Test("The night is that of the hub's first site, however many others there are")
    func whereItIs() {
        let sites = (0..<5).map { number in
            Site(
                id: .new(at: day.adding(milliseconds: number)), name: "House", kind: .home,
                zone: number == 0 ? zone : Zone(name: "Asia/Karachi")!)
        }
        for _ in 0..<5 { #expect(Wiping.zone(of: sites.shuffled()) == zone) }
        #expect(Wiping.zone(of: []) == .utc)
    }

    @Test("Once a night where it takes long, whatever the clock says")
    func once() {
        var wiping = Wiping()
        let large: Int64 = 600_000_000
        wiping.note(large, took: .seconds(12), at: night)
        #expect(wiping.isDue(40_000_000, at: nil, in: zone, asked: day))
        for (hours, isDue) in [(-21, false), (-1, false), (0, false), (-2, false), (24, true), (-24, true)] {
            let now = night.adding(milliseconds: Int64(hours) * 3_600_000)
            #expect(wiping.isDue(large, at: now, in: zone, asked: day) == isDue, "\(hours)")
        }
    }

    @Test("Where no night came, a day after the erasure")
    func start() {
        let wiping = Wiping()
        let large: Int64 = 600_000_000
        func isDue(_ bytes: Int64, at now: Timestamp, hoursAgo: Int64?) -> Bool {
            wiping.isDue(bytes, at: now, in: zone, asked: hoursAgo.map { now.adding(milliseconds: -$0 * 3_600_000) })
        }
        #expect(isDue(1_000_000, at: day, hoursAgo: 0) && isDue(large, at: night, hoursAgo: 0))
        #expect(!isDue(large, at: day, hoursAgo: 23))
        #expect(isDue(large, at: day, hoursAgo: 24), "a hub that is off at night")
        #expect(isDue(large, at: day, hoursAgo: nil), "an older note")
    }
}
