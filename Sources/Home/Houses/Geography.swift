import Glibc
import Household

extension MapPlace {
    /// The mean radius of the earth in metres (IUGG).
    private static let earth = 6_371_008.8

    /// How far another place is, along the ground, in metres. The haversine formula: right to half a per cent.
    func distance(to other: MapPlace) -> Double {
        let (a, b) = (Self.radians(latitude), Self.radians(other.latitude))
        let (north, east) = (b - a, Self.radians(other.longitude - longitude))
        let h = sin(north / 2) * sin(north / 2) + cos(a) * cos(b) * sin(east / 2) * sin(east / 2)
        return 2 * Self.earth * asin(min(1, h.squareRoot()))
    }

    /// In which direction one sets out for it, in degrees from north over east, 0 to 360.
    func bearing(to other: MapPlace) -> Double {
        let (a, b, east) = (
            Self.radians(latitude), Self.radians(other.latitude), Self.radians(other.longitude - longitude)
        )
        let degrees = atan2(sin(east) * cos(b), cos(a) * sin(b) - sin(a) * cos(b) * cos(east)) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}

/// Why coordinates as somebody wrote them will not do.
enum CoordinateFault: String, Error, Sendable {
    case notANumber = "write degrees as a number, 45.4642"
    case half = "a place has a latitude and a longitude"
    case latitude = "a latitude lies between -90 and 90"
    case longitude = "a longitude lies between -180 and 180"

    /// As forms call it.
    var field: String { self == .longitude ? "longitude" : "latitude" }
}

extension MapPlace {
    /// A place as people write it: two numbers, with point or comma, or both in the first field as maps give them, `45.4642, 9.19`.
    /// - Returns: nil when both are empty.
    static func parse(latitude: String, longitude: String) throws(CoordinateFault) -> MapPlace? {
        var (north, east) = (trimmed(latitude), trimmed(longitude))
        if north.isEmpty && east.isEmpty { return nil }
        if east.isEmpty, let both = pair(north) { (north, east) = both }
        if north.isEmpty || east.isEmpty { throw .half }
        guard let y = number(north), let x = number(east) else { throw .notANumber }
        return try checked(latitude: y, longitude: x)
    }

    /// A place of two numbers from outside.
    static func checked(latitude: Double, longitude: Double) throws(CoordinateFault) -> MapPlace {
        guard (-90...90).contains(latitude) else { throw .latitude }
        guard let place = MapPlace(latitude: latitude, longitude: longitude) else { throw .longitude }
        return place
    }

    private static func trimmed(_ text: String) -> Substring {
        var rest = text.prefix(80)[...]
        while rest.first?.isWhitespace ?? false { rest.removeFirst() }
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        return rest
    }

    /// Two numbers with a comma, a semicolon or a blank between them.
    private static func pair(_ text: Substring) -> (Substring, Substring)? {
        let parts = text.split { $0 == ";" || $0.isWhitespace }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
        if parts.count == 2 { return (parts[0], parts[1]) }
        // `45.4642,9.19`: the comma parts two numbers only where both have points.
        let halves = text.split(separator: ",", omittingEmptySubsequences: false)
        if halves.count == 2, halves.allSatisfy({ $0.utf8.contains(UInt8(ascii: ".")) }) {
            return (halves[0], halves[1])
        }
        return nil
    }

    /// Digits with one point or comma and a sign; no exponents, no infinities.
    private static func number(_ text: Substring) -> Double? {
        let bytes = text.utf8
        guard bytes.count <= 24,
            bytes.allSatisfy({ (0x30...0x39).contains($0) || [0x2b, 0x2c, 0x2d, 0x2e].contains($0) })
        else { return nil }
        return Double(text.utf8.contains(UInt8(ascii: ",")) ? String(text.map { $0 == "," ? "." : $0 }) : String(text))
    }
}
