// For form C of Unicode, which is public in Foundation alone, and that is not loaded (Package.swift).
@_spi(_Unicode) import Swift

/// What counts as somebody's address for mail.
enum EmailAddress {
    /// Whether letters could go there: something, an @, and the name of a domain with a dot in it, never a number of a machine.
    ///
    /// Two that look the same are one: nothing in it goes unseen, and a letter with an accent is one sign, not two (Unicode's form C).
    static func isOne(_ email: String) -> Bool {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        return email.utf8.count <= 254 && parts.count == 2 && !parts[0].isEmpty && isDomain(parts[1])
            && !email.contains { $0.isWhitespace || $0.isNewline || ",;<>()[]\\\"".contains($0) }
            && email.unicodeScalars.allSatisfy { GivenName.isSeen(String($0)) && !GivenName.steers($0) }
            && email.unicodeScalars.elementsEqual(email._nfc)
    }

    /// Names parted by dots, the last of which is no number (RFC 1123, section 2.1).
    private static func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            }
            && labels.last.map { !$0.allSatisfy(\.isNumber) } ?? false
    }
}
