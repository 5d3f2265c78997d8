import Ledger
import Store
import System

// What devices described and what is out of use is remembered with what it told, for when it comes again: of each house so much.

extension Household {
    /// So many are forgotten in one transaction.
    private static let forgettingStep = 256

    /// Forgets what a house has out of use beyond `DiscoveryLimit.unused`, now and every ten minutes. Runs until cancelled.
    func forgetUnused() async throws {
        while true {
            do { try await forget() } catch {
                Log.warning("home", "what is out of use stays for another while", ["why": "\(error)"])
            }
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// Forgets what each house has out of use beyond a count, in small steps.
    /// - Returns: how many sensors and actuators.
    @discardableResult
    func forget(beyond most: Int = DiscoveryLimit.unused) async throws -> Int {
        var count = 0
        for site in Set(try store.read { try HomeRecords.gateways(in: $0) }.map(\.site)) {
            let unused = try await store.readAside { try ForgottenRecords.unused(at: site, in: $0) }
            guard unused.count > most else { continue }
            while true {
                let forgotten = try await registry.change(at: site) { database in
                    // As it is by now: some may be in use again.
                    let unused = try ForgottenRecords.unused(at: site, in: database)
                    let some = ForgottenRecords.choose(unused, leaving: most).prefix(Self.forgettingStep)
                    try ForgottenRecords.forget(some, in: database)
                    try ForgottenRecords.forgetEmptyDevices(at: site, in: database)
                    return some.count
                }
                count += forgotten
                if forgotten < Self.forgettingStep { break }
                await Task.yield()
            }
        }
        return count
    }
}
