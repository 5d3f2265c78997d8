import Radio
import Synchronization
import System
import Wire

/// A legacy gate in the air: a GATT service of two characteristics, exactly the original system's.
///
/// *key*, read: a key for this connection, random, once, for ten seconds. *badge*, written: badge ⊕ key; the write succeeds when the gate
/// opened, and every refusal is the same error.
public final class LegacyPeripheral: PeripheralService {
    /// Bytes in a key: shorter than a badge, so that it cycles.
    static let keyCount = 16
    /// What a refused write is answered with: the first of the codes that applications have for themselves.
    static let refused: UInt8 = 0x80

    private let controller: GateController
    private let uptime: @Sendable () -> UInt64
    private let keys = Mutex<[Link: (key: [UInt8], givenAt: UInt64)]>([:])
    private let key: UUID128
    private let badge: UUID128

    /// - Parameter uptime: milliseconds since the machine started.
    public init(_ controller: GateController, uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }) {
        (self.controller, self.uptime) = (controller, uptime)
        let profile = LegacyProfile(gate: controller.identity.gate)
        (key, badge) = (UUID128(profile.key)!, UUID128(profile.badge)!)
    }

    /// What phones hear.
    public func advertisement() -> Advertisement {
        let gate = controller.identity.gate
        let profile = LegacyProfile(gate: gate)
        return Advertisement(
            address: "gate-" + String(gate.hex.suffix(12)), service: UUID128(profile.service)!, serviceData: [],
            name: profile.systemName)
    }

    /// The two characteristics.
    public var characteristics: [UUID128] { [key, badge] }

    /// A fresh key; whichever this link was given before is no longer good.
    public func read(_ characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8] {
        guard characteristic == key else { throw .attribute(0x02) }  // read not permitted
        let (fresh, now) = (Random.bytes(Self.keyCount), uptime())
        keys.withLock { $0[link] = (fresh, now) }
        return fresh
    }

    /// Takes badge ⊕ key, with the key that this link was given, which is then used up.
    public func write(_ bytes: [UInt8], to characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8]? {
        guard characteristic == badge else { throw .attribute(0x03) }  // write not permitted
        guard bytes.count <= Legacy.maxBadge else { throw .attribute(0x0d) }  // invalid attribute value length
        let now = uptime()
        let given = keys.withLock { $0.removeValue(forKey: link) }
        let isFresh = given.map { Carrier.ble.acceptsNonce(age: (now - $0.givenAt) / 1000) } ?? false
        guard await controller.open(legacy: bytes, key: given?.key ?? [], isFresh: isFresh) else {
            throw .attribute(Self.refused)
        }
        return nil
    }

    /// Forgets a link.
    public func disconnected(_ link: Link) async { keys.withLock { $0[link] = nil } }
}
