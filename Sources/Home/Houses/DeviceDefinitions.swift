import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Safeguard
import Store
import System

/// What the devices of a house are, for programs: who installs them changes that here. What they say is in `/api/devices`.
struct DeviceDefinitions: HouseFeature {
    let access: HouseAccess
    let desk: DevicesDesk

    // MARK: bodies

    private typealias Meaning = SensorMeaningWish.Key

    private static let gateway = JSONKey<String>("gateway", "the id of what it comes in by")
    private static let name = JSONKey<String>("name", "1 to 80 characters")
    private static let topic = JSONKey<String>(
        "topic", "below the gateway's: at most 8 parts with / between, without wildcards")
    private static let on = JSONKey<String?>("on", "what stands for yes or on; ON")
    private static let off = JSONKey<String?>("off", "what stands for no or off; OFF")
    private static let newName = JSONKey<String?>("name", "1 to 80 characters")
    private static let isHeard = JSONKey<Bool?>("inUse", "whether it is heard")

    private static let changedDevice = JSONBody(newName, JSONKey<String?>("area", "at most 80 characters"), isHeard)
    private static let newSensor = JSONBody(
        gateway, name, topic, on, off, JSONKey<SensorKind>("kind"),
        JSONKey<String?>("member", "the JSON members that lead to the value, with points between"),
        Meaning.unit, Meaning.low, Meaning.high, Meaning.period, Meaning.alarmClass)
    private static let changedSensor = JSONBody(
        newName, Meaning.unit, Meaning.low, Meaning.high, Meaning.period, Meaning.alarmClass, isHeard)
    private static let newActuator = JSONBody(gateway, name, topic, on, off, JSONKey<ActuatorKind>("kind"))
    private static let changedActuator = JSONBody(newName, JSONKey<Bool?>("inUse", "whether it can be told"))

    // MARK: routes

    func register(_ routes: inout Routes) {
        registerDevices(&routes)
        registerSensors(&routes)
        registerActuators(&routes)
    }

    private func registerDevices(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/devices", for: Permission.inHouse,
            RouteDescription(
                "What the devices of a house are, those out of use too, by name. What they say is in /api/devices.",
                answer: JSONItems<DefinedDevice>.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            return .json(JSONItems(try devices(of: site.id)), capacity: 4096)
        }
        routes.on(
            .patch, "/api/sites/{site}/devices/{device}", for: Permission.installing, access.weakensNow(.devices),
            RouteDescription(
                "Changes what a device is called, in which room it is, or whether it is used; what is left out stays.",
                body: Self.changedDevice.schema, status: 204)
        ) { request, principal in
            let site = try access.house(request, principal)
            let (name, area, isInUse) = try request.json(Self.changedDevice)
            let id = try request.parameter("device", as: DeviceID.self)
            try await desk.change(
                id, at: site.id, name: name, area: area, isInUse: isInUse, by: principal.person.id)
            return .empty()
        }
    }

    private func registerSensors(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/sensors", for: Permission.installing, access.weakensNow(.devices),
            RouteDescription(
                "Adds a sensor that does not describe itself. Without a class it means what its kind usually does.",
                body: Self.newSensor.schema, answer: DefinedSensor.schema, status: 201)
        ) { request, principal in
            let site = try access.house(request, principal)
            let (gateway, name, topic, on, off, kind, member, unit, low, high, period, alarmClass) =
                try request.json(Self.newSensor)
            let wish = SensorMeaningWish(unit: unit, low: low, high: high, period: period, alarmClass: alarmClass)
            let entry = SensorEntry(
                name: name, kind: kind.rawValue, gateway: gateway, topic: topic, member: member ?? "", on: on ?? "",
                off: off ?? "")
            let sensor = try await desk.add(sensor: wish.over(entry), at: site.id, by: principal.person.id)
            return .json(DefinedSensor(sensor: sensor), status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/sensors/{sensor}", for: Permission.installing, access.weakensNow(.devices),
            RouteDescription(
                "Changes what a sensor is called and means, or whether it is used; what is left out stays, what is null is taken away.",
                body: Self.changedSensor.schema, answer: DefinedSensor.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            let (name, unit, low, high, period, alarmClass, isInUse) = try request.json(Self.changedSensor)
            let wish = SensorMeaningWish(unit: unit, low: low, high: high, period: period, alarmClass: alarmClass)
            let id = try request.parameter("sensor", as: SensorID.self)
            try await desk.change(id, at: site.id, isInUse: isInUse, by: principal.person.id) { known in
                var entry = try wish.over(known)
                if let name { entry.name = name }
                return entry
            }
            return .json(DefinedSensor(sensor: try desk.sensor(id, at: site.id)))
        }
    }

    private func registerActuators(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/actuators", for: Permission.installing, access.weakensNow(.devices),
            RouteDescription(
                "Adds an actuator that does not describe itself. What was added for its topic before and is out of use becomes it. Where that was a siren, a valve or a fan and is to be something else, or to hear other words, or where a device described one that is gone, it asks for a fresh proof of who one is. It is refused where something out of use that a device describes would do what is told there.",
                body: Self.newActuator.schema, answer: DefinedActuator.schema, status: 201)
        ) { request, principal in
            let site = try access.house(request, principal)
            let (gateway, name, topic, on, off, kind) = try request.json(Self.newActuator)
            let entry = ActuatorEntry(
                name: name, kind: kind.rawValue, gateway: gateway, topic: topic, on: on ?? "", off: off ?? "")
            let actuator = try await desk.add(actuator: entry, at: site.id, by: principal)
            return .json(DefinedActuator(actuator: actuator), status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/actuators/{actuator}", for: Permission.installing,
            access.weakensNow(.devices),
            RouteDescription(
                "Changes what an actuator is called, or whether it is used; what is left out stays.",
                body: Self.changedActuator.schema, answer: DefinedActuator.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            let (name, isInUse) = try request.json(Self.changedActuator)
            let id = try request.parameter("actuator", as: ActuatorID.self)
            try await desk.change(id, at: site.id, name: name, isInUse: isInUse, by: principal.person.id)
            return .json(DefinedActuator(actuator: try desk.actuator(id, at: site.id)))
        }
    }

    // MARK: answers

    private func devices(of site: SiteID) throws -> [DefinedDevice] {
        let (devices, sensors, actuators) = try desk.store.read { database in
            (
                try HomeRecords.devices(at: site, in: database), try HomeRecords.sensors(at: site, in: database),
                try HomeRecords.actuators(at: site, in: database)
            )
        }
        return devices.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { device in
            let own = sensors.filter { $0.device == device.id }.sorted { $0.number < $1.number }
            let driven = actuators.filter { $0.device == device.id }.sorted { $0.name < $1.name }
            return DefinedDevice(
                device: device, sensors: own.map(DefinedSensor.init), actuators: driven.map(DefinedActuator.init))
        }
    }
}

extension DeviceFault: ProblemConvertible {
    /// In words.
    var problem: Problem? { .refused(rawValue, type: "device-refused", field: field) }
}
