import Accounts
import Household
import Identity
import Ledger
import Notices
import Pages
import System

/// The log of alarms, the newest first.
enum AlarmLogView {
    struct Model {
        let items: [AlarmSheet]
        let kind: HouseAlarm.Kind?
        /// Nil: there are no older ones.
        let older: LocalPath?
        let isNewest: Bool
        let maySet: Bool
    }

    static func content(_ model: Model, _ site: SiteID, _ language: Language) -> HTML {
        let words = AlarmPageWords.in(language)
        let own = HouseTab.alarms.path(site)
        return div(.css("pile")) {
            filter(model.kind, own, words)
            div(.css("pile"), .id("alarm-log"), .data("fresh", model.isNewest ? "alarms" : nil)) {
                if model.items.isEmpty {
                    if model.kind == nil {
                        Part.empty(title: words.none, detail: words.noneDetail)
                    } else {
                        p(.css("soft")) { words.noneOfKind }
                    }
                } else {
                    sheet(model.items, language, words)
                }
            }
            p(.css("turning")) {
                if !model.isNewest { a(.css("button quiet"), .href(own)) { words.newest } }
                if let older = model.older { a(.css("button quiet"), .href(older)) { words.older } }
            }
        }
    }

    /// Links beside the title.
    @HTMLBuilder static func actions(
        _ site: SiteID, mayTest: Bool, maySet: Bool, _ words: AlarmPageWords
    ) -> HTML {
        let own = HouseTab.alarms.path(site)
        if mayTest { a(.css("button quiet"), .href(own.under("test"))) { words.test } }
        if maySet {
            a(.css("button quiet"), .href(own.under("drill"))) { words.drill }
            a(.css("button quiet"), .href(own.under("call"))) { words.call }
        }
    }

    private static func filter(_ chosen: HouseAlarm.Kind?, _ own: LocalPath, _ words: AlarmPageWords) -> HTML {
        nav(.css("row"), .aria("label", words.what)) {
            a(.css("button plain"), .href(own), .aria("current", chosen == nil ? "true" : nil)) { words.all }
            for kind in HouseAlarm.Kind.allCases {
                a(
                    .css("button plain"), .href(own.adding("kind", kind.rawValue)),
                    .aria("current", chosen == kind ? "true" : nil)
                ) { words.kinds[kind] ?? "" }
            }
        }
    }

    private static func sheet(_ items: [AlarmSheet], _ language: Language, _ words: AlarmPageWords) -> HTML {
        table(.css("sheet log"), .role("table")) {
            caption(.css("unseen")) { words.title }
            thead(.role("rowgroup")) {
                tr(.role("row")) {
                    for title in [words.what, words.when, words.reading, words.care, words.state] {
                        th(.scope("col"), .role("columnheader")) { title }
                    }
                }
            }
            tbody(.role("rowgroup")) { for item in items { row(item, language, words) } }
        }
    }

    private static func row(_ item: AlarmSheet, _ language: Language, _ words: AlarmPageWords) -> HTML {
        tr(.role("row")) {
            td(.css("person"), .role("cell")) {
                a(.css("whole"), .href(item.path)) { bdi { item.alarm.text[language].title } }
            }
            td(.css("time"), .role("cell")) {
                Part.moment(item.alarm.at.iso8601, item.moment(item.alarm.at))
                if !item.lasting.isEmpty { " · \(item.lasting)" }
            }
            td(.css("gate"), .role("cell")) { item.reading ?? "" }
            td(.css("how"), .role("cell")) { bdi { item.care ?? (item.isStanding ? words.nobodyYet : "") } }
            td(.css("outcome"), .role("cell")) { item.chips }
        }
    }
}

/// An alarm with everything that its pages say of it.
struct AlarmSheet {
    let logged: AlarmRecords.Logged
    let names: [PersonID: String]
    let sensor: Sensor?
    let device: Device?
    let zone: Zone
    let now: Timestamp
    let language: Language
    /// Why a siren of the house may sound although it is silent; nil: none does.
    let sirenDoubt: SirenDoubt?

    var alarm: HouseAlarm { logged.alarm }
    var isStanding: Bool { logged.ended == nil }
    var words: AlarmPageWords { .in(language) }
    /// What it says, in the reader's language.
    var text: NoticeWords { alarm.text[language] }
    var hazard: Hazard { alarm.hazard(sensor?.kind) }
    var path: LocalPath { alarm.path }

    func moment(_ time: Timestamp) -> String { PagesWords.in(language).moment(time, in: zone, now: now) }

    /// What somebody is called; nil: there was nobody.
    func name(_ person: PersonID?) -> String? { person.map { names[$0] ?? words.somebody } }

    /// How long.
    var lasting: String {
        // How long it was there before it could be told nobody knows.
        if alarm.message.isLate { return "" }
        let length = words.duration((logged.ended ?? now).milliseconds - alarm.at.milliseconds)
        return isStanding ? words.since(length) : words.lasted(length)
    }

    /// The value, with its unit.
    var reading: String? {
        alarm.value.map { ValueText.number($0, unit: sensor?.unit ?? "", language) }
    }

    /// Who took care.
    var care: String? {
        name(logged.takenBy).map(words.takenBy) ?? name(logged.silencedBy).map(words.silencedBy)
            ?? name(logged.endedBy).map(words.endedBy)
    }

    /// How it is.
    @HTMLBuilder var chips: HTML {
        if isStanding {
            Part.chip(alarm.kind == .fault || logged.silenced != nil ? .wait : .no, words.stands)
            if logged.silenced != nil, sirenDoubt == nil { Part.chip(.wait, words.silenced) }
        } else {
            Part.chip(.idle, words.isOver)
        }
        if alarm.isDrill { Part.chip(.idle, words.exercise) }
    }
}
