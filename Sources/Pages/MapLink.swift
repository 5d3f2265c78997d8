/// Where people find the way to a place: links that hold nothing but its two numbers.
public enum MapLink: Sendable, CaseIterable {
    /// Whatever the device opens places with (RFC 5870).
    case device
    case apple
    case google

    /// The link to a place, in degrees north and east.
    public func address(latitude: Double, longitude: Double) -> Attribute {
        let place = "\(Self.degrees(latitude)),\(Self.degrees(longitude))"
        return switch self {
        case .device: Attribute("href", "geo:\(place)")
        case .apple: Attribute("href", "https://maps.apple.com/?daddr=\(place)")
        case .google: Attribute("href", "https://www.google.com/maps/dir/?api=1&destination=\(place)")
        }
    }

    /// The other page learns nothing of this one.
    public static let apart = Attribute("rel", "noopener noreferrer")

    /// Six places are a decimetre.
    private static func degrees(_ value: Double) -> String {
        let micro = Int((value * 1_000_000).rounded())
        let (whole, rest) = micro.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let figures = String(rest)
        return (micro < 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: 6 - figures.utf8.count) + figures
    }
}
