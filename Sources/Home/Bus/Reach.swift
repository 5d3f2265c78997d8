import Household

// Which actuators the hub can command, beside everything else that uses their topics.

extension Catalog {
    /// Why a command is refused that opens a valve, by whatever name; nil: it opens none, or may.
    /// - Parameter mayOpen: whether a person asks for it who has just proven who they are.
    func refusal(ofOpening value: ActuatorValue, by actuator: Actuator, mayOpen: Bool) -> ActuationRefusal? {
        if Actuation.opens(actuator, value) {
            if gateways[actuator.gateway]?.kind == .box { return .onlyByOrder }
            if !mayOpen { return .opens }
        }
        // A siren sounds and a valve closes in any case, whatever else hears it.
        if mayOpen || Actuation.protects(actuator, value) { return nil }
        let valves = others(hearing: value, toldTo: actuator).filter { $0.kind == .valve }
        // A siren is told to be still unless a valve takes that for its word to open.
        guard actuator.kind == .siren, value == .off else { return valves.isEmpty ? nil : .opens }
        let messages = (try? ActuatorMessage.messages(for: actuator, value)) ?? []
        return valves.contains { valve in messages.contains { Self.opens(valve, $0) } } ? .opens : nil
    }

    /// Whether a message opens a valve: its word for that, or any position but closed.
    private static func opens(_ valve: Actuator, _ message: ActuatorMessage) -> Bool {
        guard valve.binding.topics.contains(message.topic) else { return false }
        if (try? ActuatorMessage.messages(for: valve, .on)) == [message] { return true }
        if (try? ActuatorMessage.messages(for: valve, .off)) == [message] { return false }
        if message.topic == valve.binding.valueTopic,
            let position = Double(String(decoding: message.payload, as: UTF8.self))
        {
            return position != valve.binding.low
        }
        // What a valve makes of JSON that is not its word to close nobody knows.
        let isJSON = message.payload.first { !PayloadScanner.isSpace($0) } == UInt8(ascii: "{")
        return isJSON || valve.binding.isJSON || valve.binding.templates != nil
    }

    /// Whether what is told to something added by hand would be heard by something else, of which other things are asked: a siren by the
    /// name of a lamp or with its words the other way round, a sensor that would take it for what it measures. The same thing described
    /// twice is the same thing. Looked at whatever is told, also by the hub itself, and when it is told: a person puts devices back into
    /// use at any time.
    func isAnothers(_ actuator: Actuator, _ value: ActuatorValue) -> Bool {
        guard devices[actuator.device]?.isByHand == true,
            let messages = try? ActuatorMessage.messages(for: actuator, value)
        else { return false }
        let topics = Set(messages.map(\.topic))
        return isHeard(topics, at: actuator.gateway)
            || protectors(reportingOn: topics, at: actuator.gateway, butFor: actuator.id)
                .contains { $0.kind != actuator.kind }
            || others(hearing: value, toldTo: actuator).contains { other in
                // A siren goes on sounding and ending where its bridge describes its output as something that protects nobody, too.
                actuator.kind != .siren || other.kind.protects || isSwitchOfDetector(other)
            }
    }

    /// The sirens, valves and fans of a gateway that the hub cannot command, or not alone: another thing uses their topics.
    func muted(at gateway: GatewayID) -> Set<ActuatorID> {
        Set(actuators.values.filter { $0.gateway == gateway && $0.kind.protects && isMuted($0) }.map(\.id))
    }

    private func isMuted(_ actuator: Actuator) -> Bool {
        if sharesTopicWithAnotherProtector(actuator) { return true }
        let commands: [ActuatorValue] = actuator.kind == .valve ? [.off] : [.on, .off]
        return commands.contains { command in
            refusal(ofOpening: command, by: actuator, mayOpen: false) != nil || isAnothers(actuator, command)
        }
    }

    /// Whether what moves it would also move something else that protects: the hub would end a siren with a fan, or open a valve with one.
    private func sharesTopicWithAnotherProtector(_ actuator: Actuator) -> Bool {
        actuators(on: actuator.binding.topics, at: actuator.gateway, butFor: actuator.id).contains { other in
            other.kind.protects && other.kind != actuator.kind
        }
    }
}
