import Pages

/// The letters that the demo's hub has sent, instead of bringing them to anybody.
enum LettersPage {
    /// - Parameter hub: `http://localhost:8080`; links that begin with it can be followed.
    static func page(_ letters: [MailboxLetter], hub: String) -> HTML {
        Frame.page(
            title: "Letters of the demo", place: "Soglia", language: .en, style: .desk, path: "/letters",
            back: ("/", "Demo"), hasLanguages: false,
            content: div(.css("pile")) {
                if letters.isEmpty {
                    Part.empty(
                        title: "No letter yet",
                        detail: "Make an account at the hub, or forget a password: what it writes is read here.")
                } else {
                    p(.css("soft")) { "The newest first. Nothing leaves this machine." }
                    for letter in letters { card(letter, hub) }
                }
            })
    }

    private static func card(_ letter: MailboxLetter, _ hub: String) -> HTML {
        div(.css("card")) {
            div(.css("card-words")) {
                h2 { bdi { letter.subject } }
                p(.css("soft")) {
                    bdi { "To \(letter.to)" }
                    " · \(letter.date)"
                }
                for line in letter.lines where !line.isEmpty { paragraph(line, hub) }
            }
        }
    }

    private static func paragraph(_ line: String, _ hub: String) -> HTML {
        guard line.hasPrefix(hub + "/"), let origin = HubOrigin(hub),
            let path = LocalPath(String(line.dropFirst(hub.count)))
        else { return p { bdi { line } } }
        return p { a(.css("long"), .href(origin, path)) { line } }
    }
}
