import JSON

/// What an issuer says of itself (OpenID Connect Discovery 1.0, 3).
struct ServiceDocument: Sendable, Equatable {
    /// How a client shows its secret (OpenID Connect Core, 9).
    enum Authentication: String, Sendable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    /// Where a browser is sent.
    let authorization: WebAddress
    /// Where a code is changed for a token.
    let token: WebAddress
    /// Where the keys are.
    let keys: WebAddress
    /// Where more is said of somebody; nil: nowhere.
    let profile: WebAddress?
    let authentication: Authentication
    /// Whether everybody comes back with the issuer's name (RFC 9207, 3).
    let namesItself: Bool

    /// The longest document that is looked at, in bytes.
    static let limit = 64 << 10
    private static let path = ".well-known/openid-configuration"

    /// Where an issuer describes itself.
    static func address(of issuer: String) -> String { issuer + (issuer.hasSuffix("/") ? "" : "/") + path }

    /// - Parameters:
    ///   - bytes: as they came.
    ///   - issuer: whose description it must be.
    ///   - allowsLoopback: whether http will do on this machine.
    init(_ bytes: [UInt8], of issuer: String, allowsLoopback: Bool) throws(ServiceFault) {
        guard let fields = try? JSONReader.decode(Fields.self, from: bytes, limit: Self.limit) else { throw .document }
        guard fields.issuer == issuer else { throw .documentIssuer }
        func address(_ text: String) throws(ServiceFault) -> WebAddress {
            guard let address = WebAddress(text, allowsLoopback: allowsLoopback) else { throw .documentAddress }
            return address
        }
        authorization = try address(fields.authorization)
        token = try address(fields.token)
        keys = try address(fields.keys)
        profile = if let text = fields.profile { try address(text) } else { nil }
        // Basic where nothing is said (OpenID Connect Discovery, 3).
        let methods = fields.methods ?? [Authentication.basic.rawValue]
        guard let known = [.basic, .post].first(where: { (one: Authentication) in methods.contains(one.rawValue) })
        else {
            throw .documentSecret
        }
        authentication = known
        namesItself = fields.namesItself ?? false
    }

    private struct Fields: Decodable {
        let issuer: String
        let authorization: String
        let token: String
        let keys: String
        let profile: String?
        let methods: [String]?
        let namesItself: Bool?

        enum CodingKeys: String, CodingKey {
            case issuer
            case authorization = "authorization_endpoint"
            case token = "token_endpoint"
            case keys = "jwks_uri"
            case profile = "userinfo_endpoint"
            case methods = "token_endpoint_auth_methods_supported"
            case namesItself = "authorization_response_iss_parameter_supported"
        }
    }
}
