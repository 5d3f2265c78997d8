extension ProviderSettings {
    /// Where the service sends browsers back to, on every host that this hub is called by. It is registered there to the letter.
    public var callbackPath: String { "/sign-in/by/\(id)/callback" }

    /// Where a service of Facebook's kind says that somebody wants their data erased.
    public var deletionPath: String { "/api/providers/\(id)/deletion" }
}
