import Testing

@testable import Wire

@Suite("The legacy gate")
struct LegacyTests {
    let vector: VectorFile.LegacyGate

    init() throws { vector = try VectorFile.load().legacyGate }

    @Test("What it holds is the same byte for byte, made and read")
    func rights() throws {
        let gateKey = try key(vector.key)
        let holders = try vector.badges.map { badge in
            let name = LocalRights.name(of: try unhex(badge.code), gateKey: gateKey)
            #expect(name.hex == badge.name)
            return LocalRights.Holder(
                badge: name, notBefore: badge.notBefore, notAfter: badge.notAfter, calendar: badge.calendar)
        }
        let calendars = vector.calendars.map { $0.map { Interval(start: $0[0], end: $0[1]) } }
        let local = try LocalRights(calendars: calendars, holders: holders.reversed())
        let made = try Rights(
            version: vector.rights.version, epoch: vector.rights.epoch, denied: [],
            settings: GateSettings(pulseMilliseconds: vector.rights.pulse), local: local, gateKey: gateKey)
        #expect(hex(made.encoded()) == vector.rights.bytes)
        let read = try Rights(decoding: try unhex(vector.rights.bytes))
        #expect(read.verifies(gateKey: gateKey) && read.local == local)
    }

    @Test("One changed bit of what it holds and the rights do not verify")
    func tampered() throws {
        let (gateKey, bytes) = (try key(vector.key), try unhex(vector.rights.bytes))
        for index in 16..<bytes.count {
            var changed = bytes
            changed[index] ^= 1
            if let rights = try? Rights(decoding: changed) {
                #expect(!rights.verifies(gateKey: gateKey), "byte \(index)")
            }
        }
    }

    @Test("Each gate is called by its own identifiers and its own name")
    func profile() throws {
        let profile = LegacyProfile(gate: try id(vector.gate))
        #expect(LegacyProfile.text(profile.service) == vector.profile.service)
        #expect(LegacyProfile.text(profile.badge) == vector.profile.badge)
        #expect(LegacyProfile.text(profile.key) == vector.profile.key)
        #expect(LegacyProfile.text(LegacyProfile.beacon(site: try id(vector.gate))) == vector.profile.beacon)
        #expect(profile.systemName == vector.profile.systemName)
    }

    @Test("A write gives the code that was meant, and a record of it gives nothing away")
    func write() throws {
        let (written, airKey) = (try unhex(vector.write.written), try unhex(vector.write.airKey))
        let code = try Legacy.badge(written: written, key: airKey)
        #expect(hex(code) == vector.write.code)
        let open = Legacy.open(written: written, key: airKey, gateKey: try key(vector.key))
        #expect(hex(open.bytes) == vector.write.open)
    }

    @Test("A gate answers each badge with the expected reason")
    func decisions() throws {
        let gateKey = try key(vector.key)
        let local = try #require(try Rights(decoding: try unhex(vector.rights.bytes)).local)
        for heard in vector.heard {
            let badge = LocalRights.name(of: try unhex(heard.code), gateKey: gateKey)
            #expect(local.decide(badge, at: heard.utc) == (try gateReason(heard.reason)), "\(heard.name)")
        }
        // Another gate knows the same code by another name, and so not at all.
        let elsewhere = LocalRights.name(
            of: try unhex(vector.badges[0].code), gateKey: try key(String(repeating: "07", count: 32)))
        #expect(local.decide(elsewhere, at: vector.badges[0].notBefore) == .notValid)
    }

    @Test("An empty key, an empty write and what is too long are refused")
    func refused() throws {
        for vector in vector.refused {
            let error = #expect(throws: WireError.self, "\(vector.name)") {
                try Legacy.badge(written: try unhex(vector.written), key: try unhex(vector.key))
            }
            #expect(error.map { "\($0)" } == vector.error)
        }
    }
}
