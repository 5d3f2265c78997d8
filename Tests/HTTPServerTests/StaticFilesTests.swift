import Glibc
import HTTPServer
import Testing

@Suite("Static files")
struct StaticFilesTests {
    /// A folder that lives as long as the value.
    private final class Folder {
        let path: String

        init() {
            var template = Array("/tmp/static-files-XXXXXX".utf8CString)
            path = String(cString: mkdtemp(&template))
            mkdir(path + "/root", 0o755)
            mkdir(path + "/root/sub", 0o755)
            write("root/app.js", String(repeating: "let a = 1;\n", count: 200))
            write("root/tiny.css", "a{}")
            write("root/sub/pixel.png", "\u{89}PNG")
            write("root/.hidden", "hidden")
            write("secret.txt", "secret")
            symlink("../secret.txt", path + "/root/link.txt")
            symlink("..", path + "/root/up")
            symlink(".", path + "/root/circle")
            symlink("app.js", path + "/root/alias.js")
        }

        deinit {
            var id = pid_t()
            var arguments: [UnsafeMutablePointer<CChar>?] =
                ["rm", "-rf", path].map { (text: String) in strdup(text) } + [nil]
            posix_spawnp(&id, "rm", nil, nil, &arguments, environ)
            waitpid(id, nil, 0)
            for argument in arguments { free(argument) }
        }

        func write(_ name: String, _ text: String) {
            let file = fopen(path + "/" + name, "w")
            fputs(text, file)
            fclose(file)
        }
    }

    private func withFiles(_ body: (TestServer) async throws -> Void) async throws {
        let folder = Folder()
        var files = StaticFiles()
        try files.add(folder: folder.path + "/root")
        let routes = { [files] (router: inout Router) in
            router.on(.get, "/static/{file...}") { try files.respond(to: $0, file: "file") }
        }
        try await withServer(routes: routes, body)
    }

    @Test("Files of a folder are found; hidden ones and links that lead out of it are not")
    func loads() throws {
        let folder = Folder()
        var files = StaticFiles()
        try files.add(folder: folder.path + "/root", prefix: "x/")
        #expect(files.names == ["x/alias.js", "x/app.js", "x/sub/pixel.png", "x/tiny.css"])
        #expect(throws: StaticFilesError.duplicate("x/app.js")) {
            try files.add(file: folder.path + "/secret.txt", as: "x/app.js")
        }
        #expect(throws: StaticFilesError.self) { try files.add(folder: folder.path + "/missing") }
        folder.write("root/huge.bin", String(repeating: "a", count: StaticFiles.sizeLimit + 1))
        var others = StaticFiles()
        #expect(throws: StaticFilesError.self) { try others.add(folder: folder.path + "/root") }
    }

    @Test("A file comes with its type, its tag and the order to ask again")
    func serves() async throws {
        try await withFiles { server in
            let reply = await server.ask("GET /static/app.js HTTP/1.1")
            #expect(reply.status == 200)
            #expect(reply.body.count == 2200)
            #expect(reply["Content-Type"] == "text/javascript; charset=utf-8")
            #expect(reply["Cache-Control"] == "no-cache")
            #expect(reply["Content-Encoding"] == nil)
            #expect(reply["Vary"] == "Accept-Encoding")
            #expect(await server.ask("GET /static/sub/pixel.png HTTP/1.1")["Content-Type"] == "image/png")
            let head = await server.ask("HEAD /static/app.js HTTP/1.1")
            #expect(head["Content-Length"] == "2200")
        }
    }

    @Test("What the client has already is not sent again")
    func notModified() async throws {
        try await withFiles { server in
            let tag = try #require(await server.ask("GET /static/app.js HTTP/1.1")["ETag"])
            for field in [tag, "\"x\", W/" + tag, "*"] {
                let reply = await server.ask("GET /static/app.js HTTP/1.1", "If-None-Match: " + field)
                #expect(reply.status == 304)
                #expect(reply["ETag"] == tag)
            }
            #expect(await server.ask("GET /static/app.js HTTP/1.1", "If-None-Match: \"x\"").status == 200)
        }
    }

    @Test("Text is compressed for those who accept it, under a tag of its own")
    func compresses() async throws {
        try await withFiles { server in
            let plain = await server.ask("GET /static/app.js HTTP/1.1")
            let reply = await server.ask("GET /static/app.js HTTP/1.1", "Accept-Encoding: br, gzip;q=0.5")
            #expect(reply["Content-Encoding"] == "gzip")
            #expect(reply.body.count < 200)
            #expect(reply.body.prefix(2) == [0x1f, 0x8b])
            #expect(reply["ETag"] != plain["ETag"])
            let tag = try #require(reply["ETag"])
            let again = await server.ask(
                "GET /static/app.js HTTP/1.1", "Accept-Encoding: gzip", "If-None-Match: " + tag)
            #expect(again.status == 304)
            let refused = await server.ask("GET /static/app.js HTTP/1.1", "Accept-Encoding: gzip;q=0, br")
            #expect(refused["Content-Encoding"] == nil)
            let tiny = await server.ask("GET /static/tiny.css HTTP/1.1", "Accept-Encoding: gzip")
            #expect(tiny["Content-Encoding"] == nil)
            #expect(tiny.text == "a{}")
        }
    }

    @Test("An address with the hash of the content never changes")
    func versions() async throws {
        let folder = Folder()
        var files = StaticFiles()
        try files.add(file: folder.path + "/root/tiny.css", as: "tiny.css")
        #expect(files.version(of: "missing.css") == "")
        let version = files.version(of: "tiny.css")
        let routes = { [files] (router: inout Router) in
            router.on(.get, "/static/{file...}") { try files.respond(to: $0, file: "file") }
        }
        try await withServer(routes: routes) { server in
            let reply = await server.ask("GET /static/tiny.css\(version) HTTP/1.1")
            #expect(reply["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(await server.ask("GET /static/tiny.css?v=0 HTTP/1.1")["Cache-Control"] == "no-cache")
        }
    }

    @Test(
        "Nothing outside the folder is reached",
        arguments: [
            "../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "%2e%2e%2fsecret.txt", "sub/../../secret.txt",
            "up/secret.txt", "link.txt", "..\\secret.txt", "..%5csecret.txt", "app.js%00", "/etc/passwd",
            "%2fetc%2fpasswd", ".hidden", "sub", "sub/", "", "./app.js", "sub//pixel.png", "%252e%252e/secret.txt",
            "..;/secret.txt", "app.js/", "APP.JS",
        ])
    func stays(_ path: String) async throws {
        try await withFiles { server in
            let reply = await server.ask("GET /static/\(path) HTTP/1.1")
            #expect(reply.status == 404 || reply.status == 400)
            #expect(!reply.text.contains("secret"))
        }
    }
}
