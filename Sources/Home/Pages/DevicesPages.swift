import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Safeguard
import Store
import System

/// The devices of a house: all of them, each of them, and such as are added by hand.
struct DevicesPages: HouseFeature {
    let access: HouseAccess
    let desk: DevicesDesk
    let sight: HouseSight
    let switching: Switching
    let actuation: Actuation
    let readings: HouseReadings
    let refused: RefusedMessages
    let intake: Intake

    private var registry: Registry { desk.registry }

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/devices", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = DevicesView(sight: sight, readings: readings, frame: frame)
            guard frame.may(Permission.installing) else { return view.page(retired: []) }
            for gateway in registry.catalog.gateways(of: frame.site.id) {
                view.untaken[gateway.id] = try refused.untaken(of: gateway.id).count
            }
            return view.page(retired: try retired(at: frame.site.id))
        }
        pages.on(.get, "/houses/{site}/devices/{device}", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = try self.device(request, frame)
            if try request.query.get("saved", as: String.self) != nil {
                view.notice = (.go, HomeDevicesWords.in(language).saved)
            }
            if try request.query.get("told", as: String.self) != nil {
                view.notice = (.go, HomeDevicesWords.in(language).told)
            }
            return view.page()
        }
        pages.on(.get, "/houses/{site}/sensors/{sensor}/picture", for: Permission.inHouse) { request, _, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("sensor", as: SensorID.self)
            guard registry.catalog.sensors(at: site).contains(where: { $0.id == id }),
                let picture = readings.pictures.last(of: id)
            else { throw Problem.notFound() }
            // Who was seen is nobody's to keep: no cache holds it, on the way or at the end.
            return Response(
                contentType: "image/jpeg", headers: [("Cache-Control", "no-store")], body: .bytes(picture.jpeg))
        }
        pages.on(.post, "/houses/{site}/gateways/{gateway}/release", for: Permission.installing, access.keeps) {
            request, _, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("gateway", as: GatewayID.self)
            guard registry.catalog.gateways[id]?.site == site else { throw Problem.notFound() }
            _ = await intake.release(id)
            return .redirect(to: HouseTab.devices.path(site).description)
        }
        registerChanges(&pages)
        registerSetting(&pages)
        registerAdding(&pages)
    }

    private func registerChanges(_ pages: inout PageRoutes) {
        // What is changed stands in the form: the device, one of its sensors, or one of its actuators.
        pages.on(.post, "/houses/{site}/devices/{device}", for: Permission.installing, access.weakensNow(.devices)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = try self.device(request, frame)
            let (form, site, person) = (try request.form(), frame.site.id, principal.person.id)
            let isInUse = try form.get("in_use", as: String.self).map { $0 == "1" }
            do {
                if let id = SensorID(try form.get("sensor") ?? "") {
                    let entry = isInUse == nil ? try SensorEntry(form) : nil
                    try await desk.change(id, at: site, isInUse: isInUse, by: person) { entry ?? $0 }
                } else if let id = ActuatorID(try form.get("actuator") ?? "") {
                    try await desk.change(id, at: site, name: form.get("name"), isInUse: isInUse, by: person)
                } else {
                    try await desk.change(
                        view.device.id, at: site, name: form.get("name"), area: form.get("area"), isInUse: isInUse,
                        by: person)
                }
                return .redirect(to: "\(frame.path(of: view.device.id))?saved=1")
            } catch let fault as DeviceFault {
                view.refused = (try form.get("sensor") ?? form.get("actuator") ?? "device", fault)
                return view.page(status: 422)
            }
        }
    }

    private func registerSetting(_ pages: inout PageRoutes) {
        pages.on(.post, "/houses/{site}/devices/{device}/set", for: Permission.setting, access.keeps, counted: .urgent)
        {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = try self.device(request, frame)
            let form = try request.form()
            guard let id = ActuatorID(try form.get("actuator") ?? ""),
                let actuator = registry.catalog.actuators[id],
                actuator.site == frame.site.id
            else { throw Problem.notFound() }
            let words = HomeDevicesWords.in(language)
            guard let value = ActuatorValue(form: try form.get("do") ?? "", try form.get("value") ?? "") else {
                view.notice = (.no, words.faults(.value))
                return view.page(status: 422)
            }
            do {
                try await switching.apply(actuator, to: value, by: principal) {
                    try actuation.set(actuator, to: value, mayOpen: true)
                }
                return .redirect(to: "\(frame.path(of: view.device.id))?told=1")
            } catch let refusal as ActuationRefusal {
                view.notice = (.no, words.refusal(refusal))
                return view.page(status: refusal == .inAirAlarm ? 409 : 422)
            }
        }
    }

    private func registerAdding(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/sensors/new", for: Permission.installing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            return AddedView(registry: registry, frame: frame, refused: nil).sensor(SensorEntry())
        }
        pages.on(.post, "/houses/{site}/sensors/new", for: Permission.installing, access.weakensNow(.devices)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let entry = try SensorEntry(request.form())
            do {
                let sensor = try await desk.add(sensor: entry, at: frame.site.id, by: principal.person.id)
                return .redirect(to: frame.path(of: sensor.device).description)
            } catch let fault as DeviceFault {
                return AddedView(registry: registry, frame: frame, refused: fault).sensor(entry, status: 422)
            }
        }
        pages.on(.get, "/houses/{site}/actuators/new", for: Permission.installing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            return AddedView(registry: registry, frame: frame, refused: nil).actuator(ActuatorEntry())
        }
        pages.on(.post, "/houses/{site}/actuators/new", for: Permission.installing, access.weakensNow(.devices)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let entry = try ActuatorEntry(request.form())
            do {
                let actuator = try await desk.add(actuator: entry, at: frame.site.id, by: principal)
                return .redirect(to: frame.path(of: actuator.device).description)
            } catch let fault as DeviceFault {
                return AddedView(registry: registry, frame: frame, refused: fault).actuator(entry, status: 422)
            }
        }
    }

    private func retired(at site: SiteID) throws -> [Device] {
        try desk.store.read { try HomeRecords.devices(at: site, in: $0) }.filter { $0.retired != nil }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private func device(_ request: Request, _ frame: HomeFrame) throws -> DeviceView {
        let device = try desk.device(try request.parameter("device", as: DeviceID.self), at: frame.site.id)
        let (sensors, actuators) = try desk.store.read { database in
            (
                try HomeRecords.sensors(at: device.site, in: database).filter { $0.device == device.id },
                try HomeRecords.actuators(at: device.site, in: database).filter { $0.device == device.id }
            )
        }
        return DeviceView(
            sight: sight, pictures: readings.pictures, frame: frame, device: device,
            sensors: sensors.sorted { $0.number < $1.number },
            actuators: actuators.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
    }
}

extension SensorEntry {
    /// What was typed.
    init(_ form: Form) throws {
        func text(_ name: String) throws -> String { try form.get(name) ?? "" }
        self.init(
            name: try text("name"), unit: try text("unit"), low: try text("low"), high: try text("high"),
            period: try text("period"), alarmClass: try text("class"), kind: try text("kind"),
            gateway: try text("gateway"), topic: try text("topic"), member: try text("member"), on: try text("on"),
            off: try text("off"))
    }

    /// As it is.
    init(_ sensor: Sensor) {
        self.init(
            name: sensor.name, unit: sensor.unit, low: sensor.range.map { DeviceRules.text($0.lowerBound) } ?? "",
            high: sensor.range.map { DeviceRules.text($0.upperBound) } ?? "",
            period: sensor.period.map { DeviceRules.text($0) } ?? "", alarmClass: sensor.alarmClass?.name ?? "")
    }
}

extension ActuatorEntry {
    /// What was typed.
    init(_ form: Form) throws {
        func text(_ name: String) throws -> String { try form.get(name) ?? "" }
        self.init(
            name: try text("name"), kind: try text("kind"), gateway: try text("gateway"), topic: try text("topic"),
            on: try text("on"), off: try text("off"))
    }
}

extension ActuatorValue {
    /// What a form tells an actuator: on, off, or a value of a kind.
    init?(form what: String, _ value: String) {
        switch what {
        case "on": self = .on
        case "off": self = .off
        case "percent":
            guard let percent = UInt8(value), percent <= 100 else { return nil }
            self = .percent(percent)
        case "number":
            guard let number = DeviceRules.number(value) else { return nil }
            self = .number(number)
        case "colour":
            let parts = value.split(separator: ",", omittingEmptySubsequences: false).compactMap { UInt8($0) }
            guard parts.count == 3, value.utf8.count <= 11 else { return nil }
            self = .colour(parts[0], parts[1], parts[2])
        case "text":
            guard value.count <= 80, !value.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return nil }
            self = .text(value)
        default: return nil
        }
    }
}

extension HomeDevicesWords {
    func refusal(_ refusal: ActuationRefusal) -> String {
        switch refusal {
        case .notOfItsKind: notOfItsKind
        case .unknown: unknown
        case .notReachable: notReachable
        case .outOfRange: outOfRange
        case .opens: opens
        case .onlyByOrder: onlyByOrder
        case .inAirAlarm: SafetyWords.in(language).inAirAlarm
        case .tooOften: tooOften
        case .anothers: anothers
        }
    }
}
