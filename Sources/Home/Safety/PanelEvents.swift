import Household
import Identity
import JSON
import Ledger
import Safeguard
import System

/// What of a panel's changes is written into the ledger.
enum PanelEvents {
    /// The kinds that a page shows as what happened last.
    static let shown = [
        "home.arming", "home.armed", "home.disarmed", "home.pending", "home.triggered", "home.silenced", "home.reset",
        "home.alarm.over",
    ]

    /// Usually one; none when only a row changed.
    static func events(of change: HousePanels.Change, at now: Timestamp) -> [NewEvent] {
        guard let kind = kind(of: change) else { return [] }
        var person: PersonID?
        if case .act(_, let actor) = change.cause { person = actor.person }
        return [
            NewEvent(
                id: .new(at: now), site: change.site, kind: kind, at: now, person: person,
                payload: PanelPayload(change).document())
        ]
    }

    private static func kind(of change: HousePanels.Change) -> String? {
        if case .weakness(_, let weakness) = change.cause { return weakness == nil ? nil : "home.degraded" }
        if case .act(.silenced, _) = change.cause { return "home.silenced" }
        if case .act(.reset, _) = change.cause { return "home.reset" }
        let (before, after) = (change.before.panel, change.after.panel)
        let isAct = before.number != after.number || change.before.bypassed != change.after.bypassed
        switch after.state {
        case .disarmed:
            if case .act = change.cause { return "home.disarmed" }
            if before.state == .triggered { return "home.alarm.over" }
            return before.state == .disarmed ? nil : "home.disarmed"
        case .arming: return isAct ? "home.arming" : nil
        case .armedHome, .armedAway, .armedNight, .armedVacation:
            if before.state == .triggered { return "home.alarm.over" }
            return before.state == after.state && !isAct ? nil : "home.armed"
        case .pending: return before.state == .pending ? nil : "home.pending"
        case .triggered:
            if case .trip = change.cause { return "home.triggered" }
            return before.state == .triggered && before.isSounding == after.isSounding ? nil : "home.triggered"
        }
    }
}

/// What the ledger holds of a change of a panel.
struct PanelPayload: JSONObject {
    let house: HousePanel
    var actor: PanelActor?
    /// What was tripped, or does not do its part.
    var sensor: SensorID?
    /// What tripping it means.
    var meaning: SensorClass?
    /// Why it does not do its part.
    var weakness: AlarmMessage.Weakness?
    /// The box whose panel it followed.
    var box: GatewayID?
    /// What arming left out.
    var bypassed: [SensorID]?

    static let shape = Shape<PanelPayload> {
        JSONField("mode") { $0.house.panel.mode }
        JSONField("number", "how often it was armed, disarmed or reset") { $0.house.panel.number }
        JSONField("drill", "whether it is an exercise; null: it is none") { $0.house.isDrill ? true : nil as Bool? }
        JSONField(unlessNil: "by") { $0.actor?.kind }
        JSONField(unlessNil: "person", "who") { $0.actor.map(\.person) }
        JSONField(unlessNil: "means", "the code, the tag or the box") { $0.actor.map { $0.means?.hex } }
        JSONField(unlessNil: "sensor", "the sensor's id") { $0.sensor }
        JSONField(unlessNil: "class") { $0.meaning }
        JSONField(unlessNil: "why") { $0.weakness }
        JSONField(unlessNil: "box", "the box's id") { $0.box }
        JSONField(unlessNil: "bypassed", "the ids of sensors that do not count") { $0.bypassed }
    }
}

extension PanelPayload {
    init(_ change: HousePanels.Change) {
        house = change.after
        switch change.cause {
        case .act(let kind, let actor):
            self.actor = actor
            if kind == .armed, !house.bypassed.isEmpty { bypassed = house.bypassed.sorted() }
        case .trip(let kind, let sensor): (self.sensor, meaning) = (sensor, kind)
        case .weakness(let sensor, let weakness): (self.sensor, self.weakness) = (sensor, weakness)
        case .keeper(let box): self.box = box
        case .deadline: break
        }
    }
}
