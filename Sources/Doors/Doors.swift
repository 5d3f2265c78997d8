import Accounts
import Commands
import Gates
import Identity
import Ledger
import Pages
import Platform
import Store
import System
import Wire

/// Doors: the badge becomes a phone. A company's people, roles, gates and the log of who went through.
public struct Doors: Feature {
    let given: Given
    /// Imports between their dry run and their end.
    let imports: ImportDesk

    /// The tables that it owns.
    public static var migrations: [Migration] { DoorsRecords.migrations + ImportRecords.migrations }

    /// Makes it, and says that it decides for the gates that name `doors`.
    public init(_ given: Given) {
        self.given = given
        imports = ImportDesk(clock: given.clock)
        given.gates.register(Decisions())
        given.accounts.whenOthersAreShutOut { [clock = given.clock, gates = given.gates] in
            try Self.endLegacy(of: $0, at: $1, sweeps: clock.mayRemoveByAge, gates, in: $2)
        }
        given.accounts.whenRaised { [clock = given.clock, gates = given.gates] in
            try Self.endLegacy(by: $0, sweeps: clock.mayRemoveByAge, gates, in: $1)
        }
    }

    /// Doors answers no command but through its gates, and says what its notices do.
    public func register(commands: Commands) { registerCheckIn() }

    /// Follows the ledger for the pages that live, and keeps what legacy gates hold.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tellLive() }
            group.addTask { try await keepLegacyRights() }
            group.addTask { try await GateTroubles(given: given).follow() }
            group.addTask { try await forgetImports() }
            try await group.next()
            group.cancelAll()
        }
    }
}
