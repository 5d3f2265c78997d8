import Testing

@testable import Courier
import TestSupport

/// What a small mail server was told, and what it answers.
private struct Talk: Sendable {
    var lines: [String] = []
    var letters: [[String]] = []
}

/// A mail server of a few lines, in clear.
private final class MailHost: Sendable {
    let talk = Shared(Talk())
    let server: LoopbackServer

    /// - Parameter answers: by the beginning of a line, instead of the usual ones; `""` is the greeting, `.` the end of a letter. `-` for none.
    init(_ answers: [String: String] = [:]) {
        let talk = talk
        server = LoopbackServer { connection in
            func answer(_ line: String, _ usual: String) {
                let text = answers.first { !$0.key.isEmpty && line.hasPrefix($0.key) }?.value ?? usual
                if text != "-" { connection.write(text + "\r\n") }
            }
            connection.write((answers[""] ?? "220 here") + "\r\n")
            while let line = connection.line() {
                talk.change { $0.lines.append(line) }
                switch line.prefix(4).uppercased() {
                case "EHLO": answer(line, "250-here\r\n250 8BITMIME")
                case "DATA":
                    answer(line, "354 go on")
                    if answers["DATA"] != nil { continue }
                    var letter: [String] = []
                    while let text = connection.line(), text != "." { letter.append(text) }
                    let whole = letter
                    talk.change { $0.letters.append(whole) }
                    answer(".", "250 taken")
                case "AUTH":
                    connection.write("334 \r\n")
                    guard let secret = connection.line() else { return }
                    talk.change { $0.lines.append(secret) }
                    answer(line, "235 welcome")
                case "QUIT": answer(line, "221 bye")
                default: answer(line, "250 well")
                }
            }
        }
    }

    var place: MailServer { MailServer(host: "127.0.0.1", port: server.port, encryption: .none)! }
}

@Suite("Letters")
struct MailTests {
    private let letter = Envelope(
        sender: "hub@example.org", recipients: ["ada@example.org"],
        message: Array("Subject: hello\r\n\r\n.one dot\r\n..two\r\n.\r\nend\r\n".utf8))

    private func letter(from sender: String = "hub@example.org", to recipients: [String]) -> Envelope {
        Envelope(sender: sender, recipients: recipients, message: letter.message)
    }

    private func error(_ answers: [String: String]) async -> MailError? {
        let host = MailHost(answers)
        defer { host.server.stop() }
        do throws(MailError) {
            try await MailClient(host.place).send(letter)
            return nil
        } catch {
            return error
        }
    }

    @Test("A letter arrives as it was, lines of dots too, for each of its recipients")
    func arrives() async throws {
        let host = MailHost()
        let client = MailClient(host.place)
        try await client.send(letter(to: ["ada@example.org", "bob+x@example.com"]))
        try await client.send(letter)
        let talk = host.talk.value
        #expect(talk.lines.contains { $0.hasPrefix("MAIL FROM:<hub@example.org>") })
        #expect(talk.lines.filter { $0.hasPrefix("RCPT") }.count == 3)
        #expect(talk.lines.contains("RCPT TO:<bob+x@example.com>"))
        #expect(talk.letters == Array(repeating: ["Subject: hello", "", "..one dot", "...two", "..", "end"], count: 2))
    }

    @Test("What the server will never take is told from what it does not take now")
    func refusals() async {
        #expect(await error(["RCPT": "550 nobody"]) == .refused(status: 550))
        #expect(await error(["RCPT": "450 later"]) == .notNow(status: 450))
        #expect(await error(["MAIL": "553 not you"]) == .refused(status: 553))
        #expect(await error(["MAIL": "530 sign in"]) == .wrongLogin)
        #expect(await error(["DATA": "554 no"]) == .refused(status: 554))
        #expect(await error([".": "554 spam"]) == .refused(status: 554))
        #expect(await error([".": "451 full"]) == .notNow(status: 451))
        #expect(await error(["": "421 closing"]) == .notNow(status: 421))
        #expect(await error(["": "554 go away"]) == .refused(status: 554))
    }

    @Test("One recipient who is refused keeps the letter from all")
    func allOrNone() async {
        let host = MailHost(["RCPT TO:<eve": "550 nobody"])
        let many = letter(to: ["ada@example.org", "eve@example.org"])
        await #expect(throws: MailError.refused(status: 550)) { try await MailClient(host.place).send(many) }
        #expect(host.talk.value.letters.isEmpty)
    }

    @Test("Without the encryption that was asked for nothing is sent, no password either")
    func noEncryption() async throws {
        let host = MailHost()
        let server = try #require(
            MailServer(host: "127.0.0.1", port: host.server.port, user: "hub", password: "hunter2"))
        await #expect(throws: MailError.noEncryption) { try await MailClient(server).send(letter) }
        #expect(host.talk.value.lines.allSatisfy { $0.hasPrefix("EHLO") || $0 == "QUIT" })
        let tls = try #require(MailServer(host: "127.0.0.1", port: host.server.port, encryption: .tls))
        await #expect(throws: MailError.noTrust) { try await MailClient(tls).send(letter) }
    }

    @Test("In clear it goes to the machine itself alone")
    func plainElsewhere() async throws {
        let server = try #require(MailServer(host: "192.0.2.1", port: 25, encryption: .none))
        await #expect(throws: MailError.notLoopback) { try await MailClient(server).send(letter) }
    }

    @Test("A user signs in, and who is not taken is told so")
    func login() async throws {
        for (answer, expected) in [("235 welcome", nil), ("535 no", .wrongLogin), ("454 busy", .notNow(status: 454))]
            as [(String, MailError?)]
        {
            let host = MailHost(["EHLO": "250-here\r\n250 AUTH PLAIN", "AUTH": answer])
            let server = try #require(
                MailServer(
                    host: "127.0.0.1", port: host.server.port, encryption: .none, user: "hub", password: "hunter2"))
            var thrown: MailError?
            do { try await MailClient(server).send(letter) } catch { thrown = error }
            #expect(thrown == expected)
            #expect(host.talk.value.letters.count == (expected == nil ? 1 : 0))
            // RFC 4616: nobody, the user and the password, parted by zeros.
            #expect(host.talk.value.lines.contains("AGh1YgBodW50ZXIy"))
        }
    }

    @Test("A server that is not there, or does not answer, is no refusal")
    func absent() async throws {
        let host = MailHost()
        host.server.stop()
        let closed = try #require(MailServer(host: "127.0.0.1", port: 1, encryption: .none))
        await #expect(throws: MailError.noConnection) { try await MailClient(closed).send(letter) }
        let silent = LoopbackServer { $0.wait() }
        let server = try #require(MailServer(host: "127.0.0.1", port: silent.port, encryption: .none))
        await #expect(throws: MailError.timedOut) {
            try await MailClient(server).send(letter, timeout: .milliseconds(100))
        }
        let unknown = try #require(MailServer(host: "nowhere.invalid", encryption: .none))
        await #expect(throws: MailError.unknownHost) { try await MailClient(unknown).send(letter) }
        for error in [MailError.noConnection, .timedOut, .unknownHost, .notNow(status: 421), .wrongLogin, .broken] {
            #expect(!error.isPermanent)
        }
        for error in [MailError.refused(status: 550), .badAddress, .badMessage] { #expect(error.isPermanent) }
    }

    @Test("A server that says no farewell holds nothing up")
    func noFarewell() async throws {
        let host = MailHost(["QUIT": "-"])
        try await within("a letter") { try await MailClient(host.place).send(letter, timeout: .seconds(1)) }
        #expect(host.talk.value.letters.count == 1)
    }

    @Test(
        "An address that would say something else to the server is refused before",
        arguments: [
            "", "ada", "@example.org", "ada@", "ada @example.org", "ada@example.org\r\nRCPT TO:<eve@example.org>",
            "ada@example.org\n", "<ada@example.org>", "ada@exa>mple.org", "ada@example.org\0", "jörg@example.org",
            "a\t@example.org",
            String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "b", count: 253),
        ])
    func addresses(address: String) async {
        let host = MailHost()
        for envelope in [letter(to: ["ada@example.org", address]), letter(from: address, to: ["ada@example.org"])] {
            await #expect(throws: MailError.badAddress) { try await MailClient(host.place).send(envelope) }
        }
        #expect(host.server.connections == 0 && !Envelope.isAddress(address))
    }

    @Test("A letter goes to one recipient at least, and to a hundred at most")
    func recipients() async {
        let host = MailHost()
        for count in [0, 101] {
            let wrong = letter(to: (0..<count).map { "a\($0)@example.org" })
            await #expect(throws: MailError.badAddress) { try await MailClient(host.place).send(wrong) }
        }
    }

    @Test(
        "A letter whose lines could be read in two ways is refused",
        arguments: [
            "", "Subject: x", "Subject: x\n", "Subject: x\r", "Subject: x\r\n\r\na\nb\r\n", "a\rb\r\n", "a\n.\r\nb\r\n",
            "a\r\r\n",
            "a\0b\r\n", "a\r\n\n", String(repeating: "a", count: 999) + "\r\n",
        ])
    func messages(text: String) async {
        let host = MailHost()
        let wrong = Envelope(sender: letter.sender, recipients: letter.recipients, message: Array(text.utf8))
        await #expect(throws: MailError.badMessage) { try await MailClient(host.place).send(wrong) }
        #expect(host.server.connections == 0)
    }

    @Test("Lines may have 998 bytes, and letters may be empty lines")
    func goodMessages() {
        for text in ["\r\n", String(repeating: "a", count: 998) + "\r\n", "a\r\n\r\n\r\n"] {
            #expect(Envelope.isMessage(Array(text.utf8)))
        }
    }

    @Test("A mail server is named by its URL, without user, password or path")
    func urls() throws {
        let usual = try #require(MailServer(url: "smtp://mail.example.org"))
        #expect(usual.host == "mail.example.org" && usual.port == 587 && usual.encryption == .startTLS)
        #expect(usual.url == "smtp://mail.example.org:587")
        #expect(try #require(MailServer(url: "smtps://mail.example.org")).url == "smtps://mail.example.org:465")
        #expect(try #require(MailServer(url: "smtps://[2001:db8::1]:4650")).url == "smtps://[2001:db8::1]:4650")
        #expect(try #require(MailServer(url: "smtp://127.0.0.1:2525", isPlain: true)).encryption == .none)
        for wrong in [
            "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://user@mail.example.org",
            "smtp://user:secret@mail.example.org", "smtp://mail.example.org/path", "smtp://mail.example.org:0",
            "smtp://mail.example.org:65536", "smtp://mail.example.org:", "smtp://mail.example.org:+25",
            "smtp://mail.example.org:25x", "smtp://[::1", "smtp://[::1]x", "smtp://[mail]", "smtp://a b",
            "smtp://a\r\nb",
            "SMTP://mail.example.org",
        ] {
            #expect(MailServer(url: wrong) == nil, "\(wrong)")
        }
        #expect(MailServer(url: "smtps://mail.example.org", isPlain: true) == nil)
        #expect(MailServer(host: "mail", user: "a\r\nb") == nil && MailServer(host: "mail", user: "") == nil)
    }

    @Test("Neither the password nor what is in a letter is in a description")
    func hidden() throws {
        let server = try #require(MailServer(host: "mail.example.org", user: "hub", password: "hunter2"))
        var dumped = "\(server) \(letter)"
        dump(server, to: &dumped)
        dump(letter, to: &dumped)
        #expect(!dumped.contains("hunter2") && !dumped.contains("ada") && !dumped.contains("hello"))
    }
}
