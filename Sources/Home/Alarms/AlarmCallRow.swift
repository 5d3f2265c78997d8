import HTTPServer
import JSON

/// How the people of a house are called when there is an alarm, as programs read and write it.
struct AlarmCallRow: JSONObject {
    private static let minutesKey = JSONKey<Int?>("minutesBetween", "1 to 60: one after the other; null: all at once")
    private static let firstKey = JSONKey<[String]>("first", "ids of people who are called first, in order")
    private static let emergencyKey = JSONKey<String>("emergency", "the number of the large button")
    private static let contactsKey = JSONKey<[AlarmContactRow]>("contacts")
    private static let testKey = JSONKey<WeeklyTestRow?>("test")
    private static let body = JSONBody(minutesKey, firstKey, emergencyKey, contactsKey, testKey)

    let minutesBetween: Int?
    let first: [String]
    let emergency: String
    let contacts: [AlarmContactRow]
    let test: WeeklyTestRow?

    static let shape = Shape<AlarmCallRow> {
        JSONField(minutesKey) { $0.minutesBetween }
        JSONField(firstKey) { $0.first }
        JSONField(emergencyKey) { $0.emergency }
        JSONField(contactsKey) { $0.contacts }
        JSONField(testKey) { $0.test }
    }
}

extension AlarmCallRow {
    init(_ settings: AlarmSettings) {
        (minutesBetween, first) = (settings.minutesBetween, settings.first.map(\.text))
        emergency = settings.emergency.text
        contacts = settings.contacts.map { AlarmContactRow(name: $0.name, number: $0.number.text) }
        test = settings.weeklyTest.map {
            WeeklyTestRow(weekday: $0.weekday, time: AlarmCallForm.text(ofMinute: $0.minute))
        }
    }

    /// From the body of a request.
    init(_ request: Request) throws(Problem) {
        (minutesBetween, first, emergency, contacts, test) = try request.json(Self.body)
    }

    /// The same, to be checked.
    var form: AlarmCallForm {
        var form = AlarmCallForm()
        (form.minutes, form.first, form.emergency) = (minutesBetween, first, emergency)
        form.contacts = contacts.map { ($0.name, $0.number) }
        form.test = test.map { ($0.weekday, $0.time) }
        return form
    }
}

/// A contact whom one calls by phone.
struct AlarmContactRow: JSONObject, JSONReadable {
    private static let nameKey = JSONKey<String>("name", "1 to 60 characters")
    private static let numberKey = JSONKey<String>("number", "2 to 15 digits")
    private static let body = JSONBody(nameKey, numberKey)

    let name: String
    let number: String

    static let shape = Shape<AlarmContactRow> {
        JSONField(nameKey) { $0.name }
        JSONField(numberKey) { $0.number }
    }

    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> AlarmContactRow {
        let (name, number) = try body.read(json, at: path)
        return AlarmContactRow(name: name, number: number)
    }
}

/// When the alarm's own way is tried by itself.
struct WeeklyTestRow: JSONObject, JSONReadable {
    private static let weekdayKey = JSONKey<Int>("weekday", "1 is Monday, 7 Sunday")
    private static let timeKey = JSONKey<String>("time", "of the day at the house, 10:05")
    private static let body = JSONBody(weekdayKey, timeKey)

    let weekday: Int
    let time: String

    static let shape = Shape<WeeklyTestRow> {
        JSONField(weekdayKey) { $0.weekday }
        JSONField(timeKey) { $0.time }
    }

    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> WeeklyTestRow {
        let (weekday, time) = try body.read(json, at: path)
        return WeeklyTestRow(weekday: weekday, time: time)
    }
}
