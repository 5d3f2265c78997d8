import JSON

/// A message of Home Assistant's MQTT discovery, as the house understands it.
///
/// The formats are those of Home Assistant 2025.4: one component per message, or a device with `device`, `origin` and `components`.
package struct DiscoveryMessage: Sendable, Equatable {
    /// What it says.
    package enum Content: Sendable, Equatable {
        /// What it described is gone.
        case removed
        /// What it described is told by another message from now on.
        case handedOver
        case described(DiscoveredDevice)
    }

    /// Where it lay.
    package let topic: DiscoveryTopic
    /// The program that wrote it, as it calls itself; empty: not told.
    package let origin: String
    /// What it says.
    package let content: Content

    /// The origin of what we write ourselves.
    package static let ownOrigin = "soglia"

    /// Whether it is from a program of ours.
    package var isOurs: Bool { origin == Self.ownOrigin }

    /// Reads it.
    /// - Parameter prefix: what the topics of its gateway begin with. Whoever publishes below it by itself names its topics whole,
    ///   and what a broker bridges in does not know of it.
    /// - Throws: why nothing of it is taken. A component that cannot be taken alone is told in the device (`refused`).
    package init(topic: DiscoveryTopic, payload: [UInt8], prefix: String = "") throws(DiscoveryRefusal) {
        self.topic = topic
        guard payload.count <= DiscoveryLimit.payload else { throw DiscoveryRefusal(.tooLong) }
        if payload.isEmpty {
            (origin, content) = ("", .removed)
            return
        }
        let members: [String: JSONTree]
        do {
            members = try JSONReader.decode(
                [String: JSONTree].self, from: payload, limit: DiscoveryLimit.payload, depth: DiscoveryLimit.depth
            ).mapValues { $0.without(prefix) }
        } catch {
            throw DiscoveryRefusal(.notJSON)
        }
        let fields = DiscoveryFields(members)
        origin = Self.origin(fields)
        if fields.truth("migrate_discovery") {
            content = .handedOver
            return
        }
        var device = Self.device(fields, topic)
        if let platform = topic.component {
            Self.take(platform, fields, id: topic.id, isOurs: origin == Self.ownOrigin, into: &device)
        } else {
            guard case .object(let components) = fields["components"] else { throw DiscoveryRefusal(.noComponents) }
            guard components.count <= DiscoveryLimit.components else { throw DiscoveryRefusal(.tooManyComponents) }
            Self.take(components, of: fields, isOurs: origin == Self.ownOrigin, into: &device)
        }
        content = .described(device)
    }

    private static func origin(_ fields: DiscoveryFields) -> String {
        guard case .object(let members) = fields["origin"], let name = members["name"]?.word else { return "" }
        return DiscoveryText.name(name)
    }

    private static func device(_ fields: DiscoveryFields, _ topic: DiscoveryTopic) -> DiscoveredDevice {
        var members: [String: JSONTree] = [:]
        if case .object(let found) = fields["device"] {
            members = DiscoveryFields.expanded(found, DiscoveryAbbreviations.device)
        }
        func text(_ key: String) -> String { members[key]?.word.map(DiscoveryText.name) ?? "" }
        let id = identifier(members) ?? topic.node ?? topic.object
        let names = [text("name"), text("model"), DiscoveryText.name(id)]
        return DiscoveredDevice(
            key: DiscoveryKey.of(id), name: names.first { !$0.isEmpty } ?? topic.object, maker: text("manufacturer"),
            model: text("model"), area: text("suggested_area"), sensors: [], actuators: [], refused: [])
    }

    /// The first of its identifiers, or of its connections; nil: it has none that can be used.
    private static func identifier(_ device: [String: JSONTree]) -> String? {
        func usable(_ value: JSONTree?) -> String? {
            value?.word.flatMap { !$0.isEmpty && $0.utf8.count <= DiscoveryLimit.id ? $0 : nil }
        }
        switch device["identifiers"] {
        case .list(let ids): if let id = ids.lazy.compactMap(usable).first { return id }
        case let id: if let id = usable(id) { return id }
        }
        guard case .list(let connections) = device["connections"] else { return nil }
        return connections.lazy.compactMap { connection -> String? in
            guard case .list(let pair) = connection, pair.count == 2 else { return nil }
            return usable(pair[1])
        }.first
    }

    /// The detectors that save lives of a message of which nothing is taken, as far as it can be read; nil: none.
    static func detectors(
        _ topic: DiscoveryTopic, _ payload: [UInt8], prefix: String, refusedFor why: DiscoveryRefusal
    ) -> RefusedMessages.Detectors? {
        guard topic.component == nil, why.reason == .tooManyComponents,
            let members = try? JSONReader.decode(
                [String: JSONTree].self, from: payload, limit: DiscoveryLimit.payload, depth: DiscoveryLimit.depth)
        else { return nil }
        let fields = DiscoveryFields(members.mapValues { $0.without(prefix) })
        guard case .object(let components) = fields["components"], origin(fields) != ownOrigin else { return nil }
        var device = device(fields, topic)
        take(components, of: fields, isOurs: false, into: &device)
        return device.detectors(refusedFor: why)
    }

    private static func take(
        _ components: [String: JSONTree], of fields: DiscoveryFields, isOurs: Bool, into device: inout DiscoveredDevice
    ) {
        // By name, so that the same message always reads the same.
        for (id, component) in components.sorted(by: { $0.key < $1.key }) {
            guard id.utf8.count <= DiscoveryLimit.id, case .object(let members) = component else {
                device.refused.append(.init(component: DiscoveryText.name(id), why: DiscoveryRefusal(.notComponent)))
                continue
            }
            let own = DiscoveryFields(members)
            if own.isEmpty { continue }
            let platform = own["platform"]?.word
            take(platform, DiscoveryFields(members, shared: fields), id: id, isOurs: isOurs, into: &device)
        }
    }

    /// Takes one component, or keeps why not.
    private static func take(
        _ platform: String?, _ fields: DiscoveryFields, id: String, isOurs: Bool, into device: inout DiscoveredDevice
    ) {
        let unique = fields["unique_id"]?.word ?? ""
        let key = DiscoveryKey.of(unique.isEmpty ? id : unique)
        var reader = ComponentReader(
            platform: platform ?? "", fields: fields, key: key, deviceName: device.name, deviceModel: device.model,
            isOurs: isOurs)
        do throws(DiscoveryRefusal) {
            guard platform != nil else { throw DiscoveryRefusal(.noPlatform) }
            _ = try fields.word("unique_id")
            switch try reader.part() {
            case .sensor(let sensor):
                if device.sensors.contains(where: { $0.key == sensor.key }) {
                    throw DiscoveryRefusal(.sameID)
                }
                device.sensors.append(sensor)
            case .actuator(let actuator):
                if device.actuators.contains(where: { $0.key == actuator.key }) {
                    throw DiscoveryRefusal(.sameID)
                }
                device.actuators.append(actuator)
            case .nothing: break
            }
            // It is there, and not with all that it could do.
            if let lack = reader.lacks.first { device.refused.append(.init(component: reader.name, why: lack)) }
        } catch {
            // Of a detector people are told by the name that they would know it by.
            let isUnknown = error.reason == .noPlatform || error.reason == .unknownPlatform
            let savesLives = isUnknown ? reader.isOfClassThatSavesLives : reader.savesLives
            let isTwice = device.refused.contains { $0.key == key }
            device.refused.append(
                .init(
                    component: savesLives ? reader.name : DiscoveryText.name(id), why: error,
                    savesLives: savesLives ? true : nil,
                    key: savesLives ? isTwice ? DiscoveryKey.of(id) : key : nil))
        }
    }
}

extension DiscoveredDevice {
    /// Its detectors that save lives, where nothing of it is taken; nil: it has none.
    func detectors(refusedFor why: DiscoveryRefusal) -> RefusedMessages.Detectors? {
        let whole = sensors.filter(\.kind.savesLives).map {
            Refused(component: $0.name, why: why, savesLives: true, key: $0.key)
        }
        let all = whole + refused.filter { $0.savesLives == true }
        return all.isEmpty ? nil : .init(device: name, refused: all)
    }
}
