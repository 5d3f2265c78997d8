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
        #expect(wiping.isDue(50_000_000, at: nil, in: zone) && wiping.isDue(50_000_000, at: day, in: zone))
        #expect(!wiping.isDue(51_000_000, at: nil, in: zone) && !wiping.isDue(51_000_000, at: day, in: zone))
        #expect(wiping.isDue(51_000_000, at: night, in: zone))
        #expect(
            !wiping.isDue(51_000_000, at: nil, in: zone), "an erasure at that time: the daily work does it")
    }

    @Test("It learns how fast the disk is, and not from a small file")
    func learning() {
        var wiping = Wiping()
        wiping.note(40_000, took: .seconds(2))
        #expect(wiping.isDue(50_000_000, at: nil, in: zone))
        wiping.note(20_000_000, took: .seconds(2))
        #expect(wiping.isDue(10_000_000, at: nil, in: zone) && !wiping.isDue(11_000_000, at: nil, in: zone))
        wiping.note(20_000_000, took: .milliseconds(100))
        #expect(wiping.isDue(200_000_000, at: nil, in: zone))
    }
}
