import Household
import JSON

extension HistoryRetention: JSONObject {
    private static let rawWords = "days that each value is kept, 1 to 366"
    private static let fiveMinuteWords = "days that every five minutes are kept, 30 to 3660"
    private static let hourWords = "days that every hour and day are kept, from 365; 0 is for ever"

    static let shape = Shape<HistoryRetention> {
        JSONField("raw", rawWords) { $0.raw }
        JSONField("fiveMinutes", fiveMinuteWords) { $0.fiveMinutes }
        JSONField("hours", hourWords) { $0.hours }
    }

    /// As an owner chooses it.
    static let body = JSONBody(
        JSONKey<Int>("raw", rawWords), JSONKey<Int>("fiveMinutes", fiveMinuteWords), JSONKey<Int>("hours", hourWords))
}
