import Household
import Ledger

/// What a house's protection has lost: things that are missing, warn later, or come in otherwise.
struct LostProtection: Sendable {
    struct Thing: Sendable {
        let id: String
        /// As people call it, who may have called it anything.
        let name: String
        let kind: Kind
        /// How it comes in.
        let gateway: GatewayID?
    }
    enum Kind: Sendable {
        case detector(SensorKind)
        case protector(ActuatorKind)
        case connection
    }
    let things: [Thing]

    var ids: [String] { things.map(\.id) }
    var names: [String] { things.map(\.name) }

    /// The same in parts of so many, so that each is named; what is left after so many parts stands in the last.
    func parts(of size: Int, most: Int) -> [LostProtection] {
        stride(from: 0, to: min(things.count, size * most), by: size).map { start in
            let end = start / size == most - 1 ? things.count : min(start + size, things.count)
            return LostProtection(things: Array(things[start..<end]))
        }
    }

    /// The same by what it comes in by.
    var byGateway: [GatewayID?: LostProtection] {
        Dictionary(grouping: things, by: \.gateway).mapValues(LostProtection.init(things:))
    }
}
