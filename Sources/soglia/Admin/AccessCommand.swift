import Accounts
import Notices
import Platform
import Store
import System

/// What only the box itself decides about who gets in. Works beside a running hub.
enum AccessCommand {
    static let usage = """
        soglia admin registration open|closed --data DIR  whether strangers may make themselves an account; closed unless told
        soglia admin second-factor off --data DIR  no site asks for a passkey any more: for an owner who has lost the only one;
                                       sign in anew afterwards
        soglia admin clock right --data DIR  the machine's clock is right as it is: the hub takes its time over. For a hub that
                                       does not believe it since it jumped, or after a long time without power
        """

    static func setRegistration(_ arguments: Arguments) async throws {
        guard ["open", "closed"].contains(arguments.words[1]) else { throw UsageError("open or closed?") }
        let isOpen = arguments.words[1] == "open"
        try await withHub(arguments) { store in
            try await AccountRecords.setRegistration(open: isOpen, at: WallClock.system.now, in: store)
        }
        let hasMail = try MailSettings.load(arguments.require("data")) != nil
        Output.line(
            isOpen && !hasMail
                ? "registration is open, and waits until the hub can send letters: soglia admin mail"
                : "registration is \(arguments.words[1])")
    }

    static func endSecondFactor(_ arguments: Arguments) async throws {
        guard arguments.words[1] == "off" else {
            throw UsageError("off? It is switched on in a site's settings, by an owner with a passkey")
        }
        let now = WallClock.system.now
        let names = try await withHub(arguments) { store in
            try await store.write { database -> [String] in
                let asking = try AccountRecords.sites(in: database).filter {
                    try WayRecords.asksSecondFactor($0.id, in: database)
                }
                for site in asking {
                    try WayRecords.askSecondFactor(false, at: site.id, now: now, by: nil, in: database)
                }
                return asking.map(\.name)
            }
        }
        Output.line(
            names.isEmpty
                ? "no site asks for a passkey" : "no longer asked for a passkey: \(names.joined(separator: ", "))")
    }

    static func confirmClock(_ arguments: Arguments) async throws {
        guard arguments.words[1] == "right" else { throw UsageError("right? Set it first if it is not") }
        try await withHub(arguments) { try await ClockConfirmation.write(to: $0) }
        Output.line("the clock counts as right: \(WallClock.system.now.iso8601)")
    }

    static func withHub<T>(_ arguments: Arguments, _ body: (Store) async throws -> T) async throws -> T {
        let folder = try arguments.require("data")
        let path = folder + "/soglia.sqlite"
        guard Files.exists(path) else {
            throw SystemError("there is no hub in that folder. Start it once first: soglia serve --data \(folder)")
        }
        let store = try Store(path: path, migrations: AdminCommand.migrations)
        let result: Result<T, any Error>
        do { result = .success(try await body(store)) } catch { result = .failure(error) }
        await store.close()
        return try result.get()
    }
}
