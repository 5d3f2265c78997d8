import Accounts
import HTTPServer
import Ledger
import Pages

extension Household {
    /// The house itself.
    func registerHousePage(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}", for: Permission.inHouse) { request, principal, language in
            let frame = try self.frame(request, principal, language)
            let (words, summary) = (HomeLiveWords.in(language), self.sight.summary(of: frame.site.id))
            return frame.page(.house, title: words.house) {
                div(.class("row"), .data("house", frame.site.id.text)) {
                    Part.chip(summary.condition.tone, words.condition(summary.condition), part: "status")
                    Part.chip(summary.panel.state.tone, words.panel(summary.panel.state), part: "panel")
                    HomePart.age(summary.heard, frame.now, words)
                }
            }
        }
    }
}
