import Store
import System
import Testing

@testable import Gates
@testable import Platform

@Suite("The watch over the clock")
struct ClockKeeperTests {
    @Test("A doubt of the start that ends before the watch first looks tells gates anew what they deny")
    func endsBeforeTheFirstLook() async throws {
        try await Company.run { company in
            let gate = try await company.paired("Cancello")
            try await company.given.store.write {
                _ = try $0.execute(
                    "INSERT INTO denied_passes (gate, pass, until) VALUES (?, zeroblob(16), ?)", gate.id,
                    noon.seconds + 3_600)
            }
            func version() throws -> UInt64? {
                try company.given.store.read { try GateRecords.gate(gate.id, in: $0) }?.rightsVersion
            }
            // The hub ran by a clock that was a day ahead; it was set back while the hub was off.
            let boot = [UInt8](repeating: 3, count: 16)
            let source = CheckedClock.Source(
                machine: { noon }, steady: { 7_000_000 }, isKept: { false }, boot: boot)
            let mark = ClockCheck.Mark(boot: boot, time: noon.adding(milliseconds: 86_400_000), steady: 6_990_000)
            let checked = CheckedClock(source, mark: mark, newest: nil)
            #expect(checked.doubt != nil)
            checked.confirm()
            let keeper = ClockKeeper(company.given, checked, HubHealth())
            let watching = Task { try await keeper.run() }
            defer { watching.cancel() }
            #expect(try await eventually { try version() == gate.rightsVersion + 1 })
        }
    }
}
