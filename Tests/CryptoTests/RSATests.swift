import Crypto
import Glibc
import System
import Testing

private let hasOpenSSL = access("/usr/bin/openssl", X_OK) == 0

/// The example of RFC 7515, A.2.
private enum RFC7515 {
    static let modulus = Base64.bytes(
        urlText:
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS"
            + "-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2C"
            + "apHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb"
            + "54h4FRWyuXpoQ")!
    static let signature = Base64.bytes(
        urlText:
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUA"
            + "r7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--"
            + "xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_Io"
            + "ypGlUPQGe77Rw")!
    static let input = Array(
        ("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV"
            + "lfQ").utf8)
}

@Suite("Public RSA keys")
struct RSATests {
    private let exponent: [UInt8] = [1, 0, 1]

    @Test("The example of RFC 7515, A.2, holds; turned, cut or grown it does not")
    func jws() throws {
        let key = try #require(RSAPublicKey(modulus: RFC7515.modulus, exponent: exponent))
        #expect(key.isValid(signature: RFC7515.signature, over: RFC7515.input))
        #expect(!key.isValid(signature: RFC7515.signature, over: RFC7515.input + [0]))
        for bit in stride(from: 0, to: 2_048, by: 31) {
            var wrong = RFC7515.signature
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isValid(signature: wrong, over: RFC7515.input))
        }
        let whole = RFC7515.signature
        for wrong in [[], Array(whole.dropLast()), Array(whole.dropFirst()), [0] + whole, whole + [0]] {
            #expect(!key.isValid(signature: wrong, over: RFC7515.input))
        }
        #expect(!key.isValid(signature: [UInt8](repeating: 0, count: 256), over: RFC7515.input))
        #expect(!key.isValid(signature: [UInt8](repeating: 0, count: 255) + [1], over: RFC7515.input))
    }

    @Test("Zeros before a number change nothing")
    func zeros() {
        let key = RSAPublicKey(modulus: [0, 0] + RFC7515.modulus, exponent: [0] + exponent)
        #expect(key == RSAPublicKey(modulus: RFC7515.modulus, exponent: exponent))
        #expect(key?.isValid(signature: RFC7515.signature, over: RFC7515.input) == true)
    }

    @Test("Keys that are too short or too long, and numbers that cannot be a key's, are refused")
    func refused() {
        func modulus(bits: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0x55, count: (bits + 7) / 8)
            bytes[0] = UInt8(1) << UInt8((bits - 1) % 8)
            return bytes
        }
        func isTaken(_ n: [UInt8], _ e: [UInt8]) -> Bool { RSAPublicKey(modulus: n, exponent: e) != nil }
        for bits in [2_048, 3_072, 4_096, 8_192] { #expect(isTaken(modulus(bits: bits), exponent)) }
        for bits in [8, 512, 1_024, 2_047, 8_193, 16_384] { #expect(!isTaken(modulus(bits: bits), exponent)) }
        for wrong in [[], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 1], [UInt8](repeating: 0xff, count: 256)] {
            #expect(!isTaken(RFC7515.modulus, wrong))
        }
        for good in [[3], [1, 1], [0xff, 0xff, 0xff, 0xff]] as [[UInt8]] { #expect(isTaken(RFC7515.modulus, good)) }
        #expect(!isTaken(Array(RFC7515.modulus.dropLast()) + [RFC7515.modulus.last! & 0xfe], exponent))
        #expect(!isTaken([], exponent) && !isTaken([UInt8](repeating: 0, count: 256), exponent))
    }

    @Test("What openssl signs with SHA-256 holds; with PSS or another hash it does not", .enabled(if: hasOpenSSL))
    func openssl() async throws {
        let folder = "/tmp/sgr-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try Files.makeFolder(folder)
        defer {
            for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
            rmdir(folder)
        }
        func run(_ arguments: String...) async throws {
            let log = folder + "/said"
            let child = try await Child.start("/usr/bin/openssl", arguments, output: .file(log), errors: .file(log))
            #expect(await child.wait() == .exited(0))
        }
        let (key, data) = (folder + "/key.pem", folder + "/data")
        try Files.replace(data, with: RFC7515.input)
        try await run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072", "-out", key)
        try await run("rsa", "-in", key, "-noout", "-modulus", "-out", folder + "/modulus")
        try await run("dgst", "-sha256", "-sign", key, "-out", folder + "/good", data)
        try await run("dgst", "-sha384", "-sign", key, "-out", folder + "/long", data)
        try await run("dgst", "-sha256", "-sign", key, "-sigopt", "rsa_padding_mode:pss", "-out", folder + "/pss", data)
        let text = String(decoding: try Files.read(folder + "/modulus"), as: UTF8.self)
        let digits = text.drop { $0 != "=" }.dropFirst().filter(\.isHexDigit)
        let own = try #require(RSAPublicKey(modulus: hex(String(digits)), exponent: exponent))
        #expect("\(own)" == "RSAPublicKey(3072 bits)")
        #expect(own.isValid(signature: try Files.read(folder + "/good"), over: RFC7515.input))
        #expect(!own.isValid(signature: try Files.read(folder + "/long"), over: RFC7515.input))
        #expect(!own.isValid(signature: try Files.read(folder + "/pss"), over: RFC7515.input))
    }
}
