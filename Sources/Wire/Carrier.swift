/// What carried an opening to the gate. It is part of the MAC, so that an opening is of no use on another carrier.
public enum Carrier: UInt8, Sendable, CaseIterable {
    /// Bluetooth Low Energy, phone to gate.
    case ble = 1
    /// MQTT, hub to gate.
    case bus = 2
    /// The nonce from the gate's screen, the message back through the hub.
    case qr = 3
    /// A serial line.
    case serial = 4

    /// How long a gate's nonce is good, in seconds: 10 over Bluetooth and serial, 60 on a screen. Nil on the bus, where
    /// the session and its window decide and the header lives for three seconds.
    public var nonceLifetime: UInt64? {
        switch self {
        case .ble, .serial: 10
        case .qr: 60
        case .bus: nil
        }
    }

    /// Whether a nonce that the gate gave `age` seconds ago is still good.
    public func acceptsNonce(age: UInt64) -> Bool {
        guard let nonceLifetime else { return true }
        return age < nonceLifetime
    }
}
