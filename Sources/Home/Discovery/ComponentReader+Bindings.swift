import Accounts

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
    func heard(_ topicKey: String = "state_topic") throws(DiscoveryRefusal) -> SensorBinding {
        guard let topic = try fields.topic(topicKey) else { throw DiscoveryRefusal(.missing, topicKey) }
        var binding = try heard(at: topic, path: fields.path("value_template"))
        binding.expireAfter = try fields.seconds("expire_after")
        return binding
    }

    func heard(at topic: String, path: [String]) throws(DiscoveryRefusal) -> SensorBinding {
        let (availability, mode) = try availability()
        // What our own programs write there says more than the value: that it warms up, and since when it holds.
        let path = isOurs && path == ["value"] ? [] : path
        return SensorBinding(topic: topic, path: path, availability: availability, availabilityMode: mode)
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
    func told() throws(DiscoveryRefusal) -> ActuatorBinding {
        guard let topic = try fields.commandTopic("command_topic") else {
            throw DiscoveryRefusal(.missing, "command_topic")
        }
        var binding = ActuatorBinding(commandTopic: topic, on: "", off: "")
        (binding.availability, binding.availabilityMode) = try availability()
        if let topic = try fields.topic("state_topic") {
            let key = fields["state_value_template"] == nil ? "value_template" : "state_value_template"
            binding.state = try heard(at: topic, path: fields.path(key))
        }
        return binding
    }

    /// With two words, for on and off.
    func switched(on: String? = nil, off: String? = nil) throws(DiscoveryRefusal) -> ActuatorBinding {
        var binding = try told()
        let told = (on: try fields.word("payload_on"), off: try fields.word("payload_off"))
        (binding.on, binding.off) = (on ?? told.on ?? "ON", off ?? told.off ?? "OFF")
        let path = binding.state?.path ?? []
        let (stateOn, stateOff) = (try fields.word("state_on"), try fields.word("state_off"))
        binding.setState(
            on: Self.truthWord(stateOn ?? binding.on, path), off: Self.truthWord(stateOff ?? binding.off, path))
        return binding
    }

    /// With the words of what opens and closes.
    func opened() throws(DiscoveryRefusal) -> ActuatorBinding {
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
    private func availability() throws(DiscoveryRefusal) -> ([Availability], Availability.Mode) {
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
            found.append(
                Availability(
                    topic: topic, path: try source.path("value_template"),
                    online: try source.word("payload_available") ?? "online",
                    offline: try source.word("payload_not_available") ?? "offline"))
        }
        if found.isEmpty, let topic = try fields.topic("availability_topic") {
            found = [
                Availability(
                    topic: topic, path: try fields.path("availability_template"),
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
    /// Without blanks around and signs that no name may have, cut to its length; empty when nothing of it is seen.
    static func name(_ text: String) -> String {
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !GivenName.steers($0) }))
        guard GivenName.isSeen(seen) else { return "" }
        var short = seen.drop(while: \.isWhitespace).prefix(DiscoveryLimit.name)
        while short.last?.isWhitespace == true || short.utf8.count > DiscoveryLimit.name * 8 { short.removeLast() }
        return String(short)
    }
}
