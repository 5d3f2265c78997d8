import OpenID
import Testing

@Suite struct ProviderSettingsTests {
    @Test func `No description shows the secret`() {
        let settings = ProviderSettings(
            id: "google", name: "Google", kind: .openID, issuer: "https://accounts.google.com", clientID: "soglia",
            clientSecret: "hidden word")
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] { #expect(!text.contains("hidden word")) }
    }
}
