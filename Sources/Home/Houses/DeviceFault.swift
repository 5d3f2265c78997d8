/// Why a device, a sensor or an actuator as it was written will not do.
enum DeviceFault: String, Error, Sendable, CaseIterable {
    case name = "a name has 1 to 80 characters"
    case area = "an area has at most 80 characters"
    case unit = "a unit has at most 16 characters"
    case range = "a range is two finite numbers, the lower one first"
    case period = "a period lies between 0.1 and 86400 seconds"
    case kind = "there is no such kind"
    case alarmClass = "there is no such class"
    case topic = "a topic has at most 8 parts with / between, none of them empty, without wildcards"
    case member = "a member is named by at most 8 names with points between"
    case text = "what stands for yes and no has 1 to 64 characters, and is not the same"
    case gateway = "there is no such gateway in use here"
    case duplicate = "something listens to that topic already"
    case outOfUse = "something out of use listens to that topic, and would do what is told there"
    case mutes = "a siren, a valve or a fan could not be told any more"
    case tooMany = "a gateway has at most 256 sensors and actuators"
    case value = "the value does not fit"

    /// As forms and programs call it.
    var field: String {
        switch self {
        case .name: "name"
        case .area: "area"
        case .unit: "unit"
        case .range: "low"
        case .period: "period"
        case .kind, .tooMany: "kind"
        case .alarmClass: "class"
        case .topic, .duplicate, .outOfUse, .mutes: "topic"
        case .member: "member"
        case .text: "on"
        case .gateway: "gateway"
        case .value: "value"
        }
    }
}
