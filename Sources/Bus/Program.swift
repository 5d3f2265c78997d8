import Glibc
import System

/// Programs of the machine that the bus is made of.
enum Program {
    /// How long a start may take.
    private static let patience = Duration.seconds(30)

    /// Where it is on this machine; nil when it is not there.
    static func find(_ name: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"].map { $0 + name }.first {
            access($0, X_OK) == 0
        }
    }

    /// Starts a program and waits until it listens.
    /// - Parameters:
    ///   - port: the TCP port on which it is to listen.
    ///   - log: a file for what it says, of which those of before are lost.
    /// - Throws: when it does not come so far, with its own words.
    static func startListening(
        _ executable: String, _ arguments: [String], environment: [String: String], port: UInt16, log: String
    ) async throws(BrokerError) -> Child {
        let child: Child
        Files.remove(log)
        do throws(SystemError) {
            child = try await Child.start(
                executable, arguments, environment: environment, output: .file(log), errors: .file(log))
        } catch {
            throw .failed(error.description)
        }
        let deadline = ContinuousClock.now + patience
        while !isListening(child.id, on: port) {
            let isLate = ContinuousClock.now > deadline
            if child.end != nil || isLate {
                await child.stop(within: .seconds(1))
                throw .failed(reason(in: log) ?? (isLate ? "it did not begin to listen" : "it ended at once"))
            }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return child
    }

    /// Mosquitto says last why it ends, HAProxy says it with its first alert.
    private static func reason(in log: String) -> String? {
        let lines = (try? Files.read(log)).map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n") ?? []
        return (lines.first { $0.hasPrefix("[ALERT]") } ?? lines.last).map(String.init)
    }

    /// Whether exactly this process listens on the port: from then on connections are accepted.
    ///
    /// To try a connection would prove less: it could meet another program, or (on a port of the kernel's own range)
    /// itself.
    private static func isListening(_ process: Int32, on port: UInt16) -> Bool {
        // proc(5): `sl local_address rem_address st … inode`, numbers in hexadecimal but the inode; state 0A listens.
        let digits = String(port, radix: 16, uppercase: true)
        let ending = ":" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        let inodes = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { table -> [Substring] in
            let lines = (try? Files.read(table, limit: 256 << 20))?.split(separator: 0x0a) ?? []
            return lines.compactMap { line in
                let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
                return fields.count > 9 && fields[3] == "0A" && fields[1].hasSuffix(ending) ? fields[9] : nil
            }
        }
        if inodes.isEmpty { return false }
        let folder = "/proc/\(process)/fd/"
        return Files.names(in: folder).contains { name in
            var target = [UInt8](repeating: 0, count: 64)
            let length = target.withUnsafeMutableBytes {
                readlink(folder + name, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
            guard length > 0 else { return false }
            let link = String(decoding: target[..<length], as: UTF8.self)
            return inodes.contains { link == "socket:[\($0)]" }
        }
    }
}
