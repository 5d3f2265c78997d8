import Glibc
import JSON

/// Files that are served as they are. They are read at start and kept in memory, so that no request reaches the file system:
/// what is not in the list does not exist, however its path is written.
///
/// ```swift
/// var files = StaticFiles()
/// try files.add(folder: "Static")
/// try files.add(file: "/usr/share/javascript/leaflet/leaflet.js", as: "leaflet/leaflet.js")
/// router.on(.get, "/static/{file...}") { try files.respond(to: $0, file: "file") }
/// ```
public struct StaticFiles: Sendable {
    /// No file is larger, in bytes.
    public static let sizeLimit = 2 << 20
    /// For an address that carries the hash of the content: it never changes.
    private static let immutable = "public, max-age=31536000, immutable"
    /// For any other: keep it, but ask whether it is still the same.
    private static let revalidate = "no-cache"

    private var files: [String: StaticFile] = [:]

    /// No files.
    public init() {}

    /// The names under which there are files, in order.
    public var names: [String] { files.keys.sorted() }

    /// Adds all files below a folder, named by their path in it, after a prefix (`leaflet/`). Hidden ones, and symbolic links
    /// that lead outside the folder, are left out. Throws when something cannot be read, is too large or is there already.
    public mutating func add(folder: String, prefix: String = "") throws(StaticFilesError) {
        let root = try Self.resolve(folder)
        try add(folder: root, prefix: prefix, root: root)
    }

    /// Adds one file under a name; a symbolic link is followed.
    public mutating func add(file path: String, as name: String) throws(StaticFilesError) {
        if files[name] != nil { throw .duplicate(name) }
        files[name] = StaticFile(name: name, try Self.read(path))
    }

    /// The query that makes the address of a file permanent (`?v=` and the hash of its content); empty for no file.
    public func version(of name: String) -> String { files[name].map { "?v=" + $0.hash } ?? "" }

    /// The hash of all names and contents, 16 hexadecimal digits: it changes when any file does.
    public var version: String {
        FNV1a.hex(Array(names.map { $0 + version(of: $0) }.joined(separator: "\n").utf8))
    }

    /// The answer to a request whose route ends in a parameter of that name (`{file...}`). Throws a 404 problem.
    public func respond(to request: Request, file parameter: StaticString) throws(Problem) -> Response {
        guard let file = files[try request.rest(parameter)] else { throw .notFound("There is no such file.") }
        let accepted = request.headers.all("accept-encoding").joined(separator: ",")
        let compressed = Self.acceptsGzip(accepted) ? file.compressed : nil
        let tag = compressed == nil ? "\"\(file.hash)\"" : "\"\(file.hash)-gz\""
        let isVersioned = request.query.raw == "v=" + file.hash
        var response = Response(contentType: file.type)
        response.headers = [("ETag", tag), ("Cache-Control", isVersioned ? Self.immutable : Self.revalidate)]
        if file.compressed != nil { response.headers.append(("Vary", "Accept-Encoding")) }
        if Self.matches(request.headers.all("if-none-match"), tag) {
            response.status = 304
            response.contentType = nil
            return response
        }
        if compressed != nil { response.headers.append(("Content-Encoding", "gzip")) }
        response.body = .shared(compressed ?? file.content)
        return response
    }

    // MARK: Negotiation (RFC 9110, sections 12.5.3 and 13.1.2)

    private static func acceptsGzip(_ field: String) -> Bool {
        field.split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return !parts.dropFirst().contains { part in
                part.hasPrefix("q=") && Double(part.dropFirst(2)).map { $0 == 0 } ?? true
            }
        }
    }

    private static func matches(_ fields: [String], _ tag: String) -> Bool {
        fields.joined(separator: ",").split(separator: ",").contains { item in
            let candidate = item.drop { $0 == " " }.prefix { $0 != " " }
            // The comparison is weak here: caches and proxies may have marked the tag.
            return candidate == "*" || candidate == tag || candidate == "W/" + tag
        }
    }

    // MARK: Loading

    private mutating func add(folder: String, prefix: String, root: String) throws(StaticFilesError) {
        guard let directory = opendir(folder) else { throw Self.unreadable(folder) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        closedir(directory)
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = try Self.resolve(folder + "/" + name)
            if !path.hasPrefix(root + "/") { continue }
            if Self.isDirectory(path) {
                // A link to a folder could go round in a circle.
                if path == folder + "/" + name { try add(folder: path, prefix: prefix + name + "/", root: root) }
            } else {
                try add(file: path, as: prefix + name)
            }
        }
    }

    private static func resolve(_ path: String) throws(StaticFilesError) -> String {
        guard let resolved = realpath(path, nil) else { throw unreadable(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func read(_ path: String) throws(StaticFilesError) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw unreadable(path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var count = 0
        repeat {
            let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, size in
                size = fread(buffer.baseAddress, 1, buffer.count, file)
            }
            count = piece.count
            bytes += piece
            if bytes.count > sizeLimit { throw .tooLarge(path: path, limit: sizeLimit) }
        } while count > 0
        if ferror(file) != 0 { throw unreadable(path) }
        return bytes
    }

    private static func unreadable(_ path: String) -> StaticFilesError {
        .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
}
