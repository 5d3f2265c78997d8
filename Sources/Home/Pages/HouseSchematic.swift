import Pages
import System

/// The drawing of houses around the first one; see `Schematic`. Pins carry the numbers of the list, which says the same in words.
enum HouseSchematic {
    static func figure(_ entries: [HousesView.Entry], at now: Timestamp) -> HTML {
        let placed = entries.enumerated().compactMap { index, entry in
            entry.house.place.map { (number: index + 1, entry: entry, place: $0) }
        }
        let centre = placed.first?.place
        let points = centre.map { Schematic.points(of: placed.map(\.place), around: $0) } ?? []
        let middle = Schematic.middle
        return div(.css("schematic"), .data("part", "schematic"), .hidden(placed.isEmpty)) {
            Drawing.field(width: Schematic.side, height: Schematic.side, .css("field-of-houses")) {
                for radius in [Schematic.nearest, 84, Schematic.farthest] {
                    Drawing.circle(middle, middle, radius: radius, .css("ring"))
                }
                Drawing.line(middle, 8, middle, 22, .css("north"))
                Drawing.letters(middle, 38, "N", .css("north-letter"))
                for point in points { Drawing.line(middle, middle, point.x, point.y, .css("spoke")) }
                for (index, one) in placed.enumerated() {
                    pin(one.entry, one.number, now, x: points[index].x, y: points[index].y)
                }
                Drawing.moved(x: middle, y: middle, .css("me"), .hidden(true)) {
                    Drawing.circle(0, 0, radius: 9)
                    Drawing.circle(0, 0, radius: 4)
                }
            }
        }
    }

    /// A pin has every shape; its tone shows one of them.
    private static func pin(_ entry: HousesView.Entry, _ number: Int, _ now: Timestamp, x: Double, y: Double) -> HTML {
        Drawing.moved(
            x: x, y: y, .css("pin \(entry.summary.condition.tone.rawValue)"), .data("pin", entry.site.id.text),
            .data("contact", entry.summary.contact(at: now).rawValue)
        ) {
            Drawing.circle(0, 0, radius: 14, .css("go"))
            Drawing.rectangle(-13, -13, width: 26, height: 26, .css("wait"))
            Drawing.moved(x: 0, y: 0, turned: 45, .css("no")) {
                Drawing.rectangle(-12.5, -12.5, width: 25, height: 25)
            }
            Drawing.circle(0, 0, radius: 13, .css("idle"))
            Drawing.letters(0, 5, String(number))
        }
    }
}
