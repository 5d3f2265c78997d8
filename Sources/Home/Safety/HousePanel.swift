import Household
import Identity
import JSON
import Ledger
import Safeguard
import System
import Wire

/// The alarm panel of one house, with everything that says how it came to stand so. It is written whole after each change.
struct HousePanel: Sendable, Equatable {
    /// At most so many trips are remembered; the oldest go first.
    static let mostTrips = 16

    /// How it stands.
    var panel = Panel()
    /// Sensors that do not count until somebody disarms.
    var bypassed: Set<SensorID> = []
    /// What was tripped since all was quiet last, oldest first.
    var trips: [Trip] = []
    /// What counted when it was armed, with the names of then: what is not there any more is missed.
    var watched: [SensorID: String] = [:]
    /// Sensors that do not do their part now that it is armed.
    var weak: [SensorID: AlarmMessage.Weakness] = [:]
    /// Whether what sounds is an exercise.
    var isDrill = false
    /// The alarms that it raised and that have not ended.
    var alarms: [HouseAlarmID] = []
    /// Who came in at its boxes while they were alone, and of whom people have not been told.
    var entries: [GatewayID: UnheardEntries] = [:]
    /// Who changed it last.
    var last: Act?
    /// Grows with every change: of two rows the higher is the newer.
    var revision: UInt64 = 0

    /// A sensor went from rest to tripped.
    struct Trip: Sendable, Equatable {
        let sensor: SensorID
        let kind: SensorClass
        let at: Timestamp
    }

    /// What somebody, or something, did last.
    struct Act: Sendable, Equatable {
        enum Kind: String, Sendable, JSONChoice { case armed, disarmed, silenced, reset, called }
        let kind: Kind
        let by: PanelActor
        let at: Timestamp

        /// Whether it ends an alarm, or its noise.
        var endsAlarm: Bool {
            switch kind {
            case .disarmed, .silenced, .reset: true
            case .armed, .called: false
            }
        }
    }

    /// Remembers what tripped; what trips several times in a row, once.
    mutating func add(_ trip: Trip) {
        if let last = trips.last, last.sensor == trip.sensor, last.kind == trip.kind { return }
        trips.append(trip)
        trips.removeFirst(max(trips.count - Self.mostTrips, 0))
    }

    /// Whether it is armed, and something does not do its part.
    var isDegraded: Bool { panel.mode != nil && !weak.isEmpty }

    /// Whether it stands as somebody asks for already.
    func isArmed(_ mode: ArmMode, bypassing: Set<SensorID>) -> Bool {
        panel.mode == mode && !panel.isDisturbed && bypassing.isSubset(of: bypassed)
    }

    /// Whether arming it so would lower what it has: a time to leave in which nobody is looked for, more time after coming in, motion
    /// that does not count any more, a sensor more that is left out.
    func isWeakened(by mode: ArmMode, bypassing: Set<SensorID>, _ rules: PanelRules) -> Bool {
        guard let armed = panel.mode else { return false }
        return rules.exitDelay[mode] > 0 || rules.entryDelay[mode] > rules.entryDelay[armed]
            || (armed.isEmptyHouse && !mode.isEmptyHouse) || !bypassing.isSubset(of: bypassed)
    }
}

/// Who acts on a panel.
enum PanelActor: Sendable, Equatable {
    /// Somebody with an account.
    case person(PersonID)
    /// Somebody with an account, who typed a code of the house.
    case code(HouseCodeID, PersonID)
    /// Somebody who held a tag to a box.
    case tag(HouseTagID)
    /// A box, by its own button or while it was alone.
    case box(GatewayID)
    /// A panic button.
    case button(SensorID)
    /// Another part of the hub: a flow, the entry phone.
    case hub

    /// Whether it was done at a box.
    var isAtBox: Bool {
        switch self {
        case .tag, .box: true
        case .person, .code, .button, .hub: false
        }
    }

    /// The account, where there is one.
    var person: PersonID? {
        switch self {
        case .person(let person), .code(_, let person): person
        case .tag, .box, .button, .hub: nil
        }
    }

    /// For programs and tables.
    enum Kind: String, JSONChoice { case person, code, tag, box, button, hub }

    /// Which it is.
    var kind: Kind {
        switch self {
        case .person: .person
        case .code: .code
        case .tag: .tag
        case .box: .box
        case .button: .button
        case .hub: .hub
        }
    }

    /// The id of the code, the tag or the box.
    var means: ID16? {
        switch self {
        case .code(let code, _): code.raw
        case .tag(let tag): tag.raw
        case .box(let box): box.raw
        case .button(let sensor): sensor.raw
        case .person, .hub: nil
        }
    }

    /// As a row holds it. A person who was erased is nobody in particular: the hub.
    init(name: String, person: PersonID?, means: ID16?) {
        switch (name, person, means) {
        case ("person", let person?, _): self = .person(person)
        case ("code", let person?, let code?): self = .code(HouseCodeID(code), person)
        case ("tag", _, let tag?): self = .tag(HouseTagID(tag))
        case ("box", _, let box?): self = .box(GatewayID(box))
        case ("button", _, let sensor?): self = .button(SensorID(sensor))
        default: self = .hub
        }
    }
}

/// What moved a panel.
enum PanelCause: Sendable, Equatable {
    case act(HousePanel.Act.Kind, PanelActor)
    case trip(SensorClass, SensorID)
    case deadline
    /// Another keeper is right.
    case keeper(GatewayID)
    /// A sensor does not do its part; nil: it does again.
    case weakness(SensorID, AlarmMessage.Weakness?)

    /// Whether somebody armed the house.
    var isArming: Bool { if case .act(.armed, _) = self { true } else { false } }
}

/// Why somebody's wish is not done.
enum PanelRefusal: Error, Sendable, Equatable {
    /// Something is open: it is asked, never silently left out.
    case open([SensorID])
    /// What must not be left out, or is not in this house.
    case cannotBypass(SensorID)
    /// An alarm is on: it is disarmed first.
    case inAlarm
    /// It is armed, and would be armed less: that takes what disarming takes.
    case weakens
}
