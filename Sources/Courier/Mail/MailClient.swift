import CCurl

/// Hands letters to a mail server (SMTP, RFC 5321), by libcurl on threads of its own.
public final class MailClient: Sendable {
    public let server: MailServer
    private let lanes: Lanes

    /// - Parameter lanes: how many letters at once, each on a thread of its own that lives as long as the process.
    public init(_ server: MailServer, lanes: Int = 1) {
        (self.server, self.lanes) = (server, Lanes(name: "mail", count: lanes))
    }

    /// Hands in a letter. It is taken for all recipients or for none.
    /// - Parameter timeout: for everything, from the name's look-up to the server's last word.
    public func send(_ envelope: Envelope, timeout: Duration = .seconds(30)) async throws(MailError) {
        let addresses = [envelope.sender] + envelope.recipients
        guard (1...Envelope.mostRecipients).contains(envelope.recipients.count),
            addresses.allSatisfy(Envelope.isAddress)
        else { throw .badAddress }
        guard Envelope.isMessage(envelope.message) else { throw .badMessage }
        let server = server
        if let error = await lanes.run({ Self.perform(envelope, server, timeout, by: $0) }) { throw error }
    }

    private static func perform(
        _ envelope: Envelope, _ server: MailServer, _ timeout: Duration, by handle: UnsafeMutableRawPointer
    ) -> MailError? {
        var status = 0
        let outcome = withCStrings(envelope.recipients.map { "<\($0)>" }) { recipients in
            envelope.message.withUnsafeBytes { message in
                ccurl_mail(
                    handle, server.url, server.encryption == .none ? 0 : 1, server.authorities, server.user,
                    server.password, "<\(envelope.sender)>", recipients.baseAddress, Int32(recipients.count),
                    message.baseAddress?.assumingMemoryBound(to: CChar.self), UInt(message.count),
                    timeout.milliseconds, server.encryption == .none ? isLoopback : nil, &status)
            }
        }
        switch Int(outcome) {
        case Int(ccurl_done): return nil
        case Int(ccurl_timed_out): return .timedOut
        case Int(ccurl_unknown_host): return .unknownHost
        case Int(ccurl_not_allowed): return .notLoopback
        case Int(ccurl_no_connection): return .noConnection
        case Int(ccurl_no_trust): return .noTrust
        case Int(ccurl_no_encryption): return .noEncryption
        case Int(ccurl_wrong_login): return (400..<500).contains(status) ? .notNow(status: status) : .wrongLogin
        // RFC 4954, section 6: who sends has to sign in first, or otherwise.
        case _ where [530, 534, 535, 538].contains(status): return .wrongLogin
        case _ where (400..<500).contains(status): return .notNow(status: status)
        case _ where (500..<600).contains(status): return .refused(status: status)
        default: return .broken
        }
    }
}
