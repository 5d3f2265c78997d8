import Accounts
import Crypto
import JSON
import WebAuthn

/// What a browser is asked for: `PublicKeyCredentialCreationOptionsJSON` and `PublicKeyCredentialRequestOptionsJSON` of W3C Web
/// Authentication Level 3 (5.4, 5.5). Bytes are base64url.
struct PasskeyOptions {
    let challenge: [UInt8]
    let party: RelyingParty
    /// Those that are there: not to be made twice, or to be asked for. None: whichever the device has.
    let passkeys: [Passkey]

    /// For `navigator.credentials.create`.
    func creating(for person: Person) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("rp")
            json.object { json in
                json.field("id", party.id)
                json.field("name", "Soglia")
            }
            json.key("user")
            json.object { json in
                json.field("id", Base64.urlText(person.id.raw.bytes))
                json.field("name", person.address ?? person.name)
                json.field("displayName", person.name)
            }
            common(&json)
            json.array("pubKeyCredParams") { json in
                for algorithm in COSEKey.algorithms {
                    json.object { json in
                        json.field("type", "public-key")
                        json.field("alg", algorithm)
                    }
                }
            }
            list("excludeCredentials", &json)
            json.key("authenticatorSelection")
            json.object { json in
                json.field("residentKey", "required")
                json.field("requireResidentKey", true)
                json.field("userVerification", "required")
            }
            json.array("hints") { $0.value("client-device") }
            json.field("attestation", "none")
        }
        return json.bytes
    }

    /// For `navigator.credentials.get`.
    func getting() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("rpId", party.id)
            common(&json)
            list("allowCredentials", &json)
            json.field("userVerification", "required")
        }
        return json.bytes
    }

    private func common(_ json: inout JSONWriter) {
        json.field("challenge", Base64.urlText(challenge))
        json.field("timeout", Challenges.lifetime)
    }

    private func list(_ name: StaticString, _ json: inout JSONWriter) {
        json.array(name) { json in
            for passkey in passkeys {
                json.object { json in
                    json.field("type", "public-key")
                    json.field("id", Base64.urlText(passkey.id))
                    json.array("transports") { json in
                        for transport in passkey.transports { json.value(transport.rawValue) }
                    }
                }
            }
        }
    }

    // MARK: in words

    static let creatingSchema = Schema.anything("PublicKeyCredentialCreationOptionsJSON of W3C Web Authentication")
    static let gettingSchema = Schema.anything("PublicKeyCredentialRequestOptionsJSON of W3C Web Authentication")
}
