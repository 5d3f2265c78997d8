import System

/// A 128-bit Bluetooth identifier (Bluetooth Core, volume 3, part B, 2.5.1), most significant byte first.
public struct UUID128: Hashable, Sendable {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    init(_ high: UInt64, _ low: UInt64) {
        bytes = high.bigEndianBytes + low.bigEndianBytes
    }
}

/// The service of a gate: the two characteristics of the original system, made safe.
public enum GateProfile {
    /// The service that gates advertise, with the gate's id as its data.
    public static let service = UUID128(0x5067_0001_736f_676c, 0x6961_2e67_6174_6500)
    /// Read: the gate's nonce, 16 bytes, for this connection, once, for ten seconds.
    public static let key = UUID128(0x5067_0002_736f_676c, 0x6961_2e67_6174_6500)
    /// Written: the message that opens. Notifies *ready*. Read: the receipt.
    public static let badge = UUID128(0x5067_0003_736f_676c, 0x6961_2e67_6174_6500)
}

/// What a peripheral sends for everybody to hear.
public struct Advertisement: Hashable, Sendable {
    /// Where it can be reached in this air.
    public let address: String
    /// The service that it offers.
    public let service: UUID128
    /// The data of that service: a gate's id.
    public let serviceData: [UInt8]
    /// What people call it; at most 29 bytes would fit a real frame.
    public let name: String

    /// See the properties.
    public init(address: String, service: UUID128, serviceData: [UInt8], name: String) {
        (self.address, self.service, self.serviceData, self.name) = (address, service, serviceData, name)
    }
}

/// What the radio refused.
public enum RadioError: Error, Sendable, Equatable {
    /// Nothing answers at that address.
    case unreachable
    /// The other side has gone.
    case disconnected
    /// The other side refused the operation, with an ATT error code (Bluetooth Core, volume 3, part F, 3.4.1.1).
    case attribute(UInt8)
    /// What came is no frame of this air.
    case malformed
    /// The air itself cannot be used.
    case air(String)
}

/// One central that is connected to a peripheral.
public struct Link: Hashable, Sendable {
    /// Different for every connection.
    public let number: UInt64

    /// - Parameter number: different for every connection.
    public init(number: UInt64) { self.number = number }
}

/// A GATT server: what a peripheral does when a central asks. Called for one request of a link after the other.
public protocol PeripheralService: Sendable {
    /// The characteristics that it has.
    var characteristics: [UUID128] { get }
    /// The value of a characteristic.
    func read(_ characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8]
    /// A value was written.
    /// - Returns: what subscribers of that characteristic on this link are told at once, at most 20 bytes; nil: nothing.
    func write(_ bytes: [UInt8], to characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8]?
    /// The central has gone.
    func disconnected(_ link: Link) async
}

/// A connection from a central's side.
public protocol CentralConnection: Sendable {
    /// The characteristics of the service.
    func discover() async throws(RadioError) -> [UUID128]
    /// The value of a characteristic.
    func read(_ characteristic: UUID128) async throws(RadioError) -> [UInt8]
    /// Writes a value and waits for the answer to the write. Answers what the peripheral notified with it, nil when nothing.
    func write(_ bytes: [UInt8], to characteristic: UUID128) async throws(RadioError) -> [UInt8]?
    /// Ends it.
    func disconnect() async
}

/// The air: peripherals are heard in it, centrals connect through it. BlueZ where there is a radio; here, an air without one.
public protocol Radio: Sendable {
    /// Offers a service until the task is cancelled.
    func advertise(_ advertisement: Advertisement, _ service: any PeripheralService) async throws(RadioError)
    /// Who offers a service at this moment.
    func scan(for service: UUID128) async throws(RadioError) -> [Advertisement]
    /// Connects to one of them.
    func connect(to advertisement: Advertisement) async throws(RadioError) -> any CentralConnection
}
