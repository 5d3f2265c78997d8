import Commands
import Ledger
import Wire

/// Asks a gate to open for a person: the command that pages, programs, other features and Flows send.
public struct OpenGate: Command {
    /// What became of it.
    public typealias Outcome = OpeningResult

    /// Which gate.
    public let gate: GateID
    /// What the person means by it.
    public let intent: Intent

    /// - Parameters:
    ///   - gate: which gate.
    ///   - intent: what the person means by it; `apri` unless told.
    public init(gate: GateID, intent: Intent = .apri) { (self.gate, self.intent) = (gate, intent) }

    /// Twice is one time too many: nobody repeats it by themselves.
    public static let manifest = Manifest(
        name: "gates.open", effect: .once, capability: "open gates", inputs: [Pin("gate", .gate)],
        outputs: [Pin("opening", .opening)])
}

extension Gates {
    /// The hub itself opens no gate: every opening takes a person's tap.
    public struct NobodyAsked: Error, Sendable {}

    /// Says who answers this room's commands.
    public func register(commands: Commands) {
        commands.register(OpenGate.self) { [self] command, caller in
            guard case .person(let person) = caller else { throw NobodyAsked() }
            return try await open(command.gate, by: person, intent: command.intent)
        }
    }
}
