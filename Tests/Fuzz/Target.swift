import System

/// One parser of bytes from outside, and what must hold of it whatever the bytes are.
///
/// A trap is a finding by itself: a number that overflows, an index too far. What a parser throws is typed by its declaration, so a
/// refusal needs no check here.
struct Target: Sendable {
    /// As `Scripts/fuzz.sh NAME` knows it.
    let name: String
    /// Inputs to begin with: examples of everything that the parser knows.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Feeds it one input. Traps when something does not hold.
    let feed: @Sendable ([UInt8]) -> Void

    /// All of them. A new parser is a line in the list of its room.
    static let all = wire + texts + web + signIn + home + templates + [.server]

    init(
        _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]] = { [] },
        feed: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.name, self.seeds, self.feed) = (name, seeds, feed)
    }

    /// A parser of text. Bytes that are not UTF-8 do not reach it, as everywhere in Soglia.
    static func text(_ name: String, seeds: [String], feed: @escaping @Sendable (String) -> Void) -> Target {
        Target(name, seeds: { seeds.map { Array($0.utf8) } }) { bytes in
            if let text = String(validating: bytes, as: UTF8.self) { feed(text) }
        }
    }

    /// A text that stands for a value in one way only: what is read is written back the same.
    static func canonical<Value>(
        _ name: String, seeds: [String], _ read: @escaping @Sendable (String) -> Value?,
        _ write: @escaping @Sendable (Value) -> String
    ) -> Target {
        text(name, seeds: seeds) { text in
            if let value = read(text) { expect(write(value) == text, "what was read is written otherwise") }
        }
    }

    func writeSeeds(to folder: String) throws {
        for (number, seed) in try seeds().enumerated() {
            try Files.replace(folder + "/seed-\(number)", with: seed)
        }
    }
}

/// Ends the process when a property does not hold: that is how the fuzzer learns of it.
func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}
