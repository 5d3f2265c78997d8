import Household
import JSON
import Template

/// What a message says of one component, with its keys written out and its topics whole.
struct DiscoveryFields {
    private let members: [String: JSONTree]

    /// - Parameter shared: what a device's message says for all of its components; the component's own words come first.
    init(_ members: [String: JSONTree], shared: DiscoveryFields? = nil) {
        let own = Self.expanded(members, DiscoveryAbbreviations.message)
        let base = own["~"]?.word ?? shared?["~"]?.word
        self.members = (shared?.members.filter { Self.shared.contains($0.key) } ?? [:])
            .merging(base.map { Self.whole(own, base: $0) } ?? own) { $1 }
    }

    /// What Home Assistant reads at the level of a device for all components.
    private static let shared: Set<String> = [
        "availability", "availability_mode", "availability_template", "availability_topic", "command_topic",
        "payload_available", "payload_not_available", "state_topic",
    ]

    subscript(_ key: String) -> JSONTree? {
        guard let value = members[key], value != .null else { return nil }
        return value
    }

    /// Whether nothing is said but what it is: then it is taken away.
    var isEmpty: Bool { members.keys.allSatisfy { $0 == "platform" } }

    /// Keys written out; a key that is there in both forms counts in the long one.
    static func expanded(_ members: [String: JSONTree], _ table: [String: String]) -> [String: JSONTree] {
        var whole: [String: JSONTree] = [:]
        for (key, value) in members {
            let long = table[key] ?? key
            if long == key || members[long] == nil { whole[long] = value }
        }
        return whole
    }

    /// Puts the base into topics that begin or end with `~`.
    private static func whole(_ members: [String: JSONTree], base: String) -> [String: JSONTree] {
        members.reduce(into: [:]) { whole, member in
            switch member.value {
            case .text(let text) where member.key.hasSuffix("topic"): whole[member.key] = .text(with(base, text))
            case .list(let items) where member.key == "availability":
                whole[member.key] = .list(
                    items.map { item in
                        guard case .object(let members) = item else { return item }
                        return .object(Self.whole(expanded(members, DiscoveryAbbreviations.message), base: base))
                    })
            case .object(let members) where member.key == "availability":
                whole[member.key] = .object(
                    Self.whole(expanded(members, DiscoveryAbbreviations.message), base: base))
            default: whole[member.key] = member.value
            }
        }
    }

    private static func with(_ base: String, _ topic: String) -> String {
        if topic.hasPrefix("~") { return base + topic.dropFirst() }
        if topic.hasSuffix("~") { return topic.dropLast() + base }
        return topic
    }

    // MARK: values

    /// A short text; nil: not told.
    func word(_ key: String) throws(DiscoveryRefusal) -> String? {
        guard let value = self[key] else { return nil }
        guard let word = value.word, word.utf8.count <= DiscoveryLimit.word else {
            throw DiscoveryRefusal(.notText, key)
        }
        return word
    }

    /// A finite number; nil: not told.
    func number(_ key: String) throws(DiscoveryRefusal) -> Double? {
        guard let value = self[key] else { return nil }
        let number: Double? = if case .number(let number) = value { number } else { value.word.flatMap { Double($0) } }
        guard let number, number.isFinite else { throw DiscoveryRefusal(.notNumber, key) }
        return number
    }

    /// A time in seconds, at most a year; nil: not told, or 0.
    func seconds(_ key: String) throws(DiscoveryRefusal) -> Double? {
        guard let seconds = try number(key), seconds != 0 else { return nil }
        guard (0.001...31_622_400).contains(seconds) else { throw DiscoveryRefusal(.notSeconds, key) }
        return seconds
    }

    /// Yes or no; no where it is not told.
    func truth(_ key: String) -> Bool {
        switch self[key] {
        case .truth(let truth): truth
        case .text(let text): ["true", "on", "yes", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// The words of a list.
    func words(_ key: String) -> [String] {
        guard case .list(let items) = self[key] else { return [] }
        return items.compactMap(\.word)
    }

    /// A topic that is heard; nil: not told.
    func topic(_ key: String) throws(DiscoveryRefusal) -> String? {
        guard let topic = try anyTopic(key) else { return nil }
        // Whoever heard a value there would not hear how a device describes itself, or a box.
        if GatewayTopics.isDescription(topic) || Self.ofBox.contains(topic) || GatewayTopics.isTold(topic) {
            throw DiscoveryRefusal(.describingTopic, key)
        }
        return topic
    }

    private func anyTopic(_ key: String) throws(DiscoveryRefusal) -> String? {
        guard let value = self[key] else { return nil }
        guard case .text(let topic) = value, Self.isTopic(topic) else {
            throw DiscoveryRefusal(.notTopic, key)
        }
        return topic
    }

    /// What a box says and hears with proofs.
    private static let ofBox: Set<String> = ["hello", "up", "down"]

    /// A topic on which something is told; nil: not told.
    func commandTopic(_ key: String) throws(DiscoveryRefusal) -> String? {
        guard let topic = try anyTopic(key) else { return nil }
        // What is told there is not for a device but for the hub, or moves a box, or says that the gateway is not there.
        if topic.hasPrefix(GatewayTopics.discovery) || Self.ofBox.contains(topic) || topic == "availability"
            || GatewayTopics.isTold(topic)
        {
            throw DiscoveryRefusal(.forbiddenTopic, key)
        }
        return topic
    }

    /// Where in the payload a value lies, or how it is computed; the payload itself where it is not told.
    /// - Parameter isNumber: whether it is read as a number.
    func source(_ key: String, isNumber: Bool = false) throws(DiscoveryRefusal) -> ValueSource {
        guard let template = try template(key) else { return .payload }
        if let path = template.place(isNumber: isNumber) {
            guard path.count <= DiscoveryLimit.path, path.allSatisfy({ !$0.isEmpty }) else {
                throw DiscoveryRefusal(.computed, key)
            }
            return ValueSource(path: path)
        }
        // What reads nothing of the payload says the same whatever happens.
        guard template.names.contains("value") || template.names.contains("value_json") else {
            throw DiscoveryRefusal(.computed, key)
        }
        return ValueSource(template: template)
    }

    /// What computes a command; nil: the word or the number itself is told.
    /// - Parameter sample: what it may be told, under the names that Home Assistant has for it: it has to make something of that.
    func command(
        _ key: String, trying sample: [String: TemplateValue] = ["value": .text("ON")]
    ) throws(DiscoveryRefusal) -> Template? {
        guard let template = try template(key) else { return nil }
        if template.path?.isEmpty == true { return nil }
        guard let text = try? template.text(sample), !text.isEmpty else {
            throw DiscoveryRefusal(.computedCommand, key)
        }
        return template
    }

    private func template(_ key: String) throws(DiscoveryRefusal) -> Template? {
        guard let value = self[key] else { return nil }
        guard case .text(let text) = value else { throw DiscoveryRefusal(.notTemplate, key) }
        if text.isEmpty { return nil }
        do { return try Template(text) } catch {
            throw DiscoveryRefusal(
                key.split(separator: "_").contains("command") || key.hasPrefix("set_") ? .computedCommand : .computed,
                key)
        }
    }

    /// Below the gateway's own topics, and one topic: no wildcards, nothing of the broker's, no way out.
    static func isTopic(_ topic: String) -> Bool {
        // 80 bytes of room for what the gateway's topics begin with.
        !topic.isEmpty && topic.utf8.count <= DiscoveryLimit.topic - 80
            && topic.utf8.first != UInt8(ascii: "/") && topic.utf8.first != UInt8(ascii: "$")
            && !topic.unicodeScalars.contains { scalar in
                scalar == "+" || scalar == "#" || scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
            }
    }
}
