import Household

/// Whoever reads what gateways say beside readings: discovery, the box's frames.
protocol GatewayListener: Sendable {
    /// A message that is bound to no sensor and no actuator, on the bus's own path: returns at once.
    /// - Parameters:
    ///   - topic: below the gateway's own: `hello`, `homeassistant/sensor/kitchen/gas/config`.
    ///   - payload: at most `BusClient.payloadLimit` bytes, of whatever form; empty removes what was kept.
    ///   - isRetained: whether the broker had kept it.
    /// - Returns: whether it was meant for this listener; the others are not asked then.
    func receive(_ topic: Substring, _ payload: [UInt8], isRetained: Bool, from gateway: Gateway) -> Bool
}

/// Hears that actuators are there.
protocol ActuatorListener: Sendable {
    /// One has said that it is there, or what it does now, on the bus's own path: returns at once.
    /// - Parameter actuator: as it was described when it did.
    func isThere(_ actuator: Actuator)
}
