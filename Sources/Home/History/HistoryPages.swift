import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// The screens of what sensors told.
struct HistoryPages: HouseFeature {
    let access: HouseAccess
    let desk: HistoryDesk
    let faces: Faces

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/sensors/{sensor}", for: Permission.inHouse) { request, principal, language in
            try await chartPage(request, principal, language)
        }
        pages.on(.post, "/houses/{site}/sensors/{sensor}/start", for: Permission.inHouse, access.keeps) {
            request, principal, _ in
            let sensor = try self.sensor(ofPage: request)
            let isNow = try request.form().get("begins", as: String.self) == "now"
            try await desk.startChart(of: sensor, anew: isNow, for: principal)
            return .redirect(to: SensorChartView.path(sensor.site, sensor.id).description)
        }
        pages.on(.post, "/houses/{site}/sensors/{sensor}/delete", for: [.owner], access.keeps) {
            request, principal, _ in
            let sensor = try self.sensor(ofPage: request)
            try await desk.deleteReadings(of: sensor, by: principal)
            return .redirect(to: SensorChartView.path(sensor.site, sensor.id).adding("deleted", "1").description)
        }
        pages.on(.get, "/houses/{site}/history", for: Permission.inHouse) { request, principal, language in
            try historyPage(request, principal, language)
        }
        pages.on(.post, "/houses/{site}/history", for: [.owner], access.keeps) { request, principal, language in
            let site = try access.house(request, principal).id
            let form = try request.form()
            let rules = HistoryRetention(
                raw: try form.require("raw"), fiveMinutes: try form.require("five"), hours: try form.require("hours"))
            guard try await desk.keep(rules, for: site, by: principal) else {
                return try historyPage(request, principal, language, refused: rules)
            }
            return .redirect(to: HistoryView.path(site).adding("saved", "1").description)
        }
    }

    /// The sensor that a page's path names, of the house that it names; one out of use too.
    private func sensor(ofPage request: Request) throws -> Sensor {
        let site = try request.parameter("site", as: SiteID.self)
        guard let sensor = try desk.knownSensor(try request.parameter("sensor", as: SensorID.self)),
            sensor.site == site,
            sensor.kind.isSeries
        else { throw Problem.notFound() }
        return sensor
    }

    private func chartPage(
        _ request: Request, _ principal: Principal, _ language: Language
    ) async throws -> Response {
        let frame = try access.frame(request, principal, language)
        let (site, sensor) = (frame.site, try sensor(ofPage: request))
        let query = try request.query.decoded()
        let wish = try ChartWish(query, zone: site.zone)
        let chart = try await desk.chart(of: sensor, wish, for: principal, zone: site.zone)
        let (words, live) = (HistoryWords.in(language), HomeLiveWords.in(language))
        let device = desk.registry.catalog.devices[sensor.device]
        let view = SensorChartView(
            language: language, site: site.id, sensor: sensor, device: try desk.deviceName(of: sensor),
            face: faces.of(sensor, live), chart: chart, style: wish.style, now: frame.now,
            isOwner: frame.may([.owner]), wasDeleted: try query.get("deleted", as: String.self) != nil)
        return frame.page(
            .devices, title: sensor.name, path: SensorChartView.path(site.id, sensor.id),
            back: device.map { ("/houses/\(site.id.text)/devices/\($0.id.text)", $0.name) }
                ?? (HistoryView.path(site.id), words.history),
            modules: ["sensor-chart"]
        ) { view.content }
    }

    private func historyPage(
        _ request: Request, _ principal: Principal, _ language: Language, refused: HistoryRetention? = nil
    ) throws -> Response {
        let frame = try access.frame(request, principal, language)
        let site = frame.site
        let (sensors, devices, rules) = try desk.store.read { database in
            (
                try HomeRecords.sensors(at: site.id, in: database).filter { $0.kind.isSeries },
                try HomeRecords.devices(at: site.id, in: database), try HistoryRetention.of(site.id, in: database)
            )
        }
        let names = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0.name) })
        let live = HomeLiveWords.in(language)
        let view = HistoryView(
            language: language, site: site.id,
            sensors: sensors.map { ($0, names[$0.device] ?? "", faces.of($0, live)) },
            rules: refused ?? rules, isOwner: frame.may([.owner]),
            isSaved: try request.query.get("saved", as: String.self) != nil, isRefused: refused != nil)
        return frame.page(
            .devices, title: HistoryWords.in(language).history, path: HistoryView.path(site.id),
            back: (HouseTab.devices.path(site.id), live.devices), status: refused == nil ? 200 : 422
        ) { view.content }
    }
}

/// What a chart's address asks for.
struct ChartWish: Sendable {
    let span: ChartSpan
    let moment: Timestamp?
    let style: ChartStyle

    /// - Throws: 422 for a span, a time or a day that is none.
    init(_ query: Form, zone: Zone) throws {
        func named<Value: RawRepresentable<String>>(_ name: String, _ usual: Value) throws -> Value {
            guard let text = try query.get(name, as: String.self), !text.isEmpty else { return usual }
            guard let value = Value(rawValue: text) else { throw Problem.unprocessable("\(name): there is no \(text)") }
            return value
        }
        span = try named("span", .day)
        style = try named("style", .line)
        if let text = try query.get("day", as: String.self), !text.isEmpty {
            guard let day = Day(iso8601: text) else { throw Problem.unprocessable("day: YYYY-MM-DD") }
            moment = zone.start(of: day)
        } else {
            moment = try query.moment("at")
        }
    }
}

extension Form {
    /// A moment in ISO 8601, UTC, with or without milliseconds; nil when it is not there.
    func moment(_ name: String) throws -> Timestamp? {
        guard let text = try get(name, as: String.self), !text.isEmpty else { return nil }
        let whole = text.utf8.count == 20 && text.hasSuffix("Z") ? text.dropLast() + ".000Z" : text
        guard let moment = Timestamp(iso8601: String(whole)), (0...4_102_444_800_000).contains(moment.milliseconds)
        else { throw Problem.unprocessable("\(name): a time in UTC from 1970 to 2100, 2026-11-21T12:00:00Z") }
        return moment
    }
}
