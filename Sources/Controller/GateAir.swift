import Radio
import System
import Wire

/// The gate in the air, as what the hub says that it is: for passes, or for the original system's badges. Never both at a time.
public struct GateAir: Sendable {
    private let controller: GateController
    private let radio: any Radio

    /// - Parameter radio: the air that phones are in.
    public init(_ controller: GateController, radio: any Radio) { (self.controller, self.radio) = (controller, radio) }

    /// Offers the gate's service until cancelled.
    public func run() async {
        var serving: Task<Void, Never>?
        var shown: GateMode?
        for await mode in await controller.modes() where mode != shown {
            // The old service has left the air before the new one enters it.
            serving?.cancel()
            await serving?.value
            shown = mode
            serving = Task { await offer(mode) }
        }
        serving?.cancel()
        await serving?.value
    }

    private func offer(_ mode: GateMode) async {
        do {
            switch mode {
            case .pass:
                let peripheral = GatePeripheral(controller)
                try await radio.advertise(peripheral.advertisement(), peripheral)
            case .legacy:
                let peripheral = LegacyPeripheral(controller)
                try await radio.advertise(peripheral.advertisement(), peripheral)
            }
        } catch {
            Log.failure(
                "gate", "the gate is not in the air", ["gate": controller.identity.gate.hex, "why": "\(error)"])
        }
    }
}
