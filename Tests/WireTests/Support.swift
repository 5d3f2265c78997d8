import Foundation
import Wire

/// Bytes from hexadecimal, of any length.
func unhex(_ text: String) throws -> [UInt8] {
    let digits = try text.map { digit in
        guard let value = digit.hexDigitValue else { throw BadVector(text) }
        return UInt8(value)
    }
    guard digits.count.isMultiple(of: 2) else { throw BadVector(text) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

struct BadVector: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

func key(_ text: String) throws -> Key {
    guard let key = Key(try unhex(text)) else { throw BadVector(text) }
    return key
}

func id(_ text: String) throws -> ID16 {
    guard let id = ID16(hex: text) else { throw BadVector(text) }
    return id
}

func nonce(_ text: String) throws -> Nonce {
    guard let nonce = Nonce(hex: text) else { throw BadVector(text) }
    return nonce
}

/// Every binary format with one name, so that one test can hold all of them to the same rules.
enum Format: String, CaseIterable {
    case message, header, pass, receipt, record, rights, time, acknowledgement, hello, absent, query, intent, frame
    case pairingFrame, recall, witness
    case boxHello, boxRecord, boxOrder, boxOrderRefused, boxSettings, boxFrame

    /// Decodes and encodes again.
    func recode(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
        switch self {
        case .message: try PassMessage(decoding: bytes).encoded()
        case .header: try PassHeader(decoding: bytes).encoded()
        case .pass: try Pass(decoding: bytes).encoded()
        case .receipt: try Receipt(decoding: bytes).encoded()
        case .record: try JournalRecord(decoding: bytes).encoded()
        case .rights: try Rights(decoding: bytes).encoded()
        case .time: try TimeAnswer(decoding: bytes).encoded()
        case .acknowledgement: try Acknowledgement(decoding: bytes).encoded()
        case .hello: try GateHello(decoding: bytes).encoded()
        case .absent: try RecordAbsent(decoding: bytes).encoded()
        case .recall: try Recall(decoding: bytes).encoded()
        case .witness: try Witness(decoding: bytes).encoded()
        case .query: try RecordQuery(decoding: bytes).encoded()
        case .intent: try Intent(decoding: bytes).encoded()
        case .frame: try GateFrame(decoding: bytes).encoded()
        case .pairingFrame: try PairingFrame(decoding: bytes).encoded()
        case .boxHello: try BoxHello(decoding: bytes).encoded()
        case .boxRecord: try BoxRecord(decoding: bytes).encoded()
        case .boxOrder: try BoxOrder(decoding: bytes).encoded()
        case .boxOrderRefused: try BoxOrderRefused(decoding: bytes).encoded()
        case .boxSettings: try BoxSettings(decoding: bytes).encoded()
        case .boxFrame: try BoxFrame(decoding: bytes).encoded()
        }
    }

    /// The error that the bytes are refused with; nil if they are taken.
    func refusal(of bytes: [UInt8]) -> WireError? {
        do throws(WireError) {
            _ = try recode(bytes)
            return nil
        } catch {
            return error
        }
    }
}
