/// Something that is wrong with what a gateway sends, of which its owner is told once until it is over.
enum GatewayTrouble: String, Sendable, CaseIterable, Codable {
    /// It sends more than a house does: it is not listened to.
    case storm
    /// It comes and goes as two clients with one credential do, who throw each other out.
    case twice
    /// It has the broker keep more than a house needs: it is shut out.
    case hoard
    /// It sends what is too long for the bus.
    case overlong
    /// It sends more than the broker passes on, or has room for.
    case cut
    /// Somebody had the broker keep a command, which whatever connects would obey again and again.
    case keptCommand

    /// The kind of its event in the ledger.
    var event: String {
        switch self {
        case .storm: "home.gateway.isolated"
        case .twice: "home.gateway.twice"
        case .hoard: "home.gateway.shutOut"
        case .overlong: "home.gateway.overlong"
        case .cut: "home.gateway.cut"
        case .keptCommand: "home.command.kept"
        }
    }
}
