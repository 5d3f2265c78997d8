import Accounts
import Identity

extension Part {
    /// How to put the app on the phone: shown by its island where it can be, until it is put away.
    public static func installHint(_ language: Language) -> HTML {
        let words = ShellWords.in(language)
        return island("install-hint", .css("plate hint-plate"), .hidden(true)) {
            h2 { words.installTitle }
            p(.css("soft")) { words.installDetail }
            p(.css("soft"), .data("part", "by-hand"), .hidden(true)) { words.installByHand }
            div(.css("row")) {
                button(.css("quiet"), .type(.button), .data("part", "install"), .hidden(true)) { words.install }
                button(.css("plain"), .type(.button), .data("part", "away")) { words.notNow }
            }
        }
    }

    /// That the hub has a newer version than this page: shown by its island when it is so.
    static func update(_ language: Language) -> HTML {
        let words = ShellWords.in(language)
        return island("app-update", .css("update"), .role("status"), .data("version", StaticFolder.version)) {
            p(.data("part", "words"), .hidden(true), .data("text", words.newer)) {}
            button(.css("quiet"), .type(.button), .hidden(true)) { words.showIt }
        }
    }
}
