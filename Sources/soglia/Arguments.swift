import Glibc
import Platform
import System

/// Says why on standard error, and ends.
func fail(_ words: String, code: Int32) -> Never {
    let line = Array((words + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(code)
}

/// Something that the program does.
protocol ProgramCommand: Sendable {
    /// The word for it.
    static var name: String { get }
    /// One line.
    static var about: String { get }
    /// How it is called.
    static var usage: String { get }
    /// Does it.
    static func run(_ words: [String]) async throws
}

/// What was called cannot be made sense of.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ words: String) { description = words }
}

/// The words after a command: options with their values, flags, and the rest.
struct Arguments {
    private var values: [String: String] = [:]
    private var lists: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// Words that are no options, in order.
    private(set) var words: [String] = []

    /// - Parameters:
    ///   - options: those that take a value, without their dashes.
    ///   - lists: those that take a value and may be given again.
    ///   - flags: those that take none.
    /// - Throws: on any other option, a missing value, or one option twice.
    init(
        _ arguments: [String], options: Set<String>, lists several: Set<String> = [], flags known: Set<String> = []
    ) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let name = String(word.dropFirst(2))
            if known.contains(name) {
                flags.insert(name)
            } else if several.contains(name) {
                guard let value = rest.popFirst() else { throw UsageError("--\(name) needs a value") }
                lists[name, default: []].append(value)
            } else if options.contains(name) {
                guard let value = rest.popFirst() else { throw UsageError("--\(name) needs a value") }
                if values.updateValue(value, forKey: name) != nil { throw UsageError("--\(name) was given twice") }
            } else {
                throw UsageError("there is no option --\(name)")
            }
        }
    }

    /// The value of an option, nil when it was not given.
    subscript(_ name: String) -> String? { values[name] }

    /// The values of an option that may be given again, in order.
    func all(_ name: String) -> [String] { lists[name] ?? [] }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option that must be there.
    func require(_ name: String) throws(UsageError) -> String {
        guard let value = values[name] else { throw UsageError("--\(name) is missing") }
        return value
    }

    /// The value of an option that is a port.
    func port(_ name: String, default usual: UInt16) throws(UsageError) -> UInt16 {
        guard let text = values[name] else { return usual }
        guard let port = UInt16(text) else { throw UsageError("--\(name) is a number from 0 to 65535") }
        return port
    }
}
