import Courier
import Crypto
import HTTPServer
import Synchronization
import System

@testable import OpenID
// Exported: every file of these tests sees it.
@_exported import TestSupport

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!
let seconds = Int(noon.seconds)

extension ProviderSettings {
    static func sample(
        _ id: String = "debian", kind: Kind = .openID, issuer: String = "https://id.example.org"
    ) -> ProviderSettings {
        ProviderSettings(
            id: id, name: id.capitalized, kind: kind, issuer: issuer, clientID: "soglia", clientSecret: "two: & words")
    }
}

extension String { var base64url: String { Base64.urlText(Array(utf8)) } }

/// The claims of a token, each as JSON; what a test leaves out or changes is wrong with it.
struct Claims {
    var fields: [String: String] = [
        "iss": #""https://id.example.org""#, "aud": #""soglia""#, "sub": #""248289761001""#, "exp": "\(seconds + 3600)",
        "iat": "\(seconds)", "nonce": #""n-0S6""#, "name": #""Giulia Ferri""#, "email": #""Giulia@Example.com""#,
        "email_verified": "true",
    ]

    subscript(_ name: String) -> String? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    var json: String { "{" + fields.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}" }
    var bytes: [UInt8] { Array(json.utf8) }
}

/// A key on P-256 that signs tokens.
struct TokenKey {
    let name: String
    let secret = P256PrivateKey()

    var json: String {
        let (x, y) = (Array(secret.publicBytes[1..<33]), Array(secret.publicBytes[33...]))
        return
            #"{"kty":"EC","crv":"P-256","kid":"\#(name)","use":"sig","alg":"ES256","x":"\#(Base64.urlText(x))","y":"\#(Base64.urlText(y))"}"#
    }

    func token(_ claims: Claims, header: String? = nil) -> String {
        let head = header ?? #"{"alg":"ES256","kid":"\#(name)","typ":"JWT"}"#
        let signed = head.base64url + "." + claims.json.base64url
        return signed + "." + Base64.urlText(secret.sign(Array(signed.utf8)))
    }
}

/// The example of RFC 7515, A.2: a key, and a token that it signed.
enum RFC7515 {
    static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS"
        + "-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2C"
        + "apHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb"
        + "54h4FRWyuXpoQ"
    static let token =
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV"
        + "lfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUA"
        + "r7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--"
        + "xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_Io"
        + "ypGlUPQGe77Rw"
}

/// A provider without a network: it signs in whoever it is told to.
final class FakeService: WebCaller {
    struct State: Sendable {
        var key = TokenKey(name: "1")
        var claims = Claims()
        var document: String?
        var named = false
        var failure: CourierError?
        var status = 200
        var lifetime = "public, max-age=600"
        /// What was asked for, by path.
        var asked: [String] = []
        var requests: [HTTPClientRequest] = []
        /// Held back until it is let go.
        var isSlow = false
        var profile = #"{"sub":"248289761001"}"#
    }

    let state = Mutex(State())
    func tell(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    func asked(_ path: String) -> Int { state.withLock { $0.asked.count { $0 == path } } }

    func send(_ request: HTTPClientRequest) async throws(CourierError) -> HTTPClientResponse {
        let path = "/" + request.url.split(separator: "/").dropFirst(2).joined(separator: "/").prefix { $0 != "?" }
        tell {
            $0.asked.append(path)
            $0.requests.append(request)
        }
        while state.withLock({ $0.isSlow }) { try? await Task.sleep(for: .milliseconds(5)) }
        return try answer(path).get()
    }

    private func answer(_ path: String) -> Result<HTTPClientResponse, CourierError> {
        state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            func json(_ text: String, _ headers: [(name: String, value: String)] = []) -> HTTPClientResponse {
                HTTPClientResponse(status: state.status, headers: headers, body: Array(text.utf8))
            }
            let caching = [(name: "cache-control", value: state.lifetime)]
            switch path {
            case "/.well-known/openid-configuration":
                return .success(json(state.document ?? Self.document(named: state.named), caching))
            case "/keys": return .success(json(#"{"keys":[\#(state.key.json)]}"#, caching))
            case "/token":
                return .success(
                    json(#"{"access_token":"at","token_type":"Bearer","id_token":"\#(state.key.token(state.claims))"}"#)
                )
            case "/userinfo", "/v23.0/me": return .success(json(state.profile))
            case "/v23.0/oauth/access_token": return .success(json(#"{"access_token":"EAA","token_type":"bearer"}"#))
            default: return .success(HTTPClientResponse(status: 404, headers: [], body: []))
            }
        }
    }

    static func document(named: Bool = false, issuer: String = "https://id.example.org", more: String = "") -> String {
        #"{"issuer":"\#(issuer)","authorization_endpoint":"https://id.example.org/authorize?a=b","token_endpoint":"https://id.example.org/token","jwks_uri":"https://id.example.org/keys","userinfo_endpoint":"https://id.example.org/userinfo","authorization_response_iss_parameter_supported":\#(named)\#(more)}"#
    }
}

/// Some services with providers that a test holds, a clock that it moves, and a browser that goes there and comes back.
struct House {
    let fake = FakeService()
    let uptime = Shared<UInt64>(1_000_000)
    let services: SignInServices
    static let redirect = "https://hub.example.org/sign-in/by/debian/callback"

    init(
        _ settings: [ProviderSettings] = [.sample(), .sample("other", issuer: "https://other.example.org")],
        patience: Duration = .seconds(3_600)
    ) {
        let (fake, uptime) = (fake, uptime)
        services = SignInServices(
            settings, clock: WallClock { noon }, uptime: { uptime.value }, patience: patience, caller: { _ in fake })
    }

    func pass(milliseconds: UInt64) { uptime.change { $0 += milliseconds } }

    /// - Parameter address: where a stranger comes from.
    func begin(
        _ errand: Errand = .signIn, at id: String = "debian", of asker: Asker? = nil, from address: String = "192.0.2.1"
    ) async throws -> (back: SignInServices.Return, fields: Form) {
        let network = ClientNetwork(address)
        let departure = try await services.begin(
            id, errand, of: asker ?? .network(network), redirect: Self.redirect, back: "/places")
        let query = departure.address.description.split(separator: "?", maxSplits: 1)[1]
        let fields = try Form(urlEncoded: Array(query.utf8))
        // The provider signs for this question.
        if let nonce: String = try fields.get("nonce") { fake.tell { $0.claims["nonce"] = "\"\(nonce)\"" } }
        return (
            SignInServices.Return(
                state: try fields.get("state"), code: "c-1", error: nil, issuer: nil, browser: departure.browser,
                redirect: Self.redirect, network: network), fields
        )
    }

    /// What a sign-in comes to.
    func outcome(
        _ errand: Errand = .signIn, at id: String = "debian", _ change: (inout SignInServices.Return) -> Void = { _ in }
    ) async throws -> Result<SignInServices.Arrival, SignInRefusal> {
        var back = try await begin(errand, at: id).back
        change(&back)
        return await finish(back)
    }

    func finish(_ back: SignInServices.Return) async -> Result<SignInServices.Arrival, SignInRefusal> {
        do throws(SignInRefusal) { return .success(try await services.finish("debian", back)) } catch {
            return .failure(error)
        }
    }
}

extension Result where Failure == SignInRefusal {
    var refusal: SignInRefusal? { if case .failure(let refusal) = self { refusal } else { nil } }
    var fault: ServiceFault? { if case .failure(.untrusted(let fault)) = self { fault } else { nil } }
}
