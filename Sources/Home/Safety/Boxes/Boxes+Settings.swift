import Accounts
import Crypto
import Household
import Identity
import Ledger
import Safeguard
import Store
import System
import Wire

/// What the fan of a box follows.
struct BoxFan: Sendable, Equatable {
    let sensor: SensorID
    /// The level at which it runs at 100 %, in the sensor's unit.
    let most: Double
    /// Once it runs, it runs for so long, in seconds.
    let shortestRun: UInt16
}

// What a box is told of the house's choices, so that it works alone.

extension Boxes {
    /// The sensors of a box, in the order in which they came: a record names one by its place.
    ///
    /// Those out of use keep their place, so that what a box tells under older settings means the same. When they cannot be read now, they are those
    /// that were read last.
    /// - Parameter place: one of them, that has to be there if it ever was.
    func places(of gateway: Gateway, with place: UInt8? = nil) throws -> [Sensor] {
        var found: [Sensor]
        do {
            found = try store.read { try Self.places(of: gateway, in: $0) }
            state.withLock { [found] in $0.boxes[gateway.id, default: BoxState()].places = found }
        } catch {
            guard let known = state.withLock({ $0.boxes[gateway.id]?.places }),
                place.map({ Int($0) < known.count }) ?? true
            else { throw error }
            found = known
        }
        return found.map { registry.catalog.sensors[$0.id] ?? $0 }
    }

    private static func places(of gateway: Gateway, in database: Database) throws -> [Sensor] {
        let own = try HomeRecords.devices(at: gateway.site, in: database).filter { $0.gateway == gateway.id }
        let devices = Set(own.map(\.id))
        let all = try HomeRecords.sensors(at: gateway.site, in: database).filter { sensor in
            devices.contains(sensor.device) && (1...BoxSettings.maxKey).contains(sensor.key.utf8.count)
                && sensor.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        }
        return Array(all.sorted { $0.number < $1.number }.prefix(BoxSettings.maxSensors))
    }

    /// A house chose otherwise; nil: any may have.
    func settingsChanged(at site: SiteID?) {
        let boxes = registry.catalog.gateways.values.filter { $0.kind == .box && (site == nil || $0.site == site) }
        if boxes.isEmpty { return }
        state.withLock { state in state.unsettled.formUnion(boxes.map(\.id)) }
        wake()
    }

    /// Gives the boxes whose settings may have changed a new version, when they did, and sends it to those that hold an older one.
    func settle() async {
        let unsettled = state.withLock { state in
            defer { state.unsettled = [] }
            return state.unsettled
        }
        let catalog = registry.catalog
        for gateway in unsettled.compactMap({ catalog.gateways[$0] }) where gateway.kind == .box {
            do { try await settle(gateway) } catch {
                Log.warning("home", "a box could not be told what its house chose", ["why": "\(error)"])
                state.withLock { _ = $0.unsettled.insert(gateway.id) }
            }
        }
    }

    private func settle(_ gateway: Gateway) async throws {
        guard let key = gateway.key else { return }
        let (rules, bypassed) = (settings.rules(of: gateway.site).panel, panels.house(gateway.site).bypassed)
        let (fan, catalog) = (air.fan(of: gateway), registry.catalog)
        let settings = settings
        // A box says hello every few seconds: most of the time there is nothing to write.
        let known = try store.read { database -> BoxSettings? in
            let known = try BoxRecords.settings(of: gateway.id, in: database)
            let content = try Self.content(gateway, catalog, rules, bypassed, fan, settings, in: database)
            let digest = Digest.sha256(try content.settings(version: 0, key).encoded())
            guard let known, known.digest == digest else { return nil }
            return try content.settings(version: known.version, key)
        }
        if let known { return offer(known, to: gateway) }
        let made = try await store.write(.vital) { database -> BoxSettings in
            let known = try BoxRecords.settings(of: gateway.id, in: database)
            let content = try Self.content(gateway, catalog, rules, bypassed, fan, settings, in: database)
            let digest = Digest.sha256(try content.settings(version: 0, key).encoded())
            if let known, known.digest == digest { return try content.settings(version: known.version, key) }
            let version = (known?.version ?? 0) + 1
            try BoxRecords.putSettings(version, digest, of: gateway.id, in: database)
            return try content.settings(version: version, key)
        }
        offer(made, to: gateway)
    }

    /// Sends settings to a box that holds older ones.
    private func offer(_ made: BoxSettings, to gateway: Gateway) {
        let (hello, isThere) = state.withLock { ($0.boxes[gateway.id]?.hello, $0.boxes[gateway.id]?.session != nil) }
        guard isThere, let hello, made.isNewer(than: hello.settingsVersion) else { return }
        send(.settings(made), to: gateway)
    }

    /// Everything but the version.
    private struct Content {
        let rules: BoxSettings.Rules
        let sensors: [BoxSettings.Sensor]
        let fan: BoxSettings.Fan
        let tags: [BoxSettings.Known]

        func settings(version: UInt64, _ key: Key) throws -> BoxSettings {
            try BoxSettings(version: version, rules: rules, sensors: sensors, fan: fan, tags: tags, boxKey: key)
        }
    }

    private static func content(
        _ gateway: Gateway, _ catalog: Catalog, _ rules: PanelRules, _ bypassed: Set<SensorID>, _ fan: BoxFan?,
        _ settings: SafetySettings, in database: Database
    ) throws -> Content {
        let places = try places(of: gateway, in: database)
        let thresholds = Dictionary(
            uniqueKeysWithValues: try ThresholdRecords.current(in: database).map { ($0.sensor, $0.threshold) })
        let sensors = try places.map { sensor in
            // Of a sensor of distances the threshold is how near is near.
            let near = settings.guarding(of: sensor.id).distance
            let threshold =
                sensor.kind == .distance
                ? Threshold(level: near)
                // A box knows one level, and no times.
                : thresholds[sensor.id] ?? CareState.factor(of: sensor).map { AirWatch.plain($0) }
            let isInUse = catalog.sensors[sensor.id] != nil
            return try BoxSettings.Sensor(
                key: Array(sensor.key.utf8), alarmClass: isInUse ? sensor.alarmClass?.rawValue ?? 0 : 0,
                isBypassed: bypassed.contains(sensor.id),
                threshold: isInUse ? try threshold.map { try level($0) } : nil)
        }
        let place = fan.flatMap { fan in places.firstIndex { $0.id == fan.sensor } }
        let modes = ArmMode.allCases
        return Content(
            rules: try BoxSettings.Rules(
                exit: modes.map { rules.exitDelay[$0] }, entry: modes.map { rules.entryDelay[$0] },
                alarmTime: rules.alarmTime, disarmsAfterAlarm: rules.disarmsAfterAlarm), sensors: sensors,
            fan: BoxSettings.Fan(
                sensor: place.map { UInt8($0) }, most: thousandths(fan?.most ?? 0), shortestRun: fan?.shortestRun ?? 0),
            tags: try SafetyRecords.tags(of: gateway.site, in: database).filter { $0.gateway == gateway.id }
                .prefix(BoxSettings.maxTags).compactMap { tag in
                    Tag(tag.digest).map { BoxSettings.Known(id: tag.id.raw, digest: $0) }
                })
    }

    private static func level(_ threshold: Threshold) throws -> BoxSettings.Level {
        let rise = threshold.risePerMinute.map { max(thousandths($0), 1) }
        return try BoxSettings.Level(
            level: thousandths(threshold.level), hysteresis: max(thousandths(threshold.hysteresis), 0),
            risePerMinute: rise)
    }

    /// What does not fit is cut.
    private static func thousandths(_ value: Double) -> Int32 {
        Int32(min(max((value * 1000).rounded(), Double(Int32.min)), Double(Int32.max)))
    }

    // MARK: tags

    /// The tags of a house, oldest first.
    func tags(of site: SiteID) throws -> [HouseTag] { try store.read { try SafetyRecords.tags(of: site, in: $0) } }

    /// A tag; nil: it is not known any more. As the database has it: one that is taken away in the moment in which it is learnt anew stays
    /// in no memory.
    func tag(_ id: HouseTagID) throws -> HouseTag? { try store.read { try SafetyRecords.tag(id, in: $0) } }

    /// The tag that a box waits for, if it does.
    func learning(at site: SiteID) -> Learning? {
        let now = clock.now
        return state.withLock { state in
            state.learning.values.first { registry.catalog.gateways[$0.gateway]?.site == site && $0.until > now }
        }
    }

    /// Lets a box learn the tag that is held to its reader next.
    /// - Returns: what it waits for now; nil: the box is not there, or knows as many as it can.
    func learn(name: String, at gateway: Gateway, by person: PersonID) throws -> Learning? {
        let now = clock.now
        let isFull = try tags(of: gateway.site).count { $0.gateway == gateway.id } >= BoxSettings.maxTags
        let wish = Learning(
            id: .new(at: now), gateway: gateway.id, name: name, person: person,
            isArmed: panels.panel(of: gateway.site).mode != nil,
            until: now.adding(milliseconds: Self.learning))
        guard !isFull, send(.learnTag, to: gateway, id: wish.id.raw) != nil else { return nil }
        state.withLock { state in
            // One at a time: the box keeps the last it was asked for.
            state.learning = state.learning.filter { $0.value.gateway != gateway.id }
            state.learning[wish.id] = wish
        }
        return wish
    }

    /// Takes a tag away; its box learns it with its next settings.
    /// - Returns: false when there is no such tag at the house.
    func remove(_ id: HouseTagID, at site: SiteID, by person: PersonID) async throws -> Bool {
        let now = clock.now
        let isRemoved = try await store.write(.vital) { database in
            guard let tag = try SafetyRecords.tag(id, in: database), tag.site == site else { return false }
            try SafetyRecords.remove(id, in: database)
            try Audit("home.tag.removed", ("tag", id.text), before: [("name", tag.name)])
                .append(at: now, site: site, by: person, in: database)
            return true
        }
        if isRemoved { settingsChanged(at: site) }
        return isRemoved
    }

    /// Makes the tag known that a box was asked to learn. Judged where it is written: since it was asked for, whoever asked may have left, and the
    /// house have been armed.
    /// - Returns: nil: it is not made known, and disarms nothing.
    func learn(
        _ digest: [UInt8], _ wish: Learning, at gateway: Gateway, now: Timestamp, in database: Database
    ) throws -> HouseTag? {
        guard try AccountRecords.may(wish.person, Permission.managing, at: gateway.site, now: now, in: database),
            wish.isArmed || panels.panel(of: gateway.site).mode == nil
        else {
            Log.warning(
                "home",
                "a box learns no tag: the person who asked for it may not any more, or its house was armed since",
                ["box": gateway.id.text])
            return nil
        }
        // A tag that the box knew already keeps its id and gets the new name.
        let known = try SafetyRecords.tags(of: gateway.site, in: database).first {
            $0.gateway == gateway.id && $0.digest == digest
        }
        let tag = HouseTag(
            id: known?.id ?? wish.id, site: gateway.site, gateway: gateway.id, name: wish.name, digest: digest,
            added: known?.added ?? now)
        try SafetyRecords.add(tag, by: wish.person, in: database)
        try Audit("home.tag.added", ("tag", tag.id.text), after: [("name", tag.name)])
            .append(at: now, site: tag.site, by: wish.person, in: database)
        return tag
    }
}
