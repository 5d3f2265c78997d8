import Courier
import JSON

/// A service that people may sign in by, whatever it speaks.
protocol SignInService: Sendable {
    /// How it was set up.
    var settings: ProviderSettings { get }
    /// Whether everybody must come back with the name of the issuer (RFC 9207).
    func namesItself() async throws -> Bool
    /// Where a browser is sent.
    func departure(_ attempt: Attempt) async throws -> WebAddress
    /// Whom the service speaks of, once somebody has come back with a code.
    func profile(code: String, _ attempt: Attempt) async throws -> Profile
}

/// Who sends our requests.
public protocol WebCaller: Sendable {
    /// Sends one and waits for the whole answer.
    func send(_ request: HTTPClientRequest) async throws(CourierError) -> HTTPClientResponse
}

extension HTTPClient: WebCaller {}

extension WebCaller {
    /// So long a service may take for one answer.
    static var timeout: Duration { .seconds(5) }

    /// A document.
    func get(_ url: String, headers: [(name: String, value: String)] = []) async throws -> HTTPClientResponse {
        let answer = try await send(
            HTTPClientRequest(
                url: url, headers: [("Accept", "application/json")] + headers, timeout: Self.timeout))
        guard answer.status == 200 else { throw ServiceFault.status }
        return answer
    }

    /// A form.
    func post(
        _ url: String, _ fields: [(String, String)], headers: [(name: String, value: String)] = []
    ) async throws -> HTTPClientResponse {
        let own = [
            (name: "Accept", value: "application/json"),
            (name: "Content-Type", value: "application/x-www-form-urlencoded"),
        ]
        return try await send(
            HTTPClientRequest(
                method: "POST", url: url, headers: own + headers, body: Array(FormText.encoded(fields).utf8),
                timeout: Self.timeout))
    }
}

/// What a code was changed for (RFC 6749, 5.1).
struct TokenAnswer: Decodable, Sendable {
    let access: String?
    let identity: String?

    enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case identity = "id_token"
    }

    /// The longest answer that is looked at, in bytes.
    static let limit = 64 << 10

    /// Reads an answer of any status.
    static func read(_ answer: HTTPClientResponse) throws(ServiceFault) -> TokenAnswer {
        guard answer.status == 200 else {
            throw answer.status == 401 || error(in: answer.body) == "invalid_client"
                ? .client : answer.status == 400 ? .usedCode : .status
        }
        guard let tokens = try? JSONReader.decode(TokenAnswer.self, from: answer.body, limit: limit),
            tokens.access.map({
                (1...8_192).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) }
            })
                ?? true
        else { throw .answer }
        return tokens
    }

    private static func error(in body: [UInt8]) -> String? {
        struct Refusal: Decodable { let error: String }
        return (try? JSONReader.decode(Refusal.self, from: body, limit: limit))?.error
    }
}
