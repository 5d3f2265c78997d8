import Accounts
import Household
import JSON

/// A house with where it stands and how it is.
struct HouseRow: JSONObject {
    let site: Site
    let house: House
    let now: HouseNow

    static let shape = Shape<HouseRow> {
        JSONField("site", "the site's id") { $0.site.id }
        JSONField("name", "what people call it") { $0.site.name }
        JSONField("zone", "its time zone, a name of the IANA database") { $0.site.zone.name }
        JSONField("street", "street and town; empty: not told") { $0.house.street }
        JSONField("latitude", "degrees north, -90 to 90") { $0.house.place?.latitude }
        JSONField("longitude", "degrees east, -180 to 180") { $0.house.place?.longitude }
        JSONField("live") { $0.now }
    }
}
