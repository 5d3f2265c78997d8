import Accounts
import Household
import HTTPServer
import Ledger
import Pages
import Safeguard

/// The forms of a sensor and an actuator that do not describe themselves.
struct AddedView: Sendable {
    let registry: Registry
    let frame: HomeFrame
    let refused: DeviceFault?

    private var words: HomeDevicesWords { .in(frame.language) }

    func sensor(_ entry: SensorEntry, status: Int = 200) -> Response {
        let own = frame.root.under("sensors").under("new")
        let fields = SensorFields(words, prefix: "new", entry, refused, isNew: true)
        return page(words.addSensor, own, status) {
            gateway(fields, entry.gateway)
            fields.choice(
                words.kind, .name("kind"), "kind",
                SensorKind.allCases.map { ($0.rawValue, words.kinds.kind($0).name) }, entry.kind)
            fields.text(words.topic, .name("topic"), "topic", entry.topic, hint: words.topicHint, longest: 120)
            fields.text(
                words.member, .name("member"), "member", entry.member, isOptional: true, hint: words.memberHint,
                longest: 200)
            div(.css("pair")) {
                fields.text(words.onText, .name("on"), "on", entry.on, isOptional: true, longest: 64)
                fields.text(words.offText, .name("off"), "off", entry.off, isOptional: true, longest: 64)
            }
            fields.meaning
        }
    }

    func actuator(_ entry: ActuatorEntry, status: Int = 200) -> Response {
        let own = frame.root.under("actuators").under("new")
        let fields = SensorFields(words, prefix: "new", SensorEntry(), refused)
        return page(words.addActuator, own, status) {
            gateway(fields, entry.gateway)
            fields.text(words.name, .name("name"), "name", entry.name, longest: GivenName.longest)
            fields.choice(
                words.kind, .name("kind"), "kind",
                ActuatorKind.allCases.map { ($0.rawValue, words.kinds.kind($0).name) }, entry.kind)
            fields.text(words.topic, .name("topic"), "topic", entry.topic, hint: words.topicHint, longest: 120)
            div(.css("pair")) {
                fields.text(words.onText, .name("on"), "on", entry.on, isOptional: true, longest: 64)
                fields.text(words.offText, .name("off"), "off", entry.off, isOptional: true, longest: 64)
            }
        }
    }

    private func gateway(_ fields: SensorFields, _ chosen: String) -> HTML {
        fields.choice(
            words.gateway, .name("gateway"), "gateway",
            registry.catalog.gateways(of: frame.site.id).filter { $0.kind != .box }.map {
                ($0.id.text, $0.name)
            }, chosen)
    }

    private func page(
        _ title: String, _ own: LocalPath, _ status: Int, @HTMLBuilder fields: () -> HTML
    ) -> Response {
        frame.page(
            .devices, title: title, path: own, back: (HouseTab.devices.path(frame.site.id), words.devices),
            isLive: false, status: status
        ) {
            div(.css("pile narrow")) {
                p(.css("lead")) { words.addDetail }
                if refused != nil { Part.notice(.no, PagesWords.in(frame.language).checkFields) }
                form(.css("stack"), .method(.post), .action(own)) {
                    fields()
                    button(.type(.submit)) { words.addOwn }
                }
            }
        }
    }
}
