import Accounts
import Gates
import Household
import Identity
import Ledger
import Pages
import Safeguard
import Store
import System

/// The house itself: how it is, at one look.
struct HousePage: HouseFeature {
    let access: HouseAccess
    let sight: HouseSight
    let store: Store

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let words = HousePageWords.in(language)
            let settings = a(.css("button quiet"), .href(frame.root.under("settings"))) { words.settings }
            let hasGates = try store.read { try !GateRecords.gates(of: frame.site.id, in: $0).isEmpty }
            return frame.page(
                .house, title: HomeLiveWords.in(language).house,
                actions: frame.may(Permission.managing) ? settings : .empty
            ) {
                HouseView(sight: sight, frame: frame, hasGates: hasGates).content
            }
        }
    }
}

/// What the page of one house shows.
struct HouseView: Sendable {
    let sight: HouseSight
    let frame: HomeFrame
    let hasGates: Bool

    private var words: HousePageWords { .in(frame.language) }
    private var live: HomeLiveWords { .in(frame.language) }
    private var catalog: Catalog { sight.registry.catalog }
    private var site: SiteID { frame.site.id }

    var content: HTML {
        let summary = sight.summary(of: site)
        return HTMLBuilder.buildArray([
            div(.css("pile"), .id("standing"), .data("fresh", "alarms")) { standing(summary) },
            div(.css("pile"), .id("connection"), .data("fresh", "connection devices")) { connection(summary) },
            glance(summary),
            div(.css("pile"), .id("devices"), .data("fresh", "devices")) { devices(summary) },
            elsewhere,
        ])
    }

    /// What has not ended, first of all.
    private func standing(_ summary: HouseSummary) -> HTML {
        let hasCause = summary.alarms.contains { $0.kind != .fault && !$0.isDrill }
        return HTMLBuilder.buildArray(
            (summary.panel.state == .triggered && !hasCause ? [causeIsOver(summary)] : [])
                + summary.lines.map { alarm in
                    section(.css(alarm.kind == .fault ? "plate fault" : "plate alarm"), .data("alarm", alarm.id.text)) {
                        h2 { bdi { alarm.title(frame.language) } }
                        if !alarm.text[frame.language].body.isEmpty { p { alarm.text[frame.language].body } }
                        p(.css("soft")) { LivePart.age(alarm.at, frame.now, live, part: nil) }
                        p {
                            a(.css(alarm.kind == .fault ? "button quiet" : "button"), .href(alarm.path)) {
                                alarm.kind == .fault ? words.faultDo : words.alarmDo
                            }
                        }
                    }
                })
    }

    /// The house is still in alarm, and what began it is over: its siren may sound.
    private func causeIsOver(_ summary: HouseSummary) -> HTML {
        let sensors = sight.panels.house(site).trips.compactMap { catalog.sensors[$0.sensor] }
        let tripped = sensors.map { $0.name(at: catalog.devices[$0.device]) }
        // What is not held against anything is not over.
        let isUnheld = !sight.care.isEnabled(at: site) && sensors.contains(where: \.isMeasured)
        return section(.css("plate alarm"), .data("part", "cause-over")) {
            h2 { summary.panel.isSounding ? words.sirenSounds : live.panel(.triggered) }
            if isUnheld {
                p { "\(live.condition(.thresholdsOff))." }
            } else {
                p { bdi { tripped.isEmpty ? words.causeOver : words.causeOverOf(tripped.joined(separator: ", ")) } }
            }
            p {
                a(.css("button"), .href(HouseTab.safety.path(site))) {
                    summary.panel.isSounding ? words.toSilence : words.toSafety
                }
            }
        }
    }

    /// Nothing connected yet, nothing there any more, or not all.
    @HTMLBuilder private func connection(_ summary: HouseSummary) -> HTML {
        if summary.gateways == 0 {
            section(.css("plate"), .aria("labelledby", "first")) {
                h2(.id("first")) { words.firstTitle }
                p { words.firstDetail }
                ul(.css("facts")) { for need in words.firstNeeds { li { need } } }
                if frame.may(Permission.installing) {
                    p {
                        a(.css("button"), .href(HouseTab.devices.path(site).under("new"))) { words.firstTitle }
                    }
                } else {
                    p(.css("soft")) { words.firstAsk }
                }
            }
        } else if summary.connected == 0 {
            section(.css("plate away"), .aria("labelledby", "away")) {
                h2(.id("away")) { words.awayTitle }
                p { words.awaySince(live.age(of: summary.heard, at: frame.now)) }
                p { hasBox ? words.awayBox : words.awayNoBox }
                h3 { words.awayDo }
                ol(.css("steps")) { for step in words.awaySteps { li { step } } }
            }
        } else if summary.connected < summary.gateways {
            Part.notice(.wait, words.partlyAway(absent.joined(separator: ", ")))
        }
    }

    private var hasBox: Bool { catalog.gateways(of: site).contains { $0.kind == .box } }

    private var absent: [String] {
        catalog.gateways(of: site).filter { !sight.live.gateway($0.id).isThere }.map(\.name)
    }

    /// Panel and air.
    private func glance(_ summary: HouseSummary) -> HTML {
        let air = catalog.sensors(at: site).filter(\.kind.savesLives)
        return div(.css("glance"), .data("house", site.text), .data("name", frame.site.name)) {
            section(.css("plate"), .aria("labelledby", "panel")) {
                h2(.id("panel")) { live.safety }
                p { Part.chip(summary.panel.state.tone, live.panel(summary.panel.state), part: "panel") }
                p { Part.chip(summary.condition.tone, live.condition(summary.condition), part: "status") }
                p(.css("soft")) {
                    "\(words.lastContact): "
                    LivePart.age(summary.heard, frame.now, live)
                }
                p(.css("row"), .id("panel-link"), .data("fresh", "panel")) {
                    a(.css("button quiet"), .href(HouseTab.safety.path(site))) {
                        if frame.may(Permission.atHome) {
                            summary.panel.state == .disarmed ? words.arm : words.disarm
                        } else {
                            words.toSafety
                        }
                    }
                }
            }
            section(.css("plate"), .aria("labelledby", "air")) {
                h2(.id("air")) { words.air }
                if air.isEmpty { p(.css("soft")) { words.noAir } }
                ul(.css("lines")) { for sensor in air { li { row(sensor, isLarge: true) } } }
                p { a(.css("button quiet"), .href(HouseTab.care.path(site))) { words.toCare } }
            }
        }
    }

    @HTMLBuilder private func devices(_ summary: HouseSummary) -> HTML {
        let devices = catalog.devices(of: site)
        if !devices.isEmpty {
            h2 { words.devices }
            ul(.css("cards")) {
                for device in devices {
                    li(.css("card tall")) {
                        div(.css("card-words")) {
                            h3 {
                                a(.css("whole"), .href(frame.path(of: device.id))) { bdi { device.name } }
                            }
                            if !device.area.isEmpty { p(.css("soft")) { bdi { device.area } } }
                            ul(.css("lines")) {
                                for sensor in catalog.sensors(of: device.id) { li { row(sensor) } }
                                for actuator in catalog.actuators(of: device.id) { li { row(actuator) } }
                            }
                        }
                    }
                }
            }
        }
    }

    private func row(_ sensor: Sensor, isLarge: Bool = false) -> HTML {
        let face = sight.faces.of(sensor, live)
        // Several rooms have gas and smoke.
        let name = isLarge ? sensor.name(at: catalog.devices[sensor.device]) : sensor.name
        return div(.css(isLarge ? "measure large" : "measure"), .data("sensor", sensor.id.text)) {
            span(.css("of")) { bdi { name } }
            LivePart.value(face)
            LivePart.status(face)
            if sight.care.isUnwatched(sensor) { Part.chip(.wait, live.notWatched) }
            span(.css("soft")) { LivePart.age(face.at, frame.now, live) }
        }
    }

    private func row(_ actuator: Actuator) -> HTML {
        let face = sight.faces.of(actuator, live)
        return div(.css("measure"), .data("actuator", actuator.id.text)) {
            span(.css("of")) { bdi { actuator.name } }
            LivePart.value(face)
            // What says nothing of itself is none the worse for that.
            if face.status != .waiting { LivePart.status(face) }
        }
    }

    private var elsewhere: HTML {
        p(.css("tools")) {
            a(.href(HousesView.path)) { words.all }
            if hasGates { a(.href("/sites/\(site.text)/gates")) { words.gates } }
        }
    }
}
