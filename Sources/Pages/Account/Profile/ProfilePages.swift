import Accounts
import HTTPServer
import Identity
import Images
import JSON
import Ledger
import Store
import System

/// One's own profile, for people and for programs; and people's photos, for whoever may see them.
struct ProfilePages: Sendable {
    let accounts: Accounts
    /// Makes photos; one for the whole hub.
    let desk: PhotoDesk

    /// A photo, and what a form says around it.
    private static let bodyLimit = Photo.bytesLimit + (16 << 10)

    // MARK: pages

    func register(_ pages: inout PageRoutes) {
        let own = AccountSection.profile.path
        pages.on(.get, own.description) { request, principal, language in
            var model = try model(principal, language)
            let words = ProfileWords.in(language)
            model.notice =
                [
                    "saved": words.saved, "photo": words.photoKept, "no-photo": words.photoRemoved,
                ][try request.query.get("done") ?? ""]
            return .html(ProfileView.page(model).bytes)
        }
        pages.on(.post, own.description) { request, principal, language in
            let form = try request.form()
            let name = try form.get("name", as: String.self)
            do {
                let change = try ProfileChange(
                    name: name, language: form.get("language"), zone: form.get("zone"))
                try await accounts.change(change, by: principal)
            } catch let fault as ProfileChange.Fault {
                // The other two are chosen from a list, which only a program leaves.
                guard fault == .name else { throw Problem.unprocessable("the field \(fault.rawValue) will not do") }
                var model = try model(principal, language)
                (model.name, model.refusedName) = (name ?? "", ProfileWords.in(language).nameRefused)
                return .html(ProfileView.page(model).bytes, status: 422)
            }
            return .redirect(to: own.adding("done", "saved").description)
        }
        pages.on(.post, ProfileView.photoPath.description, bodyLimit: Self.bodyLimit) { request, principal, language in
            let words = ProfileWords.in(language)
            var model = try model(principal, language)
            guard let file = try request.multipart().file("photo"), !file.content.isEmpty else {
                model.refusedPhoto = words.noFile
                return .html(ProfileView.page(model).bytes, status: 422)
            }
            do {
                try await keep(
                    try await desk.make(from: Array(file.content), of: principal.person.id.text), of: principal)
            } catch let refusal as PhotoError {
                model.refusedPhoto = words.refused(refusal)
                return .html(ProfileView.page(model).bytes, status: refusal == .busy ? 503 : 422)
            }
            return .redirect(to: own.adding("done", "photo").description)
        }
        pages.on(.post, ProfileView.photoPath.under("remove").description) { _, principal, _ in
            try await removePhoto(of: principal)
            return .redirect(to: own.adding("done", "no-photo").description)
        }
        pages.on(.get, "/people/{id}/photo") { request, principal, _ in try picture(request, principal) }
    }

    private func model(_ principal: Principal, _ language: Language) throws -> ProfileView.Model {
        let (words, now) = (PagesWords.in(language), accounts.clock.now)
        var places: [ProfileView.Place] = []
        var seen: Set<SiteID> = []
        for (_, site) in principal.memberships where seen.insert(site.id).inserted {
            let current = principal.current(at: site.id, now)
            let all = principal.memberships.filter { $0.site.id == site.id }.map(\.membership)
            var parts: [String] = []
            for part in (current.isEmpty ? all : current).map({ words.permission($0.permission.rawValue) })
            where !parts.contains(part) {
                parts.append(part)
            }
            places.append(
                .init(
                    name: site.name, kind: site.kind, parts: parts, isCurrent: !current.isEmpty,
                    href: "/sites/\(site.id.text)/gates"))
        }
        let tag = try accounts.store.read { try PhotoRecords.tag(of: principal.person.id, in: $0) }
        return ProfileView.Model(
            language: language, person: principal.person,
            photo: tag.map { Self.path(of: principal.person.id).adding("tag", $0) }, places: places)
    }

    private static func path(of person: PersonID) -> LocalPath { "/people/\(person.text)/photo" }

    // MARK: changes

    private func keep(_ photo: Photo, of principal: Principal) async throws {
        let now = accounts.clock.now
        let person = principal.person.id
        try await accounts.store.write {
            try PhotoRecords.set(large: photo.large, small: photo.small, of: person, at: now, in: $0)
        }
    }

    private func removePhoto(of principal: Principal) async throws {
        let person = principal.person.id
        try await accounts.store.write { try PhotoRecords.remove(of: person, in: $0) }
    }

    // MARK: the picture itself

    /// How long a browser shows a photo without asking, in seconds. A page of ours names the photo by its tag, so that another one has
    /// another address.
    private static let fresh = 600

    private func picture(_ request: Request, _ principal: Principal) throws -> Response {
        let person = try request.parameter("id", as: PersonID.self)
        let isSmall = try request.query.get("size", as: Int.self) == Photo.small
        let now = accounts.clock.now
        let (tag, known) = try accounts.store.read { database -> (String?, Bool) in
            guard try PhotoRecords.may(principal, lookAt: person, now: now, in: database) else { return (nil, false) }
            let tag = try PhotoRecords.tag(of: person, in: database)
            return (tag, request.headers["if-none-match"] == tag.map { Self.quoted($0, isSmall) })
        }
        // Nobody learns who is there and who has no photo.
        guard let tag else { throw Problem.notFound() }
        let headers = [
            ("ETag", Self.quoted(tag, isSmall)), ("Cache-Control", "private, max-age=\(Self.fresh)"),
            ("Vary", "Cookie"),
        ]
        if known { return Response(status: 304, headers: headers) }
        let bytes = try accounts.store.read { try PhotoRecords.photo(of: person, isSmall: isSmall, in: $0) }
        guard let bytes else { throw Problem.notFound() }
        return Response(contentType: "image/jpeg", headers: headers, body: .bytes(bytes))
    }

    private static func quoted(_ tag: String, _ isSmall: Bool) -> String { "\"\(tag)\(isSmall ? "-small" : "")\"" }

    // MARK: JSON

    private static let schema = Schema.object([
        ("id", .text("the person's id")), ("name", .text("what people call them")),
        ("email", .optional(.text("where mail reaches them"))),
        ("language", .optional(.text("en, it, es; null: what the browser asks for"))),
        ("zone", .optional(.text("a name of the IANA database; null: each site's own"))),
        ("photo", .optional(.text("where their photo is: a JPEG of up to 512 pixels; ?size=96 for a small one"))),
    ])

    func register(routes: inout Routes) {
        routes.on(
            .get, "/api/account", RouteDescription("One's own account.", answer: Self.schema)
        ) { _, principal in .json(try json(principal.person)) }
        routes.on(
            .patch, "/api/account",
            RouteDescription(
                "Changes one's own account; what is left out stays. Takes a passkey where a site of theirs asks for one.",
                body: .object([
                    ("name", .optional(.text("1 to 120 characters"))),
                    ("language", .optional(.text("en, it, es, or nothing: what the browser asks for"))),
                    ("zone", .optional(.text("a name of the IANA database, or nothing: each site's own"))),
                ]), answer: Self.schema)
        ) { request, principal in
            struct Body: Decodable { let name, language, zone: String? }
            let body = try request.json(Body.self)
            do {
                let change = try ProfileChange(name: body.name, language: body.language, zone: body.zone)
                try await accounts.change(change, by: principal)
            } catch let fault as ProfileChange.Fault {
                throw Problem.unprocessable("the field \(fault.rawValue) will not do")
            }
            let person = try accounts.store.read { try AccountRecords.person(principal.person.id, in: $0) }
            return .json(try json(person ?? principal.person))
        }
        routes.on(
            .put, "/api/account/photo",
            RouteDescription(
                "Keeps a JPEG, PNG or WebP file of up to 8 MiB and 40 megapixels as one's photo: made anew, without its metadata. A JPEG has up to 20 scans, a progressive one up to 16 megapixels, a PNG up to 64 MB uncompressed.",
                body: .text("the file's bytes"), status: 204, bodyType: "image/*"),
            bodyLimit: Self.bodyLimit
        ) { request, principal in
            try request.requireContentType("image/jpeg", "image/png", "image/webp")
            try await keep(try await desk.make(from: request.body, of: principal.person.id.text), of: principal)
            return .empty()
        }
        routes.on(
            .delete, "/api/account/photo", RouteDescription("Removes one's photo.", status: 204)
        ) { _, principal in
            try await removePhoto(of: principal)
            return .empty()
        }
    }

    private func json(_ person: Person) throws -> [UInt8] {
        let tag = try accounts.store.read { try PhotoRecords.tag(of: person.id, in: $0) }
        var json = JSONWriter()
        json.object { json in
            json.field("id", person.id.text)
            json.field("name", person.name)
            json.field("email", person.address)
            json.field("language", person.language)
            json.field("zone", person.zone?.name)
            json.field("photo", tag == nil ? nil : Self.path(of: person.id).description)
        }
        return json.bytes
    }
}

extension PhotoError: ProblemConvertible {
    /// In words.
    public var problem: Problem? {
        switch self {
        case .busy: .unavailable("Many photos are being made at this moment.", retryAfter: 2)
        case .tooLarge: .tooLarge(limit: Photo.bytesLimit)
        default:
            Problem(
                status: 422, type: "photo-refused", title: "The content does not fit",
                detail: ProfileWords.en.refused(self))
        }
    }
}
