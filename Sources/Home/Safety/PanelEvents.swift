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
        let (after, cause) = (change.after, change.cause)
        var person: PersonID?
        if case .act(_, let actor) = cause { person = actor.person }
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("mode", after.panel.mode?.name)
            json.field("number", after.panel.number)
            json.field("drill", after.isDrill ? true : nil)
            switch cause {
            case .act(_, let actor):
                json.field("by", actor.name)
                json.field("person", actor.person?.text)
                json.field("means", actor.means?.hex)
            case .trip(let kind, let sensor):
                json.field("sensor", sensor.text)
                json.field("class", kind.name)
            case .weakness(let sensor, let weakness):
                json.field("sensor", sensor.text)
                json.field("why", weakness?.rawValue)
            case .keeper(let box): json.field("box", box.text)
            case .deadline: break
            }
            if case .act(.armed, _) = cause, !after.bypassed.isEmpty {
                json.array("bypassed") { json in for sensor in after.bypassed.sorted() { json.value(sensor.text) } }
            }
        }
        return [
            NewEvent(id: .new(at: now), site: change.site, kind: kind, at: now, person: person, payload: json.bytes)
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
