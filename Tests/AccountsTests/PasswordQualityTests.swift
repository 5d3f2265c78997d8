import Testing

@testable import Accounts

@Suite struct PasswordQualityTests {
    private let about = ["Ada Rossi", "ada.rossi@example.com", "Officine Rossi"]

    private func fault(_ password: String) -> PasswordFault? { PasswordQuality.fault(of: password, about: about) }

    @Test(arguments: [
        "a threshold in the morning", "long enough, is it?", "a long password", "correct horse", "Xq7#mvPz9!",
        "città è perché più", "パスワードではない文です", "ada likes the green doors", "twelve 1234 doors",
    ])
    func `What nobody guesses is good, whatever it is made of`(_ password: String) {
        #expect(fault(password) == nil)
    }

    @Test(
        arguments: [
            ("", .tooShort), ("123456789", .tooShort), ("ééééééééé", .tooShort), ("aaaaaaaaaa", .repeats),
            ("abababababab", .repeats), ("passepasse", .repeats), ("1234567890", .sequence), ("9876543210", .sequence),
            ("abcdefghijkl", .sequence), ("qwertyuiop", .sequence), ("QWERTYUIOP", .sequence),
            ("1qaz2wsx3edc", .sequence),
            ("password1234", .wellKnown), ("PassWord1234", .wellKnown), ("p@ssw0rd2024", .wellKnown),
            ("iloveyou123", .wellKnown), ("contraseña123", .wellKnown), ("juventus1897", .wellKnown),
            ("adarossi1990", .isOwnName), ("Ada.Rossi.12", .isOwnName), ("officinerossi", .isOwnName),
            ("soglia123456", .isOwnName),
        ] as [(String, PasswordFault)])
    func `What is tried first is refused, with the reason`(_ password: String, _ expected: PasswordFault) {
        #expect(fault(password) == expected)
    }

    @Test func `Length counts in characters below and in bytes above`() {
        #expect(fault(String(repeating: "é", count: 513)) == .tooLong)
        #expect(fault(String(repeating: "xyz w", count: 205)) == .tooLong)
        #expect(fault("êàîöü ñçßå") == nil)
    }

    @Test func `Every password of the list is one that the length lets through`() {
        for password in WellKnownPasswords.all { #expect(password.count >= PasswordQuality.shortest, "\(password)") }
    }
}
