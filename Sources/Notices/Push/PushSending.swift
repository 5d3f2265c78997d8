/// Whoever hands messages to the push services of browsers' makers.
protocol PushSending: Sendable {
    /// Seals a message for a device, sends it, and waits for what its push service says.
    func send(_ text: [UInt8], to subscription: PushSubscription, _ options: PushOptions) async -> PushOutcome
}

extension WebPushSender: PushSending {}
