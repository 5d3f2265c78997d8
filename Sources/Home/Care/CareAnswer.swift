import Household
import Identity
import JSON
import System

/// What a house has chosen for its air.
struct CareAnswer: JSONObject {
    let site: SiteID
    let isEnabled: Bool
    let thresholds: [ThresholdRow]
    let fans: [FanRow]

    static let shape = Shape<CareAnswer> {
        JSONField("site", "the site's id") { $0.site }
        JSONField("enabled", "whether thresholds count; detectors and boxes always do") { $0.isEnabled }
        JSONField("thresholds") { $0.thresholds }
        JSONField("fans") { $0.fans }
    }
}

/// The level from which on a sensor's value is an alarm.
struct ThresholdRow: JSONObject {
    let sensor: Sensor
    let watch: AirWatch

    static let shape = Shape<ThresholdRow> {
        JSONField("sensor", "the sensor's id") { $0.sensor.id }
        JSONField("unit", "of all of these; empty: none") { $0.sensor.unit }
        JSONField("level", "reached at this value or above; null: nothing is watched") { $0.watch.threshold?.level }
        JSONField("hysteresis", "left at the level less so much, or below") { $0.watch.threshold?.hysteresis }
        JSONField("risePerMinute", "also reached when the value grows by so much in a minute") {
            $0.watch.threshold?.risePerMinute
        }
        JSONField("over", "whether it is reached now") { $0.watch.isOver }
    }
}

/// A fan with what it follows, and how fast it is to run.
struct FanRow: JSONObject {
    let fan: ActuatorID
    let rule: FanRule?
    let run: FanRun

    static let shape = Shape<FanRow> {
        JSONField("fan", FanWish.fanWords) { $0.fan }
        JSONField("sensor", FanWish.sensorWords) { $0.rule?.sensor }
        JSONField("most", FanWish.mostWords) { $0.rule?.most }
        JSONField("shortestRun", FanWish.shortestRunWords) { $0.rule?.shortestRun }
        JSONField("percent", "how fast it is to run now: 0, or 50 to 100") { Int($0.run.percent) }
        JSONField("byHandUntil", "until when a person's choice counts; null: its rule does") { $0.run.byHand?.until }
    }
}

/// What a fan is to follow, as a program says it.
struct FanWish: JSONReadable {
    let fan: String
    let sensor: String?
    let most: Double?
    let shortestRun: Int?

    fileprivate static let fanWords = "the fan's id"
    fileprivate static let sensorWords = "the sensor that it follows; null: none"
    fileprivate static let mostWords = "at this level it runs at 100 %"
    fileprivate static let shortestRunWords = "once it runs, it runs for so many seconds"
    private static let body = JSONBody(
        JSONKey<String>("fan", fanWords), JSONKey<String?>("sensor", sensorWords),
        JSONKey<Double?>("most", mostWords), JSONKey<Int?>("shortestRun", shortestRunWords))

    static func schema(_ words: String) -> Schema { body.schema }
    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> FanWish {
        let (fan, sensor, most, shortestRun) = try body.read(json, at: path)
        return FanWish(fan: fan, sensor: sensor, most: most, shortestRun: shortestRun)
    }
}

/// How many alarms there would have been with a level, with words in the caller's language.
struct EvidenceAnswer: JSONObject {
    let alarms: Int?
    let days: Int
    let text: String

    static let shape = Shape<EvidenceAnswer> {
        JSONField("alarms", "how many; null: nothing of it was kept") { $0.alarms }
        JSONField("days", "in how many days") { $0.days }
        JSONField("text", "the same in words") { $0.text }
    }
}
