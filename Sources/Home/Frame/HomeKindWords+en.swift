extension HomeKindWords {
    static let en = HomeKindWords(
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
