import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import System

/// What stands around every page of a house: its name, its five links, and the island that keeps what is marked on it live.
struct HomeFrame: Sendable {
    /// The house.
    let site: Site
    let language: Language
    let principal: Principal
    /// What the page goes on from.
    let now: Timestamp
    let navigation: Navigation
    /// As the page was made; see `HouseSummary.stamp`.
    let stamp: String

    /// The path of the house itself.
    var root: LocalPath { HouseTab.house.path(site.id) }

    /// The page of one of its devices.
    func path(of device: DeviceID) -> LocalPath { "/houses/\(site.id.text)/devices/\(device.text)" }

    /// Whether somebody has one of these permissions here.
    func may(_ permissions: Set<Permission>) -> Bool { principal.may(permissions, at: site.id, now) }

    /// A page of the house.
    /// - Parameters:
    ///   - tab: To which link it belongs.
    ///   - path: The page itself, where it is not the tab's own.
    ///   - back: Where one came from.
    ///   - isLive: Whether what is marked in it (see `LivePart`) follows what happens.
    ///   - modules: Further islands in `/static`, without `.js`.
    func page(
        _ tab: HouseTab, title: String, path: LocalPath? = nil, back: (href: LocalPath, label: String)? = nil,
        isLive: Bool = true, modules: [String] = [], actions: HTML = .empty, status: Int = 200,
        @HTMLBuilder content: () -> HTML
    ) -> Response {
        let items = navigation.items(for: principal, at: site.id, now: now, language, current: tab.path(site.id))
        let html = Frame.page(
            title: title, place: site.name, language: language, navigation: items, person: principal.person.name,
            style: .desk, path: path ?? tab.path(site.id), back: back, live: isLive,
            modules: (isLive ? ["live-house"] : []) + modules, actions: actions,
            content: isLive
                ? LivePart.live(site.id, stamp: stamp, at: now, language) { content() } : content())
        return .html(html.bytes, status: status)
    }
}

/// The pieces of pages that the island `live-house` keeps up to date. What is marked:
///
/// - `data-sensor`, `data-actuator`, `data-gateway` with an id, `data-house` with a site's: inside, elements with `data-part` of
///   `value`, `age`, `status`; of a house `status`, `age`, `panel`, `alarms`.
/// - `data-age` with a moment: its text is how long ago that was.
/// - `data-fresh` of one or several of `panel`, `alarms`, `connection`, `devices`, on an element with an id: asked for anew from the hub
///   when that changed.
enum LivePart {
    /// Everything inside follows what happens.
    /// - Parameter site: only of this house; nil: of all of the reader's.
    static func live(
        _ site: SiteID?, stamp: String? = nil, at now: Timestamp, _ language: Language, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        island(
            "live-house", .css("pile"), .data("site", site?.text), .data("stamp", stamp), .data("now", now.iso8601)
        ) {
            HomeLiveWords.in(language).forIsland
            content()
        }
    }

    /// How long ago something was.
    /// - Parameter part: `age` inside of what is marked; nil: the moment stays what it is.
    static func age(_ at: Timestamp?, _ now: Timestamp, _ words: HomeLiveWords, part: String? = "age") -> HTML {
        guard let at else { return span(.data("part", part)) { words.never } }
        return time(.datetime(at.iso8601), .data("age", at.iso8601), .data("part", part)) { words.age(of: at, at: now) }
    }

    /// A value, as large as the page wants it.
    static func value(_ face: Face) -> HTML {
        span(.css("reading"), .data("part", "value")) { bdi { face.text } }
    }

    /// How it is.
    static func status(_ face: Face) -> HTML { Part.chip(face.tone, face.word, part: "status") }
}

extension Permission {
    /// Those who see a house.
    static let inHouse: Set<Permission> = [.owner, .manager, .installer, .member, .guest]
    /// Those who arm, disarm, silence, and say from when air is bad.
    static let atHome: Set<Permission> = [.owner, .manager, .member]
    /// Those who switch something by hand.
    static let setting: Set<Permission> = [.owner, .manager, .member, .installer]
    /// Those who connect devices and say what they are.
    static let installing: Set<Permission> = [.owner, .manager, .installer]
}
