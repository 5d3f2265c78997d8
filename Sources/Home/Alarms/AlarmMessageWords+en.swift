import Notices

extension AlarmMessageWords {
    static let en = AlarmMessageWords(
        language: .en,
        air: {
            switch $0 {
            case .gas, .gasAlarm: "Gas in the air"
            case .smoke: "Smoke"
            case .heat: "Fire"
            case .carbonMonoxide, .carbonMonoxideLevel: "Carbon monoxide"
            case .moisture: "Water on the floor"
            default: nil
            }
        },
        level: { "The threshold is \($0)." }, rise: { "It rose by more than \($0) within a minute." },
        exposure: "At this level, people have been exposed for too long (EN 50291).",
        silent: { isDetector, status, name in
            let what = isDetector ? "Detector" : "Sensor"
            return switch status {
            case .unavailable: "\(what) has no connection: \(name)"
            case .isolated: "\(what) is set aside: \(name)"
            case .late, .waiting, .live, .warming: "\(what) is not responding: \(name)"
            }
        },
        noAllClear:
            "It cannot warn you now. This does not mean that there is no danger. Check its power and network.",
        noReading: "No current reading, so it raises no alarm. This does not mean zero: check its power and network.",
        tripped: { trip, name in
            switch trip {
            case .near: "Movement near: \(name)"
            case .opened: "Opened: \(name)"
            case .shaken: "Vibration: \(name)"
            case .handled: "Tampering: \(name)"
            case .other: "Tripped: \(name)"
            }
        },
        trippedUnknown: "Tripped: a sensor that is no longer in use",
        sounds: { "The siren of the box sounds: \($0)" }, called: { "Call for help: \($0)" },
        unknownTag: {
            NoticeWords(
                "Unknown tag: \($0)",
                "It was held to the reader while the house was armed. It disarmed nothing. Check who is there.")
        },
        weak: { how, name in
            switch how {
            case .silent:
                NoticeWords("Armed, but not responding: \(name)", "It detects nothing until it responds again.")
            case .open: NoticeWords("Armed, but open: \(name)", "It counts again once it has been closed.")
            case .missing:
                NoticeWords(
                    "Armed, but no longer watching: \(name)",
                    "The sensor was taken out of use, or its function was changed.")
            }
        },
        unreachable: { isValve, name in
            NoticeWords(
                "No connection: \(name)",
                (isValve ? "It does not close in an alarm" : "It does not sound in an alarm")
                    + " until it is connected again. Check its power and network.")
        },
        gone: { name in
            NoticeWords(
                "No connection: \(name)",
                "Its detectors, sirens and valves cannot be reached, so the hub gets no warning from there. This does not mean that there is no danger. Check its power and network."
            )
        },
        gateway: { trouble, name in
            switch trouble {
            case .storm:
                NoticeWords(
                    "\(name) sends far too many messages and is set aside",
                    "Its readings do not count until it has been quiet for a minute, or you take it back. Check whether it is broken."
                )
            case .twice:
                NoticeWords(
                    "\(name) keeps connecting and disconnecting",
                    "Either its network is bad, or two devices use its credential and disconnect each other. Pair one of them again."
                )
            case .hoard:
                NoticeWords(
                    "\(name) was shut out: it filled the broker's memory",
                    "Its retained messages were deleted. It may connect again in ten minutes, or when you let it back. Check whether it is broken."
                )
            case .overlong:
                NoticeWords(
                    "\(name) sends messages that are too long", "They were discarded unread. Check what it sends.")
            case .cut:
                NoticeWords(
                    "Messages of \(name) were lost or not kept",
                    "It sends more than there is room for. Its readings may be out of date, and an alarm of its detectors may be lost. Check it."
                )
            case .keptCommand:
                NoticeWords(
                    "A retained command for \(name) was removed",
                    "The device would have obeyed it at each connection. Check which program sends commands as retained messages."
                )
            }
        },
        orderRefused: { isAboutClock, name in
            NoticeWords(
                "The box does not obey the hub: \(name)",
                (isAboutClock
                    ? "Its clock and the hub’s differ, so from here it cannot be armed, disarmed or silenced. "
                    : "From here it cannot be armed, disarmed or silenced. ")
                    + "It goes on warning by itself, and tags that it knows work there. This usually ends within a minute; if it does not, "
                    + (isAboutClock ? "check the hub’s clock." : "restart the box.")
            )
        },
        device: { matter, name in
            switch matter {
            case .restless:
                NoticeWords(
                    "\(name) keeps changing its description",
                    "The hub uses it as before. Two devices may have the same name on the bus: give each its own, or switch one off."
                )
            case .withheld:
                NoticeWords(
                    "\(name) was changed by its device while the house is armed",
                    "The hub goes on using it as before until the house is disarmed. Check the device.")
            case .withheldWhileSounding:
                NoticeWords(
                    "\(name) was changed by its device during an alarm",
                    "The hub goes on using it as before until the alarm is over. Check the device.")
            case .contested:
                NoticeWords(
                    "Two devices claim to be \(name)",
                    "The first one counts, the other is left out. Give each an id of its own.")
            }
        },
        devices: { matter, gateway in
            switch matter {
            case .contradiction:
                NoticeWords(
                    "Many devices of \(gateway) contradict themselves",
                    "The hub uses them as before, and does not name them one by one for an hour. Check this connection, or take it out of use."
                )
            case .withheld:
                NoticeWords(
                    "Many parts of \(gateway) were changed by its devices",
                    "The hub goes on using them as before until the house is disarmed and the alarm is over. Check this connection."
                )
            }
        },
        refusedDetector: { name in
            NoticeWords("Detector not in use: \(name)", "The hub cannot read it, so it raises no alarm here.")
        },
        refusedDetectors: { more, gateway in
            more == 1
                ? NoticeWords(
                    "1 more detector of \(gateway) is not in use",
                    "The hub cannot read it, so it raises no alarm here. Check this connection.")
                : NoticeWords(
                    "\(more) more detectors of \(gateway) are not in use",
                    "The hub cannot read them, so they raise no alarm here. Check this connection.")
        },
        late: { minutes in
            switch minutes {
            case nil: "It happened while the box had no connection."
            case 0: "It happened a moment before the box was connected again."
            case 1: "It happened 1 minute before the box was connected again."
            case let minutes?: "It happened \(minutes) minutes before the box was connected again."
            }
        })
}
