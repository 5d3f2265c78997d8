import Accounts
import Household
import Identity

/// The words of the list and the map of houses, and of a house's own settings.
struct HomeHousesWords: Sendable {
    let language: Language

    // MARK: the list

    let title: String
    let list: String
    let none: String
    let noneDetail: String
    let noneAsk: String
    let add: String
    let lastContact: String
    let next: @Sendable (String) -> String
    /// How many devices, sensors and actuators there are.
    let things: @Sendable (Int, Int, Int) -> String
    let troubled: @Sendable (Int) -> String
    let standing: String

    // MARK: where they are

    let map: String
    let schematicNote: String
    let mapAway: String
    let notPlaced: String
    let place: String
    let you: String
    let youDetail: String
    let useMine: String
    let forgetMine: String
    let youAreHere: String
    let notTold: String
    let notSecure: String
    /// `{distance} {direction} of you`, for the island too.
    let fromYou: String
    /// From another house.
    let fromHouse: String
    /// From north over east, eight of them.
    let compass: [String]
    let route: String
    let routeDevice: String
    let routeTo: @Sendable (String) -> String

    // MARK: all devices

    let allDevices: String
    let allDevicesNone: String
    let kind: String
    let count: String
    let houses: String
    let state: String
    let working: @Sendable (Int, Int) -> String

    // MARK: settings

    let settings: String
    let newHouse: String
    let newIntro: String
    let name: String
    let nameHint: String
    let street: String
    let streetHint: String
    let latitude: String
    let longitude: String
    let placeHint: String
    let pickHint: String
    let here: String
    let zone: String
    let zoneHint: String
    let save: String
    let saved: String
    let faultName: String
    let faultStreet: String
    let faultZone: String
    let faultZoneMovesAccess: String
    let faultTooMany: String
    let faultFull: String
    let faultTooManyOfOne: String
    let faultNotANumber: String
    let faultHalf: String
    let faultLatitude: String
    let faultLongitude: String
    let more: String
    let moreDetail: String
    let moreLink: String

    // MARK: people

    let people: String
    let peopleIntro: String
    let yourself: String
    let share: String
    let shareIntro: String
    let email: String
    let personName: String
    let personNameHint: String
    let shareOnPaper: String
    /// A link to the invitation.
    let notJoined: String
    /// Chip above it: the mail server refused its letter.
    let letterRefused: String
    let may: String
    let mayOwner: String
    let mayManager: String
    let mayMember: String
    let mayInstaller: String
    let mayGuest: String
    let invite: String
    let shared: String
    let end: String
    let endOf: @Sendable (String) -> String
    let ended: String
    let faultEmail: String
    let faultPersonName: String
    let faultMay: String
    let faultAlready: String
    let faultLastOwner: String
    let faultYourself: String

    static func `in`(_ language: Language) -> HomeHousesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func coordinate(_ fault: CoordinateFault) -> String {
        switch fault {
        case .notANumber: faultNotANumber
        case .half: faultHalf
        case .latitude: faultLatitude
        case .longitude: faultLongitude
        }
    }

    /// What a permission lets somebody do in a house.
    func may(_ permission: Permission) -> String {
        switch permission {
        case .owner: mayOwner
        case .manager: mayManager
        case .member: mayMember
        case .installer: mayInstaller
        case .guest, .merchant: mayGuest
        }
    }

    /// `3.2 km`, `450 m`.
    func distance(_ metres: Double) -> String {
        metres < 1_000
            ? "\(Int((metres / 10).rounded() * 10))\u{a0}m"
            : ValueText.number(metres < 10_000 ? (metres / 100).rounded() / 10 : (metres / 1_000).rounded(), language)
                + "\u{a0}km"
    }

    /// `north-east`, of degrees from north over east.
    func direction(_ bearing: Double) -> String { compass[Int((bearing / 45).rounded()) % 8] }
}
