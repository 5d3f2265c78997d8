import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Safeguard

// The pages on which a house chooses how it is watched.

extension SafetyPages {
    func registerChoices(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/safety/settings", for: Permission.managing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = try choices(frame)
            view.saved = try request.query.get("saved", as: String.self) != nil
            return page(frame, view)
        }
        pages.on(.post, "/houses/{site}/safety/settings", for: Permission.managing, access.weakensLater(.rules)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            guard let rules = try Self.rules(try request.form()) else {
                var view = try choices(frame)
                view.refused["rules"] = view.words.badSeconds
                return page(frame, view, status: 422)
            }
            try await safety.settings.set(rules, of: frame.site.id, by: principal.person.id)
            return .redirect(to: Self.choicesPath(frame.site.id).adding("saved", "1").description)
        }
        pages.on(.post, "/houses/{site}/safety/codes", for: Permission.managing, access.weakensLater(.codes)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let form = try request.form()
            let name = try form.get("name") ?? ""
            try accounts.admit(.password, of: principal)
            do {
                _ = try await safety.codes.add(
                    try form.get("code") ?? "", name: name, at: frame.site.id, by: principal.person.id)
                return .redirect(to: Self.choicesPath(frame.site.id).adding("saved", "1").description)
            } catch let refusal as HouseCodes.Refusal {
                var view = try choices(frame)
                let (field, words) = view.words.refusal(refusal)
                (view.refused[field], view.written["name"]) = (words, name)
                return page(frame, view, status: 422)
            }
        }
        pages.on(.post, "/houses/{site}/safety/remove-code", for: Permission.managing, access.weakensLater(.codes)) {
            request, principal, _ in
            let site = try access.house(request, principal).id
            guard let id = HouseCodeID(try request.form().get("id") ?? ""),
                try await safety.codes.remove(id, at: site, by: principal.person.id)
            else { throw Problem.notFound() }
            return .redirect(to: Self.choicesPath(site).adding("saved", "1").description)
        }
        pages.on(.post, "/houses/{site}/safety/tags", for: Permission.managing, access.weakensLater(.tags)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let form = try request.form()
            let typed = try form.get("tag_name") ?? ""
            var view = try choices(frame)
            view.written["tag_name"] = typed
            guard let name = GivenName.parse(typed) else {
                view.refused["tag_name"] = view.words.badName
                return page(frame, view, status: 422)
            }
            guard let id = GatewayID(try form.get("box") ?? "") else { throw Problem.notFound() }
            let box = try desk.box(id, at: frame.site.id)
            guard try safety.boxes.learn(name: name, at: box, by: principal.person.id) != nil else {
                view.refused["box"] = view.words.boxAway
                return page(frame, view, status: 503)
            }
            return .redirect(to: Self.choicesPath(frame.site.id).description)
        }
        pages.on(.post, "/houses/{site}/safety/remove-tag", for: Permission.managing, access.weakensLater(.tags)) {
            request, principal, _ in
            let site = try access.house(request, principal).id
            guard let id = HouseTagID(try request.form().get("id") ?? ""),
                try await safety.boxes.remove(id, at: site, by: principal.person.id)
            else { throw Problem.notFound() }
            return .redirect(to: Self.choicesPath(site).adding("saved", "1").description)
        }
        // Their forms stand on the page of the settings, and not on the one above.
        for form in ["codes", "remove-code", "tags", "remove-tag"] {
            pages.on(.get, "/houses/{site}/safety/\(form)", for: Permission.managing) { request, principal, language in
                .redirect(to: Self.choicesPath(try access.frame(request, principal, language).site.id).description)
            }
        }
        pages.on(.get, "/houses/{site}/safety/sensors/{sensor}", for: Permission.installing) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let sensor = try desk.sensor(try request.parameter("sensor", as: SensorID.self), at: frame.site.id)
            return sensorPage(frame, sensor, saved: try request.query.get("saved", as: String.self) != nil)
        }
        pages.on(
            .post, "/houses/{site}/safety/sensors/{sensor}", for: Permission.installing, access.weakensNow(.sensors)
        ) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let sensor = try desk.sensor(try request.parameter("sensor", as: SensorID.self), at: frame.site.id)
            let form = try request.form()
            var guarding = safety.settings.guarding(of: sensor.id)
            if let distance = try form.get("distance", as: Double.self) { guarding.distance = distance }
            guarding.tripsWhenSilent = !form.all("when_silent").isEmpty
            guard SensorGuard.distances.contains(guarding.distance) else {
                let words = SafetyChoiceWords.in(language)
                return sensorPage(frame, sensor, refused: words.badDistance)
            }
            try await desk.change(
                sensor.id, at: frame.site.id, to: SensorClass(name: try form.get("class") ?? ""), guarding,
                by: principal.person.id)
            return .redirect(to: Self.path(of: sensor).adding("saved", "1").description)
        }
    }

    private static func choicesPath(_ site: SiteID) -> LocalPath { HouseTab.safety.path(site).under("settings") }

    private static func path(of sensor: Sensor) -> LocalPath {
        "/houses/\(sensor.site.text)/safety/sensors/\(sensor.id.text)"
    }

    /// The rules of a form; nil: something in it is no number that can be.
    private static func rules(_ form: Form) throws -> HouseRules? {
        func seconds(_ name: StaticString, _ range: ClosedRange<Int>) throws -> UInt16? {
            guard let value = Int(try form.get("\(name)") ?? ""), range.contains(value) else { return nil }
            return UInt16(value)
        }
        func delays(_ names: [StaticString]) throws -> Delays? {
            let all = try names.compactMap { try seconds($0, 0...Int(Delays.longest)) }
            guard all.count == 4 else { return nil }
            return Delays(home: all[0], away: all[1], night: all[2], vacation: all[3])
        }
        guard let exit = try delays(SafetyChoiceView.exitFields), let entry = try delays(SafetyChoiceView.entryFields),
            let alarm = try seconds("alarm", Int(PanelRules.shortestAlarm)...Int(PanelRules.longestAlarm))
        else { return nil }
        return HouseRules(
            panel: PanelRules(
                exitDelay: exit, entryDelay: entry, alarmTime: alarm,
                disarmsAfterAlarm: !form.all("disarms").isEmpty), asksCode: !form.all("asks_code").isEmpty)
    }

    private func page(_ frame: HomeFrame, _ view: SafetyChoiceView, status: Int = 200) -> Response {
        frame.page(
            .safety, title: view.words.title, path: Self.choicesPath(frame.site.id),
            back: (HouseTab.safety.path(frame.site.id), HomeLiveWords.in(frame.language).safety), isLive: false,
            status: status
        ) { view.content }
    }

    private func sensorPage(
        _ frame: HomeFrame, _ sensor: Sensor, saved: Bool = false, refused: String? = nil
    ) -> Response {
        let words = SafetyChoiceWords.in(frame.language)
        return frame.page(
            .safety, title: sensor.name, path: Self.path(of: sensor),
            back: (HouseTab.safety.path(frame.site.id), HomeLiveWords.in(frame.language).safety), isLive: false,
            status: refused == nil ? 200 : 422
        ) {
            SafetyChoiceView.sensor(
                sensor, safety.settings.guarding(of: sensor.id), own: Self.path(of: sensor), words: words,
                modes: .in(frame.language), saved: saved, refused: refused)
        }
    }

    private func choices(_ frame: HomeFrame) throws -> SafetyChoiceView {
        let (site, catalog) = (frame.site.id, safety.registry.catalog)
        var view = SafetyChoiceView(
            root: HouseTab.safety.path(site), words: .in(frame.language), modes: .in(frame.language))
        view.rules = safety.settings.rules(of: site)
        view.codes = try safety.codes.codes(of: site)
        view.tags = try safety.boxes.tags(of: site).map { ($0, catalog.gateways[$0.gateway]?.name ?? "") }
        view.boxes = catalog.gateways(of: site).filter { $0.kind == .box }
        view.sensors = catalog.distinctSensors(at: site).filter { $0.kind != .battery && $0.kind != .signal }
        view.learning = safety.boxes.learning(at: site)?.name
        view.installs = frame.may(Permission.installing)
        return view
    }
}
