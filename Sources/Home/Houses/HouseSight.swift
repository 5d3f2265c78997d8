import Accounts
import Household
import Identity
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

    /// How a sensor looks.
    func face(of sensor: Sensor, _ words: HomeLiveWords) -> Face {
        let state = live.sensor(sensor.id)
        return Face(
            text: text(state.value, kind: sensor.kind, unit: sensor.unit, words), word: words.status(state.status),
            tone: alarms.isAlarmed(by: sensor.id) ? .no : Self.tone(of: sensor, state), number: state.value?.number,
            at: state.at, status: state.status)
    }

    /// How an actuator looks.
    func face(of actuator: Actuator, _ words: HomeLiveWords) -> Face {
        let state = live.actuator(actuator.id)
        let text: String =
            switch state.value {
            case .truth(let isOn):
                actuator.kind == .valve ? (isOn ? words.open : words.closed) : (isOn ? words.on : words.off)
            case .number(let value):
                ValueText.number(value, unit: actuator.kind == .number ? "" : "%", words.language)
            case .text(let text): text
            case nil: words.nothingYet
            }
        return Face(
            text: text, word: words.status(state.status), tone: Self.tone(state.status), number: state.value?.number,
            at: state.at, status: state.status)
    }

    private func text(_ value: ReadingValue?, kind: SensorKind, unit: String, _ words: HomeLiveWords) -> String {
        switch value {
        case .number(let number): ValueText.number(number, unit: unit, words.language)
        case .truth(let truth): words.truth(truth, of: kind)
        case .text(let text):
            kind == .snapshot
                ? words.picture : String(String.UnicodeScalarView(text.unicodeScalars.filter { !GivenName.steers($0) }))
        case nil: words.nothingYet
        }
    }

    private static func tone(of sensor: Sensor, _ state: SensorState) -> Tone {
        guard state.status == .live, state.value == .truth(true), let kind = sensor.alarmClass else {
            return tone(state.status)
        }
        return kind == .environmental ? .no : .wait
    }

    private static func tone(_ status: SensorStatus) -> Tone {
        switch status {
        case .live: .go
        case .waiting: .idle
        case .warming, .unavailable, .isolated: .wait
        case .late: .no
        }
    }
}
