import Identity
import Ledger

/// Where a house stands. Every site of the kind `home` is a house; its name, zone and people are the site's.
package struct House: Sendable, Equatable {
    package let site: SiteID
    /// Street and town as people write them, empty: not told; and where on the map, nil: not told.
    package var (street, place): (String, MapPlace?)

    /// See the properties.
    package init(site: SiteID, street: String = "", place: MapPlace? = nil) {
        (self.site, self.street, self.place) = (site, street, place)
    }
}

/// A point on the earth (WGS 84).
package struct MapPlace: Sendable, Equatable {
    /// Degrees north, -90 to 90.
    package let latitude: Double
    /// Degrees east, -180 to 180.
    package let longitude: Double

    /// Nil for what is not on the earth.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}
