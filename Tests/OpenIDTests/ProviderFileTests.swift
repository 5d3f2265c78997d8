import Glibc
import Crypto
import System
import Testing

@testable import OpenID

@Suite struct ProviderFileTests {
    private func inFolder(_ test: (String) throws -> Void) throws {
        let folder = "/tmp/soglia-openid-\(Token().text)"
        try Files.makeFolder(folder)
        defer {
            for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
            rmdir(folder)
        }
        try test(folder)
    }

    @Test func `What was written is read, and only its owner may read it`() throws {
        try inFolder { folder in
            #expect(try ProviderFile.load(folder: folder).providers.isEmpty)
            let file = ProviderFile([
                .sample("google", issuer: ProviderSettings.google), .sample("fb", kind: .facebook),
            ])
            try file.save(folder: folder)
            #expect(try ProviderFile.load(folder: folder) == file)
            var about = stat()
            #expect(stat(folder + "/providers.json", &about) == 0 && about.st_mode & 0o777 == 0o600)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"providers":[{}]}"#,
        #"{"providers":[{"id":"a","name":"A","kind":"saml","issuer":"https://a.org","clientID":"c","clientSecret":"s"}]}"#,
        #"{"providers":[{"id":"../a","name":"A","kind":"openID","issuer":"https://a.org","clientID":"c","clientSecret":"s"}]}"#,
        #"{"providers":[{"id":"a","name":"A","kind":"openID","issuer":"http://a.org","clientID":"c","clientSecret":"s"}]}"#,
        #"{"providers":[{"id":"a","name":"","kind":"openID","issuer":"https://a.org","clientID":"c","clientSecret":"s"}]}"#,
        #"{"providers":[{"id":"a","name":"A","kind":"openID","issuer":"https://a.org","clientID":"c","clientSecret":""}]}"#,
    ])
    func `A file that will not do is refused in words without the secret`(_ text: String) throws {
        try inFolder { folder in
            try Files.replace(folder + "/providers.json", with: Array(text.utf8))
            #expect(throws: (any Error).self) { try ProviderFile.load(folder: folder) }
        }
    }

    @Test func `Two of one id, and more than fit on a page, are not written`() throws {
        try inFolder { folder in
            #expect(throws: ProviderFile.Invalid.self) {
                try ProviderFile([.sample(), .sample()]).save(folder: folder)
            }
            let many = (0...ProviderFile.most).map { ProviderSettings.sample("s\($0)") }
            #expect(throws: ProviderFile.Invalid.self) { try ProviderFile(many).save(folder: folder) }
            #expect(!Files.exists(folder + "/providers.json"))
        }
    }
}
