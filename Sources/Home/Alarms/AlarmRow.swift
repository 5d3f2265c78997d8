import Accounts
import Identity
import JSON
import System

/// An alarm as people and guests of its house see it.
struct AlarmRow: JSONObject {
    let logged: AlarmRecords.Logged
    /// Whether who asks is of the house, and not only there.
    let isOfHouse: Bool
    let language: Language

    static let shape = Shape<AlarmRow> {
        JSONField("id", "the alarm's id") { $0.logged.alarm.id }
        JSONField("kind") { $0.logged.alarm.kind }
        JSONField("sensor", "the sensor's id; null: a person, or another system") { $0.logged.alarm.sensor }
        JSONField("title", "what it is, in the reader's language") { $0.logged.alarm.text[$0.language].title }
        JSONField("value", "the reading, in the sensor's unit") { $0.logged.alarm.value }
        JSONField("isExercise", "whether it is none") { $0.logged.alarm.isDrill }
        JSONField("at", "when it began") { $0.logged.alarm.at }
        JSONField("ended", "when it was over; null: it stands") { $0.logged.ended }
        JSONField("silenced", "when the siren was silenced") { $0.logged.silenced }
        JSONField("taken", "when a person first said that they take care") { $0.logged.taken }
        JSONField("takenBy", "that person's id, for people of the house") { $0.isOfHouse ? $0.logged.takenBy : nil }
    }
}

/// Some alarms of a house, the newest first.
struct AlarmPage: JSONObject {
    let items: [AlarmRow]
    let next: HouseAlarmID?

    static let shape = Shape<AlarmPage> {
        JSONField("items") { $0.items }
        JSONField("next", "pass it as after to go on; null at the end") { $0.next }
    }
}

/// What the ledger holds of an alarm.
struct AlarmPayload: JSONObject {
    let alarm: HouseAlarmID
    var person: PersonID?
    /// Where it began now.
    var raised: HouseAlarm?

    static let shape = Shape<AlarmPayload> {
        JSONField("alarm", "the alarm's id") { $0.alarm }
        JSONField(unlessNil: "person", "who did it, where it was a person") { $0.person }
        JSONField(unlessNil: "kind") { $0.raised?.kind }
        JSONField(unlessNil: "sensor", "the sensor's id; null: a person, or another system") {
            $0.raised.map(\.sensor)
        }
        JSONField(unlessNil: "value", "the reading, in the sensor's unit") { $0.raised.map(\.value) }
        JSONField(unlessNil: "exercise", "whether it is none") { $0.raised?.isDrill }
    }
}
