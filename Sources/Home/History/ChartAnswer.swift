import Household
import JSON
import System

/// What the chart of a sensor shows, for programs.
struct ChartAnswer: JSONObject {
    let chart: SensorChart
    let unit: String
    let style: ChartStyle

    static let shape = Shape<ChartAnswer> {
        JSONField("from", "when it begins") { $0.chart.window.from }
        JSONField("to", "when it ends") { $0.chart.window.to }
        JSONField("unit", "of the values") { $0.unit }
        JSONField("since", "where the caller's chart begins, as they asked") { $0.chart.mark }
        JSONField("items") { $0.buckets }
        JSONField("thresholds") { $0.chart.thresholds }
        JSONField("alarms") { $0.chart.alarms.map { AlarmSpan(at: $0.at, ended: $0.ended) } }
    }

    var buckets: [ChartBucket] { style == .line ? chart.line : chart.bars }

    /// When there was an alarm.
    struct AlarmSpan: JSONObject {
        let at: Timestamp
        let ended: Timestamp?

        static let shape = Shape<AlarmSpan> {
            JSONField("at", "when it began") { $0.at }
            JSONField("ended", "null: it has not") { $0.ended }
        }
    }
}

extension ThresholdRecords.Step: JSONObject {
    static let shape = Shape<ThresholdRecords.Step> {
        JSONField("since", "from when on it counted") { $0.since }
        JSONField("level", "null: none counted") { $0.threshold?.level }
    }
}

extension ChartBucket: JSONObject {
    static let shape = Shape<ChartBucket> {
        JSONField("from", "when the stretch begins") { $0.from }
        JSONField("count", "how many readings") { $0.rollup.count }
        JSONField("min", "the lowest") { $0.rollup.low }
        JSONField("max", "the highest") { $0.rollup.high }
        JSONField("mean", "the middle of all") { $0.rollup.mean }
        JSONField("last", "the last one") { $0.rollup.last }
    }
}
