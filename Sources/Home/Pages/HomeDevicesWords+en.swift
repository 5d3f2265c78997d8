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
        inAirAlarm: "An alarm for gas, smoke or water is on: valves stay closed until it is over.",
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
        },
        sensors: [
            .gas: KindWords(
                "Gas",
                "The level of burnable gas or smoke in the air, as an MQ-2 senses it. It is no concentration and no certified detector.",
                "Higher is worse. Look at what your room has on a good day, and set the threshold above that. It warms up for some minutes after power comes."
            ),
            .gasAlarm: KindWords(
                "Gas detector", "Whether there is gas that burns in the air.",
                "“Gas” is an alarm at any time, armed or not."),
            .smoke: KindWords("Smoke", "Whether there is smoke.", "“Smoke” is an alarm at once, armed or not."),
            .heat: KindWords(
                "Heat detector", "Whether it is as hot as in a fire.", "“Heat” is an alarm at any time, armed or not."),
            .carbonMonoxide: KindWords(
                "Carbon monoxide", "Whether there is carbon monoxide, which nobody smells.",
                "“Gas” is an alarm at once: open windows, leave."),
            .carbonMonoxideLevel: KindWords(
                "Carbon monoxide level", "How much carbon monoxide is in the air, in ppm or mg/m³.",
                "An alarm by level and time, as EN 50291 has it: 300 ppm within 3 minutes, 50 ppm within 90."),
            .panic: KindWords(
                "Panic button", "Whether a person pressed it to call for help.",
                "Pressed, it calls for help at once, armed or not."),
            .moisture: KindWords(
                "Water", "Whether it is wet where it lies.", "“Wet” is an alarm at once, armed or not."),
            .distance: KindWords(
                "Distance", "How far the next thing in front of it is, by ultrasound, in centimetres.",
                "A sudden smaller value is somebody in front of it. It counts while the house is armed and empty."),
            .vibration: KindWords(
                "Vibration", "Whether it is shaken: a window, a safe, the box itself.",
                "“Shaken” is an alarm at once while armed."),
            .tag: KindWords(
                "Tag", "The tag that was held to the reader last.",
                "A tag that the house knows disarms it. Others are told to you."),
            .contact: KindWords(
                "Door or window", "Whether a door or window is open.", "“Open” starts the time to disarm while armed."),
            .motion: KindWords("Motion", "Whether somebody moves.", "It counts while the house is armed and empty."),
            .temperature: KindWords("Temperature", "How warm it is.", "In the unit beside the value."),
            .humidity: KindWords(
                "Humidity", "How much water the air holds, of what it could hold.",
                "40 to 60 % is comfortable; long above 70 % brings mould."),
            .battery: KindWords(
                "Battery", "Battery level.", "Replace it below 15 %: when it is empty, the sensor stops responding."),
            .power: KindWords("Power", "What something takes at this moment.", "In watts; 0 when it is off."),
            .energy: KindWords(
                "Energy", "What something has taken so far.", "It only grows; differences are what counts."),
            .signal: KindWords(
                "Signal", "How well its radio is heard.", "Nearer to 0 is better; below −85 dBm messages get lost."),
            .snapshot: KindWords(
                "Picture", "The last picture of a camera.", "It is shown as it came; nothing looks at who is on it."),
            .number: KindWords(
                "Number", "A number that its maker or you gave a meaning.", "In the unit beside the value."),
            .truth: KindWords("Yes or no", "A state that its maker or you gave a meaning.", "One of two."),
            .text: KindWords("Text", "What it says, in its own words.", "As it came."),
        ],
        actuators: [
            .siren: KindWords(
                "Siren", "Makes noise when the alarm is on.",
                "It is told on with the alarm, and off with its end or a silence."),
            .fan: KindWords(
                "Fan", "Moves bad air out.",
                "0 is off; from 50 to 100 % it turns. It runs by itself above the threshold."),
            .valve: KindWords(
                "Gas valve", "Lets gas in, or keeps it out.",
                "A gas alarm closes it by itself. Opening asks who you are."),
            .light: KindWords(
                "Light", "A lamp, or the LED of the box.", "On, off, a brightness or a colour, as it can."),
            .display: KindWords("Display", "Shows a line of text where it stands.", "At most 80 characters."),
            .plug: KindWords("Plug", "Gives power to what is plugged in.", "On or off."),
            .number: KindWords("Setting", "Takes a number.", "What it means, its maker says."),
            .other: KindWords("Switch", "Can be on or off.", "What that means, its maker says."),
        ])
}
