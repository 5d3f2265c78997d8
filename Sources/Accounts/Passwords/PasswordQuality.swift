/// What is wrong with a password that somebody wants.
public enum PasswordFault: String, Sendable, CaseIterable {
    /// Fewer than `PasswordQuality.shortest` characters.
    case tooShort
    /// More than `PasswordQuality.longest` bytes.
    case tooLong
    /// Many people have it, so it is tried first.
    case wellKnown
    /// It is little more than one piece again and again.
    case repeats
    /// It is little more than a row of letters, digits or keys.
    case sequence
    /// It is little more than its person's name or address, or that of the place.
    case isOwnName
}

/// Whether a password is one that others would guess: its length, and what everybody tries first. No rules about kinds of characters:
/// they make passwords worse (NIST SP 800-63B, 5.1.1.2).
public enum PasswordQuality {
    /// The fewest characters.
    public static let shortest = 10
    /// The most bytes.
    public static let longest = 1024
    /// Of a password at least so many characters stay when each row of keys in it counts as one.
    private static let fewestSteps = 6
    /// What stays of a password without the words that others know weighs at least this: 2 for a letter, 1 for a digit.
    private static let least = 10

    /// What is wrong with a password; nil when it will do.
    /// - Parameter about: names and addresses that others know of its person and the place.
    public static func fault(of password: String, about: [String]) -> PasswordFault? {
        if password.utf8.count > longest { return .tooLong }
        if password.count < shortest { return .tooShort }
        let characters = Array(password.lowercased())
        // Anything beyond this is long enough to have what it takes elsewhere.
        if characters.count > 64 { return isRepeated(characters) ? .repeats : nil }
        if WellKnownPasswords.all.contains(plain(characters)) { return .wellKnown }
        if isRepeated(characters) { return .repeats }
        if leftAfterRows(characters) < fewestSteps { return .sequence }
        let own = (about + ["soglia"]).flatMap(words)
        if weight(of: characters, without: own) < least { return .isOwnName }
        if weight(of: characters, without: WellKnownPasswords.stems) < least { return .wellKnown }
        return nil
    }

    /// Without the digits and signs that people put at the end, and with letters for the signs that look like them.
    private static func plain(_ characters: [Character]) -> String {
        let alike: [Character: Character] = [
            "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s",
        ]
        let asTyped = String(characters)
        if WellKnownPasswords.all.contains(asTyped) { return asTyped }
        return String(characters.map { alike[$0] ?? $0 })
    }

    /// Whether it has at most three different characters, or is one piece of at most five again and again.
    private static func isRepeated(_ characters: [Character]) -> Bool {
        if Set(characters).count <= 3 { return true }
        return (1...5).contains { period in
            zip(characters, characters.dropFirst(period)).allSatisfy { $0 == $1 }
        }
    }

    private static let rows: [[Character]] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm",
        "azertyuiopqsdfghjklmwxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "1q2w3e4r5t6y7u8i9o0p",
    ].flatMap { [Array($0), Array($0.reversed())] }

    /// How many characters stay when each stretch of three or more of a row counts as one.
    private static func leftAfterRows(_ characters: [Character]) -> Int {
        var (index, left) = (0, 0)
        while index < characters.count {
            let stretch = rows.map { longestStretch(of: $0, in: characters, from: index) }.max() ?? 0
            index += stretch >= 3 ? stretch : 1
            left += 1
        }
        return left
    }

    private static func longestStretch(of row: [Character], in characters: [Character], from start: Int) -> Int {
        guard let first = row.firstIndex(of: characters[start]) else { return 0 }
        return zip(row[first...], characters[start...]).prefix { $0 == $1 }.count
    }

    /// The words of a name or an address that are long enough to be known again.
    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { $0.count >= 3 }
    }

    /// What stays when every one of some words is taken out.
    private static func weight(of characters: [Character], without words: [String]) -> Int {
        var text = String(characters)
        for word in words.sorted(by: { $0.count > $1.count }) { text = text.replacing(word, with: " ") }
        return text.reduce(0) { $0 + ($1.isLetter ? 2 : $1.isNumber ? 1 : 0) }
    }
}
