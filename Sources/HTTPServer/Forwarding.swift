import Glibc

/// What a trusted proxy says about the client: by `Forwarded` (RFC 7239), or by `X-Forwarded-For`, `-Proto` and `-Host`.
///
/// Of a list the last entry counts: it is what our own proxy saw, and those before it are the client's say-so. A proxy that
/// sets one kind may pass the client's other kind on untouched. So where both are there they must agree, else the request
/// is refused.
struct Forwarding {
    /// The client's address, as `SocketAddress.text` writes one; nil where the proxy names none.
    var client: String? {
        if case .address(let text) = node { text } else { nil }
    }
    private var node: Node?
    /// Whether the client came by TLS.
    private(set) var isSecure: Bool?
    /// Host and port that the client asked for.
    private(set) var host: String?

    /// Who a proxy says that a client is (RFC 7239, section 6).
    private enum Node: Equatable {
        case address(String)
        /// `unknown`, or a name that the proxy made up, perhaps another for each request: nothing to count by.
        case hidden
    }

    init(_ headers: Headers) throws(Problem) {
        node = try Self.last(headers, "x-forwarded-for").map(Self.node)
        isSecure = try Self.last(headers, "x-forwarded-proto").map(Self.scheme)
        host = Self.last(headers, "x-forwarded-host")
        guard let element = Self.last(headers, "forwarded") else { return }
        for pair in Self.split(element, at: UInt8(ascii: ";")) {
            let parts = pair.split(separator: "=", maxSplits: 1).map(Self.trimmed)
            guard parts.count == 2, let value = Self.unquoted(parts[1]) else { throw Self.malformed }
            switch parts[0].lowercased() {
            case "for": try Self.agree(&node, on: Self.node(value))
            case "proto": try Self.agree(&isSecure, on: Self.scheme(value))
            case "host": try Self.agree(&host, on: value)
            default: continue
            }
        }
    }

    private static func agree<Value: Equatable>(_ known: inout Value?, on value: Value) throws(Problem) {
        if let known, known != value {
            throw .badRequest(
                "Forwarded and X-Forwarded fields say different things.", type: "forwarded-fields-disagree")
        }
        known = value
    }

    private static func last(_ headers: Headers, _ name: StaticString) -> String? {
        headers.all(name).last.flatMap { split($0, at: UInt8(ascii: ",")).last }.map(trimmed)
    }

    /// Splits outside of quotes.
    private static func split(_ text: String, at mark: UInt8) -> [String] {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == mark, !isQuoted { pieces.append([]) } else { pieces[pieces.count - 1].append(byte) }
        }
        return pieces.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    private static func unquoted(_ text: String) -> String? {
        guard text.hasPrefix("\"") else { return text.isEmpty ? nil : text }
        let inside = text.dropFirst().dropLast()
        return text.utf8.count > 2 && text.hasSuffix("\"") && !inside.contains("\"") && !inside.contains("\\")
            ? String(inside) : nil
    }

    private static func scheme(_ text: String) throws(Problem) -> Bool {
        switch text.lowercased() {
        case "https": true
        case "http": false
        default: throw malformed
        }
    }

    /// `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7`, `[2001:db8::7]:4711`, `unknown`, `_hidden`, `_hidden:_port`.
    private static func node(_ text: String) throws(Problem) -> Node {
        var plain = text
        if plain.hasPrefix("["), let end = plain.firstIndex(of: "]") {
            plain = String(plain[plain.index(after: plain.startIndex)..<end])
        } else if plain.split(separator: ":", omittingEmptySubsequences: false).count == 2 {
            plain = String(plain.prefix { $0 != ":" })
        }
        if let address = SocketAddress(text: plain) { return .address(address.text) }
        guard plain.lowercased() == "unknown" || isObfuscated(plain) else { throw malformed }
        return .hidden
    }

    private static func isObfuscated(_ text: String) -> Bool {
        text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "_")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static var malformed: Problem {
        .badRequest("The proxy's forwarded fields cannot be read.", type: "forwarded-fields-malformed")
    }
}
