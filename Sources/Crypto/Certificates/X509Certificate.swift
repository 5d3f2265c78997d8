import CCrypto
import Glibc
import System

/// A certificate (RFC 5280), read once: what we show and decide by.
public struct X509Certificate: Sendable, Equatable {
    /// The certificate in DER form.
    public let der: [UInt8]
    /// The common name of its subject; empty when it has none.
    public let subject: String
    /// From when it holds.
    public let notBefore: Timestamp
    /// Until when it holds.
    public let notAfter: Timestamp
    /// The names that it proves (subject alternative names). Wildcards are left out: they are no name of one hub.
    public let names: [ServedName]
    /// The names that it may vouch for, when it is an authority with name constraints.
    public let permitted: [ServedName]

    /// Reads the first certificate of a PEM text.
    public init(pem: [UInt8]) throws(CertificateError) {
        guard let handle = pem.withMemoryFile({ PEM_read_bio_X509($0, nil, nil, nil) }) else {
            throw .notACertificate
        }
        defer { X509_free(handle) }
        try self.init(handle)
    }

    init(_ handle: OpaquePointer) throws(CertificateError) {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(handle, &start)
        guard count > 0, let start else { throw .notACertificate }
        defer { CRYPTO_free(start, nil, 0) }
        der = Array(UnsafeBufferPointer(start: start, count: Int(count)))
        guard let from = Self.time(X509_get0_notBefore(handle)), let until = Self.time(X509_get0_notAfter(handle))
        else {
            throw .notACertificate
        }
        (notBefore, notAfter) = (from, until)
        var text = [UInt8](repeating: 0, count: 256)
        let length = text.withUnsafeMutableBytes {
            X509_NAME_get_text_by_NID(
                X509_get_subject_name(handle), NID_commonName, $0.bindMemory(to: CChar.self).baseAddress, 256)
        }
        subject = String(decoding: text.prefix(Int(max(length, 0))), as: UTF8.self)
        names = Self.alternativeNames(handle)
        permitted = Self.permittedNames(handle)
    }

    /// The first 32 bytes that people compare: SHA-256 of the DER form.
    public var fingerprint: [UInt8] { Digest.sha256(der) }

    /// The fingerprint as people read it aloud: 64 digits in groups of four.
    public var fingerprintText: String { Self.fingerprintText(fingerprint) }

    /// 32 bytes as 64 hexadecimal digits in groups of four, parted by spaces.
    public static func fingerprintText(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if index > 0, index % 2 == 0 { text.append(0x20) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the key is this certificate's.
    public func belongs(to key: PrivateKey) -> Bool {
        withHandle { X509_check_private_key($0, key.handle) == 1 } ?? false
    }

    /// Whether an authority signed this certificate.
    public func isSigned(by authority: X509Certificate) -> Bool {
        withHandle { own in
            authority.withHandle { other in
                X509_get0_pubkey(other).map { X509_verify(own, $0) == 1 } ?? false
            } ?? false
        } ?? false
    }

    /// The certificate in PEM form.
    public func pem() throws(CertificateError) -> [UInt8] {
        try writtenToMemory("a certificate as text") { file in
            withHandle { PEM_write_bio_X509(file, $0) == 1 } ?? false
        }
    }

    private func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let handle = d2i_X509(nil, &next, bytes.count) else { return nil }
            defer { X509_free(handle) }
            return body(handle)
        }
    }

    private static func time(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Timestamp(milliseconds: Int64(timegm(&parts)) * 1000)
    }

    private static func alternativeNames(_ handle: OpaquePointer) -> [ServedName] {
        guard let list = X509_get_ext_d2i(handle, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(list)
        defer { GENERAL_NAMES_free(names) }
        return (0..<OPENSSL_sk_num(names)).compactMap { index in
            name(OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self))
        }
    }

    private static func permittedNames(_ handle: OpaquePointer) -> [ServedName] {
        guard let list = X509_get_ext_d2i(handle, NID_name_constraints, nil, nil) else { return [] }
        let constraints = list.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { NAME_CONSTRAINTS_free(constraints) }
        guard let trees = constraints.pointee.permittedSubtrees else { return [] }
        return (0..<OPENSSL_sk_num(trees)).compactMap { index in
            name(OPENSSL_sk_value(trees, index)?.assumingMemoryBound(to: GENERAL_SUBTREE.self).pointee.base)
        }
    }

    /// A constraint's address is followed by its mask (RFC 5280, 4.2.1.10): only a mask of ones is one address.
    private static func name(_ general: UnsafeMutablePointer<GENERAL_NAME>?) -> ServedName? {
        var kind: Int32 = 0
        guard let value = GENERAL_NAME_get0_value(general, &kind) else { return nil }
        let string = UnsafePointer(value.assumingMemoryBound(to: ASN1_STRING.self))
        let bytes = Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
        switch kind {
        case GEN_DNS: return ServedName(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isHost ? $0 : nil }
        case GEN_IPADD:
            if let address = ServedName(bytes: bytes), bytes.count == 4 { return address }
            let isMasked = bytes.count == 8 || bytes.count == 32
            if isMasked {
                let half = bytes.count / 2
                return bytes[half...].allSatisfy { $0 == 0xff } ? ServedName(bytes: Array(bytes[..<half])) : nil
            }
            return ServedName(bytes: bytes)
        default: return nil
        }
    }
}

extension ServedName {
    fileprivate var isHost: Bool { if case .host = self { true } else { false } }
}
