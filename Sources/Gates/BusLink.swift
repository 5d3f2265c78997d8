import Bus
import Identity
import Ledger
import Store
import System
import Wire

/// The carrier of a hub: frames to and from controllers over MQTT.
///
/// On the private broker a message proves where it comes from, since each controller may publish below its own topics alone; what
/// opens or is remembered is proven by the gate's key all the same.
public final class BusLink: GateCarrier {
    /// So many records are worked on at a time; the others wait in the bus's own bounded queue.
    private static let atOnce = 512

    private let bus: BusClient

    /// - Parameter bus: connected as the hub.
    public init(_ bus: BusClient) { self.bus = bus }

    /// Hands a frame to the broker, at most once: nothing that opens is ever kept or repeated by it.
    public func send(_ frame: GateFrame, to gate: GateID, at site: SiteID) throws {
        try bus.publish(BusNames.down(site: site.raw, gate: gate.raw), frame.encoded(), quality: .atMostOnce)
    }

    /// Hears what controllers say, until cancelled.
    /// - Parameters:
    ///   - gates: takes their frames.
    ///   - desk: takes what comes by the ways of pairing codes; nil where there is none.
    public func listen(for gates: Gates, _ desk: PairingDesk?) async throws {
        try bus.subscribe("soglia/+/gates/+/hello")
        try bus.subscribe("soglia/+/gates/+/up")
        try bus.subscribe("soglia/pair/+/up", quality: .atLeastOnce)
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            for await batch in bus.batches {
                for message in batch {
                    // Comings and goings in their order; records each for itself, so that many share one group commit.
                    guard message.topic.hasSuffix("/up") else {
                        await Self.take(message, gates, desk)
                        continue
                    }
                    if underWay == Self.atOnce {
                        await group.next()
                        underWay -= 1
                    }
                    underWay += 1
                    group.addTask { await Self.take(message, gates, desk) }
                }
            }
        }
    }

    private static func take(_ message: BusMessage, _ gates: Gates, _ desk: PairingDesk?) async {
        let parts = message.topic.split(separator: "/", omittingEmptySubsequences: false)
        do {
            if parts.count == 4, parts[1] == "pair" {
                try await desk?.receive(message.payload, from: String(parts[2]))
            } else if parts.count == 5, let site = SiteID(String(parts[1])), let gate = GateID(String(parts[3])) {
                if parts[4] == "hello", message.payload.isEmpty { return gates.lost(gate) }
                let frame = try GateFrame(decoding: message.payload)
                // Only a hello is a state: a retained record or answer is somebody's mistake.
                if message.isRetained, parts[4] != "hello" { return }
                try await gates.receive(frame, from: gate, at: site, isStale: message.isRetained)
            }
        } catch {
            Log.warning(
                "gates", "a message from the bus could not be used", ["topic": message.topic, "why": "\(error)"])
        }
    }
}
