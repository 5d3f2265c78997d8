import Accounts
import Identity
import Ledger
import Notices
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What alarms and faults say, in words and as they are kept.
struct AlarmMessageTests {
    private static let gas = AlarmMessage.Air(
        kind: .gas, name: "Gas (Kitchen)", place: "Kitchen", value: 412, unit: "ppm", cause: .level(400))

    /// One of each, with what it is kept as: a hub of later reads it.
    private static let all: [(message: AlarmMessage, kept: String)] = [
        (
            .air(gas),
            #"{"air":{"_0":{"cause":{"level":{"_0":400}},"kind":"gas","name":"Gas (Kitchen)","place":"Kitchen","unit":"ppm","value":412}}}"#
        ),
        (
            .air(
                .init(kind: .carbonMonoxideLevel, name: "CO", place: "Hall", value: 120, unit: "ppm", cause: .exposure)),
            #"{"air":{"_0":{"cause":{"exposure":{}},"kind":"carbonMonoxideLevel","name":"CO","place":"Hall","unit":"ppm","value":120}}}"#
        ),
        (
            .air(.init(kind: .gas, name: "Gas", value: 9, unit: "ppm", cause: .risePerMinute(2.5))),
            #"{"air":{"_0":{"cause":{"risePerMinute":{"_0":2.5}},"kind":"gas","name":"Gas","unit":"ppm","value":9}}}"#
        ),
        (.air(.init(kind: .smoke, name: "Smoke")), #"{"air":{"_0":{"kind":"smoke","name":"Smoke","unit":""}}}"#),
        (
            .silent(kind: .smoke, name: "Smoke (Hall)", status: .late),
            #"{"silent":{"kind":"smoke","name":"Smoke (Hall)","status":"late"}}"#
        ),
        (.tripped(by: .near, name: "Hall"), #"{"tripped":{"by":"near","name":"Hall"}}"#),
        (.tripped(by: .opened, name: "Door"), #"{"tripped":{"by":"opened","name":"Door"}}"#),
        (.tripped(by: .shaken, name: "Pane"), #"{"tripped":{"by":"shaken","name":"Pane"}}"#),
        (.tripped(by: .handled, name: "Box"), #"{"tripped":{"by":"handled","name":"Box"}}"#),
        (.tripped(by: .other, name: "Mat"), #"{"tripped":{"by":"other","name":"Mat"}}"#),
        (.trippedUnknown(name: nil), #"{"trippedUnknown":{}}"#),
        (.trippedUnknown(name: "Door"), #"{"trippedUnknown":{"name":"Door"}}"#),
        (.sounds(box: "Box"), #"{"sounds":{"box":"Box"}}"#),
        (.unknownTag(box: "Box"), #"{"unknownTag":{"box":"Box"}}"#),
        (.called(name: "Box"), #"{"called":{"name":"Box"}}"#),
        (.weak(name: "Door", how: .open), #"{"weak":{"how":"open","name":"Door"}}"#),
        (.weak(name: "Door", how: .silent), #"{"weak":{"how":"silent","name":"Door"}}"#),
        (.weak(name: "Door", how: .missing), #"{"weak":{"how":"missing","name":"Door"}}"#),
        (.unreachable(name: "Siren", isValve: false), #"{"unreachable":{"isValve":false,"name":"Siren"}}"#),
        (.gone(connection: "Zigbee"), #"{"gone":{"connection":"Zigbee"}}"#),
        (
            .orderRefused(box: "Box", isAboutClock: true), #"{"orderRefused":{"box":"Box","isAboutClock":true}}"#
        ),
        (.gateway(name: "Zigbee", trouble: .storm), #"{"gateway":{"name":"Zigbee","trouble":"storm"}}"#),
        (.device(name: "Plug", matter: .contested), #"{"device":{"matter":"contested","name":"Plug"}}"#),
        (.device(name: "Plug", matter: .restless), #"{"device":{"matter":"restless","name":"Plug"}}"#),
        (.device(name: "Plug", matter: .withheld), #"{"device":{"matter":"withheld","name":"Plug"}}"#),
        (
            .device(name: "Plug", matter: .withheldWhileSounding),
            #"{"device":{"matter":"withheldWhileSounding","name":"Plug"}}"#
        ),
        (
            .devices(gateway: "Zigbee", matter: .withheld), #"{"devices":{"gateway":"Zigbee","matter":"withheld"}}"#
        ),
        (
            .refusedDetector(name: "Smoke", why: DiscoveryRefusal(.missing, "state_topic")),
            #"{"refusedDetector":{"name":"Smoke","why":"missing state_topic"}}"#
        ),
        (
            .refusedDetector(name: "Smoke", why: DiscoveryRefusal(.notJSON)),
            #"{"refusedDetector":{"name":"Smoke","why":"notJSON"}}"#
        ),
        (
            .refusedDetectors(gateway: "Zigbee", more: 3),
            #"{"refusedDetectors":{"gateway":"Zigbee","more":3}}"#
        ),
        (.hazard(.smoke), #"{"hazard":{"_0":"smoke"}}"#),
        (.written(.init(en: "a\nb", it: "c", es: "d")), #"{"written":{"_0":{"en":"a\nb","es":"d","it":"c"}}}"#),
        (.late(.called(name: "Box"), minutes: 3), #"{"late":{"_0":{"called":{"name":"Box"}},"minutes":3}}"#),
        (.late(.sounds(box: "Box"), minutes: nil), #"{"late":{"_0":{"sounds":{"box":"Box"}}}}"#),
    ]

    @Test func `Each is kept as its code with what belongs in it, and read again`() async throws {
        try await TestHouse.run { house in
            for (message, kept) in Self.all {
                let id = house.alarms.raise(.fault, at: house.site.id, sensor: .new(at: noon), message)
                #expect(await eventually { house.alarms.journal.waiting == 0 })
                let stored = try house.parts.store.read { database in
                    try database.row("SELECT message, en FROM home_alarms WHERE id = ?", id) {
                        ($0[0] as String, $0[1] as String)
                    }
                }
                #expect(stored?.0 == kept && stored?.1 == "")
                #expect(try house.logged(id)?.alarm.message == message)
            }
        }
    }

    @Test func `The words that are kept in them are those that always were`() {
        func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> String {
            Word.allCases.map(\.rawValue).joined(separator: " ")
        }
        #expect(
            words(SensorKind.self)
                == "gas gasAlarm smoke heat carbonMonoxide carbonMonoxideLevel panic moisture distance "
                + "vibration tag contact motion temperature humidity battery power energy signal snapshot number truth text"
        )
        #expect(words(SensorStatus.self) == "waiting live warming late unavailable isolated")
        #expect(words(GatewayTrouble.self) == "storm twice hoard overlong cut keptCommand")
        #expect(words(AlarmMessage.DevicesMatter.self) == "contradiction withheld")
        #expect(words(Hazard.self) == "gas smoke carbonMonoxide water environment intruder tamper help fault")
        #expect(
            words(DiscoveryRefusal.Reason.self)
                == "tooLong notJSON tooManyTopics tooManyDevices tooManyParts tooManyKnown "
                + "noComponents tooManyComponents notComponent noPlatform unknownPlatform sameID missing notText notNumber "
                + "notSeconds impossible notTopic forbiddenTopic describingTopic notTemplate computed computedCommand "
                + "badAvailability tooManyAvailabilities longUnit emptyRange encodedPicture remotePicture templateLight "
                + "opensDoors reserved")
    }

    @Test func `Each has a title in every language, and none that its sensor's name alone makes an all-clear`() {
        for (message, _) in Self.all {
            for language in Language.allCases { #expect(!message.text[language].title.isEmpty, "\(message)") }
        }
        for language in Language.allCases {
            let fault = AlarmMessage.silent(kind: .gas, name: "Gas (Box)", status: .unavailable).text[language]
            #expect(!fault.title.hasPrefix("Gas") && fault.title.hasSuffix("Gas (Box)"))
        }
    }

    @Test func `What a detector that is silent says is no all-clear; of another sensor it is no zero`() {
        let detector = AlarmMessage.silent(kind: .carbonMonoxideLevel, name: "CO", status: .late).text
        #expect(detector[.en].body.contains("does not mean that there is no danger"))
        #expect(detector[.it].body.contains("Non vuol dire che non c’è pericolo"))
        #expect(detector[.es].body.contains("No significa que no haya peligro"))
        #expect(AlarmMessage.silent(kind: .temperature, name: "T", status: .late).text[.en].body.contains("zero"))
    }

    @Test func `There is one advice for each danger, and it never says to stay`() {
        for language in Language.allCases {
            let words = AlarmWords.in(language)
            for hazard in Hazard.allCases { #expect(!words.todo(hazard).isEmpty && words.todo(hazard) != [""]) }
            for hazard in [Hazard.gas, .carbonMonoxide] { #expect(words.todo(hazard).last?.isEmpty == false) }
        }
        #expect(AlarmWords.in(.en).todo(.carbonMonoxide).last == "Do not go back in until the air has been measured.")
        #expect(AlarmMessage.air(Self.gas).text[.en].body == "The threshold is 400\u{a0}ppm.")
    }

    @Test func `What this version does not know says what it is about`() async throws {
        try await TestHouse.run { house in
            let id = house.alarms.raise(.intrusion, at: house.site.id, .hazard(.intruder))
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            for text in ["", "{}", #"{"aliens":{"name":"x"}}"#, "[", #"{"air":{"_0":{"kind":"plasma"}}}"#] {
                _ = try await house.parts.store.write {
                    try $0.execute("UPDATE home_alarms SET message = ? WHERE id = ?", text, id)
                }
                #expect(try house.logged(id)?.alarm.text[.en].title == "Intruder", "\(text)")
            }
        }
    }

    @Test func `What a hub of before kept as words is read as those`() async throws {
        try await TestHouse.run { house in
            let id = house.alarms.raise(.environmental, at: house.site.id, .hazard(.smoke))
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            _ = try await house.parts.store.write { database in
                try database.execute(
                    "UPDATE home_alarms SET en = ?, it = 'Fumo', es = 'Humo' WHERE id = ?", "Smoke: \"Hall\"\nLeave.",
                    id)
                // As the migration does it.
                try database.execute(
                    """
                    UPDATE home_alarms SET message =
                        json_object('written', json_object('_0', json_object('en', en, 'it', it, 'es', es)))
                    """)
            }
            let text = try #require(try house.logged(id)).alarm.text
            #expect(text[.en].title == "Smoke: \"Hall\"" && text[.en].body == "Leave.")
            #expect(text[.it].title == "Fumo" && text[.es].title == "Humo" && text[.es].body.isEmpty)
        }
    }

    @Test func `What happened at a box that was alone has the time at which it happened, and no length`() async throws {
        try await TestHouse.run { house in
            let then = house.time.value.adding(milliseconds: -2_520_000)
            let id = house.alarms.raise(
                .environmental, at: house.site.id, .late(.hazard(.smoke), minutes: 42), isPast: true, happened: then)
            house.alarms.end(id)
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            let logged = try #require(try house.logged(id))
            #expect(logged.alarm.at == then && logged.alarm.message.isLate)
            #expect(logged.alarm.text[.en].body == "It happened 42 minutes before the box was connected again.")
            #expect(AlarmMessage.late(.hazard(.smoke), minutes: 1).text[.it].body.contains("1 minuto prima"))
            let event = try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 100)
                .last { $0.kind == "home.alarm.raised" }
            #expect(event?.at == house.time.value, "in the log it is when the hub heard of it")
        }
    }

    @Test func `The worst comes first, and of those the newest; faults and exercises come last`() async throws {
        try await TestHouse.run { house in
            let site = house.site.id
            func raise(_ kind: HouseAlarm.Kind, _ message: AlarmMessage, isDrill: Bool = false) -> HouseAlarmID {
                house.move(seconds: 1)
                return house.alarms.raise(kind, at: site, message, isDrill: isDrill)
            }
            let smoke = raise(.environmental, .hazard(.smoke))
            let drill = raise(.environmental, .hazard(.gas), isDrill: true)
            let fault = raise(.fault, .sounds(box: "Box"))
            let intruder = raise(.intrusion, .tripped(by: .opened, name: "Door"))
            let monoxide = raise(.environmental, .hazard(.carbonMonoxide))
            let water = raise(.environmental, .hazard(.water))
            let order = house.parts.sight.summary(of: site).alarms.map(\.id)
            #expect(order == [monoxide, smoke, intruder, water, fault, drill])
        }
    }

    @Test func `A panic button calls for help in every state, once a press`() async throws {
        try await TestHouse.run { house in
            let own = try await house.sensor("sos", .panic)
            let state = try await house.sensor("remote", .panic, binding: SensorBinding(topic: "r", path: ["sos"]))
            func helped() -> [HouseAlarm] { house.alarms.standing(at: house.site.id).filter { $0.kind == .help } }
            house.parts.readings.observe(Reading(.truth(true), at: noon, isRetained: true), of: own)
            #expect(helped().isEmpty, "an old press")
            house.parts.readings.observe(house.reading(.truth(true)), of: state)
            #expect(helped().map(\.sensor) == [state.id] && house.panel.state == .triggered)
            #expect(helped().first?.text[.en].title == "Call for help: Remote (Kitchen)")
            for alarm in helped() { house.alarms.end(alarm.id, by: nil) }
            house.parts.readings.observe(house.reading(.truth(true)), of: state)
            #expect(helped().isEmpty, "it says so with every other value")
            house.parts.readings.observe(house.reading(.truth(false)), of: state)
            house.parts.readings.observe(house.reading(.truth(true)), of: state)
            house.parts.readings.observe(house.reading(.truth(true)), of: own)
            #expect(helped().count == 2)
        }
    }
}
