import Accounts
import HTTPServer
import Identity
import JSON
import System

/// The installed app: its manifest, its service worker, and the page for what is not on the device.
public struct Shell: Sendable {
    /// What a page shows that was not kept; kept itself.
    public static let offlinePath: LocalPath = "/offline"
    /// Leads to the person's badge; the way in from the app's icon.
    public static let badgePath: LocalPath = "/badge"

    private let files: StaticFiles
    private let accounts: Accounts
    private let navigation: Navigation

    /// - Parameter files: what `/static` serves: a change of any of it brings a new worker.
    public init(files: StaticFiles, accounts: Accounts, navigation: Navigation) {
        (self.files, self.accounts, self.navigation) = (files, accounts, navigation)
    }

    /// The file of the worker, and how it is versioned: by all that it may keep, itself included.
    static let workerFile = "service-worker.js"

    /// Registers what a phone needs to install the app and to open it without the hub.
    /// - Throws: when the worker's file is not in the folder of pages.
    public func register(pages: inout PageRoutes) throws {
        let worker = Self.worker(version: files.version, files: files.names, code: try Self.workerCode())
        let tag = "\"\(files.version)\""
        pages.router.on(.get, "/" + Self.workerFile) { request in
            // Asked anew at every start of a page, and answered with a word while nothing has changed.
            var response = Response(contentType: "text/javascript; charset=utf-8")
            response.headers = [("ETag", tag), ("Cache-Control", "no-cache"), ("Service-Worker-Allowed", "/")]
            if request.headers["if-none-match"] == tag {
                (response.status, response.contentType) = (304, nil)
            } else {
                response.body = .bytes(worker)
            }
            return response
        }
        pages.onPublic(.get, "/manifest.webmanifest", why: "it says what the app is called") { _, _, language in
            Response(contentType: "application/manifest+json", body: .bytes(Self.manifest(language)))
        }
        let (accounts, navigation) = (accounts, navigation)
        pages.onPublic(.get, Self.offlinePath.description, why: "it shows somebody the names of their own places") {
            request, principal, language in
            let now = accounts.clock.now
            let places = (principal?.sites(at: now) ?? []).flatMap { site in
                navigation.items(for: principal!, at: site.id, now: now, language, current: "/").map {
                    OfflineView.Link(href: $0.href, label: $0.label, place: site.name)
                }
            }
            let response = Response.html(OfflineView.page(.init(language: language, links: places)).bytes)
            return request.asksForSavedForm ? response.saved(for: principal?.person, language) : response
        }
    }

    private static func workerCode() throws -> [UInt8] {
        try Files.read(StaticFolder.path + "/" + workerFile, limit: 64 << 10)
    }

    /// The worker with its version and the files of the shell in front: our own, not the libraries in folders of their own.
    static func worker(version: String, files: [String], code: [UInt8]) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for name in files where name != workerFile && !name.utf8.contains(UInt8(ascii: "/")) {
                json.value("/static/" + name)
            }
            json.value("/manifest.webmanifest")
        }
        return Array("const version = '\(version)'\nconst files = ".utf8) + json.bytes + Array("\n".utf8) + code
    }

    /// What a phone shows of the app (W3C, Web Application Manifest). The colours follow the theme by the pages' own
    /// `theme-color`; the manifest has room for one, and that is paper.
    static func manifest(_ language: Language) -> [UInt8] {
        let words = ShellWords.in(language)
        var json = JSONWriter(capacity: 1536)
        json.object { json in
            json.field("id", "/")
            json.field("name", "Soglia")
            json.field("short_name", "Soglia")
            json.field("description", words.about)
            json.field("lang", language.rawValue)
            json.field("dir", "ltr")
            json.field("start_url", Entrance.startPath.description)
            json.field("scope", "/")
            json.field("display", "standalone")
            json.field("background_color", "#f6f4ef")
            json.field("theme_color", "#f6f4ef")
            json.array("categories") { $0.value("utilities") }
            json.array("icons") { json in
                icon("icon.svg", "any", "image/svg+xml", "any", &json)
                icon("icon-192.png", "192x192", "image/png", "any", &json)
                icon("icon-512.png", "512x512", "image/png", "any", &json)
                icon("icon-maskable-192.png", "192x192", "image/png", "maskable", &json)
                icon("icon-maskable-512.png", "512x512", "image/png", "maskable", &json)
            }
            json.array("shortcuts") { json in
                shortcut(words.gates, Entrance.startPath, &json)
                shortcut(words.badge, Entrance.startPath.adding("return", badgePath.description), &json)
            }
        }
        return json.bytes
    }

    private static func icon(
        _ file: String, _ sizes: String, _ type: String, _ purpose: String, _ json: inout JSONWriter
    ) {
        json.object { json in
            json.field("src", "/static/" + file)
            json.field("sizes", sizes)
            json.field("type", type)
            json.field("purpose", purpose)
        }
    }

    private static func shortcut(_ name: String, _ path: LocalPath, _ json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("url", path.description)
            json.array("icons") { icon("icon-192.png", "192x192", "image/png", "any", &$0) }
        }
    }
}
