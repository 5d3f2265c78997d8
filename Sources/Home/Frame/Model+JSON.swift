import Household
import JSON

extension Gateway.Kind: JSONChoice {}
extension Device.Origin: JSONChoice {}
extension SensorKind: JSONChoice {}
extension SensorStatus: JSONChoice {}
extension ActuatorKind: JSONChoice {}
extension PayloadRefusal: JSONChoice {}

/// A number, true or false, or a text.
extension ReadingValue: JSONWritable, JSONReadable {
    package static func schema(_ words: String) -> Schema { .scalar(words) }

    package func write(to json: inout JSONWriter) {
        switch self {
        case .number(let number): json.value(number)
        case .truth(let truth): json.value(truth)
        case .text(let text): json.value(text)
        }
    }

    /// Throws where it is none of them.
    package static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> ReadingValue {
        switch json.first {
        case UInt8(ascii: "\""): .text(try String.read(json, at: path))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .truth(try Bool.read(json, at: path))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            throw .mismatch(path: path, "must be true or false, a number or a text")
        default: .number(try Double.read(json, at: path))
        }
    }
}
