import Accounts
import Crypto
import HTTPServer
import JSON
import WebAuthn

/// What browsers send of a ceremony: `RegistrationResponseJSON` and `AuthenticationResponseJSON` of W3C Web Authentication Level 3 (5.1),
/// as far as it is needed. Bytes are base64url.
enum PasskeyBody {
    struct Registration: Decodable {
        struct Response: Decodable {
            let clientDataJSON: String
            let attestationObject: String
            let transports: [String]?
        }
        let name: String?
        let id: String
        let response: Response

        func answer() throws(Problem) -> WebAuthn.Registration.Answer {
            .init(
                id: try bytes(id, "id"), clientDataJSON: try bytes(response.clientDataJSON, "clientDataJSON"),
                attestationObject: try bytes(response.attestationObject, "attestationObject"))
        }

        /// Those that we know, each once.
        var transports: [Passkey.Transport] {
            let named = response.transports ?? []
            return Passkey.Transport.allCases.filter { named.contains($0.rawValue) }
        }
    }

    struct Assertion: Decodable {
        struct Response: Decodable {
            let clientDataJSON: String
            let authenticatorData: String
            let signature: String
            let userHandle: String?
        }
        let id: String
        let response: Response

        func answer() throws(Problem) -> WebAuthn.Assertion.Answer {
            .init(
                id: try bytes(id, "id"), clientDataJSON: try bytes(response.clientDataJSON, "clientDataJSON"),
                authenticatorData: try bytes(response.authenticatorData, "authenticatorData"),
                signature: try bytes(response.signature, "signature"),
                userHandle: try response.userHandle.map { text throws(Problem) in try bytes(text, "userHandle") })
        }
    }

    private static func bytes(_ text: String, _ name: StaticString) throws(Problem) -> [UInt8] {
        guard let bytes = Base64.bytes(urlText: text) else { throw .unprocessable("\(name) is not base64url") }
        return bytes
    }

    // MARK: in words

    static let registrationSchema = Schema.object([
        ("name", .optional(.text("what to call it, 1 to 80 characters"))),
        ("id", .text("of the credential, base64url")),
        (
            "response",
            .object([
                ("clientDataJSON", .text("base64url")), ("attestationObject", .text("base64url")),
                ("transports", .optional(.list(.text("how the device is reached")))),
            ])
        ),
    ])

    static let assertionSchema = Schema.object([
        ("id", .text("of the credential, base64url")),
        (
            "response",
            .object([
                ("clientDataJSON", .text("base64url")), ("authenticatorData", .text("base64url")),
                ("signature", .text("base64url")), ("userHandle", .optional(.text("base64url"))),
            ])
        ),
    ])
}
