import Accounts
import Identity

/// The part of the page about notices that says whether they come to this device, and switches them on and off.
public enum PushSettingsView {
    /// The name of its module.
    public static let module = "push-settings"

    /// The part. Without script it says that it needs one: only the browser knows whether it may show notices.
    public static func part(_ language: Language) -> HTML {
        let words = PushSettingsWords.in(language)
        return Frame.joined(
            island(
                "push-settings", .css("plate"), .id("this-device"), .role("region"),
                .aria("labelledby", "this-device-title"), .data("words", "push-words")
            ) {
                h2(.id("this-device-title")) { words.title }
                div(.role("status")) {
                    p { Part.chip(.idle, words.unknown, part: "chip") }
                    p(.css("soft"), .data("part", "detail")) { words.unknownDetail }
                }
                div(.css("actions")) {
                    button(.type(.button), .data("part", "switch"), .hidden(true)) { words.turnOn }
                    button(.css("quiet"), .type(.button), .data("part", "test"), .hidden(true)) { words.test }
                }
                p(.role("status"), .data("part", "outcome")) { "" }
            },
            words.forIsland)
    }
}
