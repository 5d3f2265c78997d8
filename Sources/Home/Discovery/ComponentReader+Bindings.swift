import Accounts
import Household
import Template

extension ComponentReader {
    /// What people would call it: its own name, what it measures, or the device.
    var name: String {
        if let name = fields["name"]?.word, case let name = DiscoveryText.name(name), !name.isEmpty { return name }
        if let kind = fields["device_class"]?.word, platform != "switch" {
            let words = DiscoveryText.name(kind).replacing("_", with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }
        return deviceName
    }

    /// A number as devices write it: `100`, `0.5`.
    static func text(_ number: Double) -> String { Int(exactly: number).map { String($0) } ?? number.description }

    /// Where a sensor tells its values.
    mutating func heard(
        _ topicKey: String = "state_topic", isNumber: Bool = false
    ) throws(DiscoveryRefusal) -> SensorBinding {
        guard let topic = try fields.topic(topicKey) else { throw DiscoveryRefusal(.missing, topicKey) }
        var binding = try heard(at: topic, fields.source("value_template", isNumber: isNumber))
        binding.expireAfter = try fields.seconds("expire_after")
        return binding
    }

    mutating func heard(at topic: String, _ source: ValueSource) throws(DiscoveryRefusal) -> SensorBinding {
        let (availability, mode) = try availability()
        // What our own programs write there says more than the value: that it warms up, and since when it holds.
        let path = isOurs && source.path == ["value"] ? [] : source.path
        return SensorBinding(
            topic: topic, path: path, template: source.template, availability: availability, availabilityMode: mode)
    }

    /// Something that a component can do without: what cannot be read of it is named, and the rest is taken.
    mutating func ifReadable<Value>(_ read: (inout Self) throws(DiscoveryRefusal) -> Value?) -> Value? {
        do throws(DiscoveryRefusal) { return try read(&self) } catch {
            if !lacks.contains(error) { lacks.append(error) }
            return nil
        }
    }

    /// What stands for yes and no. Behind a path a JSON truth is meant, however the message writes it.
    func onAndOff(_ path: [String]) throws(DiscoveryRefusal) -> (on: String, off: String) {
        (
            Self.truthWord(try fields.word("payload_on") ?? "ON", path),
            Self.truthWord(try fields.word("payload_off") ?? "OFF", path)
        )
    }

    private static func truthWord(_ word: String, _ path: [String]) -> String {
        !path.isEmpty && (word == "True" || word == "False") ? word.lowercased() : word
    }

    /// Where an actuator is told something, and tells what it does.
    mutating func told() throws(DiscoveryRefusal) -> ActuatorBinding {
        guard let topic = try fields.commandTopic("command_topic") else {
            throw DiscoveryRefusal(.missing, "command_topic")
        }
        var binding = ActuatorBinding(commandTopic: topic, on: "", off: "")
        (binding.availability, binding.availabilityMode) = try availability()
        if let topic = try fields.topic("state_topic") {
            let keys = ["state_value_template", "state_template", "value_template"]
            binding.state = ifReadable { reader throws(DiscoveryRefusal) in
                let key = keys.first { reader.fields[$0] != nil } ?? "value_template"
                return try reader.heard(at: topic, reader.fields.source(key))
            }
        }
        return binding
    }

    /// With two words, for on and off.
    mutating func switched(on: String? = nil, off: String? = nil) throws(DiscoveryRefusal) -> ActuatorBinding {
        var binding = try told()
        let told = (on: try fields.word("payload_on"), off: try fields.word("payload_off"))
        (binding.on, binding.off) = (on ?? told.on ?? "ON", off ?? told.off ?? "OFF")
        let path = binding.state.map { $0.template == nil ? $0.path : [] } ?? []
        let (stateOn, stateOff) = (try fields.word("state_on"), try fields.word("state_off"))
        binding.setState(
            on: Self.truthWord(stateOn ?? binding.on, path), off: Self.truthWord(stateOff ?? binding.off, path))
        return binding
    }

    /// With the words of what opens and closes.
    mutating func opened() throws(DiscoveryRefusal) -> ActuatorBinding {
        var binding = try switched(
            on: fields.word("payload_open") ?? "OPEN", off: fields.word("payload_close") ?? "CLOSE")
        binding.setState(
            on: try fields.word("state_open") ?? "open", off: try fields.word("state_closed") ?? "closed")
        return binding
    }

    func positions() throws(DiscoveryRefusal) -> (closed: Double, open: Double) {
        let closed = try fields.number("position_closed") ?? 0
        let open = try fields.number("position_open") ?? 100
        guard closed != open else { throw DiscoveryRefusal(.impossible, "position_open") }
        return (closed, open)
    }

    func scale(_ key: String, usual: Double) throws(DiscoveryRefusal) -> Double {
        let most = try fields.number(key) ?? usual
        guard (1...65_535).contains(most) else { throw DiscoveryRefusal(.impossible, key) }
        return most
    }

    /// Where it tells that it is there.
    private mutating func availability() throws(DiscoveryRefusal) -> ([Availability], Availability.Mode) {
        guard let mode = Availability.Mode(rawValue: try fields.word("availability_mode") ?? "latest") else {
            throw DiscoveryRefusal(.impossible, "availability_mode")
        }
        var sources: [DiscoveryFields] = []
        switch fields["availability"] {
        case .list(let items):
            guard items.count <= DiscoveryLimit.path else { throw DiscoveryRefusal(.tooManyAvailabilities) }
            for item in items {
                guard case .object(let members) = item else { throw DiscoveryRefusal(.badAvailability) }
                sources.append(DiscoveryFields(members))
            }
        case .object(let members): sources = [DiscoveryFields(members)]
        case nil: break
        default: throw DiscoveryRefusal(.badAvailability)
        }
        var found: [Availability] = []
        for source in sources {
            guard let topic = try source.topic("topic") else { throw DiscoveryRefusal(.missing, "availability.topic") }
            guard
                let place = ifReadable({ _ throws(DiscoveryRefusal) in try source.source("value_template") })
            else { continue }
            found.append(
                Availability(
                    topic: topic, path: place.path, template: place.template,
                    online: try source.word("payload_available") ?? "online",
                    offline: try source.word("payload_not_available") ?? "offline"))
        }
        if sources.isEmpty, let topic = try fields.topic("availability_topic"),
            let place = ifReadable({ reader throws(DiscoveryRefusal) in
                try reader.fields.source("availability_template")
            })
        {
            found = [
                Availability(
                    topic: topic, path: place.path, template: place.template,
                    online: try fields.word("payload_available") ?? "online",
                    offline: try fields.word("payload_not_available") ?? "offline")
            ]
        }
        return (found, mode)
    }
}

extension ActuatorBinding {
    /// What it says when it is on, and when it is off.
    mutating func setState(on: String, off: String) {
        state?.on = on
        state?.off = off
    }
}

/// Words of devices, as people are shown them.
enum DiscoveryText {
    /// Without blanks around it: some devices send one for none.
    static func unit(_ text: String) -> String {
        let bare = text.drop(while: \.isWhitespace)
        return String(bare.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Without blanks around and signs that no name may have, cut to its length; empty when nothing of it is seen.
    static func name(_ text: String) -> String {
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !GivenName.steers($0) }))
        guard GivenName.isSeen(seen) else { return "" }
        var short = seen.drop(while: \.isWhitespace).prefix(DiscoveryLimit.name)
        while short.last?.isWhitespace == true || short.utf8.count > DiscoveryLimit.name * 8 { short.removeLast() }
        return String(short)
    }
}
