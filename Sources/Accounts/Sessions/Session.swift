import HTTPServer
import Identity
import Store
import System

/// A place where somebody is signed in.
public struct Session: Sendable, Equatable {
    /// The kind of id that names sessions.
    public enum Name {}
    /// What the list calls it. It proves nothing: the token does, and only its hash is kept.
    public let id: ID<Name>
    /// The hash of its token: what a principal's `session` is compared with.
    public let hash: [UInt8]
    /// When somebody signed in there.
    public let created: Timestamp
    /// When it was last used, to ten minutes or so.
    public let seen: Timestamp
    /// When it ends by itself.
    public let expires: Timestamp
    /// From which address it was last used; nil for one that began before this was kept.
    public let address: String?
    /// What it is used with.
    public let client: Client
    /// Whether it is a program's.
    public let isProgram: Bool
}

/// The name of a session in lists.
public typealias SessionID = ID<Session.Name>

/// What kind of client somebody uses, as far as it says: never more than two words, so nothing that it sends is kept.
public struct Client: Sendable, Equatable {
    /// The programs that people know by name.
    public enum Browser: String, Sendable, CaseIterable {
        /// Google's.
        case chrome = "Chrome"
        /// Chromium, and what says no more than that.
        case chromium = "Chromium"
        /// Microsoft's.
        case edge = "Edge"
        /// Mozilla's.
        case firefox = "Firefox"
        /// Apple's.
        case safari = "Safari"
        /// Opera's.
        case opera = "Opera"
        /// Samsung's.
        case samsung = "Samsung Internet"
    }

    /// The systems that people know by name.
    public enum System: String, Sendable, CaseIterable {
        /// Google's, on phones and tablets.
        case android = "Android"
        /// Apple's phone.
        case iPhone = "iPhone"
        /// Apple's tablet.
        case iPad = "iPad"
        /// Apple's desk and laptop.
        case mac = "macOS"
        /// Microsoft's.
        case windows = "Windows"
        /// Google's laptop.
        case chromeOS = "ChromeOS"
        /// Any other Linux.
        case linux = "Linux"
    }

    /// Nil: a program, or a browser that we do not know.
    public let browser: Browser?
    /// Nil: it does not say.
    public let system: System?

    /// Says nothing.
    public static let unknown = Client(browser: nil, system: nil)

    /// See the properties.
    public init(browser: Browser?, system: System?) { (self.browser, self.system) = (browser, system) }

    /// So many bytes of a User-Agent field are looked at.
    static let longest = 512

    /// What a User-Agent field tells (RFC 9110, section 10.1.5), by the words that browsers have put there for long.
    public init(userAgent: String?) {
        let text = String(decoding: (userAgent ?? "").utf8.prefix(Self.longest), as: UTF8.self)
        // In this order: almost all of them also say Chrome, Safari and Mozilla.
        let browsers: [(mark: String, browser: Browser)] = [
            ("SamsungBrowser/", .samsung), ("OPR/", .opera), ("Edg", .edge), ("Firefox/", .firefox),
            ("FxiOS/", .firefox), ("CriOS/", .chrome), ("Chromium/", .chromium), ("HeadlessChrome/", .chromium),
            ("Chrome/", .chrome), ("Safari/", .safari),
        ]
        let systems: [(mark: String, system: System)] = [
            ("Android", .android), ("iPhone", .iPhone), ("iPad", .iPad), ("CrOS", .chromeOS), ("Windows", .windows),
            ("Macintosh", .mac), ("Linux", .linux),
        ]
        browser = text.hasPrefix("Mozilla/") ? browsers.first { text.contains($0.mark) }?.browser : nil
        system = systems.first { text.contains($0.mark) }?.system
    }

    /// As it is stored: `Firefox|Linux`, either side may be empty.
    public var stored: String { "\(browser?.rawValue ?? "")|\(system?.rawValue ?? "")" }

    /// Of what `stored` wrote; what it cannot read is unknown.
    public init(stored: String?) {
        let parts = (stored ?? "|").split(separator: "|", omittingEmptySubsequences: false)
        browser = parts.first.flatMap { Browser(rawValue: String($0)) }
        system = parts.count == 2 ? System(rawValue: String(parts[1])) : nil
    }

    /// In words, where the word between browser and system is the reader's: `Firefox on Linux`. Nil when nothing is known.
    public func text(on word: String) -> String? {
        switch (browser?.rawValue, system?.rawValue) {
        case (let browser?, let system?): "\(browser) \(word) \(system)"
        case (let browser?, nil): browser
        case (nil, let system?): system
        case (nil, nil): nil
        }
    }
}

/// Whoever is at the door, before it is known who they are.
public struct Visitor: Sendable {
    /// Where the request came from.
    public let address: String
    /// What it was made with.
    public let client: Client
    /// What a known device shows: the value of `KnownDevice.cookie`.
    public let device: String?

    /// See the properties.
    public init(address: String, client: Client = .unknown, device: String? = nil) {
        (self.address, self.client, self.device) = (address, client, device)
    }

    /// Whoever made a request.
    public init(_ request: Request) {
        self.init(
            address: request.peerAddress, client: Client(userAgent: request.headers["user-agent"]),
            device: request.cookie(KnownDevice.cookie))
    }
}
