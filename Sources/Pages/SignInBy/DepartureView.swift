import Accounts
import Identity
import OpenID

/// On the way to a service. The browser goes on by itself; where it does not, there is a link.
///
/// A page of its own, because the content policy lets forms lead to this hub alone, and Chromium holds every redirect after a form to
/// that: also those that the service makes among its own hosts, which nobody can list.
enum DepartureView {
    static func page(_ service: String, _ address: WebAddress, _ language: Language) -> HTML {
        let words = SignInByWords.in(language)
        return Frame.threshold(
            title: words.onTheWay(service), language: language, path: "/sign-in",
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.onTheWay(service) }
                p(.css("lead")) { words.onTheWayDetail }
                p { a(.css("button"), .href(address)) { words.goOnWith(service) } }
            })
    }
}
