import Glibc

/// A name by which clients reach a hub, as a certificate can hold it: a host's name or an address.
public enum ServedName: Sendable, Hashable, CustomStringConvertible {
    /// In lower case, with a dot in it (`hub.local`); or `localhost`.
    case host(String)
    /// 4 or 16 bytes, in the order of the network.
    case address([UInt8])

    /// Nil for anything else: wildcards, empty labels, a name without a dot. The last would be a top-level domain to the
    /// constraints of an authority, which would then vouch for everything below it.
    public init?(_ text: String) {
        if let bytes = Self.addressBytes(text) {
            self = .address(bytes)
            return
        }
        let name = text.lowercased()
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy {
                        (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
        // A last label of digits alone would be a mistyped address.
        let isNumber = labels.last?.allSatisfy { (0x30...0x39).contains($0) } ?? true
        guard isName, !isNumber, labels.count > 1 || name == "localhost" else { return nil }
        self = .host(name)
    }

    /// 4 or 16 bytes of an address; nil for another count.
    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self = .address(bytes)
    }

    /// As people write it: an IPv6 address without brackets.
    public var description: String {
        switch self {
        case .host(let name): return name
        case .address(let bytes):
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// As it stands in a URL and in `Host`: an IPv6 address in brackets.
    public var urlHost: String {
        if case .address(let bytes) = self, bytes.count == 16 { return "[\(description)]" }
        return description
    }

    private static func addressBytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }
}
