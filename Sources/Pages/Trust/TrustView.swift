import Accounts
import Identity

/// The page that teaches a phone to trust the hub's own authority.
public enum TrustView {
    /// Where the page stands.
    public static let path: LocalPath = "/trust"
    /// Where the certificate is had, in DER form.
    public static let certificatePath: LocalPath = "/trust/soglia-authority.crt"
    /// Where the profile for iPhone, iPad and Mac is had.
    public static let profilePath: LocalPath = "/trust/soglia.mobileconfig"

    /// Whose steps come first.
    public enum Device: Sendable {
        /// An iPhone, an iPad.
        case apple
        /// A phone or tablet with Android.
        case android
        /// Anything else.
        case other

        /// What a browser says that it is. Only the order of the page depends on it.
        public init(userAgent: String?) {
            let text = userAgent ?? ""
            self =
                text.utf8.contains("iPhone".utf8) || text.utf8.contains("iPad".utf8)
                ? .apple : text.utf8.contains("Android".utf8) ? .android : .other
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// The authority's fingerprint: 16 groups of four digits.
        public var fingerprint: [String]
        /// The names that the authority may vouch for.
        public var names: [String]
        /// Its last day: year, month (1 to 12), day.
        public var until: (year: Int, month: Int, day: Int)
        /// Where the hub is; nil when the page stands on the hub itself.
        public var hub: HubOrigin?
        /// What the visitor holds.
        public var device: Device

        /// See the properties.
        public init(
            language: Language, fingerprint: [String], names: [String], until: (year: Int, month: Int, day: Int),
            hub: HubOrigin?, device: Device
        ) {
            (self.language, self.fingerprint, self.names) = (language, fingerprint, names)
            (self.until, self.hub, self.device) = (until, hub, device)
        }
    }

    /// The page. It has no script, and on a listener without TLS no form either: languages are links there.
    public static func page(_ model: Model) -> HTML {
        let words = TrustWords.in(model.language)
        return Frame.threshold(
            title: words.title, language: model.language, path: path, languageLinks: model.hub != nil,
            content: div(.css("matter trust")) {
                p(.css("where")) { "Soglia" }
                h1 { words.title }
                p(.css("lead")) { words.lead }
                section(.css("part")) {
                    h2 { words.compare }
                    p(.css("fingerprint")) {
                        for group in model.fingerprint { code { group } }
                    }
                    p(.css("soft")) { words.compareDetail }
                }
                for part in parts(model, words) { part }
                section(.css("part")) {
                    h2 { words.done }
                    p(.css("soft")) { words.doneDetail }
                    p {
                        if let hub = model.hub {
                            a(.css("button quiet"), .href(hub, "/")) { words.openHub }
                        } else {
                            a(.css("button quiet"), .href("/")) { words.openHub }
                        }
                    }
                }
                section(.css("part")) {
                    h2 { words.limits }
                    // One that vouches for this machine alone has no name to tell a phone.
                    if !model.names.isEmpty {
                        p(.css("soft")) { words.limitsNames }
                        ul(.css("names")) {
                            for name in model.names { li { code { name } } }
                        }
                    }
                    p(.css("soft")) {
                        words.limitsUntil(
                            PagesWords.in(model.language).date(
                                year: model.until.year, month: model.until.month, day: model.until.day))
                    }
                    p(.css("soft")) { words.limitsUndo }
                }
            })
    }

    /// The visitor's own device first, its button the strong one.
    private static func parts(_ model: Model, _ words: TrustWords) -> [HTML] {
        let apple = part(
            words.apple, profilePath, words.appleDownload, words.appleSteps, isStrong: model.device != .android)
        let android = part(
            words.android, certificatePath, words.androidDownload, words.androidSteps,
            isStrong: model.device == .android)
        let computer = section(.css("part")) {
            h2 { words.computer }
            p(.css("soft")) { words.computerDetail }
            p { a(.css("button quiet"), .href(certificatePath)) { words.computerDownload } }
        }
        return model.device == .android ? [android, apple, computer] : [apple, android, computer]
    }

    private static func part(
        _ title: String, _ path: LocalPath, _ download: String, _ steps: [String], isStrong: Bool
    ) -> HTML {
        section(.css("part")) {
            h2 { title }
            p { a(.css(isStrong ? "button" : "button quiet"), .href(path)) { download } }
            ol(.css("steps")) {
                for step in steps { li { marked(step) } }
            }
        }
    }

    /// Every second piece between asterisks is what the phone's own screen says.
    private static func marked(_ text: String) -> HTML {
        HTMLBuilder.buildArray(
            text.split(separator: "*", omittingEmptySubsequences: false).enumerated().map { index, piece in
                index % 2 == 0 ? .text(String(piece)) : strong { String(piece) }
            })
    }
}
