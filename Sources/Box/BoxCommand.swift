/// What a plain command says: the few words that the box's actuators understand.
enum BoxCommand: Equatable {
    case on
    case off
    /// 0 to 100.
    case number(UInt8)
    case colour(UInt8, UInt8, UInt8)
    case words(String)

    /// The longest command in bytes.
    static let limit = 256

    /// Nil for what is too long or no text. `{"state": "ON"}`, as Home Assistant tells sirens, is `ON`.
    init?(_ payload: [UInt8]) {
        guard payload.count <= Self.limit, let whole = String(validating: payload, as: UTF8.self) else { return nil }
        var text = whole
        if whole.utf8.first == UInt8(ascii: "{") {
            let bare = String(whole.unicodeScalars.filter { $0.value > 0x20 }.map(Character.init))
            guard bare.hasPrefix("{\"state\":\"O") else { return nil }
            text = bare.hasPrefix("{\"state\":\"ON\"") ? "ON" : "OFF"
        }
        switch text {
        case "ON", "OPEN": self = .on
        case "OFF", "CLOSE": self = .off
        default:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt8($0) }
            if let percent = UInt8(text), percent <= 100 {
                self = .number(percent)
            } else if parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] {
                self = .colour(red, green, blue)
            } else {
                self = .words(text)
            }
        }
    }

    /// As it is shown.
    var text: String {
        switch self {
        case .on: "ON"
        case .off: "OFF"
        case .number(let number): "\(number)"
        case .colour(let red, let green, let blue): "\(red),\(green),\(blue)"
        case .words(let words): words
        }
    }
}
