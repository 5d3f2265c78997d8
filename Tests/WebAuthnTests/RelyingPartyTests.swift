import Testing
import WebAuthn

@Suite struct RelyingPartyTests {
    @Test func `A hub with a name is a party, on the port that it has`() throws {
        let party = try #require(RelyingParty(origin: "https://Soglia.Example:8443"))
        #expect(party.id == "soglia.example" && party.origin == "https://soglia.example:8443")
        #expect(RelyingParty(origin: "http://localhost:8080")?.id == "localhost")
    }

    @Test(arguments: [
        "http://soglia.example", "https://192.168.1.4", "https://[fd00::1]:8443", "soglia.example", "https://",
        "ftp://a.b",
    ])
    func `Where browsers allow no passkeys there is no party`(origin: String) {
        #expect(RelyingParty(origin: origin) == nil)
    }
}
