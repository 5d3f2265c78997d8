import Accounts
import Household
import Identity
import Notices

/// The words of alarms and faults in one language, by what they say. What to do about an alarm is in `AlarmWords`: one advice, in one place.
struct AlarmMessageWords: Sendable {
    let language: Language
    /// What is in the air.
    let air: @Sendable (SensorKind) -> String?
    /// Why a measured value is an alarm.
    let level: @Sendable (String) -> String
    let rise: @Sendable (String) -> String
    let exposure: String
    /// That a sensor does not do its part, by whether it is a detector, and what that means.
    let silent: @Sendable (_ isDetector: Bool, _ status: SensorStatus, _ name: String) -> String
    let noAllClear: String
    let noReading: String
    let tripped: @Sendable (AlarmMessage.Trip, String) -> String
    let trippedUnknown: String
    let sounds: @Sendable (String) -> String
    let called: @Sendable (String) -> String
    let unknownTag: @Sendable (String) -> NoticeWords
    let weak: @Sendable (AlarmMessage.Weakness, String) -> NoticeWords
    let unreachable: @Sendable (_ isValve: Bool, String) -> NoticeWords
    let gone: @Sendable (String) -> NoticeWords
    let gateway: @Sendable (GatewayTrouble, String) -> NoticeWords
    let orderRefused: @Sendable (_ isAboutClock: Bool, String) -> NoticeWords
    let device: @Sendable (AlarmMessage.DeviceMatter, String) -> NoticeWords
    let devices: @Sendable (AlarmMessage.DevicesMatter, String) -> NoticeWords
    let refusedDetector: @Sendable (String) -> NoticeWords
    let refusedDetectors: @Sendable (_ more: Int, String) -> NoticeWords
    let late: @Sendable (_ minutes: Int?) -> String

    /// What a message says.
    func words(of message: AlarmMessage) -> NoticeWords {
        switch message {
        case .air(let air): words(of: air)
        case .silent(let kind, let name, let status):
            NoticeWords(silent(kind.savesLives, status, name), kind.savesLives ? noAllClear : noReading)
        case .tripped(let trip, let name): NoticeWords(tripped(trip, name))
        case .trippedUnknown(let name): NoticeWords(name.map { tripped(.other, $0) } ?? trippedUnknown)
        case .sounds(let box): NoticeWords(sounds(box))
        case .called(let name): NoticeWords(called(name))
        case .unknownTag(let box): unknownTag(box)
        case .weak(let name, let how): weak(how, name)
        case .unreachable(let name, let isValve): unreachable(isValve, name)
        case .gone(let connection): gone(connection)
        case .gateway(let name, let trouble): gateway(trouble, name)
        case .orderRefused(let box, let isAboutClock): orderRefused(isAboutClock, box)
        case .device(let name, let matter): device(matter, name)
        case .devices(let gateway, let matter): devices(matter, gateway)
        case .refusedDetector(let name, let why):
            NoticeWords(refusedDetector(name).title, refusedDetector(name).body + " " + why.text(language))
        case .refusedDetectors(let gateway, let more): refusedDetectors(more, gateway)
        case .hazard(let hazard): NoticeWords(AlarmWords.in(language).name(hazard))
        case .written(let text): Self.words(of: text, language)
        case .late(let message, let minutes): NoticeWords(words(of: message).title, late(minutes))
        }
    }

    private func words(of air: AlarmMessage.Air) -> NoticeWords {
        let title = self.air(air.kind).map { what in air.place.map { "\(what): \($0)" } ?? what } ?? air.name
        guard let value = air.value else { return NoticeWords(title) }
        let why =
            switch air.cause {
            case .level(let level): self.level(Figure.chosen(level, air.unit, language))
            case .risePerMinute(let rise): self.rise(Figure.chosen(rise, air.unit, language))
            case .exposure: exposure
            case nil: ""
            }
        return NoticeWords("\(title), \(ValueText.number(value, unit: air.unit, language))", why)
    }

    private static func words(of text: AlarmMessage.Written, _ language: Language) -> NoticeWords {
        let own =
            switch language {
            case .en: text.en
            case .it: text.it
            case .es: text.es
            }
        let parts = own.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return NoticeWords(parts[0], parts.count > 1 ? parts[1] : "")
    }
}
