import Ledger
import Safeguard
import Store
import System
import TestSupport

@testable import Box
@testable import Home
@testable import Household

/// A story of a house with a box that nobody wrote: what was done in it, of what people were to be told, and of what they were.
final class BoxStory {
    /// Something of which people are to be told.
    struct Due: CustomStringConvertible {
        enum Kind { case entry, fire, call }
        let kind: Kind
        var sensor: BoxSensor?
        let at: Timestamp
        /// When the hub heard that somebody was coming in, before the time to disarm ran out; nil: it did not.
        var heard: Timestamp?
        var description: String { "\(kind) \(sensor.map { "\($0)" } ?? "") at \(BoxStory.seconds(at))" }
    }

    /// What happened, in lines: printed when somebody was told nothing.
    private(set) var lines: [String] = []
    private var dues: [Due] = []
    /// Who came in, and may still prove that they belong there.
    private var entering: [Due] = []
    /// By which sensors somebody came in since all was quiet at the box, or somebody silenced it: it names each once.
    private var named: Set<BoxSensor> = []
    private var wasSilent = false
    /// What meant something else at any time: people may have been told of it by what it meant before, or means since.
    private var changed: Set<BoxSensor> = []
    /// When people did something about what they knew of.
    private let acts = Shared<[Timestamp]>([])
    private let house: TestHouse
    private let box: WiredBox
    private let rules: PanelRules
    private var isTagKnown = true
    private var random: SeededGenerator

    init(seed: UInt64, _ house: TestHouse) async throws {
        self.house = house
        random = SeededGenerator(seed: seed)
        var rules = HouseRules()
        rules.panel = PanelRules(
            exitDelay: Delays([0, 60].randomElement(using: &random)!),
            entryDelay: Delays([0, 2, 30].randomElement(using: &random)!),
            alarmTime: [30, 120].randomElement(using: &random)!,
            disarmsAfterAlarm: Int.random(in: 0..<5, using: &random) == 0)
        self.rules = rules.panel
        try await house.parts.safety.settings.set(rules, of: house.site.id, by: anna)
        box = try await WiredBox(house)
        let losses = [0, 0, 20].randomElement(using: &random)!
        var noise = SeededGenerator(seed: seed &+ 1)
        box.loses = { Int.random(in: 0..<100, using: &noise) < losses }
        box.happened = { [unowned self] in note($0) }
        house.panels.follow { [acts, time = house.time] change in
            guard case .act(let kind, _) = change.cause, kind != .called else { return }
            acts.change { $0.append(time.value) }
        }
        say("\(rules.panel), the bus loses \(losses) %")
        try await box.pass(5)
    }

    /// Plays so many things that may happen, and lets everything be told that is to be told.
    func play(_ count: Int) async throws {
        for _ in 0..<count {
            try await box.pass([0, 1, 1, 3, 3, 8, 20, 35, 70, 150].randomElement(using: &random)!)
            switch Int.random(in: 0..<18, using: &random) {
            case 0..<8: try await happen()
            case 8..<14: try await act()
            default: try await breakOrMend()
            }
        }
        if !box.isConnected { try await restore() }
        try await box.pass(30)
        await box.hub.write()
    }

    // MARK: what may happen

    /// Somebody comes, or something burns.
    private func happen() async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: try await trip(.door, 1, rest: 0)
        case 4..<6: try await trip(.distance, 50, rest: 300)
        case 6: try await trip(.vibration, 1, rest: 0)
        case 7..<9: try await trip(.smoke, 1, rest: 0)
        default:
            say("help")
            try await box.press()
        }
    }

    private func trip(_ sensor: BoxSensor, _ value: Double, rest: Double) async throws {
        say("\(sensor)")
        try await box.sense(sensor, value)
        try await box.pass(Int.random(in: 0..<3, using: &random))
        try await box.sense(sensor, rest)
    }

    /// Somebody does something about it, here or there.
    private func act() async throws {
        let (panels, site) = (house.panels, house.site.id)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2:
            say("tag")
            return try await box.holdTag()
        case 2..<5:
            let mode = [ArmMode.away, .away, .home, .night].randomElement(using: &random)!
            say("arm \(mode)")
            do { try panels.arm(mode, at: site, by: .person(anna), mayWeaken: true) } catch { say("  \(error)") }
        case 5..<7:
            say("disarm")
            panels.disarm(site, by: .person(anna))
        case 7..<9:
            say("silence")
            panels.silence(site, by: .person(anna))
        default:
            say("reset")
            panels.reset(site, by: .person(anna))
        }
        try await box.settle()
    }

    /// The cable, the hub, the box's power, its tag, what its sensors mean.
    private func breakOrMend() async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            say("the hub begins anew")
            try await box.restartHub()
        case 1:
            say("the box begins anew")
            try await box.restart()
        case 2:
            say(isTagKnown ? "the tag is taken away" : "the tag is known again")
            try await house.parts.store.write { [isTagKnown, tag = box.tag] database in
                if isTagKnown {
                    try SafetyRecords.remove(tag.id, in: database)
                } else {
                    try SafetyRecords.add(tag, by: nil, in: database)
                }
            }
            isTagKnown.toggle()
            box.hub.boxes.settingsChanged(at: house.site.id)
            try await box.settle()
        case 3:
            let kinds = [nil, SensorClass.door, .motion, .tamper, .environmental]
            try await change { [kind = kinds.randomElement(using: &random)!] in $0.alarmClass = kind }
        case 4: try await change { $0.retired = $0.retired == nil ? noon : nil }
        default:
            if !box.isConnected { return try await restore() }
            say("cut")
            box.cut()
        }
    }

    /// Somebody says what a sensor means, or whether it is used.
    private func change(_ edit: @escaping @Sendable (inout Sensor) -> Void) async throws {
        let key = [BoxSensor.door, .door, .distance, .vibration, .smoke].randomElement(using: &random)!
        changed.insert(key)
        let (id, site) = (box.sensors[key]!.id, house.site.id)
        let sensor = try await house.parts.registry.change(at: site) { database -> Sensor in
            var sensor = try HomeRecords.sensors(at: site, in: database).first { $0.id == id }!
            edit(&sensor)
            try HomeRecords.change(sensor, in: database)
            return sensor
        }
        say("\(key) is \(sensor.alarmClass.map { "\($0)" } ?? "nothing")\(sensor.retired == nil ? "" : ", out of use")")
        try await box.settle()
    }

    private func restore() async throws {
        say("restore: hub \(house.panel.state) \(house.panel.number), box \(box.core.panel.number)")
        try await box.connect()
        // What is that young happens now, for the hub.
        let (now, young) = (house.time.value, house.time.value.adding(milliseconds: -Boxes.live))
        for index in entering.indices { entering[index].heard = entering[index].heard ?? now }
        for index in dues.indices where dues[index].at >= young { dues[index].heard = dues[index].heard ?? now }
    }

    private func say(_ line: String) { lines.append("\(Self.seconds(house.time.value)): \(line)") }

    private static func seconds(_ time: Timestamp) -> Int64 { (time.milliseconds - noon.milliseconds) / 1000 }

    // MARK: what is due

    private func note(_ happening: BoxCore.Happening) {
        let panel = happening.panel
        say("  box: \(happening.kind) by \(happening.cause), \(panel.state) \(panel.number)")
        let (now, isAlarm) = (house.time.value, panel.state == .triggered)
        switch (happening.kind, happening.cause) {
        case (.tripped, _):
            let sensor = BoxSensor.allCases.first { box.core.setup[$0].place == happening.sensor }
            // As the box knows it: where it is cut off, what it meant to the house before.
            guard let sensor, let kind = box.core.setup[sensor].alarmClass else { break }
            if kind == .environmental { dues.append(Due(kind: .fire, sensor: sensor, at: now)) }
            if wasSilent { named.remove(sensor) }
            // In a house that somebody disarmed meanwhile, at the hub alone, nobody breaks in.
            let counts = [panel.mode, house.panel.mode].allSatisfy { kind.counts(for: $0) }
            if kind != .environmental, counts, named.insert(sensor).inserted {
                entering.append(
                    Due(kind: .entry, sensor: sensor, at: now, heard: box.isConnected ? now : nil))
            }
            if isAlarm { commit() }
        case (.panelChanged, .button):
            dues.append(Due(kind: .call, at: now))
            commit()
        case (.panelChanged, .tag): if isTagKnown { entering = [] } else { commit() }
        case (.panelChanged, _), (.orderTaken, _):
            if isAlarm { commit() } else if !panel.isDisturbed { entering = [] }
        default: break
        }
        if !panel.isDisturbed { named = [] }
        wasSilent = isAlarm && !panel.isSounding
    }

    private func commit() {
        dues += entering
        entering = []
    }

    /// Whether somebody dealt with who came in, of whom the hub had heard, before its own time to disarm ran out.
    private func isAnswered(_ due: Due) -> Bool {
        guard let heard = due.heard else { return false }
        let delay = Int64(ArmMode.allCases.map { rules.entryDelay[$0] }.max() ?? 0) * 1000
        return acts.value.contains { heard <= $0 && $0 <= heard.adding(milliseconds: delay + 1000) }
    }

    // MARK: what was told

    /// A stretch of time for which an alarm stood, of which people were told at its beginning.
    private struct Telling {
        let kind: String
        let sensor: SensorID?
        let from: Timestamp
        var to: Timestamp?
    }

    private func tellings() throws -> [Telling] {
        let alarms = try house.parts.store.read { database in
            try database.rows("SELECT id, kind, sensor FROM home_alarms WHERE kind <> 'fault' ORDER BY id") { row in
                (id: row[0] as HouseAlarmID, kind: row[1] as String, sensor: row[2] as SensorID?)
            }
        }
        let events = try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 100_000)
        return alarms.flatMap { alarm in
            var found: [Telling] = []
            for event in events
            where String(decoding: event.payload ?? [], as: UTF8.self).contains("\"alarm\":\"\(alarm.id.text)\"") {
                switch event.kind {
                case "home.alarm.raised", "home.alarm.reopened":
                    found.append(Telling(kind: alarm.kind, sensor: alarm.sensor, from: event.at))
                case "home.alarm.ended": if !found.isEmpty { found[found.count - 1].to = event.at }
                default: break
                }
            }
            return found
        }
    }

    /// What was due, and was not told: after it happened, or by what stood then and nobody had turned away from. Of two who came in by one sensor
    /// people are told twice, unless it was within seconds.
    func untold() throws -> [Due] {
        // First those that name the sensor: what names none may have told of another.
        let tellings = try tellings().enumerated().sorted {
            ($0.element.sensor == nil ? 1 : 0, $0.offset) < ($1.element.sensor == nil ? 1 : 0, $1.offset)
        }.map(\.element)
        var used: [Int: Timestamp] = [:]
        return dues.filter { !isAnswered($0) }.sorted { $0.at > $1.at }.filter { due in
            for (index, one) in tellings.enumerated() where fits(one, due) {
                if one.from >= due.at {
                    let other = used[index].map { $0.milliseconds - due.at.milliseconds }
                    if due.kind != .entry || other.map({ $0 <= Boxes.live }) ?? true {
                        used[index] = used[index] ?? due.at
                        return false
                    }
                } else if (one.to.map { $0 >= due.at } ?? true),
                    !acts.value.contains(where: { one.from <= $0 && $0 < due.at })
                {
                    return false
                }
            }
            return true
        }
    }

    private func fits(_ telling: Telling, _ due: Due) -> Bool {
        if let sensor = due.sensor, changed.contains(sensor), telling.kind != "help" {
            return telling.sensor == nil || telling.sensor == box.sensors[sensor]?.id
        }
        return switch due.kind {
        case .call: telling.kind == "help"
        case .fire: telling.kind == "environmental"
        case .entry:
            (telling.kind == "intrusion" || telling.kind == "tamper")
                && (telling.sensor == nil || telling.sensor == due.sensor.flatMap { box.sensors[$0]?.id })
        }
    }
}
