import Courier
import FoundationEssentials
import Radio
import Wire

/// A phone with an app of the original system: signs in at its web service, and shows a badge at old gates.
public struct LegacyPhone: Sendable {
    /// What the app was told when it signed in.
    public struct Account: Decodable, Sendable {
        /// Somebody with a badge.
        public struct User: Decodable, Sendable {
            /// What is shown to old gates.
            public let badgeCode: String
        }
        /// What somebody is at the site, with its gates.
        public struct Role: Decodable, Sendable {
            /// What people call it.
            public let name: String
            /// The gates that take old badges.
            public let readers: [Reader]
        }
        /// A gate that takes old badges.
        public struct Reader: Decodable, Sendable {
            /// What people call it.
            public let name: String
            let serviceUUID: String
            let charBadgeUUID: String
            let charKeyUUID: String
        }
        /// Whose app it is.
        public let user: User
        /// The roles in force today.
        public let roles: [Role]

        /// The gate of that name, in any case.
        public func reader(_ name: String) -> Reader? {
            roles.lazy.flatMap(\.readers).first { $0.name.lowercased() == name.lowercased() }
        }
    }

    /// What became of showing the badge.
    public enum Result: Sendable, Equatable {
        /// The gate took it.
        case opened
        /// The gate did not; it says no more than that.
        case refused
        /// Nothing offers that service within reach.
        case notHere
        /// It gave no key: the badge would have been sent as it is, and was not.
        case noKey
    }

    private struct Answer: Decodable {
        let success: Bool
        let data: Account?
        let message: String
    }

    private let base: String
    private let radio: any Radio
    private let client = HTTPClient()

    /// - Parameters:
    ///   - base: `http://localhost:8080`
    ///   - radio: the air that it is in.
    public init(_ base: String, radio: any Radio) { (self.base, self.radio) = (base, radio) }

    /// Signs in by POST with the user name and the SHA-1 of the password.
    public func signIn(username: String, password: String) async throws -> Account {
        let digest = Self.hexadecimal(SHA1.hash(Array(password.utf8)))
        let body = "username=\(Self.encoded(username))&password=\(digest)"
        let response = try await client.send(
            HTTPClientRequest(
                method: "POST", url: base + "/api/login",
                headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")], body: Array(body.utf8)))
        let answer = try JSONDecoder().decode(Answer.self, from: Data(response.body))
        guard answer.success, let account = answer.data else {
            throw HubAccess.Refusal(description: answer.message)
        }
        return account
    }

    /// Shows the badge at a gate: reads the key, writes badge ⊕ key.
    public func open(_ reader: Account.Reader, as user: Account.User) async throws -> Result {
        guard let service = Self.identifier(reader.serviceUUID), let badge = Self.identifier(reader.charBadgeUUID),
            let key = Self.identifier(reader.charKeyUUID), let gate = try await radio.scan(for: service).first
        else { return .notHere }
        let connection = try await radio.connect(to: gate)
        let result: Result
        do {
            let given = try await connection.read(key)
            if let cipher = try? Legacy.cipher(badge: Array(user.badgeCode.utf8), key: given) {
                _ = try await connection.write(cipher, to: badge)
                result = .opened
            } else {
                result = .noKey
            }
        } catch RadioError.attribute { result = .refused }
        await connection.disconnect()
        return result
    }

    private static func identifier(_ text: String) -> UUID128? {
        ID16(hex: text.utf8.filter { $0 != UInt8(ascii: "-") }).flatMap { UUID128($0.bytes) }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// As a form writes a value: everything but letters and digits as `%xx`.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + hexadecimal([byte])
        }
    }
}
