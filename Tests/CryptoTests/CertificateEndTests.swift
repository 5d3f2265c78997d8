import Crypto
import Foundation
import System
import Testing

@Suite("The end of a certificate")
struct CertificateEndTests {
    @Test("It is read from the first certificate of a PEM text; anything else has none")
    func end() throws {
        let folder = NSTemporaryDirectory() + "sg-end-\(UInt32.random(in: 0 ... .max))"
        try Files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=hub",
            "-days", "100", "-keyout", folder + "/key.pem", "-out", folder + "/leaf.pem",
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let pem = try Files.read(folder + "/leaf.pem")
        let end = try #require(CertificateEnd.of(pem: pem))
        let days = Double(end.milliseconds - WallClock.system.now.milliseconds) / 86_400_000
        #expect(days > 99 && days < 101)
        #expect(CertificateEnd.of(pem: pem + pem) == end)
        for other in [[], Array("x".utf8), try Files.read(folder + "/key.pem"), Array(pem.prefix(pem.count / 2))] {
            #expect(CertificateEnd.of(pem: other) == nil)
        }
    }
}
