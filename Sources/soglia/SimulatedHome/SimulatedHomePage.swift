import Box
import Pages

/// The page of a simulated home. English only: it is for whoever tries the system.
enum SimulatedHomePage {
    static func page(_ view: SimulatedHome.View) -> HTML {
        Frame.page(
            title: view.name.isEmpty ? "Simulated home" : view.name, place: "Simulated home", language: .en,
            style: .desk, hasLanguages: false, actions: a(.css("button plain"), .href("/")) { "Look again" },
            content: div(.css("pile")) {
                section(.css("pile")) {
                    h2 { "The box" }
                    ul(.css("cards")) {
                        li { panel(view) }
                        li { moves(view) }
                        li { senses(view) }
                    }
                }
                for group in groups {
                    section(.css("pile")) {
                        h2 { group.title }
                        div(.css("row")) { for deed in group.deeds { button(deed) } }
                    }
                }
            })
    }

    private static func panel(_ view: SimulatedHome.View) -> HTML {
        let (tone, words) = standing(view)
        return div(.css("card")) {
            Part.sign(tone)
            div(.css("card-words")) {
                h3 { "Panel" }
                p { Part.chip(tone, words) }
                for line in view.lines where !line.isEmpty { p { code { line } } }
                if let left = view.left { p(.css("soft")) { "\(left) s left" } }
                p(.css("soft")) {
                    !view.hasNetwork
                        ? "The network is cut." : view.hasHub ? "The hub answers." : "The hub does not answer."
                    if let waiting = view.waiting, waiting > 0 { " \(waiting) records wait for it." }
                }
            }
        }
    }

    private static func moves(_ view: SimulatedHome.View) -> HTML {
        div(.css("card")) {
            div(.css("card-words")) {
                h3 { "What it moves" }
                dl(.css("pairs")) {
                    pair("Siren", view.isSounding ? "sounds" : "silent")
                    pair("Fan", view.fan == 0 ? "off" : "\(view.fan) %")
                    pair("Gas valve", view.isValveOpen ? "open" : "closed")
                    pair("Plug", view.isPlugOn ? "on" : "off")
                    pair("Light", "\(view.colour.red), \(view.colour.green), \(view.colour.blue)")
                }
            }
        }
    }

    private static func senses(_ view: SimulatedHome.View) -> HTML {
        div(.css("card")) {
            div(.css("card-words")) {
                h3 { "What it senses" }
                dl(.css("pairs")) {
                    for (sensor, value) in view.values { pair(name(sensor), words(sensor, value)) }
                }
                if view.isWarming { p(.css("soft")) { "The gas sensor is warming up." } }
            }
        }
    }

    @HTMLBuilder private static func pair(_ name: String, _ value: String) -> HTML {
        dt { name }
        dd { value }
    }

    private static func standing(_ view: SimulatedHome.View) -> (Tone, String) {
        guard view.hasPower else { return (.idle, "without power") }
        let words = view.state.map { $0 == "_" ? " " : String($0) }.joined()
        return switch view.state {
        case "triggered": (.no, words)
        case "pending", "arming": (.wait, words)
        case "disarmed": (.idle, words)
        default: (.go, words)
        }
    }

    private static func name(_ sensor: BoxSensor) -> String {
        switch sensor {
        case .gas: "Gas"
        case .smoke: "Smoke"
        case .distance: "Ultrasonic sensor"
        case .vibration: "Vibration"
        case .door: "Door"
        case .battery: "Battery"
        }
    }

    private static func words(_ sensor: BoxSensor, _ value: Double) -> String {
        switch sensor {
        case .smoke: value == 0 ? "none" : "smoke"
        case .vibration: value == 0 ? "still" : "shaken"
        case .door: value == 0 ? "closed" : "open"
        case .gas: "\(Int(value))"
        case .distance, .battery: "\(Int(value)) \(sensor.unit)"
        }
    }

    private struct Deed {
        let act: SimulatedRoom.Act
        let label: String
    }

    private static let groups: [(title: String, deeds: [Deed])] = [
        (
            "Air",
            [
                Deed(act: .leak, label: "Let gas leak"), Deed(act: .air, label: "Air the room"),
                Deed(act: .smoke, label: "Make smoke"), Deed(act: .clear, label: "Clear the smoke"),
            ]
        ),
        (
            "People",
            [
                Deed(act: .open, label: "Open the door"), Deed(act: .close, label: "Close the door"),
                Deed(act: .walk, label: "Walk past the sensor"), Deed(act: .shake, label: "Shake the box"),
                Deed(act: .tag, label: "Hold your tag to it"), Deed(act: .stranger, label: "Hold an unknown tag to it"),
                Deed(act: .help, label: "Press the button for help"),
            ]
        ),
        (
            "The box itself",
            [
                Deed(act: .drain, label: "Empty the battery"), Deed(act: .charge, label: "Put a new battery in"),
                Deed(act: .unplug, label: "Break the gas sensor"), Deed(act: .mend, label: "Mend the gas sensor"),
                Deed(act: .cut, label: "Cut the network"), Deed(act: .restore, label: "Give the network back"),
                Deed(act: .restart, label: "Restart the box"),
            ]
        ),
    ]

    private static func button(_ deed: Deed) -> HTML {
        form(.method(.post), .action("/act/\(deed.act.rawValue)")) {
            Pages.button(.css("quiet"), .type(.submit)) { deed.label }
        }
    }
}
