import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Safeguard
import Store
import System

/// The screens of the air.
struct CarePages: HouseFeature {
    let access: HouseAccess
    let desk: CareDesk
    let faces: Faces

    private var care: Care { desk.care }

    /// Who says since when a sensor is in use.
    private static let mayInstall = Permission.atHome.union(Permission.installing)
    /// So old, in days, a sensor for gas is worn out.
    private static let oldAge = 5 * 365

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/care", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = try careView(frame)
            let id = try request.query.get("changed", as: String.self).flatMap { SensorID($0) }
            if view.chooses, let one = view.sensors.first(where: { $0.sensor.id == id }) {
                view.changed = try latestChange(of: one)
            }
            return page(view, frame)
        }
        pages.on(.post, "/houses/{site}/care/sensors/{sensor}", for: Permission.atHome, access.weakensNow(.thresholds))
        {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let sensor = try careSensor(request, at: frame.site.id)
            return try await changeThreshold(of: sensor, try request.form(), frame)
        }
        pages.on(.post, "/houses/{site}/care/sensors/{sensor}/installed", for: Self.mayInstall, access.keeps) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let sensor = try careSensor(request, at: frame.site.id)
            guard let day = Day(iso8601: try request.form().require("installed")),
                day <= frame.site.zone.day(at: frame.now), day >= Day(daysSinceEpoch: 0)
            else {
                return try self.refusal(
                    .init(id: sensor.id.text, field: "installed", words: CareWords.in(language).dayRefused), frame)
            }
            try await care.change(installed: day, of: sensor, by: principal.person.id)
            return back(to: frame)
        }
        registerFanPages(&pages)
        pages.on(.get, "/houses/{site}/care/off", for: Permission.managing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let view = try careView(frame)
            return frame.page(
                .care, title: view.words.askOff, path: view.root.under("off"), back: (view.root, view.words.title),
                isLive: false
            ) { view.asking }
        }
        pages.on(.post, "/houses/{site}/care/off", for: Permission.managing, access.weakensNow(.thresholds)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            try await care.change(isEnabled: false, at: frame.site.id, by: principal.person.id)
            return back(to: frame)
        }
        pages.on(.post, "/houses/{site}/care/on", for: Permission.managing, access.weakensNow(.thresholds)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            try await care.change(isEnabled: true, at: frame.site.id, by: principal.person.id)
            return back(to: frame)
        }
    }

    private func registerFanPages(_ pages: inout PageRoutes) {
        pages.on(.post, "/houses/{site}/care/fans/{fan}/run", for: Permission.atHome, access.keeps, counted: .urgent) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let fan = try desk.fan(try request.parameter("fan", as: ActuatorID.self), at: frame.site.id)
            let form = try request.form()
            let isByRule = try form.get("rule", as: String.self) != nil
            try await desk.runByHand(
                fan, percent: isByRule ? nil : try form.require("percent", as: Int.self),
                minutes: try form.get("minutes", as: Int.self), by: principal)
            return back(to: frame)
        }
        pages.on(.post, "/houses/{site}/care/fans/{fan}/rule", for: Permission.managing, access.weakensNow(.thresholds))
        {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let id = try request.parameter("fan", as: ActuatorID.self)
            let (form, words) = (try request.form(), CareWords.in(language))
            let written = try ["sensor", "most", "minutes"].reduce(into: [String: String]()) {
                $0[$1] = try form.get($1) ?? ""
            }
            func refuse(_ field: String, _ why: String) throws -> Response {
                try self.refusal(.init(id: id.text, field: field, words: why, written: written), frame)
            }
            let most = (written["most"] ?? "").isEmpty ? nil : Figure.parsed(written["most"] ?? "")
            if most == nil, written["most"] != "" { return try refuse("most", words.mostRefused) }
            guard let minutes = Figure.parsed(written["minutes"] ?? ""), (0...60).contains(minutes) else {
                return try refuse("minutes", words.runRefused)
            }
            let sensor = written["sensor"].flatMap { $0.isEmpty ? nil : $0 }
            do {
                let (fan, rule) = try desk.rule(
                    fan: id.text, sensor: sensor, most: most, shortestRun: Int((minutes * 60).rounded()),
                    at: frame.site.id)
                try await care.change(rule, of: fan, by: principal.person.id)
            } catch let problem as Problem where problem.status == 422 {
                return try refuse("most", words.mostRefused)
            }
            return back(to: frame)
        }
    }

    // MARK: what a form says

    private func changeThreshold(of sensor: Sensor, _ form: Form, _ frame: HomeFrame) async throws -> Response {
        let id = sensor.id.text
        let written = try ["level", "hysteresis", "rise"].reduce(into: [String: String]()) {
            $0[$1] = try form.get($1) ?? ""
        }
        func refuse(_ refusal: ThresholdRefusal) throws -> Response {
            let field =
                switch refusal {
                case .notMeasured, .level, .outside: "level"
                case .hysteresis: "hysteresis"
                case .rise: "rise"
                }
            let words = CareWords.in(frame.language).refusal(refusal, sensor.unit)
            return try self.refusal(.init(id: id, field: field, words: words, written: written), frame)
        }
        func number(_ field: String, _ refusal: ThresholdRefusal) throws(ThresholdRefusal) -> Double? {
            guard let text = written[field], !text.isEmpty else { return nil }
            guard let number = Figure.parsed(text) else { throw refusal }
            return number
        }
        var threshold: Threshold?
        if try form.get("none", as: String.self) == nil {
            do {
                guard let level = try number("level", .level) else { throw ThresholdRefusal.level }
                threshold = try Threshold(
                    checked: level, hysteresis: try number("hysteresis", .hysteresis),
                    risePerMinute: try number("rise", .rise), for: sensor)
            } catch let refusal as ThresholdRefusal { return try refuse(refusal) }
        }
        guard threshold != care.watch(of: sensor.id).threshold else { return back(to: frame) }
        try await care.change(threshold, of: sensor, by: frame.principal.person.id)
        return .redirect(to: HouseTab.care.path(frame.site.id).adding("changed", id).description)
    }

    private func careSensor(_ request: Request, at site: SiteID) throws -> Sensor {
        let id = try request.parameter("sensor", as: SensorID.self)
        guard let sensor = care.registry.catalog.sensors[id], sensor.site == site else { throw Problem.notFound() }
        return sensor
    }

    private func back(to frame: HomeFrame) -> Response {
        .redirect(to: HouseTab.care.path(frame.site.id).description)
    }

    private func refusal(_ refused: CareView.Refused, _ frame: HomeFrame) throws -> Response {
        var view = try careView(frame)
        view.refused = refused
        return page(view, frame, status: 422)
    }

    // MARK: the page

    private func page(_ view: CareView, _ frame: HomeFrame, status: Int = 200) -> Response {
        frame.page(.care, title: view.words.title, modules: ["care"], status: status) { view.content }
    }

    /// What the threshold of a sensor was before it was changed last.
    private func latestChange(of one: CareView.One) throws -> CareView.Changed? {
        let steps = try care.store.read { try ThresholdRecords.latest(of: one.sensor.id, in: $0) }
        guard let now = steps.now else { return nil }
        return .init(sensor: one.sensor, name: one.name, now: now.threshold, before: steps.before?.threshold)
    }

    private func careView(_ frame: HomeFrame) throws -> CareView {
        let (site, catalog) = (frame.site, care.registry.catalog)
        let (words, live) = (CareWords.in(frame.language), HomeLiveWords.in(frame.language))
        let settings = care.settings(of: site.id)
        var view = CareView(root: HouseTab.care.path(site.id), words: words, live: live, now: frame.now)
        view.isEnabled = settings.isEnabled
        view.hasBox = catalog.gateways(of: site.id).contains { $0.kind == .box }
        view.chooses = frame.may(Permission.atHome)
        view.manages = frame.may(Permission.managing)
        view.installs = frame.may(Self.mayInstall)
        let sensors = catalog.sensors(at: site.id).filter { isShown($0, settings) }
        // What can kill comes first.
        let (dangers, others) = (
            sensors.filter(\.isEnvironmental), sensors.filter { !$0.isEnvironmental }
        )
        view.sensors = try (dangers + others).map { try one($0, catalog, frame, words, live) }
        view.fans = catalog.actuators(at: site.id).filter { $0.kind == .fan }.map { fan in
            let (run, rule) = (care.run(of: fan.id), settings.fans.first { $0.fan == fan.id })
            let sensor = rule.flatMap { catalog.sensors[$0.sensor] }
            return .init(
                fan: fan, face: faces.of(fan, live), run: run, rule: rule,
                follows: sensor.map { $0.name(at: catalog.devices[$0.device]) },
                byHand: run.byHand.map { byHand in
                    let time = site.zone.clockText(at: byHand.until)
                    let isToday = site.zone.day(at: byHand.until) == site.zone.day(at: frame.now)
                    return isToday ? words.byHandUntil(time) : words.byHandUntilTomorrow(time)
                })
        }
        view.valves = catalog.actuators(at: site.id).filter { $0.kind == .valve }.map {
            ($0, faces.of($0, live))
        }
        return view
    }

    /// Dangerous air, whatever else has a threshold, and what else is measured of the air.
    private func isShown(_ sensor: Sensor, _ settings: CareSettings) -> Bool {
        guard CareState.isOfCare(sensor) else { return false }
        if sensor.isEnvironmental || settings.thresholds[sensor.id] != nil { return true }
        return sensor.kind == .temperature || sensor.kind == .humidity
    }

    private func one(
        _ sensor: Sensor, _ catalog: Catalog, _ frame: HomeFrame, _ words: CareWords, _ live: HomeLiveWords
    ) throws -> CareView.One {
        let (watch, zone) = (care.watch(of: sensor.id), frame.site.zone)
        let (chosen, steps) = try care.store.read {
            (try CareRecords.installed(sensor.id, in: $0), try ThresholdRecords.latest(of: sensor.id, in: $0))
        }
        let usual = UsualThreshold.threshold(for: sensor)
        let (today, day) = (zone.day(at: frame.now), chosen ?? zone.day(at: sensor.id.made))
        let days = max(today.daysSinceEpoch - day.daysSinceEpoch, 0)
        let age = days < 30 ? nil : days < 730 ? words.months(days / 30) : words.years(days / 365)
        let face = faces.of(sensor, live)
        return .init(
            sensor: sensor, name: sensor.name(at: catalog.devices[sensor.device]), face: face, watch: watch,
            isUsual: usual != nil && steps.before == nil && steps.now?.threshold == usual,
            isUnwatched: care.isUnwatched(sensor), isWaiting: face.status == .waiting,
            evidence: try watch.threshold.flatMap { try desk.evidence(for: $0, of: sensor) },
            installed: (day, day.text(frame.language), age, days >= Self.oldAge))
    }
}

extension ID {
    /// When it was made: the first six bytes are the milliseconds.
    fileprivate var made: Timestamp {
        Timestamp(milliseconds: Int64(bigEndianBytes: raw.bytes.prefix(6)))
    }
}
