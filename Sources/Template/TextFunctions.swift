/// Python's functions of text, by code points: `split`, `replace`, `strip`, `title`, slices.
enum TextFunctions {
    /// Where the wanted bytes are, without overlaps. Linear in both: the table says how far a match that fails may be reused.
    static func places(of wanted: [UInt8], in bytes: [UInt8], most: Int = .max) -> [Int] {
        guard !wanted.isEmpty, wanted.count <= bytes.count else { return [] }
        var reuse = [Int](repeating: 0, count: wanted.count)
        var length = 0
        for place in wanted.indices.dropFirst() {
            while length > 0, wanted[place] != wanted[length] { length = reuse[length - 1] }
            if wanted[place] == wanted[length] { length += 1 }
            reuse[place] = length
        }
        var found: [Int] = []
        length = 0
        for (place, byte) in bytes.enumerated() where found.count < most {
            while length > 0, byte != wanted[length] { length = reuse[length - 1] }
            if byte == wanted[length] { length += 1 }
            if length == wanted.count {
                found.append(place + 1 - length)
                length = 0
            }
        }
        return found
    }

    /// How often a text is cut, or more often.
    /// - Parameter separator: nil: any space.
    static func cuts(in text: String, at separator: String?) -> Int {
        if let separator { return places(of: Array(separator.utf8), in: Array(text.utf8)).count }
        return text.unicodeScalars.count { isSpace($0) }
    }

    static func contains(_ text: String, _ wanted: String) -> Bool {
        wanted.isEmpty || !places(of: Array(wanted.utf8), in: Array(text.utf8), most: 1).isEmpty
    }

    static func hasPrefix(_ text: String, _ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

    static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        text.utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// - Parameters:
    ///   - separator: nil: any space, and none at the ends.
    ///   - most: how often it is cut at most; negative: as often as possible.
    static func split(_ text: String, at separator: String?, most: Int) -> [String] {
        let cuts = most < 0 ? Int.max : most
        guard let separator else { return splitAtSpace(text, most: cuts) }
        let bytes = Array(text.utf8)
        var parts: [String] = []
        var start = 0
        for place in places(of: Array(separator.utf8), in: bytes, most: cuts) {
            parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place + separator.utf8.count
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    private static func splitAtSpace(_ text: String, most: Int) -> [String] {
        var parts: [String] = []
        var rest = text.unicodeScalars[...].drop(while: isSpace)
        while !rest.isEmpty {
            guard parts.count < most else {
                parts.append(String(rest))
                break
            }
            let word = rest.prefix { !isSpace($0) }
            parts.append(String(word))
            rest = rest[word.endIndex...].drop(while: isSpace)
        }
        return parts
    }

    /// - Parameter most: how often at most; negative: everywhere.
    static func replace(
        _ text: String, _ old: String, by new: String, most: Int, into result: inout BoundedText
    ) throws(TemplateFailure) {
        let count = most < 0 ? Int.max : most
        if old.isEmpty {
            var done = 0
            for scalar in text.unicodeScalars {
                if done < count {
                    try result.append(new)
                    done += 1
                }
                try result.append(scalar)
            }
            if done < count { try result.append(new) }
            return
        }
        let bytes = Array(text.utf8)
        var start = 0
        for place in places(of: Array(old.utf8), in: bytes, most: count) {
            try result.spend(Cost.part / 2)
            try result.append(String(decoding: bytes[start..<place], as: UTF8.self))
            try result.append(new)
            start = place + old.utf8.count
        }
        try result.append(String(decoding: bytes[start...], as: UTF8.self))
    }

    /// - Parameter characters: nil: space.
    static func strip(_ text: String, _ characters: String? = nil, atStart: Bool = true, atEnd: Bool = true) -> String {
        let set = characters.map { Set($0.unicodeScalars) }
        let small = set.map { set in (0..<0x80).map { set.contains(Unicode.Scalar(UInt8($0))) } }
        func goes(_ scalar: Unicode.Scalar) -> Bool {
            guard let set, let small else { return isSpace(scalar) }
            return scalar.isASCII ? small[Int(scalar.value)] : set.contains(scalar)
        }
        var rest = text.unicodeScalars[...]
        if atStart { rest = rest.drop(while: goes) }
        if atEnd { while let last = rest.last, goes(last) { rest.removeLast() } }
        return String(rest)
    }

    /// Python's `str.title`: every letter after what is no letter begins a word.
    static func title(_ text: String) -> String {
        words(in: text) { !$0.properties.isAlphabetic }
    }

    /// Jinja's filter `title`: words begin after space, `-` and opening brackets.
    static func filterTitle(_ text: String) -> String {
        words(in: text, isUpper: true) { isSpace($0) || "-({[<".unicodeScalars.contains($0) }
    }

    static func capitalize(_ text: String) -> String { words(in: text) { _ in false } }

    private static func words(
        in text: String, isUpper: Bool = false, beginAfter: (Unicode.Scalar) -> Bool
    ) -> String {
        var result = ""
        var before: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if before.map(beginAfter) ?? true {
                result += isUpper ? scalar.properties.uppercaseMapping : scalar.properties.titlecaseMapping
            } else {
                result += scalar.properties.lowercaseMapping
            }
            before = scalar
        }
        return result
    }

    /// Python's `str.isspace`, of one character.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar == " " || (0x9...0xd).contains(scalar.value) || (0x1c...0x1f).contains(scalar.value)
        }
        return scalar.properties.isWhitespace
    }

    /// The same of each one in between.
    static func slice(count: Int, start: Int?, stop: Int?) -> Range<Int> {
        func place(_ index: Int) -> Int { min(max(index < 0 ? index + count : index, 0), count) }
        let first = place(start ?? 0)
        return first..<max(first, place(stop ?? count))
    }

    /// The indices of Python's slice, in its order.
    /// - Parameter step: not 0.
    static func slice(count: Int, start: Int?, stop: Int?, step: Int) -> [Int] {
        func place(_ index: Int?, _ otherwise: Int) -> Int {
            guard let index else { return otherwise }
            let fromStart = index < 0 ? index + count : index
            return step > 0 ? min(max(fromStart, 0), count) : min(max(fromStart, -1), count - 1)
        }
        let first = place(start, step > 0 ? 0 : count - 1)
        let end = place(stop, step > 0 ? count : -1)
        // A longer step than the list gives one element in any case, and cannot overflow.
        return Array(stride(from: first, to: end, by: min(max(step, -count - 1), count + 1)))
    }
}
