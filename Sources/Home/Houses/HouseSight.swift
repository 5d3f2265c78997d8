import Accounts
import Household
import Identity
import JSON
import Ledger
import Pages
import Safeguard
import System

/// How houses are now, for pages and programs: reads what the other parts keep, and keeps nothing.
struct HouseSight: Sendable {
    let registry: Registry
    let live: LiveReadings
    let alarms: AlarmDesk
    let panels: HousePanels
    let care: Care
    let faces: Faces
    let clock: WallClock

    /// A house as a whole.
    func summary(of site: SiteID) -> HouseSummary {
        let catalog = registry.catalog
        let gateways = catalog.gateways(of: site).map { live.gateway($0.id) }
        let states = catalog.sensors(at: site).map { live.sensor($0.id).status }
        let all = alarms.standing(at: site)
        // The worst first, and of those the newest; an exercise threatens nobody.
        let standing = all.map { alarm in
            (rank: (alarm.isDrill ? Int.max : alarms.hazard(alarm).urgency), alarm: alarm)
        }.sorted { ($0.rank, $1.alarm.id) < ($1.rank, $0.alarm.id) }.map(\.alarm)
        let house = panels.house(site)
        let panel = house.panel
        let troubled = states.count { [.late, .unavailable, .isolated].contains($0) }
        let connected = gateways.count(where: \.isThere)
        let condition: HouseCondition =
            if panel.state == .triggered || standing.contains(where: { $0.kind != .fault }) {
                .alarm
            } else if panel.state == .pending {
                .entering
            } else if gateways.isEmpty {
                .empty
            } else if connected == 0 {
                .noConnection
            } else if troubled > 0 || !standing.isEmpty {
                .faulty
            } else if panel.mode != nil, !house.bypassed.isEmpty {
                .bypassed
            } else if !care.isEnabled(at: site), catalog.sensors(at: site).contains(where: \.isMeasured) {
                .thresholdsOff
            } else if states.contains(.warming) {
                .warming
            } else if states.isEmpty {
                .unwatched
            } else {
                .fine
            }
        return HouseSummary(
            site: site, condition: condition, panel: panel, alarms: standing, lines: alarms.folded(standing),
            heard: gateways.compactMap(\.heard).max(), gateways: gateways.count, connected: connected,
            sensors: states.count, troubled: troubled, actuators: catalog.actuators(at: site).count)
    }
}

/// A house as it is now, with words in the reader's language.
struct HouseNow: JSONObject {
    let summary: HouseSummary
    let text: String
    let contact: Contact
    let panelText: String
    let sensors: [FaceRow]
    let actuators: [FaceRow]
    let gateways: [GatewayFace]
    let changed: [HouseNews.Part]

    static let shape = Shape<HouseNow> {
        JSONField("site", "the site's id") { $0.summary.site }
        JSONField("state") { $0.summary.condition }
        JSONField("text", "the same in words") { $0.text }
        JSONField("tone") { $0.summary.condition.tone }
        JSONField("stamp", "another one when its panel or its alarms are others") { $0.summary.stamp }
        JSONField("contact") { $0.contact }
        JSONField("heard", "when anything of it spoke last") { $0.summary.heard }
        JSONField("panel") { PanelFace(panel: $0.summary.panel, text: $0.panelText) }
        JSONField("alarms", "how many have not ended") { $0.summary.alarms.count }
        JSONField("sensors") { $0.sensors }
        JSONField("actuators") { $0.actuators }
        JSONField("gateways") { $0.gateways }
        JSONField("changed") { $0.changed }
    }
}

/// How a panel looks.
struct PanelFace: JSONObject {
    let panel: Panel
    let text: String

    static let shape = Shape<PanelFace> {
        JSONField("state") { $0.panel.state }
        JSONField("text", "the same in words") { $0.text }
        JSONField("tone") { $0.panel.state.tone }
        JSONField("deadline", "when the state ends by itself") { $0.panel.deadline.map(Timestamp.init(milliseconds:)) }
        JSONField("sounding", "whether the siren sounds") { $0.panel.isSounding }
    }
}

/// How a sensor or an actuator looks, and which it is.
struct FaceRow: JSONObject {
    let id: String
    let face: Face

    static let shape = Shape<FaceRow> {
        JSONField("id", "its id") { $0.id }
        JSONField("text", "its value in words") { $0.face.text }
        JSONField("number", "the value where it is one; 1 for yes, 0 for no") { $0.face.number }
        JSONField("status") { $0.face.status }
        JSONField("word", "the status in words") { $0.face.word }
        JSONField("tone") { $0.face.tone }
        JSONField("at", "when it was told") { $0.face.at }
    }
}

/// How a gateway looks, and which it is.
struct GatewayFace: JSONObject {
    let id: GatewayID
    let state: LiveReadings.GatewayState
    let word: String

    static let shape = Shape<GatewayFace> {
        JSONField("id", "its id") { $0.id }
        JSONField("there", "whether it is connected") { $0.state.isThere }
        JSONField("word", "the same in words") { $0.word }
        JSONField("tone") { $0.state.isThere ? Tone.go : .wait }
        JSONField("at", "when it spoke last") { $0.state.heard }
    }
}

/// What pages that live are told of houses.
struct HomeEvent: JSONObject {
    let at: Timestamp
    /// Of each a `HouseNow`, written: one text for all who read the same language.
    let houses: [[UInt8]]

    static let shape = Shape<HomeEvent> {
        JSONField("at", "when that was") { $0.at }
        JSONField("houses", .list(HouseNow.schema)) { event, json in
            json.array { json in for house in event.houses { json.raw(house) } }
        }
    }
}

/// What of a house is told.
struct HouseNews: Sendable, Equatable {
    var sensors: Set<SensorID> = []
    var actuators: Set<ActuatorID> = []
    var gateways: Set<GatewayID> = []
    var panel = false
    var alarms = false
    /// There are others than before, or they are called otherwise.
    var devices = false

    /// As programs are told what changed.
    enum Part: String, JSONChoice {
        case panel, alarms, connection, devices
    }

    /// What changed; the values of sensors and actuators are none of these.
    var parts: [Part] {
        Part.allCases.filter { part in
            switch part {
            case .panel: panel
            case .alarms: alarms
            case .connection: !gateways.isEmpty
            case .devices: devices
            }
        }
    }
}

extension HouseSight {
    /// A house as it is now.
    /// - Parameter news: of which sensors, actuators and gateways; nil: of all.
    func now(_ site: SiteID, _ news: HouseNews?, _ language: Language) -> HouseNow {
        let (words, catalog, summary) = (HomeLiveWords.in(language), registry.catalog, summary(of: site))
        return HouseNow(
            summary: summary, text: words.condition(summary.condition), contact: summary.contact(at: clock.now),
            panelText: words.panel(summary.panel.state),
            sensors: catalog.sensors(at: site).compactMap { sensor in
                guard news?.sensors.contains(sensor.id) ?? true else { return nil }
                return FaceRow(id: sensor.id.text, face: faces.of(sensor, words))
            },
            actuators: catalog.actuators(at: site).compactMap { actuator in
                guard news?.actuators.contains(actuator.id) ?? true else { return nil }
                return FaceRow(id: actuator.id.text, face: faces.of(actuator, words))
            },
            gateways: catalog.gateways(of: site).compactMap { gateway in
                guard news?.gateways.contains(gateway.id) ?? true else { return nil }
                let state = live.gateway(gateway.id)
                return GatewayFace(id: gateway.id, state: state, word: state.isThere ? words.there : words.away)
            }, changed: news?.parts ?? HouseNews.Part.allCases)
    }
}
