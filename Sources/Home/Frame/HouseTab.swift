import Identity
import Ledger
import Pages

/// The pages of a house that its main links lead to, in their order.
enum HouseTab: CaseIterable {
    case house, care, safety, alarms, devices

    func path(_ site: SiteID) -> LocalPath {
        let root: LocalPath = "/houses/\(site.text)"
        return switch self {
        case .house: root
        case .care: root.under("care")
        case .safety: root.under("safety")
        case .alarms: root.under("alarms")
        case .devices: root.under("devices")
        }
    }

    func label(_ words: HomeLiveWords) -> String {
        switch self {
        case .house: words.house
        case .care: words.care
        case .safety: words.safety
        case .alarms: words.alarms
        case .devices: words.devices
        }
    }
}
