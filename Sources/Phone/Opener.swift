import Crypto
import Radio
import System
import Wire

/// What a phone does at a gate: scan, connect, find the two characteristics, read the nonce, write the message, read the receipt.
public struct Opener: Sendable {
    private let radio: any Radio

    /// - Parameter radio: the air that it is in.
    public init(_ radio: any Radio) { self.radio = radio }

    /// What became of it.
    public enum Result: Sendable, Equatable {
        /// The gate proved that it opened.
        case opened
        /// The gate proved that it refused, and why.
        case refused(GateReason)
        /// Whoever answered could not prove that it is the gate; or the gate could not make out what we are.
        case notProven
        /// No gate of that id is in the air.
        case notHere
    }

    /// Opens a gate with a pass.
    public func open(_ pass: Pass, intent: Intent) async throws -> Result {
        let heard = try await radio.scan(for: GateProfile.service)
        guard let gate = heard.first(where: { $0.serviceData == pass.header.gateID.bytes }) else { return .notHere }
        let connection = try await radio.connect(to: gate)
        do {
            let result = try await talk(connection, pass, intent)
            await connection.disconnect()
            return result
        } catch {
            await connection.disconnect()
            throw error
        }
    }

    private func talk(_ connection: any CentralConnection, _ pass: Pass, _ intent: Intent) async throws -> Result {
        let characteristics = try await connection.discover()
        guard characteristics.contains(GateProfile.key), characteristics.contains(GateProfile.badge) else {
            return .notProven
        }
        guard let nonce = Nonce(try await connection.read(GateProfile.key)), let own = Nonce(Random.bytes(16)) else {
            return .notProven
        }
        let message = try pass.message(carrier: .ble, gateNonce: nonce, openerNonce: own, intent: intent)
        guard try await connection.write(message.encoded(), to: GateProfile.badge) != nil else { return .notProven }
        let receipt = try Receipt(decoding: try await connection.read(GateProfile.badge))
        guard pass.verifies(receipt: receipt, for: message) else { return .notProven }
        if receipt.outcome == .opened { return .opened }
        return .refused(receipt.gateReason ?? .notValid)
    }
}
