import Accounts
import Identity
import Ledger
import Notices
import System

/// What people are told of an alarm.
enum AlarmNotice {
    static let kind: NoticeKind = "home.alarm"
    static let faultKind: NoticeKind = "home.fault"
    static let overKind: NoticeKind = "home.over"
    static let testKind: NoticeKind = "home.test"
    /// What stops the siren.
    static let silence = "silence"
    /// What leads to the page with the telephone numbers.
    static let call = "call"
    /// An alarm matters for a day, in milliseconds.
    static let lifetime: Int64 = 86_400_000

    /// The page of an alarm.
    static func link(to alarm: HouseAlarmID, at site: SiteID) -> String {
        "/houses/\(site.text)/alarms/\(alarm.text)"
    }

    /// The alarm that a notice tells of.
    static func alarm(of notice: Notice) -> HouseAlarmID? {
        notice.content.link.flatMap { HouseAlarmID(String($0.suffix(32))) }
    }

    /// An alarm that cannot wait.
    /// - Parameter house: what the house is called.
    static func content(of alarm: HouseAlarm, _ hazard: Hazard, at house: String) -> NoticeContent {
        let link = link(to: alarm.id, at: alarm.site)
        return NoticeContent(
            kind: kind, urgency: .critical,
            text: each { words in
                let told = alarm.text[words.language]
                // What is over asks for nothing.
                let todo = alarm.message.isLate ? "" : words.todo(hazard).prefix(2).joined(separator: " ")
                let lines = [alarm.isDrill ? words.isExercise : todo, told.body]
                return NoticeWords(
                    title(told.title, alarm, house, words), lines.filter { !$0.isEmpty }.joined(separator: "\n"))
            },
            publicText: each { NoticeWords(alarm.isDrill ? $0.publicExercise : $0.publicAlarm) },
            actions: [
                NoticeAction(
                    name: silence, words: each { NoticeWords($0.silence) }, proof: proof(for: hazard)),
                NoticeAction(name: call, words: each { NoticeWords($0.call) }, page: link),
            ], link: link, topic: alarm.id.text)
    }

    /// What silencing an alarm takes: one that somebody may have caused is not silenced from a locked screen.
    static func proof(for hazard: Hazard) -> ActionProof { hazard.isSomebody ? .unlocked : .none }

    /// Something that does not work.
    static func fault(_ alarm: HouseAlarm, at house: String) -> NoticeContent {
        NoticeContent(
            kind: faultKind, urgency: .high,
            text: each { words in
                let told = alarm.text[words.language]
                return NoticeWords(title(told.title, alarm, house, words), told.body)
            },
            publicText: each { NoticeWords($0.publicFault) }, link: link(to: alarm.id, at: alarm.site),
            topic: alarm.id.text)
    }

    /// That an alarm is over: it takes the alarm's place on a device.
    static func over(_ alarm: HouseAlarm, _ hazard: Hazard, at house: String) -> NoticeContent {
        NoticeContent(
            kind: overKind,
            text: each { words in
                // Whoever is out stays out until the air is known to be good.
                let isOfAir = [.gas, .carbonMonoxide].contains(hazard)
                return NoticeWords(
                    title(words.over(alarm.text[words.language].title), alarm, house, words),
                    isOfAir ? words.todo(hazard).last ?? "" : "")
            },
            publicText: each { NoticeWords($0.publicOver) }, link: link(to: alarm.id, at: alarm.site),
            topic: alarm.id.text)
    }

    /// That the way of alarms is tried.
    static func test(at site: SiteID, _ house: String) -> NoticeContent {
        NoticeContent(
            kind: testKind, urgency: .critical,
            text: each { NoticeWords("\(house): \($0.testTitle)", $0.testBody) },
            publicText: each { NoticeWords($0.publicTest, $0.testBody) },
            link: "/houses/\(site.text)/alarms/test", topic: "test-" + String(site.text.suffix(24)))
    }

    private static func title(
        _ text: String, _ alarm: HouseAlarm, _ house: String, _ words: AlarmWords
    ) -> String {
        let named = house.isEmpty ? text : "\(house): \(text)"
        return alarm.isDrill ? words.exercise(named) : named
    }

    /// In every language.
    static func each(_ words: (AlarmWords) -> NoticeWords) -> LocalizedText {
        LocalizedText(en: words(.in(.en)), it: words(.in(.it)), es: words(.in(.es)))
    }
}
