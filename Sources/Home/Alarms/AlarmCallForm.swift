import Accounts
import Identity
import Ledger
import Notices
import Pages
import Store
import System

/// How a house wants its people to be called, as it comes from outside.
struct AlarmCallForm {
    /// A field that will not do: `minutes`, `first`, `emergency`, `contacts`, `test`.
    struct Fault: Error, Equatable { let field: String }

    var minutes: Int?
    var first: [String] = []
    var emergency = ""
    var contacts: [(name: String, number: String)] = []
    var test: (weekday: Int, time: String)?

    /// - Parameter people: of the house.
    func settings(of people: Set<PersonID>) throws(Fault) -> AlarmSettings {
        var settings = AlarmSettings()
        if let minutes {
            guard (1...AlarmSettings.mostMinutes).contains(minutes) else { throw Fault(field: "minutes") }
            settings.minutesBetween = minutes
        }
        for text in first {
            guard let person = PersonID(text), people.contains(person), !settings.first.contains(person),
                settings.first.count < Recipients.mostInTurn
            else { throw Fault(field: "first") }
            settings.first.append(person)
        }
        guard let number = PhoneNumber(emergency) else { throw Fault(field: "emergency") }
        settings.emergency = number
        for one in contacts {
            let name = NoticeWords(one.name).title
            guard let number = PhoneNumber(one.number), (1...60).contains(name.count), name == one.name,
                settings.contacts.count < AlarmSettings.mostContacts
            else { throw Fault(field: "contacts") }
            settings.contacts.append(.init(name: name, number: number))
        }
        if let test {
            guard (1...7).contains(test.weekday), let minute = Self.minute(test.time) else {
                throw Fault(field: "test")
            }
            settings.weeklyTest = .init(weekday: test.weekday, minute: minute)
        }
        return settings
    }

    /// The minute of the day of `10:05`.
    static func minute(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(String(parts[0]) ?? ""), let minute = Int(String(parts[1]) ?? ""), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// `10:05`
    static func text(ofMinute minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour)" + (rest < 10 ? ":0" : ":") + "\(rest)"
    }
}
