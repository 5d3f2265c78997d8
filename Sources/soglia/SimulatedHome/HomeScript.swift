import Box

/// What happens by itself in a simulated home: lines `after 5s leak`, each counted from the one before; what follows a `#` is for
/// people.
struct HomeScript: Sendable {
    struct Line: Sendable, Equatable {
        let after: Duration
        let act: SimulatedRoom.Act
    }

    /// In their order.
    let lines: [Line]

    /// - Throws: which line cannot be understood.
    init(_ text: String) throws(UsageError) {
        var lines: [Line] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            guard words.count == 3, words[0] == "after", let after = Self.duration(words[1]),
                let act = SimulatedRoom.Act(rawValue: String(words[2]))
            else {
                let acts = SimulatedRoom.Act.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("line \(number + 1) of the script: after 5s ACT, where ACT is one of \(acts)")
            }
            lines.append(Line(after: after, act: act))
        }
        self.lines = lines
    }

    /// `500ms`, `5s`, `2min`
    private static func duration(_ text: Substring) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 86_400_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return .milliseconds(count)
        case "s": return .seconds(count)
        case "min": return .seconds(60 * count)
        default: return nil
        }
    }

    /// Plays it once, until cancelled.
    func play(in home: SimulatedHome) async {
        for line in lines {
            do { try await Task.sleep(for: line.after) } catch { return }
            await home.act(line.act)
        }
    }
}
