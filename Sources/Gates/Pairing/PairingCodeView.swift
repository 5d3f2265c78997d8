import Accounts
import Bus
import Identity
import Ledger
import Pages
import System
import Wire

/// A pairing code on a page: what to type where, and how long it is good.
public enum PairingCodeView {
    /// A code that waits for a controller.
    public struct Code: Sendable {
        /// Groups of four letters, the last one shorter: what an eye can carry.
        let groups: [String]
        /// ISO 8601.
        let ends: String
        /// On the wall at the site.
        let endsText: String
        /// Rounded up.
        let minutes: Int

        /// Nil when the tables hold something else than a code.
        public init?(_ pending: PairingRecords.Pending, at site: Site, now: Timestamp) {
            guard let code = PairingCode(pending.code) else { return nil }
            let letters = Array(code.text)
            groups = stride(from: 0, to: letters.count, by: 4).map {
                String(letters[$0..<min($0 + 4, letters.count)])
            }
            (ends, endsText) = (pending.expires.iso8601, site.zone.clockText(at: pending.expires))
            minutes = Int((pending.expires.milliseconds - now.milliseconds + 59_999) / 60_000)
        }
    }

    /// The code, counting down, on a page with the module `pairing-code`; a form `POST …/pairing` for a new one.
    /// - Parameters:
    ///   - event: what the live stream tells when the thing with `id` has come in.
    ///   - path: the page itself.
    ///   - command: what to run at the controller.
    ///   - hub: where that reaches the bus.
    public static func part(
        _ code: Code, event: StaticString, id: String, path: LocalPath, command: String, of hub: BusAddress,
        _ language: Language
    ) -> HTML {
        let words = GateAdminWords.in(language)
        return island(
            "pairing-code", .css("pile"), .data("event", "\(event)"), .data("id", id), .data("ends", code.ends),
            .data("left", words.codeEnds(code.endsText, 0).replacing("0 min", with: "{} min")),
            .data("ended", words.codeEnded)
        ) {
            h3 { words.code }
            p(.css("letters"), .aria("label", code.groups.joined(separator: " "))) {
                for group in code.groups { letters(group) }
            }
            p { words.typeThis }
            p { letters(command) }
            p(.css("soft")) { words.folderHint }
            if hub.isLoopback { p(.css("soft")) { words.onlyHere } }
            p { words.thenLetters }
            p(.css("soft"), .data("part", "left")) { words.codeEnds(code.endsText, code.minutes) }
            div(.css("row")) {
                a(.css("button quiet"), .href(path)) { words.lookAgain }
                ask(path, words.newCode, isQuiet: true)
            }
        }
    }

    /// A form that asks for a code.
    public static func ask(_ path: LocalPath, _ label: String, isQuiet: Bool = false) -> HTML {
        form(.method(.post), .action(path.under("pairing"))) {
            button(.css(isQuiet ? "quiet" : ""), .type(.submit)) { label }
        }
    }

    private static func letters(_ text: String) -> HTML { code { text } }
}
