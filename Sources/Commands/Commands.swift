import Identity
import Ledger
import Synchronization

/// What running a command does to the world, for whoever wants to run it again.
public enum Effect: String, Sendable {
    /// Computes; the same input gives the same output.
    case pure
    /// Looks at something that changes.
    case read
    /// Changes something; twice is as good as once.
    case idempotent
    /// Changes something; twice is one time too many.
    case once
    /// Needs a person's hand.
    case user
}

/// A thing that a command takes or gives.
public struct Pin: Sendable, Equatable {
    /// What kind of thing it is.
    public enum Kind: String, Sendable {
        case text, number, truth, time, gate, person, opening, notice, sensor, actuator
    }
    /// In the command's own words, `gate`.
    public let name: String
    /// What kind of thing.
    public let kind: Kind
    /// Whether the command works without it.
    public let isOptional: Bool

    /// See the properties.
    public init(_ name: String, _ kind: Kind, optional: Bool = false) {
        (self.name, self.kind, isOptional) = (name, kind, optional)
    }
}

/// What a command is, for whoever composes: a Flow's component is a command with its manifest.
public struct Manifest: Sendable {
    /// The room and the verb, `gates.open`.
    public let name: String
    /// What running it does to the world.
    public let effect: Effect
    /// What a person must be allowed to do, in words of the room, `open gates`.
    public let capability: String
    /// What it takes.
    public let inputs: [Pin]
    /// What it gives.
    public let outputs: [Pin]

    /// See the properties.
    public init(name: String, effect: Effect, capability: String, inputs: [Pin], outputs: [Pin]) {
        (self.name, self.effect, self.capability, self.inputs, self.outputs) = (
            name, effect, capability, inputs, outputs
        )
    }
}

/// Something that one part may ask of another without knowing it.
public protocol Command: Sendable {
    /// What it answers.
    associatedtype Outcome: Sendable
    /// What it is.
    static var manifest: Manifest { get }
}

/// Who asks.
public enum Caller: Sendable, Equatable {
    /// A person, through a page or a program that acts for them.
    case person(PersonID)
    /// The hub itself.
    case hub
}

/// The one list of all commands: who answers which.
public final class Commands: Sendable {
    /// Nobody answers such a command here: its feature is not switched on.
    public struct Unanswered: Error, Sendable {
        public let name: String
    }

    private struct Entry {
        let manifest: Manifest
        let run: @Sendable (any Command, Caller) async throws -> any Sendable
    }
    private let entries = Mutex<[String: Entry]>([:])

    /// An empty list.
    public init() {}

    /// Says who answers a command. One answers each.
    public func register<C: Command>(
        _ type: C.Type, _ run: @escaping @Sendable (C, Caller) async throws -> C.Outcome
    ) {
        entries.withLock { entries in
            precondition(entries[C.manifest.name] == nil, "two answer \(C.manifest.name)")
            entries[C.manifest.name] = Entry(manifest: C.manifest) { command, caller in
                // The list is keyed by the manifest's name: another type of that name is a programmer's mistake.
                try await run(command as! C, caller)
            }
        }
    }

    /// Asks, and waits for the answer.
    /// - Throws: `Unanswered`, or what the one who answers throws.
    public func send<C: Command>(_ command: C, by caller: Caller) async throws -> C.Outcome {
        guard let entry = entries.withLock({ $0[C.manifest.name] }) else { throw Unanswered(name: C.manifest.name) }
        return try await entry.run(command, caller) as! C.Outcome
    }

    /// What can be asked, by name.
    public var manifests: [Manifest] { entries.withLock { $0.values.map(\.manifest).sorted { $0.name < $1.name } } }
}
