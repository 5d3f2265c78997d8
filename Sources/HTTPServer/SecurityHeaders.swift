/// The header fields by which a browser limits what an answer may do. Where a handler sets one of them, its own counts.
public struct SecurityHeaders: Sendable {
    /// With every answer.
    public var everywhere: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
    ]

    /// With every answer that a browser could show as a document: all but JSON and event streams.
    public var documents: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        ),
        (
            "Permissions-Policy",
            "camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), serial=(), hid=()"
        ),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    /// With every answer over TLS.
    public var secure: [(String, String)] = [("Strict-Transport-Security", "max-age=31536000")]

    /// The strict set.
    public init() {}
}
