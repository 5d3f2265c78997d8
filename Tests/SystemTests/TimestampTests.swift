import System
import Testing

@Suite("A timestamp")
struct TimestampTests {
    @Test(
        "Known moments are written and read both ways, before 1970 too",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_251_127_120, "2026-11-21T08:52:07.120Z"), (-86_400_000, "1969-12-31T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-2_208_988_800_001, "1899-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func known(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test("Whatever is written is read back, over ten thousand years")
    func roundTrip() {
        for _ in 0..<20_000 {
            let time = Timestamp(milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999))
            #expect(time.iso8601.utf8.count == 24)
            #expect(Timestamp(iso8601: time.iso8601) == time)
        }
    }

    @Test("A later moment is written as a text that sorts later")
    func order() {
        for _ in 0..<2000 {
            let a = Timestamp(milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999))
            let b = Timestamp(milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999))
            #expect((a < b) == (a.iso8601 < b.iso8601))
        }
    }

    @Test(
        "Whatever is not exactly of the one form, or names no moment, is refused",
        arguments: [
            "", "2026-11-21", "2026-11-21T08:52:07Z", "2026-11-21T08:52:07.12Z", "2026-11-21T08:52:07.1200Z",
            "2026-11-21T08:52:07.120", "2026-11-21T08:52:07.120+00:00", "2026-11-21 08:52:07.120Z",
            "2026-11-21t08:52:07.120Z",
            "2026-11-21T08:52:07.120z", "2026-11-21T24:00:00.000Z", "2026-11-21T08:60:00.000Z",
            "2026-11-21T23:59:60.000Z",
            "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-10T00:00:00.000Z",
            "0000-01-01T00:00:00.000Z",
            "2026-11-21T08:52:07,120Z", "2026-11-21T+8:52:07.120Z", "-026-11-21T08:52:07.120Z",
            " 2026-11-21T08:52:07.120Z",
            "2026-11-21T08-52-07.120Z", "２026-11-21T08:52:07.1Z", "2026-11-21T0é:52:07.12Z",
        ])
    func refused(text: String) { #expect(Timestamp(iso8601: text) == nil) }

    @Test("Seconds of the opening protocol are whole, never negative and never overflow")
    func seconds() {
        #expect(Timestamp(milliseconds: 1999).seconds == 1)
        #expect(Timestamp(milliseconds: -1).seconds == 0)
        #expect(Timestamp(seconds: 7).milliseconds == 7000)
        #expect(Timestamp(seconds: .max).milliseconds == .max)
        #expect(Timestamp(seconds: UInt64(Int64.max / 1000) + 1).milliseconds == .max)
        #expect(Timestamp(milliseconds: .max).seconds == UInt64(Int64.max / 1000))
    }

    @Test("The machine's clock and its uptime go forward")
    func clocks() {
        #expect(WallClock.system.now > moment("2024-01-01T00:00:00.000Z"))
        let before = Uptime.milliseconds
        #expect(Uptime.milliseconds >= before)
    }
}
