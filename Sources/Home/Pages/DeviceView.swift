import Accounts
import Household
import HTTPServer
import Ledger
import Pages
import Safeguard
import System

/// One device in detail: what each value means, how to read it, where such a one is active, and what can be done with it.
struct DeviceView: Sendable {
    let sight: HouseSight
    let pictures: Pictures
    let frame: HomeFrame
    let device: Device
    /// Those out of use too.
    let sensors: [Sensor]
    /// Those out of use too.
    let actuators: [Actuator]
    var notice: (tone: Tone, words: String)?
    /// What was refused, by the id of what was to be changed.
    var refused: (of: String, fault: DeviceFault)?

    private var words: HomeDevicesWords { .in(frame.language) }
    private var live: HomeLiveWords { .in(frame.language) }
    private var own: LocalPath { frame.path(of: device.id) }
    private var mayInstall: Bool { frame.may(Permission.installing) }

    func page(status: Int = 200) -> Response {
        frame.page(
            .devices, title: device.name, path: own, back: (HouseTab.devices.path(frame.site.id), words.devices),
            status: status
        ) {
            if let notice { Part.notice(notice.tone, notice.words) }
            if let refused { Part.notice(.no, words.faults(refused.fault)) }
            facts
            for sensor in sensors where sensor.retired == nil { section(of: sensor) }
            for actuator in actuators where actuator.retired == nil { section(of: actuator) }
            if mayInstall { changing }
        }
    }

    private var facts: HTML {
        let gateway = sight.registry.catalog.gateways[device.gateway]
        let state = sight.live.gateway(device.gateway)
        let made = [device.maker, device.model].filter { !$0.isEmpty }.joined(separator: " ")
        return dl(.css("about")) {
            if device.retired != nil {
                div {
                    dt { live.devices }
                    dd { Part.chip(.idle, words.outOfUse) }
                }
            }
            if !made.isEmpty {
                div {
                    dt { words.madeBy }
                    dd { bdi { made } }
                }
            }
            if !device.area.isEmpty {
                div {
                    dt { words.areaField }
                    dd { bdi { device.area } }
                }
            }
            div(.data("gateway", device.gateway.text)) {
                dt { words.cameBy }
                dd {
                    bdi { gateway?.name ?? "" }
                    ", "
                    device.origin == .discovered ? words.discovered : words.added
                    " "
                    Part.chip(state.isThere ? .go : .wait, state.isThere ? live.there : live.away, part: "status")
                    span(.css("soft")) {
                        " \(words.lastContact): "
                        LivePart.age(state.heard, frame.now, live)
                    }
                }
            }
        }
    }

    // MARK: sensors

    private func section(of sensor: Sensor) -> HTML {
        let (kind, face) = (words.kinds.kind(sensor.kind), sight.faces.of(sensor, live))
        let label = "of-\(sensor.id.text)"
        return Pages.section(.css("plate"), .aria("labelledby", label)) {
            h2(.id(label)) {
                bdi { sensor.name }
                span(.css("kind-word")) { " · \(kind.name)" }
            }
            div(.css("measure large"), .data("sensor", sensor.id.text)) {
                LivePart.value(face)
                LivePart.status(face)
                span(.css("soft")) { LivePart.age(face.at, frame.now, live) }
            }
            if sight.care.isUnwatched(sensor) {
                Part.notice(.wait, CareWords.in(frame.language).nothingWatches)
            }
            if sensor.kind == .snapshot { picture(of: sensor) }
            if let refusals = sight.live.refusals(of: sensor.id) {
                p(.css("soft")) { words.refused(refusals.count, refusals.reason.text(frame.language)) }
            }
            meaning(kind, activeIn { $0.kind == sensor.kind })
            if sensor.kind.isSeries {
                p {
                    a(.css("button quiet"), .href("/houses/\(frame.site.id.text)/sensors/\(sensor.id.text)")) {
                        words.chart
                    }
                }
            }
            if mayInstall { change(sensor) }
        }
    }

    /// What the camera saw last; the page asks for the next one when it hears of it.
    private func picture(of sensor: Sensor) -> HTML {
        let path: LocalPath = "/houses/\(frame.site.id.text)/sensors/\(sensor.id.text)/picture"
        let last = pictures.last(of: sensor.id)
        return div(.css("camera"), .data("sensor", sensor.id.text)) {
            img(
                last.map { path.adding("n", "\($0.number)") }, alt: "\(sensor.name), \(frame.site.name)",
                .data("part", "picture"), .data("path", path.description))
        }
    }

    private func meaning(_ kind: KindWords, _ houses: [String]) -> HTML {
        dl(.css("stack tight")) {
            div {
                dt(.css("label")) { words.what }
                dd { kind.meaning }
            }
            div {
                dt(.css("label")) { words.howToRead }
                dd { kind.reading }
            }
            div {
                dt(.css("label")) { words.activeIn }
                dd { bdi { houses.isEmpty ? words.activeNowhere : houses.joined(separator: ", ") } }
            }
        }
    }

    /// The reader's houses where such a sensor speaks at this moment.
    private func activeIn(_ isSuch: (Sensor) -> Bool) -> [String] {
        let catalog = sight.registry.catalog
        return frame.principal.sites(at: frame.now).filter { site in
            site.kind == .home
                && catalog.sensors(at: site.id).contains {
                    isSuch($0) && [.live, .warming].contains(sight.live.sensor($0.id).status)
                }
        }.map(\.name)
    }

    private func change(_ sensor: Sensor) -> HTML {
        let isRefused = refused?.of == sensor.id.text
        let entry = SensorEntry(sensor)
        return details(.open(isRefused)) {
            summary { words.changeOf(sensor.name) }
            form(.css("stack"), .method(.post), .action(own)) {
                input(.type(.hidden), .name("sensor"), .value(sensor.id.text))
                SensorFields(words, prefix: sensor.id.text, entry, isRefused ? refused?.fault : nil).meaning
                button(.css("quiet"), .type(.submit)) { words.save }
            }
            use(.name("sensor"), sensor.id.text)
        }
    }

    private func use(_ name: Attribute, _ id: String) -> HTML {
        form(.css("row"), .method(.post), .action(own)) {
            input(.type(.hidden), name, .value(id))
            input(.type(.hidden), .name("in_use"), .value("0"))
            button(.css("danger"), .type(.submit)) { words.retire }
            span(.css("hint")) { words.retireDetail }
        }
    }

    // MARK: actuators

    private func section(of actuator: Actuator) -> HTML {
        let (kind, face) = (words.kinds.kind(actuator.kind), sight.faces.of(actuator, live))
        let label = "of-\(actuator.id.text)"
        return Pages.section(.css("plate"), .aria("labelledby", label)) {
            h2(.id(label)) {
                bdi { actuator.name }
                span(.css("kind-word")) { " · \(kind.name)" }
            }
            div(.css("measure large"), .data("actuator", actuator.id.text)) {
                LivePart.value(face)
                LivePart.status(face)
                span(.css("soft")) { LivePart.age(face.at, frame.now, live) }
            }
            meaning(kind, activeActuators(actuator.kind))
            if device.retired == nil, frame.may(Permission.setting) { set(actuator) }
            if mayInstall { change(actuator) }
        }
    }

    private func activeActuators(_ kind: ActuatorKind) -> [String] {
        let catalog = sight.registry.catalog
        return frame.principal.sites(at: frame.now).filter { site in
            site.kind == .home
                && catalog.actuators(at: site.id).contains {
                    $0.kind == kind && sight.live.gateway($0.gateway).isThere
                }
        }.map(\.name)
    }

    /// What it can be told, by what it is and by what it listens to.
    private func set(_ actuator: Actuator) -> HTML {
        let binding = actuator.binding
        let to = own.under("set")
        let isValve = actuator.kind == .valve
        return div(.css("stack tight")) {
            if binding.commandTopic != nil {
                form(.css("row"), .method(.post), .action(to)) {
                    input(.type(.hidden), .name("actuator"), .value(actuator.id.text))
                    button(.css("quiet"), .type(.submit), .name("do"), .value("on")) {
                        isValve ? words.openIt : words.turnOn
                    }
                    button(.css("quiet"), .type(.submit), .name("do"), .value("off")) {
                        isValve ? words.closeIt : words.turnOff
                    }
                    if isValve { span(.css("hint")) { words.openNeedsProof } }
                }
            }
            if binding.valueTopic != nil {
                switch actuator.kind {
                case .display: value(actuator, "text", words.text, to)
                case .number, .other: value(actuator, "number", words.number, to)
                default: value(actuator, "percent", words.percent, to)
                }
            }
            if binding.colourTopic != nil { value(actuator, "colour", words.colour, to) }
        }
    }

    private func value(_ actuator: Actuator, _ what: String, _ label: String, _ to: LocalPath) -> HTML {
        let id = "\(what)-\(actuator.id.text)"
        return form(.css("search"), .method(.post), .action(to)) {
            input(.type(.hidden), .name("actuator"), .value(actuator.id.text))
            Pages.label(.for(id)) { label }
            input(
                .css("field"), .id(id), .name("value"), .type(.text), .value(""), .autocomplete("off"),
                .required(what != "text"), .maxlength(80))
            button(.css("quiet"), .type(.submit), .name("do"), .value(what)) { words.send }
        }
    }

    private func change(_ actuator: Actuator) -> HTML {
        let isRefused = refused?.of == actuator.id.text
        return details(.open(isRefused)) {
            summary { words.changeOf(actuator.name) }
            form(.css("stack"), .method(.post), .action(own)) {
                input(.type(.hidden), .name("actuator"), .value(actuator.id.text))
                nameField(actuator.name, "name-\(actuator.id.text)")
                button(.css("quiet"), .type(.submit)) { words.save }
            }
            use(.name("actuator"), actuator.id.text)
        }
    }

    private func nameField(_ value: String, _ id: String) -> HTML {
        div(.css("row-field")) {
            label(.for(id)) { words.name }
            input(
                .css("field"), .id(id), .name("name"), .type(.text), .value(value), .required(true),
                .maxlength(GivenName.longest), .autocomplete("off"))
        }
    }

    // MARK: the device itself

    private var changing: HTML {
        Pages.section(.css("plate"), .aria("labelledby", "change")) {
            h2(.id("change")) { words.changeOf(device.name) }
            form(.css("stack"), .method(.post), .action(own)) {
                nameField(device.name, "name-device")
                div(.css("row-field")) {
                    label(.for("area-device")) {
                        words.areaField
                        small { " \(PagesWords.in(frame.language).optional)" }
                    }
                    input(
                        .css("field"), .id("area-device"), .name("area"), .type(.text), .value(device.area),
                        .maxlength(GivenName.longest), .autocomplete("off"))
                }
                button(.css("quiet"), .type(.submit)) { words.save }
            }
            form(.css("row"), .method(.post), .action(own)) {
                input(.type(.hidden), .name("in_use"), .value(device.retired == nil ? "0" : "1"))
                button(.css(device.retired == nil ? "danger" : "quiet"), .type(.submit)) {
                    device.retired == nil ? words.retire : words.reuse
                }
                span(.css("hint")) { device.retired == nil ? words.retireDetail : words.outOfUseDetail }
            }
            let away = sensors.filter { $0.retired != nil }
            let idle = actuators.filter { $0.retired != nil }
            if !away.isEmpty || !idle.isEmpty {
                h3 { words.outOfUse }
                ul(.css("rows")) {
                    for one in away { li { back(one.name, .name("sensor"), one.id.text) } }
                    for one in idle { li { back(one.name, .name("actuator"), one.id.text) } }
                }
            }
        }
    }

    private func back(_ name: String, _ field: Attribute, _ id: String) -> HTML {
        HTMLBuilder.buildArray([
            div(.css("card-words")) { bdi { name } },
            form(.method(.post), .action(own)) {
                input(.type(.hidden), field, .value(id))
                input(.type(.hidden), .name("in_use"), .value("1"))
                button(.css("quiet"), .type(.submit), .aria("label", "\(words.reuse): \(name)")) { words.reuse }
            },
        ])
    }
}
