extension CareWords {
    static let en = CareWords(
        language: .en, title: "Care",
        noSensor: "Nothing watches the air here",
        noSensorDetail: "A gas, smoke or water sensor appears here as soon as it is connected.",
        below: { "Below its threshold of \($0)." }, over: { "Above its threshold of \($0)." },
        unwatched: "It has no threshold: whatever it measures, nothing happens.",
        nothingWatches: "Nothing watches this sensor: it raises no alarm.",
        exposure:
            "Alarm by level and time (EN 50291): at 300 ppm within 3 minutes, at 100 ppm within 40, at 50 ppm within 90.",
        exposed: "Alarm: people have been exposed to too much for too long.",
        exposing: {
            $0 == 1
                ? "There is carbon monoxide. Air the room: alarm in about 1 minute."
                : "There is carbon monoxide. Air the room: alarm in about \($0) minutes."
        },
        levelToo:
            "A level was chosen by hand: it raises an alarm at once, before EN 50291 would. Remove it if you do not want that.",
        usual: "It is the usual threshold for such a sensor. Nobody has chosen one yet.",
        unknown: "No current reading. This does not mean zero: check its power and network.",
        warmingDetail: "It warms up. What it shows is not to be believed yet, and raises no alarm.",
        detectorQuiet: "All quiet.", detectorAlarm: "It raises the alarm.", chart: "How it was",
        threshold: "Threshold",
        thresholdHint: { "Between \($0) and \($1). From there on it is an alarm." },
        hysteresis: "Alarm clears this far below the threshold (hysteresis)",
        hysteresisHint: "Keeps a value that trembles around the threshold from being many alarms.",
        rise: "Also alarm on a rise per minute of", riseHint: "Left empty, only the level counts.",
        more: "End of the alarm (hysteresis) and rise per minute", save: "Save", none: "No threshold",
        evidence: { count, days in
            count == 0
                ? "With this level: no alarm in the last \(days) days."
                : "With this level: \(count) \(count == 1 ? "alarm" : "alarms") in the last \(days) days."
        }, noEvidence: "What it measured is not kept long enough yet to say how often this level was reached.",
        changed: { "\($0): the threshold is now \($1)." }, before: { "It was \($0)." }, nothing: "none",
        undo: "Take it back",
        inUse: { "In use since \($0)" + ($1.map { ", \($0)" } ?? "") + "." },
        months: { $0 == 1 ? "1 month" : "\($0) months" }, years: { $0 == 1 ? "1 year" : "\($0) years" },
        old: "It is older than five years. Such a sensor tells less every year: put in a new one.",
        installed: "In use since",
        noDetector:
            "These sensors do not replace certified gas or smoke detectors. Use them alongside.",
        fans: "Fans", fanOff: "It stands still.", fanRuns: { "It is to run at \($0) %." },
        fanFollows: { "Follows \($0)." }, fanFree: "It follows nothing, and runs by hand only.",
        byHandUntil: { "By hand until \($0); then its rule counts again." },
        byHandUntilTomorrow: { "By hand until tomorrow at \($0); then its rule counts again." }, byHand: "By hand",
        speed: "Speed",
        off: "off", duration: "For", minutes: { "\($0) minutes" }, hours: { $0 == 1 ? "1 hour" : "\($0) hours" },
        run: "Run fan now", byRule: "Back to its rule", rule: "What it follows", follows: "It follows",
        followsNothing: "nothing", most: "Full speed at",
        mostHint: "Between the threshold and here it runs at 50 to 100 %. Under 50 % it is off.",
        shortestRun: "Runs at least, in minutes", valves: "Valves",
        valveDetail: "Dangerous air closes it at once. To open it again, confirm who you are.",
        isOn: "Thresholds are on in this house.",
        isOff: "Thresholds are off in this house",
        isOffDetail: "Whatever is measured, the hub does nothing. Smoke and water detectors still raise the alarm.",
        boxGoesOn: "The box of this house goes on by itself: gas and smoke at it raise the alarm in any case.",
        turnOff: "Turn thresholds off", turnOn: "Turn thresholds on",
        askOff: "Turn off all gas and air alarms?",
        askOffDetail:
            "However much gas is measured, no one is notified, no valve closes and no fan runs, until thresholds are turned on again.",
        keepOn: "Keep them on",
        notMeasured: "This sensor tells no numbers: there is no threshold for it.",
        notLevel: "A threshold is a number.",
        outside: { "This sensor tells \($0) to \($1): the threshold must be above the one and not above the other." },
        hysteresisRefused: "This is a number from 0 on, and no more than the threshold leaves room for.",
        riseRefused: "This is a number above 0, or nothing.",
        mostRefused: "Full speed is at the threshold or above it.",
        runRefused: "It runs for 0 to 60 minutes at least.",
        noSuchSensor: "A fan follows a sensor of this house that Care looks at.",
        dayRefused: "That day does not exist, or has not come yet.")
}
