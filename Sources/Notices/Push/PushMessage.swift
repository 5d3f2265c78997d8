import Accounts
import Identity
import JSON
import Ledger
import System

/// What a device is told, as its service worker reads it: words in the person's language, and what a tap does.
struct PushMessage: Sendable {
    /// The most bytes of a message: a push service takes 4,096, of which encryption needs 103 (RFC 8291, section 4).
    static let longest = 3_993
    /// A body is cut to so many bytes, so that the rest fits beside it.
    static let longestBody = 1_200
    /// More than two buttons are shown nowhere.
    static let mostActions = 2

    /// A button under it.
    struct Action: Sendable {
        let name: String
        let title: String
        let proof: ActionProof
        /// The page that is opened instead of acting at once.
        let link: String?
    }

    /// The notice's, by which an action is sent.
    let id: String
    /// What is shown.
    let words: NoticeWords
    let language: Language
    /// A newer one of the same tag takes an older one's place on the device.
    let tag: String
    /// Whether it stays until it is looked at.
    let isCritical: Bool
    /// Whether the device says when it shows it.
    let isTracked: Bool
    /// The page that a tap opens.
    let link: String
    let actions: [Action]

    /// Of a notice for a person.
    /// - Parameter isLocked: whether the device gets only what anybody may see, and nothing to do.
    init(_ delivery: NoticeDelivery, isLocked: Bool) {
        let (notice, content, language) = (delivery.notice, delivery.notice.content, delivery.language)
        let offered = isLocked ? [] : content.actions
        let page = content.linkHasActions ? content.link ?? "/" : Self.page(of: notice.id)
        (id, self.language) = (notice.id.text, language)
        words = isLocked ? content.publicText[language] : delivery.lockScreen
        tag = content.topic ?? notice.id.text
        isCritical = content.urgency == .critical
        isTracked = true
        // Where there is something to do, the page that has the buttons: not every device shows them on its lock screen.
        link = offered.isEmpty && !isLocked ? content.link ?? page : page
        actions = offered.prefix(Self.mostActions).map { action in
            Action(
                name: action.name, title: action.words[language].title, proof: action.proof,
                link: Self.link(of: action, page))
        }
    }

    /// That pushes arrive.
    init(test id: String, _ language: Language) {
        let words = PushWords.in(language)
        (self.id, self.words, self.language) = (id, NoticeWords(words.testTitle, words.testBody), language)
        (tag, isCritical, isTracked, link, actions) = ("test", false, false, "/account/sessions#this-device", [])
    }

    /// Where a notice stands with its actions: its place in the inbox.
    private static func page(of notice: NoticeID) -> String { "/notices#notice-\(notice.text)" }

    /// Where an action leads that the worker does not do by itself: to the notice's page, by way of the passkey where one is asked for.
    private static func link(of action: NoticeAction, _ page: String) -> String? {
        switch action.proof {
        case .none: nil
        case .unlocked: action.page ?? page
        // In a query all but one of its characters stand for themselves.
        case .passkey: "/account/prove?strong=1&return=" + page.replacing("#", with: "%23")
        }
    }

    /// The message; one that is too long, by signs that JSON writes as several, goes without its body.
    var json: [UInt8] {
        let whole = json(body: Self.cut(words.body))
        return whole.count <= Self.longest ? whole : json(body: "")
    }

    private static func cut(_ text: String) -> String {
        var short = Substring(text)
        while short.utf8.count > longestBody { short.removeLast() }
        return String(short)
    }

    private func json(body: String) -> [UInt8] {
        Sent(message: self, body: body).document(capacity: 1_024)
    }

    /// A message with the body that fits.
    private struct Sent: JSONObject {
        let message: PushMessage
        let body: String

        static let shape = Shape<Sent> {
            JSONField("id", "the notice's id") { $0.message.id }
            JSONField("title", "a line") { $0.message.words.title }
            JSONField("body", "a few sentences") { $0.body }
            JSONField("lang", "the language of its words") { $0.message.language.rawValue }
            JSONField("tag", "a newer one takes an older one's place") { $0.message.tag }
            JSONField("isCritical", "whether it stays until it is looked at") { $0.message.isCritical }
            JSONField("isTracked", "whether the device says when it shows it") { $0.message.isTracked }
            JSONField("link", "the page that a tap opens") { $0.message.link }
            JSONField("actions") { $0.message.actions }
            JSONField("words") { PushWords.in($0.message.language) }
        }
    }
}

extension PushMessage.Action: JSONObject {
    static let shape = Shape<PushMessage.Action> {
        JSONField("name", "for the address of the action") { $0.name }
        JSONField("title", "what its button says") { $0.title }
        JSONField("proof") { $0.proof }
        JSONField("link", "the page that is opened instead of acting at once") { $0.link }
    }
}

extension PushWords: JSONObject {
    static let shape = Shape<PushWords> {
        JSONField("unreachable", "of an action that the hub did not answer") { $0.unreachable }
        JSONField("signedOut", "of an action in a session that is over") { $0.signedOut }
        JSONField("over", "of an action that came too late") { $0.over }
        JSONField("done", "of an action that was done before") { $0.done }
        JSONField("prove", "of an action that asks for a passkey") { $0.prove }
        JSONField("refused", "of any other refusal") { $0.refused }
    }
}

/// The words that a device needs when the hub cannot give it any.
struct PushWords: Sendable {
    /// An action that the hub did not answer.
    let unreachable: String
    /// An action of somebody whose session is over.
    let signedOut: String
    /// An action that came too late.
    let over: String
    /// An action that somebody took before.
    let done: String
    /// An action that asks for a passkey since the notice was sent.
    let prove: String
    /// Any other refusal.
    let refused: String
    /// A notice that says only that it came.
    let testTitle: String
    let testBody: String

    static func `in`(_ language: Language) -> PushWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = PushWords(
        unreachable: "Soglia did not answer. Open it to see whether it was done.",
        signedOut: "You are signed out on this device. Sign in to go on.",
        over: "This is over. Nothing was done.", done: "This was done already.",
        prove: "Show your passkey first. Tap here.", refused: "Soglia did not do it. Tap here to see more.",
        testTitle: "It works", testBody: "Soglia reaches you on this device.")
    private static let it = PushWords(
        unreachable: "Soglia non ha risposto. Aprila per vedere se è stato fatto.",
        signedOut: "Su questo dispositivo non hai più l’accesso. Accedi per continuare.",
        over: "È tardi: non è stato fatto niente.", done: "Era già stato fatto.",
        prove: "Prima mostra la tua passkey. Tocca qui.",
        refused: "Soglia non l’ha fatto. Tocca qui per saperne di più.",
        testTitle: "Funziona", testBody: "Soglia ti raggiunge su questo dispositivo.")
    private static let es = PushWords(
        unreachable: "Soglia no ha respondido. Ábrela para ver si se ha hecho.",
        signedOut: "En este dispositivo ya no has iniciado sesión. Entra para seguir.",
        over: "Ya es tarde: no se ha hecho nada.", done: "Ya se había hecho.",
        prove: "Antes muestra tu clave de acceso. Toca aquí.",
        refused: "Soglia no lo ha hecho. Toca aquí para saber más.",
        testTitle: "Funciona", testBody: "Soglia te encuentra en este dispositivo.")
}
