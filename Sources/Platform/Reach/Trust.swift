import Accounts
import Crypto
import HTTPServer
import Identity
import Pages
import System

/// What a hub shows to whoever is to trust its authority: the page, the certificate, the profile.
public struct Trust: Sendable {
    private let authority: X509Certificate

    /// - Parameter authority: the certificate that phones are to trust.
    public init(authority: X509Certificate) { self.authority = authority }

    /// On the hub itself: for somebody who came in already, and helps the next one.
    func register(pages: inout PageRoutes) {
        let trust = self
        let why = "what it shows every client sees in the TLS handshake anyway"
        pages.onPublic(.get, "/trust", why: why) { request, _, language in
            trust.page(language, request, hub: nil)
        }
        pages.onPublic(.get, TrustView.certificatePath.description, why: why) { _, _, _ in trust.certificate }
        pages.onPublic(.get, TrustView.profilePath.description, why: why) { _, _, _ in trust.profile }
    }

    func page(_ language: Language, _ request: Request, hub: HubOrigin?) -> Response {
        let day = Day(daysSinceEpoch: Int(authority.notAfter.seconds / 86_400)).civil
        return .html(
            TrustView.page(
                .init(
                    language: language, fingerprint: authority.fingerprintText.split(separator: " ").map(String.init),
                    names: authority.permitted.filter { !Self.isLoopback($0) }.map { "\($0)" },
                    until: day, hub: hub,
                    device: TrustView.Device(userAgent: request.headers["user-agent"]))
            ).bytes)
    }

    private static func isLoopback(_ name: ServedName) -> Bool {
        ["localhost", "127.0.0.1", "::1"].contains("\(name)")
    }

    /// RFC 5280 in DER form, under the media type by which phones know an authority.
    var certificate: Response {
        Response(contentType: "application/x-x509-ca-cert", body: .bytes(authority.der))
    }

    /// A configuration profile of Apple's with one payload of type `com.apple.security.root`
    /// (https://developer.apple.com/documentation/devicemanagement/certificateroot). Its identifiers come from the
    /// certificate, so that a phone that installs it twice has it once.
    var profile: Response {
        let name = HTML.text(authority.subject).string
        let print = authority.fingerprint
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
              <key>PayloadContent</key>
              <array>
                <dict>
                  <key>PayloadType</key><string>com.apple.security.root</string>
                  <key>PayloadVersion</key><integer>1</integer>
                  <key>PayloadIdentifier</key><string>soglia.\(Self.hex(print[..<8])).authority</string>
                  <key>PayloadUUID</key><string>\(Self.uuid(print[..<16]))</string>
                  <key>PayloadDisplayName</key><string>\(name)</string>
                  <key>PayloadCertificateFileName</key><string>soglia-authority.crt</string>
                  <key>PayloadContent</key><data>\(Self.base64(authority.der))</data>
                </dict>
              </array>
              <key>PayloadType</key><string>Configuration</string>
              <key>PayloadVersion</key><integer>1</integer>
              <key>PayloadIdentifier</key><string>soglia.\(Self.hex(print[..<8]))</string>
              <key>PayloadUUID</key><string>\(Self.uuid(print[16...]))</string>
              <key>PayloadDisplayName</key><string>\(name)</string>
            </dict>
            </plist>

            """
        return Response(contentType: "application/x-apple-aspen-config", body: .bytes(Array(text.utf8)))
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        X509Certificate.fingerprintText(Array(bytes)).filter { $0 != " " }
    }

    /// RFC 9562, version 8: the bytes are our own.
    private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
        var own = Array(bytes)
        own[6] = own[6] & 0x0f | 0x80
        own[8] = own[8] & 0x3f | 0x80
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex(own[$0]) }.joined(separator: "-")
    }

    /// RFC 4648's common alphabet, padded.
    private static func base64(_ bytes: [UInt8]) -> String {
        let text = Base64.urlText(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
