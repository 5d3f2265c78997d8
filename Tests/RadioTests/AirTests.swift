import Radio
import System
import Testing
import Wire

@Suite("An air")
struct AirTests {
    @Test("A scan finds who offers the service, with what it says, and nobody else", arguments: Air.allCases)
    func scan(kind: Air) async throws {
        try await withFolder { folder in
            let air = kind.make(folder)
            #expect(try await air.scan(for: GateProfile.service).isEmpty)
            let id = ID16(high: 1, low: 2)
            let gate = Advertisement(
                address: "a", service: GateProfile.service, serviceData: id.bytes, name: "Ingresso però")
            try await advertising(air, gate, Echo()) {
                try await advertising(air, advertisement("b"), Echo()) {
                    try await advertising(air, advertisement("c", service: GateProfile.key), Echo()) {
                        let (found, others) = (
                            try await air.scan(for: GateProfile.service), try await air.scan(for: GateProfile.badge)
                        )
                        #expect(found == [gate, advertisement("b")])
                        #expect(others.isEmpty)
                        #expect(found.first.map { ID16($0.serviceData) } == id)
                    }
                }
            }
            #expect(try await air.scan(for: GateProfile.service).isEmpty)
        }
    }

    @Test("A central discovers, writes, hears the notification and reads the answer", arguments: Air.allCases)
    func conversation(kind: Air) async throws {
        try await withFolder { folder in
            let air = kind.make(folder)
            let gate = advertisement("gate")
            try await advertising(air, gate, Echo()) {
                let connection = try await air.connect(to: gate)
                #expect(try await connection.discover() == [GateProfile.key, GateProfile.badge])
                #expect(try await connection.read(GateProfile.key) == GateProfile.key.bytes)
                #expect(try await connection.write([1, 2, 3], to: GateProfile.badge) == [3, 0])
                #expect(try await connection.read(GateProfile.badge) == [3, 2, 1])
                #expect(try await connection.write([7], to: GateProfile.badge) == nil)
                let long = [UInt8](repeating: 9, count: 512)
                #expect(try await connection.write(long, to: GateProfile.badge) == [0, 0])
                #expect(try await connection.read(GateProfile.badge) == long)
                await connection.disconnect()
            }
        }
    }

    @Test("What the peripheral refuses comes as its ATT error, and the connection goes on", arguments: Air.allCases)
    func refusals(kind: Air) async throws {
        try await withFolder { folder in
            let air = kind.make(folder)
            let gate = advertisement("gate")
            try await advertising(air, gate, Echo()) {
                let connection = try await air.connect(to: gate)
                await #expect(throws: RadioError.attribute(0x02)) { try await connection.read(GateProfile.badge) }
                await #expect(throws: RadioError.attribute(0x03)) {
                    try await connection.write([1], to: GateProfile.key)
                }
                #expect(try await connection.read(GateProfile.key) == GateProfile.key.bytes)
                await connection.disconnect()
            }
        }
    }

    @Test(
        "Two centrals at once do not hear one another's values, and each that goes is told apart",
        arguments: Air.allCases)
    func two(kind: Air) async throws {
        try await withFolder { folder in
            let air = kind.make(folder)
            let (gate, echo) = (advertisement("gate"), Echo())
            try await advertising(air, gate, echo) {
                let (a, b) = (try await air.connect(to: gate), try await air.connect(to: gate))
                let goneBefore = echo.gone.count
                _ = try await a.write([1, 2], to: GateProfile.badge)
                await #expect(throws: RadioError.attribute(0x02)) { try await b.read(GateProfile.badge) }
                _ = try await b.write([3, 4], to: GateProfile.badge)
                #expect(try await a.read(GateProfile.badge) == [2, 1])
                #expect(try await b.read(GateProfile.badge) == [4, 3])
                await a.disconnect()
                #expect(await eventually { echo.gone.count >= goneBefore + 1 })
                #expect(try await b.read(GateProfile.badge) == [4, 3])
                await b.disconnect()
                #expect(await eventually { echo.gone.count >= goneBefore + 2 })
            }
        }
    }

    @Test("Many centrals talk at the same time, each with its own answers", arguments: Air.allCases)
    func many(kind: Air) async throws {
        try await withFolder { folder in
            let air = kind.make(folder)
            let gate = advertisement("gate")
            try await advertising(air, gate, Echo()) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for n in UInt8(1)...12 {
                        group.addTask {
                            let connection = try await air.connect(to: gate)
                            for m in UInt8(0)..<20 {
                                _ = try await connection.write([n, m], to: GateProfile.badge)
                                #expect(try await connection.read(GateProfile.badge) == [m, n])
                            }
                            await connection.disconnect()
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("Who has left the air cannot be reached", arguments: Air.allCases)
    func left(kind: Air) async throws {
        try await withFolder { folder in
            let air = kind.make(folder)
            await #expect(throws: RadioError.unreachable) { _ = try await air.connect(to: advertisement("nobody")) }
            try await advertising(air, advertisement("gate"), Echo()) {}
            await #expect(throws: RadioError.unreachable) { _ = try await air.connect(to: advertisement("gate")) }
        }
    }

    @Test("An identifier has 16 bytes", arguments: [0, 15, 17])
    func identifier(count: Int) { #expect(UUID128([UInt8](repeating: 1, count: count)) == nil) }
}
