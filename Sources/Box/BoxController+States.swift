import System
import Wire

/// What the box tells everybody who may hear it, and what it does without a proof.
extension BoxController {
    func command(_ actuator: BoxActuator, _ payload: [UInt8], isRetained: Bool) async {
        // Whoever retains a command gives it again to everybody who connects, years later.
        guard !isRetained else { return refuse("\(actuator.rawValue): a retained command is not obeyed") }
        guard let command = BoxCommand(payload) else { return refuse("\(actuator.rawValue): not understood") }
        switch (actuator, command) {
        case (.siren, .on): _ = core.tellSiren(true)
        case (.siren, .off):
            if !core.tellSiren(false) { refuse("siren: an alarm is silenced by an order alone") }
        case (.valve, .off): core.closeValve()
        case (.valve, .on): refuse("valve: it is opened by an order alone")
        case (.valve, .number(let percent)):
            if percent == 0 { core.closeValve() } else { refuse("valve: it is opened by an order alone") }
        case (.fan, .on): core.tellFan(100)
        case (.fan, .off): core.tellFan(0)
        case (.fan, .number(let percent)): core.tellFan(Int(percent))
        case (.plug, .on): core.isPlugOn = true
        case (.plug, .off): core.isPlugOn = false
        case (.led, .on): core.colour = core.colour ?? (255, 255, 255)
        case (.led, .off): core.colour = nil
        case (.led, .colour(let red, let green, let blue)): core.colour = (red, green, blue)
        case (.lcd, _): core.message = command.text
        case (.camera, _): takePicture()
        default: refuse("\(actuator.rawValue): not understood")
        }
        await done([])
    }

    /// Says what was not done, where everybody can read it.
    func refuse(_ words: String) {
        Log.info("box", "refused", ["box": identity.box.hex, "what": words])
        // What the broker had kept may come before we know that we are connected.
        if uplink == nil { unsaidRefusal = words }
        say(BoxSaying("notice/state", words, isRetained: false))
    }

    func takePicture() {
        pictures += 1
        let tripped = core.kept.tripped.contains(.distance)
        say(BoxSaying("camera/state", BoxPicture.png(number: pictures, hasSomebody: tripped), isSure: true))
    }

    /// Tells what has changed, and what has not been told for a while.
    func tellStates() {
        guard uplink != nil else { return }
        for sensor in BoxSensor.allCases { tell(sensor) }
        let display = BoxDisplay(core, isConnected: hasHub, at: now)
        tell("siren", core.sounds(at: now) ? "ON" : "OFF")
        tell("valve", core.kept.isValveOpen ? "open" : "closed")
        tell("plug", core.isPlugOn ? "ON" : "OFF")
        tell("lcd", display.lines.filter { !$0.isEmpty }.joined(separator: " - "))
        let fan = core.fanPercent
        tell("fan", .object([("state", fan > 0 ? "ON" : "OFF"), ("value", .number(Double(fan)))]))
        let (red, green, blue) = display.colour
        tell("led", .object([("state", "ON"), ("value", .text("\(red),\(green),\(blue)"))]))
    }

    private func tell(_ key: String, _ value: BoxJSON.Value) { tell(key, BoxJSON.bytes(value)) }
    private func tell(_ key: String, _ text: String) { tell(key, Array(text.utf8)) }

    private func tell(_ key: String, _ payload: [UInt8]) {
        if let last = told[key], last.payload == payload { return }
        told[key] = (payload, 0, now)
        say(BoxSaying(key + "/state", payload, isSure: true))
    }

    private func tell(_ sensor: BoxSensor) {
        guard let value = core.values[sensor] else { return }
        if let last = told[sensor.rawValue], now - last.at < sensor.period,
            abs(value - last.value) < sensor.deadband
        {
            return
        }
        told[sensor.rawValue] = ([], value, now)
        say(BoxSaying(sensor.rawValue + "/state", payload(sensor, value), isSure: true))
    }

    private func payload(_ sensor: BoxSensor, _ value: Double) -> [UInt8] {
        if sensor.isTruth { return Array((value == 0 ? "OFF" : "ON").utf8) }
        var members: [(String, BoxJSON.Value)] = [("value", .number(value))]
        if !sensor.unit.isEmpty { members.append(("unit", .text(sensor.unit))) }
        let (time, state) = boxTime()
        if state == .trusted {
            members.append(("at", .text(Timestamp(milliseconds: Int64(clamping: time)).iso8601)))
        }
        if sensor == .gas, core.isWarming { members.append(("warming", true)) }
        return BoxJSON.bytes(.object(members))
    }
}
