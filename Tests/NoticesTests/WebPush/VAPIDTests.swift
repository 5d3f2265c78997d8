import Crypto
import Notices
import System
import TestSupport
import Testing

@Suite("Who sends, told to a push service")
struct VAPIDTests {
    private let start = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

    private func parts(_ authorization: String) throws -> (token: [Substring], key: P256PublicKey) {
        #expect(authorization.hasPrefix("vapid t="))
        let both = authorization.dropFirst(8).split(separator: ",")
        let key = try #require(Base64.bytes(urlText: String(both[1].dropFirst(3))))
        return (both[0].split(separator: "."), try #require(P256PublicKey(bytes: key)))
    }

    @Test("The token says to whom, from whom and until when, under the key that browsers subscribed with")
    func token() throws {
        let time = Shared(start)
        let vapid = try #require(
            VAPID(secret: VAPID.newSecret(), subject: "mailto:ada@example.org", clock: WallClock { time.value }))
        let (token, key) = try parts(vapid.authorization(for: "https://push.example:8443"))
        #expect(key.bytes == vapid.publicBytes && token.count == 3)
        let signed = Array("\(token[0]).\(token[1])".utf8)
        #expect(key.isValid(signature: try #require(Base64.bytes(urlText: String(token[2]))), over: signed))
        #expect(Base64.bytes(urlText: String(token[0])) == Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        #expect(
            Base64.bytes(urlText: String(token[1]))
                == Array(
                    #"{"aud":"https://push.example:8443","exp":\#(start.seconds + 43_200),"sub":"mailto:ada@example.org"}"#
                        .utf8))
    }

    @Test("It is signed once for each service, and anew an hour before its end or when the clock was put back")
    func kept() throws {
        let time = Shared(start)
        let vapid = try #require(
            VAPID(secret: VAPID.newSecret(), subject: "https://example.org/contact", clock: WallClock { time.value }))
        func after(_ minutes: Int64, _ origin: String = "https://a.example") -> String {
            time.change { $0 = start.adding(milliseconds: minutes * 60_000) }
            return vapid.authorization(for: origin)
        }
        let first = after(0)
        #expect(after(0, "https://b.example") != first)
        #expect(after(10 * 60) == first && after(11 * 60 - 1) == first)
        let second = after(11 * 60)
        #expect(second != first && after(12 * 60) == second)
        #expect(after(0) != second)
        for number in 0..<200 { _ = after(0, "https://\(number).example") }
        #expect(after(0).hasPrefix("vapid t="))
    }

    @Test("Whom a service could not write to is no subject")
    func subjects() {
        func isTaken(_ subject: String) -> Bool {
            VAPID(secret: VAPID.newSecret(), subject: subject, clock: WallClock { start }) != nil
        }
        for good in ["mailto:ada@example.org", "https://example.org", "https://example.org/contact"] {
            #expect(isTaken(good))
        }
        for wrong in [
            "", "ada@example.org", "mailto:", "mailto:@example.org", "mailto:ada", "mailto:ada@localhost",
            "mailto:ada@hub.invalid",
            "mailto:ada@x.localhost", "http://example.org", "https://localhost", "https://", "https://.example",
            "mailto:ada @example.org",
            "mailto:ada@example.org\r\n",
        ] { #expect(!isTaken(wrong), "\(wrong)") }
        #expect(VAPID(secret: [1], subject: "mailto:ada@example.org", clock: WallClock { start }) == nil)
    }
}
