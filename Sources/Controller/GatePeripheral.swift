import Radio
import Synchronization
import System
import Wire

/// The controller in the air: a GATT service of two characteristics, as the original system had.
///
/// *key*, read: a nonce for this connection. *badge*, written: the message; a notification says that the receipt is ready; read: it.
public final class GatePeripheral: PeripheralService {
    /// What the notification says: 20 bytes, as fit at the smallest MTU; the first is the protocol's version.
    static let ready: [UInt8] = [1] + [UInt8](repeating: 0, count: 19)

    private let controller: GateController
    private let uptime: @Sendable () -> UInt64
    private let links = Mutex<[Link: Talk]>([:])

    private struct Talk {
        var nonce: Nonce?
        var givenAt: UInt64 = 0
        var receipt: [UInt8]?
    }

    /// - Parameter uptime: milliseconds since the machine started.
    public init(_ controller: GateController, uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }) {
        (self.controller, self.uptime) = (controller, uptime)
    }

    /// What phones hear.
    public func advertisement() -> Advertisement {
        let identity = controller.identity
        return Advertisement(
            address: "gate-" + String(identity.gate.hex.suffix(12)), service: GateProfile.service,
            serviceData: identity.gate.bytes,
            name: identity.name)
    }

    /// The two characteristics.
    public var characteristics: [UUID128] { [GateProfile.key, GateProfile.badge] }

    /// A fresh nonce, or the receipt of the last message of this link.
    public func read(_ characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8] {
        if characteristic == GateProfile.key {
            let nonce = Nonce(Random.bytes(16))!
            let now = uptime()
            links.withLock { $0[link] = Talk(nonce: nonce, givenAt: now) }
            return nonce.bytes
        }
        guard let receipt = links.withLock({ $0[link]?.receipt }) else { throw .attribute(0x02) }  // read not permitted
        return receipt
    }

    /// Takes the message that asks to open, with the nonce that this link was given, which is then used up.
    public func write(_ bytes: [UInt8], to characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8]? {
        guard characteristic == GateProfile.badge else { throw .attribute(0x03) }  // write not permitted
        let now = uptime()
        let talk = links.withLock { links in
            defer { links[link, default: Talk()].nonce = nil }
            return links[link]
        }
        // Without a nonce the message is judged all the same, by one that nobody knows: a refusal looks and lasts the same.
        let nonce = talk?.nonce ?? Nonce(Random.bytes(16))!
        let isFresh = talk?.nonce != nil && Carrier.ble.acceptsNonce(age: (now - (talk?.givenAt ?? 0)) / 1000)
        let receipt = await controller.open(bytes, over: .ble, nonce: nonce, isFresh: isFresh)
        // Unless the phone has left in the meantime: nobody would forget its link again.
        links.withLock { $0[link]?.receipt = receipt.encoded() }
        return Self.ready
    }

    /// Forgets a link.
    public func disconnected(_ link: Link) async { links.withLock { $0[link] = nil } }
}
