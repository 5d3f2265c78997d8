import Identity
import Ledger
import Wire

/// How frames reach the controller of a gate. The bus in a hub; stubs in a benchmark.
public protocol GateCarrier: Sendable {
    /// Hands a frame over; nobody promises that it arrives.
    /// - Throws: when it cannot even leave.
    func send(_ frame: GateFrame, to gate: GateID, at site: SiteID) throws
}
