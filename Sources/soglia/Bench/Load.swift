import FoundationEssentials
import Glibc
import System

/// A program that is measured while it is under load.
struct Measured: Sendable {
    let name: String
    let child: Child
    let url: String

    /// Starts a program that prints `ready …` and answers when it has.
    static func start(
        _ name: String, _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        url: (String) -> String
    ) async throws -> Measured {
        // The C peers end with their standard input: a pipe that stays open keeps them.
        let child = try await Child.start(
            program, arguments, environment: environment, input: .pipe, output: .pipe)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(child.standardOutput, &byte, 1) == 1, byte != 0x0a { line.append(byte) }
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix("ready ") else {
            await child.stop()
            throw SystemError("\(name) did not start: \(text)")
        }
        return Measured(name: name, child: child, url: url(String(text.dropFirst(6))))
    }

    /// User and system time of its whole process so far, in microseconds. The kernel counts in ticks of 10 ms.
    var processorTime: Double {
        guard let bytes = try? Files.read("/proc/\(child.id)/stat") else { return 0 }
        // The name in parentheses may hold blanks: count from behind it. utime and stime are fields 14 and 15.
        let fields = String(decoding: bytes.split(separator: 0x29).last ?? [], as: UTF8.self).split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) * 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

extension Measured {
    /// Its resident memory now, in bytes.
    var residentBytes: Int {
        get throws {
            let text = String(decoding: try Files.read("/proc/\(child.id)/status"), as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
            guard let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else { throw SystemError("the kernel does not say how much memory \(name) takes") }
            return kilobytes << 10
        }
    }
}

/// What wrk saw of a server in one round.
struct Round: Sendable {
    var requests: Double
    var perSecond: Double
    /// Microseconds of the server's processor per request.
    var processor: Double
    /// Milliseconds.
    var p50: Double
    var p99: Double
    /// Answers that were no success: a round with any counts for nothing.
    var failures: Double
}

/// Runs wrk: one thread, 64 connections that stay open.
struct Load {
    let seconds: Int
    var headers: [String] = []
    /// For POST: the body, and the paths to go round.
    var post: (body: String, paths: [String])?
    /// For POST: what to send as `Authorization`, the next whenever the paths were gone round.
    var authorizations: [String] = []

    func run(_ server: Measured, path: String) async throws -> Round {
        var arguments = ["-t1", "-c64", "-d\(seconds)s", "--latency", "--timeout", "8s"]
        for header in headers { arguments += ["-H", header] }
        var environment = ["PATH": "/usr/bin:/bin"]
        if let post {
            arguments += ["-s", "Bench/post.lua"]
            environment["BENCH_BODY"] = post.body
            environment["BENCH_PATHS"] = post.paths.joined(separator: " ")
            environment["BENCH_AUTHORIZATIONS"] = authorizations.joined(separator: "\n")
        }
        let before = server.processorTime
        let wrk = try await Child.start(
            "/usr/bin/wrk", arguments + [server.url + path], environment: environment, output: .pipe)
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let n = read(wrk.standardOutput, &piece, piece.count)
            if n <= 0 { break }
            output += piece[..<n]
        }
        close(wrk.standardOutput)
        _ = await wrk.wait()
        let spent = server.processorTime - before
        return try Self.parse(String(decoding: output, as: UTF8.self), spent)
    }

    private static func parse(_ text: String, _ spent: Double) throws -> Round {
        func word(after mark: String) -> Substring? {
            guard let range = text.firstRange(of: mark) else { return nil }
            return text[range.upperBound...].drop { $0 == " " }.prefix { !$0.isWhitespace }
        }
        func milliseconds(_ word: Substring?) -> Double {
            guard let word else { return .nan }
            let number = Double(word.prefix { $0.isNumber || $0 == "." }) ?? .nan
            return word.hasSuffix("us") ? number / 1000 : word.hasSuffix("ms") ? number : number * 1000
        }
        let total = text.split(separator: "\n").first { $0.utf8.contains(" requests in ".utf8) }?.split(separator: " ")
            .first
        guard let requests = total.flatMap({ Double($0) }), requests > 0,
            let perSecond = word(after: "Requests/sec:").flatMap({ Double($0) })
        else { throw SystemError("wrk said nothing that can be read: \(text)") }
        return Round(
            requests: requests, perSecond: perSecond, processor: spent / requests,
            p50: milliseconds(word(after: "50%")),
            p99: milliseconds(word(after: "99%")),
            failures: word(after: "Non-2xx or 3xx responses:").flatMap { Double($0) } ?? 0)
    }
}

/// A figure of several rounds.
struct Spread: Codable, Sendable {
    var minimum: Double
    var median: Double
    var maximum: Double

    /// - Parameter figures: of the rounds, of which there are some.
    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        (minimum, median, maximum) = (sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1])
    }
}

extension [Round] {
    /// The middle one of several rounds, by processor time.
    var median: Round { sorted { $0.processor < $1.processor }[count / 2] }
}
