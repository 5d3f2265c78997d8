import HTTPServer
import Household
import Identity
import JSON
import Safeguard
import System

// What a house has chosen for its panel, as its programs read and write it.

/// Delays, in seconds: one for each way of arming.
struct DelaysRow: JSONObject, JSONReadable {
    private static let homeKey = JSONKey<Int>("home", "seconds, 0 to 600")
    private static let awayKey = JSONKey<Int>("away", "seconds, 0 to 600")
    private static let nightKey = JSONKey<Int>("night", "seconds, 0 to 600")
    private static let vacationKey = JSONKey<Int>("vacation", "seconds, 0 to 600")
    private static let body = JSONBody(homeKey, awayKey, nightKey, vacationKey)

    let home, away, night, vacation: Int

    static let shape = Shape<DelaysRow> {
        JSONField(homeKey) { $0.home }
        JSONField(awayKey) { $0.away }
        JSONField(nightKey) { $0.night }
        JSONField(vacationKey) { $0.vacation }
    }

    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> DelaysRow {
        let (home, away, night, vacation) = try body.read(json, at: path)
        return DelaysRow(home: home, away: away, night: night, vacation: vacation)
    }

    /// Throws `Problem` where one is too long.
    func delays() throws -> Delays {
        guard [home, away, night, vacation].allSatisfy({ (0...Int(Delays.longest)).contains($0) }) else {
            throw Problem.unprocessable("A delay is between 0 and 600 seconds.", type: "delay")
        }
        return Delays(home: UInt16(home), away: UInt16(away), night: UInt16(night), vacation: UInt16(vacation))
    }
}

extension DelaysRow {
    init(_ delays: Delays) {
        self.init(
            home: Int(delays[.home]), away: Int(delays[.away]), night: Int(delays[.night]),
            vacation: Int(delays[.vacation]))
    }
}

/// The rules of a house's panel.
struct HouseRulesRow: JSONObject {
    private static let exitKey = JSONKey<DelaysRow>("exitDelay")
    private static let entryKey = JSONKey<DelaysRow>("entryDelay")
    private static let alarmKey = JSONKey<Int>("alarmTime", "seconds, 30 to 900")
    private static let disarmsKey = JSONKey<Bool>(
        "disarmsAfterAlarm", "whether it is disarmed when an alarm has sounded its time")
    private static let codeKey = JSONKey<Bool>(
        "asksCode", "whether disarming takes a code, or a fresh proof of who asks")
    private static let body = JSONBody(exitKey, entryKey, alarmKey, disarmsKey, codeKey)

    let exitDelay, entryDelay: DelaysRow
    let alarmTime: Int
    let disarmsAfterAlarm: Bool
    let asksCode: Bool

    static let shape = Shape<HouseRulesRow> {
        JSONField(exitKey) { $0.exitDelay }
        JSONField(entryKey) { $0.entryDelay }
        JSONField(alarmKey) { $0.alarmTime }
        JSONField(disarmsKey) { $0.disarmsAfterAlarm }
        JSONField(codeKey) { $0.asksCode }
    }

    /// Throws `Problem` where something is too short or too long.
    func rules() throws -> HouseRules {
        guard (Int(PanelRules.shortestAlarm)...Int(PanelRules.longestAlarm)).contains(alarmTime) else {
            throw Problem.unprocessable("An alarm sounds for 30 to 900 seconds.", type: "alarm-time")
        }
        return HouseRules(
            panel: PanelRules(
                exitDelay: try exitDelay.delays(), entryDelay: try entryDelay.delays(), alarmTime: UInt16(alarmTime),
                disarmsAfterAlarm: disarmsAfterAlarm), asksCode: asksCode)
    }
}

extension HouseRulesRow {
    init(_ rules: HouseRules) {
        (exitDelay, entryDelay) = (DelaysRow(rules.panel.exitDelay), DelaysRow(rules.panel.entryDelay))
        (alarmTime, asksCode) = (Int(rules.panel.alarmTime), rules.asksCode)
        disarmsAfterAlarm = rules.panel.disarmsAfterAlarm
    }

    /// From the body of a request.
    init(_ request: Request) throws(Problem) {
        (exitDelay, entryDelay, alarmTime, disarmsAfterAlarm, asksCode) = try request.json(Self.body)
    }
}

/// A sensor, with what tripping it means.
struct GuardedSensorRow: JSONObject {
    private static let classKey = JSONKey<SensorClass?>("class")
    private static let distanceKey = JSONKey<Double>(
        "distance", "nearer than this, in centimetres, is motion; of sensors of distances: 5 to 400")
    private static let silentKey = JSONKey<Bool>("tripsWhenSilent", "whether silence counts as a trip after a minute")
    /// What of it is chosen.
    static let body = JSONBody(classKey, distanceKey, silentKey)

    let sensor: Sensor
    let guarding: SensorGuard

    static let shape = Shape<GuardedSensorRow> {
        JSONField("id", "the sensor's id") { $0.sensor.id }
        JSONField("name", "what people call it") { $0.sensor.name }
        JSONField(classKey) { $0.sensor.alarmClass }
        JSONField(distanceKey) { $0.guarding.distance }
        JSONField(silentKey) { $0.guarding.tripsWhenSilent }
    }
}

extension HouseCode: JSONObject {
    static let shape = Shape<HouseCode> {
        JSONField("id", "the code's id") { $0.id }
        JSONField("name", "whose it is") { $0.name }
        JSONField("added", "when") { $0.added }
    }
}

extension HouseTag: JSONObject {
    static let shape = Shape<HouseTag> {
        JSONField("id", "the tag's id") { $0.id }
        JSONField("name", "whose it is") { $0.name }
        JSONField("box", "the id of the box that knows it") { $0.gateway }
        JSONField("added", "when") { $0.added }
    }
}

extension Boxes.Learning: JSONObject {
    static let shape = Shape<Boxes.Learning> {
        JSONField("id", "the id that it will have") { $0.id }
        JSONField("until", "until when it waits") { $0.until }
    }
}
