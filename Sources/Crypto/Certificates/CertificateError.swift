/// Why a certificate or its key was not taken or not made.
public enum CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not a certificate, or not PEM.
    case notACertificate
    /// Not a private key in PEM, or one that we do not know.
    case notAKey
    /// The key is encrypted, and the passphrase does not open it.
    case wrongPassphrase
    /// The key belongs to another certificate.
    case notAPair
    /// A passphrase has so many characters at least.
    case passphraseTooShort(Int)
    /// An authority vouches for one name at least and for at most so many.
    case names(Int)
    /// libcrypto refused: no memory, or no randomness.
    case refused(String)

    /// A sentence for whoever runs the program.
    public var description: String {
        switch self {
        case .notACertificate: "that is no certificate in PEM form"
        case .notAKey: "that is no private key in PEM form"
        case .wrongPassphrase: "the passphrase does not open the key"
        case .notAPair: "the key belongs to another certificate"
        case .passphraseTooShort(let least): "the passphrase needs \(least) characters at least"
        case .names(let most): "an authority is for one name at least, and for \(most) at most"
        case .refused(let what): "libcrypto refused: \(what)"
        }
    }
}
