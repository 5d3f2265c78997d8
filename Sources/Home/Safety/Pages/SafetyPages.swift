import Accounts
import Household
import HTTPServer
import Ledger
import Pages
import Safeguard
import System

/// The pages on which a house is armed and disarmed.
struct SafetyPages: HouseFeature {
    let access: HouseAccess
    let desk: SafetyDesk
    let accounts: Accounts
    let faces: Faces

    var safety: Safety { desk.safety }

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/safety", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            var view = view(frame)
            if try request.query.get("valve", as: String.self) != nil { view.notice = view.words.valveOrdered }
            return page(frame, view)
        }
        pages.on(.post, "/houses/{site}/safety/arm", for: Permission.atHome, access.keeps) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let form = try request.form()
            guard let mode = ArmMode(name: try form.get("mode") ?? "") else { throw Problem.notFound() }
            let bypass = Set(form.all("bypass").compactMap { SensorID($0) })
            do {
                try await desk.arm(
                    mode, at: frame.site.id, by: .person(principal.person.id), bypassing: bypass,
                    in: principal)
                return .redirect(to: HouseTab.safety.path(frame.site.id).description)
            } catch let refusal as PanelRefusal {
                var view = view(frame)
                switch refusal {
                case .open(let sensors) where safety.panels.panel(of: frame.site.id).mode == mode:
                    view.refused = view.words.stillOpen(sensors.map { named($0).name }.joined(separator: ", "))
                case .open(let sensors): view.obstacles = (mode, sensors.map { named($0) })
                case .inAlarm: view.refused = view.words.inAlarm
                case .cannotBypass: throw Problem.notFound()
                case .weakens: throw Problem.freshProofNeeded
                }
                return page(frame, view, status: 409)
            } catch is SafetyRefusal { throw Problem.freshProofNeeded }
        }
        pages.on(.post, "/houses/{site}/safety/disarm", for: Permission.atHome, access.keeps, counted: .urgent) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let form = try request.form()
            // Asked for by the button for it, or where nothing was typed: the page that proves it leads back here.
            if try form.get("prove", as: String.self) != nil {
                try Routes.requireFreshProof(principal, at: safety.clock.now)
            }
            do {
                try await desk.disarm(
                    frame.site.id, by: principal.person.id, code: try form.get("code"), in: principal)
                return .redirect(to: HouseTab.safety.path(frame.site.id).description)
            } catch let refusal as SafetyRefusal {
                var view = view(frame)
                switch refusal {
                case .codeNeeded, .wrongCode: view.refused = view.words.wrongCode
                case .wait(let seconds): view.refused = view.words.wait(seconds)
                }
                return page(frame, view, status: 403)
            }
        }
        pages.on(.post, "/houses/{site}/safety/silence", for: Permission.atHome, access.keeps, counted: .urgent) {
            request, principal, _ in
            let site = try access.house(request, principal).id
            await desk.silence(site, by: principal.person.id)
            return .redirect(to: HouseTab.safety.path(site).description)
        }
        pages.on(
            .post, "/houses/{site}/safety/reset", for: Permission.atHome, access.weakensNow(.alarm), counted: .urgent
        ) {
            request, principal, _ in
            let site = try access.house(request, principal).id
            await desk.reset(site, by: principal.person.id, isProven: principal.proof.isFresh(at: safety.clock.now))
            return .redirect(to: HouseTab.safety.path(site).description)
        }
        pages.on(.post, "/houses/{site}/safety/open-valve", for: Permission.atHome, access.weakensLater(.valve)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            guard let id = GatewayID(try request.form().get("box") ?? "") else { throw Problem.notFound() }
            let box = try desk.box(id, at: frame.site.id)
            func refused(_ why: String, status: Int) -> Response {
                var view = view(frame)
                view.refused = why
                return page(frame, view, status: status)
            }
            let words = SafetyWords.in(language)
            do {
                switch try await desk.openValve(of: box, by: principal.person.id) {
                case .taken, .none:
                    return .redirect(to: HouseTab.safety.path(frame.site.id).adding("valve", "1").description)
                case .refused(let order): return refused(words.valveRefused(order), status: 409)
                case .away: return refused(words.boxAway, status: 503)
                }
            } catch ActuationRefusal.inAirAlarm {
                return refused(SafetyWords.in(language).inAirAlarm, status: 409)
            }
        }
        registerChoices(&pages)
    }

    private func page(_ frame: HomeFrame, _ view: SafetyView, status: Int = 200) -> Response {
        frame.page(
            .safety, title: HomeLiveWords.in(frame.language).safety, modules: ["count-down"], status: status
        ) { view.content }
    }

    private func named(_ id: SensorID, _ why: String = "") -> SafetyView.Named {
        let sensor = safety.registry.catalog.sensors[id]
        return SafetyView.Named(id: id, name: sensor.map { safety.panels.distinct($0).name } ?? "", why: why)
    }

    /// The page as it is now.
    private func view(_ frame: HomeFrame) -> SafetyView {
        let (site, words) = (frame.site.id, SafetyWords.in(frame.language))
        let (house, catalog) = (safety.panels.house(site), safety.registry.catalog)
        let live = HomeLiveWords.in(frame.language)
        var view = SafetyView(
            root: HouseTab.safety.path(site), words: words, live: live, now: frame.now, zone: frame.site.zone,
            house: house)
        view.acts = frame.may(Permission.atHome)
        view.manages = frame.may(Permission.managing)
        view.asksCode = safety.settings.rules(of: site).asksCode && !frame.principal.proof.isFresh(at: frame.now)
        view.weak = house.weak.sorted { $0.key < $1.key }.map { id, why in
            var sensor = named(id, words.weakness(why))
            if sensor.name.isEmpty { sensor.name = house.watched[id] ?? "" }
            return sensor
        }
        view.sirenDoubt = safety.boxes.sirenDoubt(at: site)
        view.refusing = safety.boxes.refused(at: site).map { one in
            SafetyView.Named(id: nil, name: one.gateway.name, why: words.refused(one.order))
        }
        view.bypassed = house.bypassed.sorted().map { named($0) }
        view.trips = house.trips.reversed().map { named($0.sensor, frame.site.zone.clockText(at: $0.at)) }
        view.open = safety.watch.open(at: site, for: .home).map { named($0) }
        view.watchers = catalog.sensors(at: site).filter { $0.alarmClass != nil }.map(safety.panels.distinct).map {
            SafetyView.Watcher(sensor: $0, face: faces.of($0, live))
        }
        let valves = Set(catalog.actuators(at: site).filter { $0.kind == .valve }.map(\.gateway))
        view.boxes = catalog.gateways(of: site).filter { $0.kind == .box && valves.contains($0.id) }
        if let last = house.last {
            view.last = (
                last.at, "\(desk.name(of: last.by, at: site) ?? words.nobody) \(words.did[last.kind] ?? "")"
            )
        }
        return view
    }
}
