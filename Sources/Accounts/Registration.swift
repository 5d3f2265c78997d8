extension Accounts {
    /// The hub's own fact that says whether strangers may make themselves an account: `open`, or anything else.
    static let registration = "registration"

    /// Whether strangers may make themselves an account. Not unless whoever runs the hub said so.
    public func isRegistrationOpen() throws -> Bool {
        try store.read { try AccountRecords.hubValue(Self.registration, in: $0) } == Array("open".utf8)
    }

    /// Lets strangers make themselves an account, or not.
    public func setRegistration(open: Bool) async throws {
        try await store.write {
            try AccountRecords.setHubValue(Self.registration, Array((open ? "open" : "closed").utf8), in: $0)
        }
    }
}
