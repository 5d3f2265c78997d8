import TestSupport
import Wire

// Values from few bytes and few times, so that neighbours and near collisions are common.
extension SeededGenerator {
    mutating func pick<C: Collection>(_ choices: C) -> C.Element {
        choices[choices.index(choices.startIndex, offsetBy: Int.random(in: 0..<choices.count, using: &self))]
    }

    mutating func id() -> ID16 {
        ID16(high: pick([0, 1, 256, 1 << 56]), low: pick([0, 1, 256, 1 << 56]))
    }

    mutating func nonce() -> Nonce {
        Nonce(high: pick([0, 1, 256, 1 << 56]), low: pick([0, 1, 256, 1 << 56]))
    }

    mutating func key() -> Key {
        Key(bytes(32))!
    }

    mutating func header(flags: PassFlags? = nil, gateID: ID16? = nil) throws(WireError) -> PassHeader {
        let issued = UInt64.random(in: 0...20, using: &self)
        let notAfter = UInt64.random(in: issued + 1...issued + 60, using: &self)
        var intervals: [Interval] = []
        var start: UInt64 = 0
        for _ in 0..<pick([0, 0, 1, 2, 8]) {
            start += UInt64.random(in: 0...4, using: &self)
            let end = start + UInt64.random(in: 1...6, using: &self)
            intervals.append(Interval(start: start, end: end))
            start = end
        }
        return try PassHeader(
            flags: flags ?? PassFlags(rawValue: UInt8.random(in: 0...15, using: &self)),
            epoch: UInt32.random(in: 0...3, using: &self), passID: id(), gateID: gateID ?? id(), issued: issued,
            notBefore: UInt64.random(in: 0..<notAfter, using: &self), notAfter: notAfter, intervals: intervals)
    }

    mutating func caveat() -> Caveat {
        switch Int.random(in: 0..<9, using: &self) {
        case 0, 1: .from(UInt64.random(in: 0...40, using: &self))
        case 2, 3: .until(UInt64.random(in: 0...60, using: &self))
        case 4, 5:
            .intents(Array(IntentKind.allCases.shuffled(using: &self).prefix(Int.random(in: 1...4, using: &self))))
        case 6, 7: .label((0..<Int.random(in: 1...4, using: &self)).map { _ in pick([0, 1, 2, 5, 8]) })
        default: .last
        }
    }

    mutating func intent() -> Intent {
        let reason = UInt16.random(in: 0...300, using: &self)
        return pick([.apri, .chiudi, .enter(reason: reason), .leave(reason: reason)])
    }

    /// A pass with 0 to 4 caveats; fewer where the header or `last` allows no more.
    mutating func pass(gateKey: Key, flags: PassFlags? = nil, gateID: ID16? = nil) throws(WireError) -> Pass {
        var pass = Pass(header: try header(flags: flags, gateID: gateID), gateKey: gateKey)
        for _ in 0..<Int.random(in: 0...4, using: &self) {
            guard let narrowed = try? pass.narrowed(by: caveat()) else { break }
            pass = narrowed
        }
        return pass
    }

    mutating func message(gateKey: Key) throws(WireError) -> PassMessage {
        try pass(gateKey: gateKey).message(
            carrier: pick(Carrier.allCases), gateNonce: nonce(), openerNonce: nonce(), intent: intent())
    }

    mutating func receipt(gateKey: Key, message: PassMessage) -> Receipt {
        message.receipt(
            gateKey: gateKey, outcome: pick(Outcome.allCases), reason: UInt16.random(in: 0...20, using: &self),
            gateTime: UInt64.random(in: 0 ... .max, using: &self), clock: pick(ClockState.allCases), journalID: id(),
            sequence: UInt64.random(in: 0 ... .max, using: &self), eventID: id())
    }

    mutating func status() throws(WireError) -> GateStatus {
        try GateStatus(
            utc: next(), waiting: 3, kept: .random(in: 0 ... .max, using: &self),
            troubles: .init(rawValue: .random(in: 0 ... .max, using: &self)),
            software: Array("soglia 0.2.0".utf8.prefix(.random(in: 0...12, using: &self))))
    }

    mutating func localRights() throws(WireError) -> LocalRights {
        let calendars = (0..<Int.random(in: 0...3, using: &self)).map { _ in
            (0..<UInt64.random(in: 0...4, using: &self)).map { Interval(start: $0 * 10, end: $0 * 10 + 5) }
        }
        let holders = (0..<Int.random(in: 0...5, using: &self)).map { _ in
            LocalRights.Holder(
                badge: id(), notBefore: 0, notAfter: next(),
                calendar: (calendars.indices.map(UInt16.init) + [nil])
                    .randomElement(using: &self)!)
        }
        return try LocalRights(calendars: calendars, holders: holders)
    }

    /// The bytes of a well-formed value of a format.
    mutating func encoding(of format: Format) throws(WireError) -> [UInt8] {
        let gateKey = key()
        switch format {
        case .message: return try message(gateKey: gateKey).encoded()
        case .header: return try header().encoded()
        case .pass: return try pass(gateKey: gateKey).encoded()
        case .receipt: return receipt(gateKey: gateKey, message: try message(gateKey: gateKey)).encoded()
        case .record:
            let message = try message(gateKey: gateKey)
            let receipt = receipt(gateKey: gateKey, message: message)
            return JournalRecord(
                message: message, carrier: pick(Carrier.allCases), receipt: receipt, gateKey: gateKey
            ).encoded()
        case .rights:
            let denied = (0..<Int.random(in: 0...5, using: &self)).map { _ in
                Denied(passID: id(), until: UInt64.random(in: 0...90, using: &self))
            }
            return try Rights(
                version: next(), epoch: 1, denied: denied, settings: GateSettings(pulseMilliseconds: 500),
                local: Bool.random(using: &self) ? try localRights() : nil, gateKey: gateKey
            ).encoded()
        case .time: return TimeAnswer(nonce: nonce(), utc: next(), gateKey: gateKey).encoded()
        case .acknowledgement:
            return try Acknowledgement(
                journalID: id(), sequence: next(), ledgerSequence: next(), ledgerHead: bytes(32), gateKey: gateKey
            ).encoded()
        case .hello:
            return try GateHello(
                session: bytes(8), uptime: next(), bootCount: 3, journalID: id(), lastSequence: next(),
                rightsVersion: next(), clock: pick(ClockState.allCases), timeNonce: nonce(),
                status: Bool.random(using: &self) ? try status() : nil, gateKey: gateKey
            ).encoded()
        case .absent: return RecordAbsent(eventID: id(), gateKey: gateKey).encoded()
        case .recall, .witness:
            let recall = try Recall(
                journalID: id(), after: next(), ledgerSequence: next(), ledgerHead: bytes(32), nonce: nonce(),
                gateKey: gateKey)
            if format == .recall { return recall.encoded() }
            return try Witness(
                ledgerSequence: next(), ledgerHead: bytes(32), records: next(), recall: recall, gateKey: gateKey
            ).encoded()
        case .query: return RecordQuery(eventID: id()).encoded()
        case .intent: return intent().encoded()
        case .frame:
            let kinds: [(UInt8, Format)] = [
                (1, .hello), (2, .record), (3, .absent), (4, .witness), (21, .recall), (17, .rights), (18, .time),
                (19, .acknowledgement),
                (20, .query),
            ]
            let (kind, inner) = pick(kinds)
            return [kind] + (try encoding(of: inner))
        case .pairingFrame:
            let frames: [PairingFrame] = [
                .gateKey(publicKey: bytes(32)),
                .hubKey(gateID: id(), hubIdentity: bytes(32), publicKey: bytes(32), confirmation: Tag(bytes(32))!),
                .gateConfirmation(Tag(bytes(32))!),
                .sealed(bytes(Int.random(in: 0...40, using: &self))),
            ]
            return try pick(frames).encoded()
        case .boxHello: return try boxHello(gateKey).encoded()
        case .boxRecord: return try boxRecord(gateKey).encoded()
        case .boxOrder: return try boxOrder(gateKey).encoded()
        case .boxOrderRefused: return BoxOrderRefused(id(), pick(BoxOrder.Refusal.allCases), boxKey: gateKey).encoded()
        case .boxSettings: return try boxSettings(gateKey).encoded()
        case .boxFrame:
            let kinds: [(UInt8, Format)] = [
                (1, .boxHello), (2, .boxRecord), (3, .boxOrderRefused), (16, .boxOrder), (17, .boxSettings),
                (18, .time),
                (19, .acknowledgement),
            ]
            let (kind, inner) = pick(kinds)
            return [kind] + (try encoding(of: inner))
        }
    }
}

// What a home's box and its hub say to one another.
extension SeededGenerator {
    mutating func panelStanding() -> PanelStanding {
        PanelStanding(
            state: .random(in: 0...9, using: &self), mode: .random(in: 0...6, using: &self),
            isSounding: .random(using: &self), number: next(),
            left: pick([nil, 0, 29_000, PanelStanding.longest]))
    }

    mutating func boxHello(_ key: Key) throws(WireError) -> BoxHello {
        try BoxHello(
            session: bytes(8), uptime: next(), bootCount: 3, journalID: id(), lastSequence: next(),
            settingsVersion: next(), clock: pick(ClockState.allCases), timeNonce: nonce(), panel: panelStanding(),
            boxKey: key)
    }

    mutating func boxRecord(_ key: Key, kind: BoxRecord.Kind? = nil) throws(WireError) -> BoxRecord {
        let kind = kind ?? pick(BoxRecord.Kind.allCases)
        let content = try BoxRecord.Content(
            kind: kind, panel: panelStanding(), cause: pick(BoxRecord.Cause.allCases), sensor: pick([nil, 0, 31, 254]),
            value: .random(in: .min ... .max, using: &self), credential: id(), time: next(),
            clock: pick(ClockState.allCases), digest: kind == .tagLearnt ? bytes(32) : nil)
        return BoxRecord(journalID: id(), sequence: next(), content: content, boxKey: key)
    }

    mutating func boxOrder(_ key: Key) throws(WireError) -> BoxOrder {
        try BoxOrder(
            session: bytes(8), counter: next(), notAfter: next(), kind: pick(BoxOrder.Kind.allCases),
            mode: .random(in: 0...6, using: &self), bypass: next(), panel: panelStanding(), id: id(), boxKey: key)
    }

    mutating func boxSettings(_ key: Key, version: UInt64? = nil) throws(WireError) -> BoxSettings {
        var sensors: [BoxSettings.Sensor] = []
        for _ in 0..<pick([0, 1, 3, 32]) {
            let level = try BoxSettings.Level(
                level: .random(in: -9...9, using: &self), hysteresis: .random(in: 0...9, using: &self),
                risePerMinute: pick([nil, 1, 70_000]))
            sensors.append(
                try BoxSettings.Sensor(
                    key: Array(pick(["gas", "back_door", "x"]).utf8), alarmClass: .random(in: 0...4, using: &self),
                    isBypassed: .random(using: &self), threshold: Bool.random(using: &self) ? level : nil))
        }
        let tags = (0..<pick([0, 1, 32])).map { _ in BoxSettings.Known(id: id(), digest: Tag(bytes(32))!) }
        return try BoxSettings(
            version: version ?? next(),
            rules: .init(exit: [0, 60, 0, 60], entry: [30, 30, 30, 30], alarmTime: 120, disarmsAfterAlarm: true),
            sensors: sensors,
            fan: .init(
                sensor: sensors.isEmpty ? nil : UInt8(sensors.count - 1), most: .random(in: -9...9, using: &self),
                shortestRun: 30), tags: tags, boxKey: key)
    }
}
