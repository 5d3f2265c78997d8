import Glibc
import Household
import Ledger

/// Houses around a centre, without a map: directions as they are, distances drawn closer the farther they are, so that the next village
/// and another continent fit on one page. The island `house-map` draws the same.
enum Schematic {
    /// The side of the field.
    static let side = 320
    static let middle = Double(side) / 2
    /// Nothing is drawn nearer to the middle, or farther.
    static let nearest = 36.0
    static let farthest = 132.0

    /// Where on the field each place stands.
    static func points(of places: [MapPlace], around centre: MapPlace) -> [(x: Double, y: Double)] {
        let far = places.map { centre.distance(to: $0) }.max() ?? 0
        return places.map { place in
            let distance = centre.distance(to: place)
            // A few metres are the same place.
            guard distance > 1 else { return (middle, middle) }
            let radius = radius(of: distance, farthest: far)
            let angle = centre.bearing(to: place) * .pi / 180
            return (middle + radius * sin(angle), middle - radius * cos(angle))
        }
    }

    /// A logarithm: twice as far is a step, not twice the way.
    private static func radius(of distance: Double, farthest far: Double) -> Double {
        let unit = max(far / 50, 1)
        return nearest + (farthest - nearest) * log1p(distance / unit) / log1p(max(far, distance) / unit)
    }
}
