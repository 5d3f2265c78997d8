extension HomeDevicesWords {
    static let en = HomeDevicesWords(
        language: .en, devices: "Devices", none: "No device yet",
        noneDetail:
            "A box, a device that speaks MQTT, or the broker of a home that has one: connect the first, and what it measures appears here by itself.",
        connect: "Connect a device",
        connectDetail: "It takes the device, its power, and the code or password that the next page shows.",
        gatewayKinds: [.box: "box", .device: "device", .bridge: "bridge"], lastContact: "last contact",
        nothingOnIt: "Nothing has described itself here yet.",
        untaken: {
            $0 == 1
                ? "1 thing that it describes is not used" : "\($0) things that it describes are not used"
        }, outOfUse: "Out of use",
        outOfUseDetail: "They are not heard any more. What they told is kept.",
        isolatedTitle: "Set aside",
        isolatedDetail: "It sent too much, or invalid data, and is ignored until it is let back.",
        release: "Let it back", area: { "in: \($0)" }, details: "Device details", what: "What it means",
        howToRead: "How to read it", chart: "Chart", currentValue: "Now", activeIn: "This kind is active in",
        activeNowhere: "in no house of yours at this moment", madeBy: "Made by", cameBy: "Came by",
        discovered: "it described itself", added: "added in the app", change: "Change", changeOf: { "Change \($0)" },
        name: "Name", areaField: "Room", save: "Save", saved: "Saved.", retire: "Take out of use",
        retireDetail: "It is not heard any more and trips nothing. What it told is kept, and it can come back.",
        reuse: "Take into use again", reused: "It is in use again.", unit: "Unit", low: "Least value",
        high: "Greatest value",
        rangeHint: "What lies below is refused. What lies above is not shown, and still raises an alarm.",
        period: "Reports every (seconds)",
        periodHint: "After three intervals without a reading it counts as faulty. Empty: no fixed interval.",
        alarmClass: "What tripping it means",
        classes: [
            .environmental: "danger: an alarm at once, always", .motion: "somebody moves",
            .door: "a door or window is opened", .tamper: "somebody handles the house",
        ],
        noClass: "nothing", usualClass: "as usual for its kind", kind: "What it is", topic: "Topic",
        topicHint: "Below the gateway’s own, such as kitchen/gas/state.", member: "Member of the JSON",
        memberHint: "Such as air.gas; empty when the message is the value itself.", onText: "What stands for yes or on",
        offText: "What stands for no or off", set: "Set", told: "Command sent. Waiting for the device to confirm.",
        turnOn: "On", turnOff: "Off", openIt: "Open", closeIt: "Close",
        openNeedsProof: "Opening asks once more who you are.", percent: "Per cent", colour: "Colour (red,green,blue)",
        text: "Text", number: "Number", send: "Send",
        notReachable: "It is not reachable now. Nothing was kept for later: try again when it is back.",
        outOfRange: "The value is out of range.",
        opens: "Opening a valve asks you to show first who you are.",
        onlyByOrder: "A box opens its valve from the Safety page alone, where you show who you are.",
        tooOften: "It was told too often in the last seconds. Wait a moment.",
        anothers: "Another device listens to this topic. Switch that one, and take this entry out of use.",
        notOfItsKind: "It does not understand that.", unknown: "It cannot be told anything.",
        refused: { "\($0) \($0 == 1 ? "message was" : "messages were") not as expected. The last one: \($1)" },
        addSensor: "Add a sensor by hand", addActuator: "Add an actuator by hand",
        addDetail: "For a device that speaks MQTT and does not describe itself.", gateway: "Comes in by", addOwn: "Add",
        faults: { fault in
            switch fault {
            case .name: "Write a name of at most 80 characters."
            case .area: "Write at most 80 characters."
            case .unit: "Write at most 16 characters."
            case .range: "Write two numbers, the lower one first, or leave both empty."
            case .period: "Write seconds, from 0.1 to 86,400, or nothing."
            case .kind: "Choose one of the list."
            case .alarmClass: "Choose one of the list."
            case .topic: "Write at most 8 parts with / between, none of them empty, without + and #."
            case .member: "Write names with points between, at most 8 of them."
            case .text: "Write at most 64 characters, not the same for both."
            case .gateway: "Choose what it comes in by."
            case .duplicate: "Something listens to that topic already."
            case .outOfUse:
                "A device that is out of use listens to that topic, and would do what is told there. Take it back into use, or remove it from its bridge."
            case .mutes:
                "A siren, a valve or a fan uses that topic: it could not be switched any more."
            case .tooMany: "This gateway has as many as it can hold."
            case .value: "That value does not fit."
            }
        })
}
