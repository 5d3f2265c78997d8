import Foundation
import Wire

/// The vectors file that a second implementation wrote, which the browser's island and the firmware read too.
struct VectorFile: Decodable {
    struct MAC: Decodable { let key, data, tag: String }
    struct RFC: Decodable { let hmacSHA256, hmacSHA1: [MAC] }
    struct DomainCase: Decodable {
        let domain: UInt8
        let name, key, input, tag: String
    }
    struct Header: Decodable {
        let flags: UInt8
        let epoch: UInt32
        let passID, gateID: String
        let issued, notBefore, notAfter: UInt64
        let intervals: [[UInt64]]
        let bytes: String
    }
    struct CaveatCase: Decodable {
        let kind: String
        let value: CaveatValue?
        let bytes: String
    }
    enum CaveatValue: Decodable {
        case time(UInt64)
        case text(String)
        case names([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let time = try? container.decode(UInt64.self) {
                self = .time(time)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .names(try container.decode([String].self))
            }
        }
    }
    struct IntentCase: Decodable {
        let kind: String
        let reason: UInt16?
        let bytes: String
    }
    struct Reply: Decodable {
        let outcome: String
        let reason: UInt16
        let gateTime: UInt64
        let clock: UInt8
        let journalID: String
        let sequence: UInt64
        let eventID, receipt, record: String
    }
    struct PassCase: Decodable {
        let name, gateKey: String
        let header: Header
        let caveats: [CaveatCase]
        let keys: [String]
        let pass, carrier, gateNonce, openerNonce: String
        let intent: IntentCase
        let openInput, open, message: String
        let receipts: [Reply]
    }
    struct DeniedEntry: Decodable {
        let passID: String
        let until: UInt64

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            passID = try container.decode(String.self)
            until = try container.decode(UInt64.self)
        }
    }
    struct RightsCase: Decodable {
        let version: UInt64
        let epoch: UInt32
        let denied: [DeniedEntry]
        let pulse: UInt16
        let bytes: String
    }
    struct TimeCase: Decodable {
        let nonce: String
        let utc: UInt64
        let bytes: String
    }
    struct AcknowledgementCase: Decodable {
        let journalID: String
        let sequence, ledgerSequence: UInt64
        let ledgerHead, bytes: String
    }
    struct HelloCase: Decodable {
        let session: String
        let uptime: UInt64
        let bootCount: UInt32
        let journalID: String
        let lastSequence, rightsVersion: UInt64
        let clock: UInt8
        let timeNonce, bytes: String
    }
    struct RecallCase: Decodable {
        let journalID: String
        let after, ledgerSequence: UInt64
        let ledgerHead, nonce, bytes: String
    }
    struct WitnessCase: Decodable {
        let recall: String
        let ledgerSequence: UInt64
        let ledgerHead: String
        let records: UInt64
        let bytes: String
    }
    struct AbsentCase: Decodable { let eventID, bytes: String }
    struct NonceCase: Decodable {
        let bootCount: UInt32
        let n: UInt64
        let nonce: String
    }
    struct FrameCase: Decodable {
        let kind: UInt8
        let bytes: String
    }
    struct Bus: Decodable {
        let rights: [RightsCase]
        let time: [TimeCase]
        let acknowledgement: [AcknowledgementCase]
        let hello: [HelloCase]
        let absent: [AbsentCase]
        let recall: [RecallCase]
        let witness: [WitnessCase]
        let nonces: [NonceCase]
        let frames: [FrameCase]
    }
    struct CodeCase: Decodable { let bytes, text: String }
    struct PairingCase: Decodable {
        let shared, code, hubIdentity, gatePublicKey, hubPublicKey, gateID, gateKey: String
        let hubConfirmation, gateConfirmation: String
        let frames: [FrameCase]
        let codes, typed: [CodeCase]
        let badCodes: [String]
    }
    struct LegacyCase: Decodable {
        let name, badge, key: String
        let cipher, error: String?
    }
    struct LegacyGate: Decodable {
        struct Badge: Decodable {
            let code, name: String
            let notBefore, notAfter: UInt64
            let calendar: UInt16?
        }
        struct Rights: Decodable {
            let version: UInt64
            let epoch: UInt32
            let pulse: UInt16
            let bytes: String
        }
        struct Profile: Decodable { let service, badge, key, beacon, systemName: String }
        struct Write: Decodable { let airKey, written, code, open: String }
        struct Heard: Decodable {
            let name, code, reason: String
            let utc: UInt64?
        }
        struct Refused: Decodable { let name, written, key, error: String }
        let gate, key: String
        let calendars: [[[UInt64]]]
        let badges: [Badge]
        let rights: Rights
        let profile: Profile
        let write: Write
        let heard: [Heard]
        let refused: [Refused]
    }
    struct Gate: Decodable {
        let id, key, carrier, gateNonce: String
        let utc: UInt64?
        let uptime: UInt64
        let epoch: UInt32
        let denied: [String]
        let hubContactAge: UInt64?
    }
    struct GateCase: Decodable {
        let name, reason, message: String
        let gate: Gate
    }
    struct Replays: Decodable {
        struct ReceiptCase: Decodable {
            let name, pass, message, receipt: String
            let verifies: Bool
        }
        struct RightsCase: Decodable {
            let name, bytes: String
            let held: UInt64
            let newer: Bool
        }
        struct TimeCase: Decodable {
            let name, bytes, nonce: String
            let verifies: Bool
        }
        struct AcknowledgementCase: Decodable {
            let name, bytes, journalID: String
            let acknowledged: UInt64?
            let advances: Bool
        }
        struct BusNonces: Decodable {
            struct Step: Decodable {
                let nonce: String
                let accepted: Bool
            }
            let session: String
            let steps: [Step]
        }
        struct AgeCase: Decodable {
            let carrier: String
            let age: UInt64
            let accepted: Bool
        }
        let receipts: [ReceiptCase]
        let rights: [RightsCase]
        let time: [TimeCase]
        let acknowledgement: [AcknowledgementCase]
        let busNonces: BusNonces
        let nonceAges: [AgeCase]
    }
    struct RefusedCase: Decodable {
        let name: String?
        let format, bytes, error: String
    }
    struct Refused: Decodable { let truncations, bytes: [RefusedCase] }

    let rfc: RFC
    let domains: [DomainCase]
    let passes: [PassCase]
    let bus: Bus
    let pairing: PairingCase
    let legacy: [LegacyCase]
    let legacyGate: LegacyGate
    let gate: [GateCase]
    let replays: Replays
    let refused: Refused

    /// `Tests/Vectors/pass.json`, found from this file's own place.
    static func load() throws -> VectorFile {
        let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let tests = here.deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appendingPathComponent("Vectors/pass.json"))
        return try JSONDecoder().decode(VectorFile.self, from: data)
    }
}

extension VectorFile.Header {
    func made() throws -> PassHeader {
        try PassHeader(
            flags: PassFlags(rawValue: flags), epoch: epoch, passID: try id(passID), gateID: try id(gateID),
            issued: issued, notBefore: notBefore, notAfter: notAfter,
            intervals: intervals.map { Interval(start: $0[0], end: $0[1]) })
    }
}

extension VectorFile.CaveatCase {
    func made() throws -> Caveat {
        switch (kind, value) {
        case ("from", .time(let time)): .from(time)
        case ("until", .time(let time)): .until(time)
        case ("intents", .names(let names)): .intents(try names.map(intentKind))
        case ("label", .text(let text)): .label(try unhex(text))
        case ("last", nil): .last
        default: throw BadVector(kind)
        }
    }
}

extension VectorFile.IntentCase {
    func made() throws -> Intent {
        switch (try intentKind(kind), reason) {
        case (.apri, nil): .apri
        case (.chiudi, nil): .chiudi
        case (.enter, .some(let reason)): .enter(reason: reason)
        case (.leave, .some(let reason)): .leave(reason: reason)
        default: throw BadVector(kind)
        }
    }
}

func intentKind(_ name: String) throws -> IntentKind {
    guard let kind = IntentKind.allCases.first(where: { "\($0)" == name }) else { throw BadVector(name) }
    return kind
}

func carrier(_ name: String) throws -> Carrier {
    guard let carrier = Carrier.allCases.first(where: { "\($0)" == name }) else { throw BadVector(name) }
    return carrier
}

func gateReason(_ name: String) throws -> GateReason {
    guard let reason = GateReason.allCases.first(where: { "\($0)" == name }) else { throw BadVector(name) }
    return reason
}

func outcome(_ name: String) throws -> Outcome {
    guard let outcome = Outcome.allCases.first(where: { "\($0)" == name }) else { throw BadVector(name) }
    return outcome
}
