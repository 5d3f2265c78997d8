import Foundation
import System
import Testing

@testable import System

@Suite("A file of the time zone database")
struct ZoneFileTests {
    /// Foundation reads zones by code and data of its own. Before 1970 editions of the database differ.
    @Test("Every zone for a chooser shows from 1970 to 2100 what another reader shows")
    func oracle() throws {
        // Some ten days apart, at other hours each time.
        let moments = stride(from: Int64(0), to: 4_102_444_800, by: 874_321)
        for name in Zone.allNames {
            let zone = try #require(Zone(name: name))
            let other = try #require(TimeZone(identifier: name))
            for seconds in moments {
                let local = seconds + Int64(other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
                let shown = zone.minute(at: Timestamp(milliseconds: seconds * 1000))
                try #require(
                    shown == Int((local % 86_400 + 86_400) % 86_400 / 60),
                    "\(name) at \(Timestamp(milliseconds: seconds * 1000).iso8601)")
            }
        }
    }

    @Test("What is no such file is refused, wherever it is cut")
    func cut() throws {
        let bytes = try Files.read("/usr/share/zoneinfo/Europe/Rome")
        #expect(ZoneFile(bytes) != nil)
        for count in bytes.indices { #expect(ZoneFile(Array(bytes[..<count])) == nil) }
        for place in bytes.indices {
            var spoilt = bytes
            spoilt[place] ^= 0xff
            _ = ZoneFile(spoilt)?.offset(at: 1_800_000_000)
        }
    }

    @Test(
        "A rule for the years to come gives each moment its offset",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T00:59:59.000Z", 3600),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T01:00:00.000Z", 7200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T00:59:59.000Z", 7200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T01:00:00.000Z", 3600),
            // South of the equator the summer lies around the new year.
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2050-01-01T00:00:00.000Z", 46_800),
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2050-07-01T00:00:00.000Z", 43_200),
            ("<-03>3", "2050-07-01T00:00:00.000Z", -10_800),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-01-01T00:00:00.000Z", 39_600),
            // Greenland changes on the day before.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T00:59:59.000Z", -7200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T01:00:00.000Z", -3600),
            ("AAA0BBB,J60,J300", "2048-03-01T02:00:00.000Z", 3600),
            ("AAA0BBB,59,299", "2048-02-29T02:00:00.000Z", 3600),
        ])
    func rules(text: String, at: String, offset: Int32) throws {
        let rule = try #require(ZoneRule(Array(text.utf8)))
        #expect(rule.offset(at: moment(at).milliseconds / 1000) == offset)
    }

    @Test(
        "What is no rule is refused",
        arguments: [
            "", "C-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-26", "<CET-1", "CET-1 ", "CET-1:60",
        ])
    func refused(text: String) { #expect(ZoneRule(Array(text.utf8)) == nil) }

    @Test(
        "Other forms of the database are not taken for names",
        arguments: [
            "posix/Europe/Rome", "right/Europe/Rome", "localtime", "/Europe/Rome", "Europe", "zone.tab", "leapseconds",
        ])
    func forms(name: String) { #expect(Zone(name: name) == nil) }
}
