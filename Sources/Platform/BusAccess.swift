import Bus

/// The broker, for features that want a connection of their own, and for letting others in.
public struct BusAccess: Sendable {
    /// The hub's own connection. Its messages have a reader already: whoever wants to hear makes a connection of its own, by `join`.
    public let client: BusClient
    /// Lets clients in, and shuts them out.
    public let control: BrokerControl
    /// Where other machines reach the broker; nil: nowhere.
    public let outside: BusAddress?

    /// Where whoever is let in reaches the broker: from other machines where that is possible, else from this one.
    public var address: BusAddress { outside ?? client.address }

    init(_ client: BusClient, outside: BusAddress?) {
        (self.client, control, self.outside) = (client, BrokerControl(client: client), outside)
    }

    /// A connection for one part of the hub, so that what floods it slows no other; not started yet.
    ///
    /// It is let in under a new password each time, and shut out by whoever joins under the same name later.
    /// - Parameters:
    ///   - name: of the part, in small letters: `home`.
    ///   - publish: the topics that it may publish on, wildcards allowed.
    ///   - subscribe: those that it may hear.
    /// - Throws: `BrokerError` when the broker does not let it in; `BusError`.
    public func join(as name: String, publish: [String], subscribe: [String]) async throws -> BusClient {
        let credentials = BusCredentials.random(username: "hub-" + name)
        try await control.addClient(
            username: credentials.username, password: credentials.password, publish: publish, subscribe: subscribe)
        return try BusClient(address: client.address, credentials: credentials, version: .five)
    }
}
