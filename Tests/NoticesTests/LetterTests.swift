import Accounts
import Courier
import System
import Testing

@testable import Notices

@Suite struct LetterTests {
    private let sender = MailSender(address: "soglia@hub.example.org", name: "Soglia")!
    private let time = Timestamp(iso8601: "2026-11-21T08:52:07.120Z")!

    private func message(_ letter: Letter) -> String {
        String(decoding: letter.message(from: sender, at: time, id: "01ab", host: "hub.example.org"), as: UTF8.self)
    }

    @Test func `A letter is written as the standards say`() throws {
        let letter = try #require(
            Letter(
                to: "ada@example.org", name: "Ada Rossi", subject: "Choose a new password", text: "Hello,\n\n=1\n. \nè")
        )
        let expected = """
            From: Soglia <soglia@hub.example.org>
            To: Ada Rossi
             <ada@example.org>
            Subject: Choose a new password
            Date: Sat, 21 Nov 2026 08:52:07 +0000
            Message-ID: <01ab@hub.example.org>
            Auto-Submitted: auto-generated
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            Hello,

            =3D1
            =2E=20
            =C3=A8

            """
        #expect(message(letter) == expected.replacing("\n", with: "\r\n"))
    }

    @Test(arguments: [
        "Ada\r\nBcc: all@example.org", "Ada\nX: y", "Ada\u{0}", "\r\n\r\nbody", "Ada\u{85}Bcc: a@b.c",
        "=?utf-8?Q?=0D=0A?=",
        "\"Ada\" <a@b.c>,", String(repeating: "x\r\n", count: 500), String(repeating: "è", count: 500),
    ])
    func `Nobody writes a field into a letter by a name or a subject`(_ hostile: String) throws {
        let letter = try #require(Letter(to: "ada@example.org", name: hostile, subject: hostile, text: "x"))
        let lines = message(letter).split(separator: "\r\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.isEmpty }
        let names = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding",
            ])
        for line in head {
            #expect(line.utf8.count <= 998 && line.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(line)")
        }
        #expect(Array(lines[head.count...]) == ["", "x", ""])
    }

    @Test func `Letters that tell of a deletion wait for one domain without keeping those to another out`() {
        var farewells = Farewells()
        func admitted(_ addresses: [String]) -> Int { addresses.reduce(0) { $0 + (farewells.admits($1) ? 1 : 0) } }
        let hosts = (0..<2 * Farewells.mostOfDomain).map { "ada@a\($0).Slow.example" }
        #expect(admitted(hosts) == Farewells.mostOfDomain)
        #expect(admitted(["ada@example.org"]) == 1)
        farewells.leave("7@slow.example")
        #expect(admitted(["ada@slow.example", "bruno@slow.example"]) == 1)
        let left = Farewells.capacity - Farewells.mostOfDomain - 1
        #expect(admitted((0..<2 * Farewells.capacity).map { "ada@\($0).example" }) == left)
        #expect(Farewells.domain(of: "ada@localhost") == "localhost")
    }

    @Test func `Words beyond ASCII are encoded without cutting a character in two`() {
        #expect(HeaderText.encoded("Óscar Núñez") == "=?utf-8?B?w5NzY2FyIE7DusOxZXo=?=")
        let long = HeaderText.encoded(String(repeating: "🚪", count: 40))
        let words = long.split(separator: "\r\n ").map(String.init)
        #expect(words.count == 4)
        for word in words {
            #expect(word.count <= 75)
            let inside = word.dropFirst("=?utf-8?B?".count).dropLast(2)
            #expect(inside.count % 4 == 0)
        }
    }

    @Test(arguments: [
        "ada@example.org\r\nBcc: x@y.z", "ada", "ada@", "@example.org", "ada @example.org", "ada@exa<mple.org",
        "àda@example.org", "ada@example..org", "a@\(String(repeating: "x", count: 64)).org", "ada@example.org\u{0}",
    ])
    func `No letter can be made to what is no address`(_ address: String) {
        #expect(Letter(to: address, name: "", subject: "x", text: "x") == nil)
    }

    @Test func `A domain in other letters is written as name servers know it`() {
        // RFC 3492, 7.1, and names that are registered.
        #expect(MailAddress.ascii(of: "ada@bücher.example") == "ada@xn--bcher-kva.example")
        #expect(MailAddress.ascii(of: "ada@MÜNCHEN.example") == "ada@xn--mnchen-3ya.example")
        #expect(MailAddress.punycode("ليهمابتكلموشعربي؟") == "egbpdaj6bu4bxfgehfvwxn")
        #expect(MailAddress.punycode("3年b組金八先生") == "3b-ww4c5e180e575a65lsy2b")
    }

    @Test func `Long lines are folded and come back whole`() {
        let text = String(repeating: "https://hub.example.org/reset/è=", count: 20)
        let lines = String(decoding: QuotedPrintable.encode(text), as: UTF8.self).split(separator: "\r\n")
        for line in lines { #expect(line.utf8.count <= 76) }
        for line in lines.dropLast() { #expect(line.hasSuffix("=")) }
    }

    @Test func `What waits in the outbox comes back as it was, and no secret is in an errand`() throws {
        let letter = try #require(Letter(to: "a@b.example", name: "Óscar", subject: "\"x\"", text: "a\nb"))
        #expect(MailParcel(payload: MailParcel(letter).payload) == .letter(letter))
        let errand = Errand(.register, address: "a@b.example", name: "Eva\r\n", language: .it)
        #expect(MailParcel(payload: MailParcel(errand).payload) == .errand(errand))
        for hostile in ["", "{}", "[]", #"{"errand":"unknown"}"#, #"{"to":"no address","subject":"x","text":"y"}"#] {
            #expect(MailParcel(payload: Array(hostile.utf8)) == nil)
        }
    }

    @Test func `Settings take only what can be meant`() {
        func settings(_ url: String, origin: String = "https://hub.example.org") -> MailSettings? {
            MailSettings(url: url, user: "soglia", password: "mail secret", sender: sender, origin: origin)
        }
        #expect(settings("smtp://mail.example.org:587")?.server.encryption == .startTLS)
        #expect(settings("smtps://mail.example.org")?.server.port == 465)
        for url in ["", "http://mail.example.org", "smtp://a:b@mail.example.org", "smtp://mail.example.org/x"] {
            #expect(settings(url) == nil, "\(url)")
        }
        for origin in ["", "https://", "hub.example.org", "https://hub.example.org/", "https://a@b", "javascript:x"] {
            #expect(settings("smtp://mail.example.org", origin: origin) == nil, "\(origin)")
        }
        let shown = settings("smtp://mail.example.org").map { "\($0) \(String(reflecting: $0))" } ?? ""
        #expect(!shown.isEmpty && !shown.contains("mail secret"))
    }
}
