import Glibc
import System
import TestSupport
import Testing

@Suite("A child process", .serialized)
struct ChildTests {
    /// Ends of pipes and handles of children. Other tests have some too: a bus client that is not stopped keeps two.
    /// More than what other tests of this process open meanwhile and keep open: one descriptor left behind by each start would be as many.
    private static let starts = 60

    private var openDescriptors: Int {
        Files.names(in: "/proc/self/fd").filter { name in
            var target = [CChar](repeating: 0, count: 256)
            guard readlink("/proc/self/fd/\(name)", &target, 255) > 0 else { return false }
            let text = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return text.hasPrefix("pipe:") || text.contains("pidfd")
        }.count
    }

    /// Children of this process that have ended and that nobody has waited for.
    private var zombies: Int {
        Files.names(in: "/proc").filter { name in
            guard Int32(name) != nil, let bytes = try? Files.read("/proc/\(name)/stat", limit: 4096) else {
                return false
            }
            let after = String(decoding: bytes, as: UTF8.self).split(separator: ")").last ?? ""
            let fields = after.split(separator: " ")
            return fields.count > 1 && fields[0] == "Z" && fields[1] == String(getpid())
        }.count
    }

    @Test("How it ended is told to everybody who waits, and to who asks later")
    func exitCode() async throws {
        let child = try await Child.start("/bin/sh", ["-c", "exit 7"])
        async let first = child.wait()
        async let second = child.wait()
        #expect(await first == .exited(7))
        #expect(await second == .exited(7))
        #expect(await child.wait() == .exited(7))
        #expect(child.end == .exited(7))
        child.signal(SIGTERM)
    }

    @Test("A signal that ended it is named")
    func signalled() async throws {
        let child = try await Child.start("/bin/sh", ["-c", "kill -s USR1 $$"])
        #expect(await child.wait() == .killed(SIGUSR1))
        let other = try await Child.start("/bin/sleep", ["60"])
        #expect(other.end == nil)
        other.signal(SIGINT)
        #expect(await other.wait() == .killed(SIGINT))
    }

    @Test("Asked to end it ends, without waiting for the patience to be over")
    func stop() async throws {
        let child = try await Child.start("/bin/sleep", ["60"])
        // Were the patience over, it would be SIGKILL; were it waited for, the test would hang.
        #expect(await child.stop(within: .seconds(3600)) == .killed(SIGTERM))
    }

    @Test("One that does not listen is ended all the same")
    func stubborn() async throws {
        let child = try await Child.start(
            "/bin/sh", ["-c", "trap '' TERM; echo deaf; while :; do sleep 0.02; done"], output: .pipe)
        let output = child.standardOutput
        let words = await onThread {
            var bytes = [UInt8](repeating: 0, count: 5)
            let count = read(output, &bytes, 5)
            return Array(bytes.prefix(max(0, count)))
        }
        #expect(words == Array("deaf\n".utf8))
        #expect(await child.stop(within: .milliseconds(100)) == .killed(SIGKILL))
        close(child.standardOutput)
    }

    @Test("What is piped in comes out, whole and in order")
    func pipes() async throws {
        let child = try await Child.start("/bin/cat", [], input: .pipe, output: .pipe)
        let text = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let (input, output) = (child.standardInput, child.standardOutput)
        async let reading = onThread { drain(output) }
        async let writing: Void = onThread {
            var sent = 0
            while sent < text.count {
                sent += max(0, text[sent...].withUnsafeBytes { write(input, $0.baseAddress!, $0.count) })
            }
            close(input)
        }
        await writing
        #expect(await reading == text)
        #expect(await child.wait() == .exited(0))
    }

    @Test("Without input it reads the end at once; its words go to the file that was named, after what is there")
    func streams() async throws {
        try await withFolder { folder in
            let log = folder + "/log"
            try Files.replace(log, with: Array("before\n".utf8))
            let child = try await Child.start(
                "/bin/sh", ["-c", "cat; echo out; echo err >&2"], output: .file(log), errors: .file(log))
            #expect(await child.wait() == .exited(0))
            #expect(String(decoding: try Files.read(log), as: UTF8.self) == "before\nout\nerr\n")
        }
    }

    @Test("It has the environment that it was given and no other, and none of our descriptors")
    func environment() async throws {
        let child = try await Child.start(
            "/bin/sh", ["-c", "echo \"$SOGLIA-$HOME\"; ls /proc/self/fd | wc -l"],
            environment: ["SOGLIA": "a b", "PATH": "/bin:/usr/bin"],
            output: .pipe)
        // Input, output, errors, and the folder that `ls` itself has open.
        let output = child.standardOutput
        #expect(String(decoding: await onThread { drain(output) }, as: UTF8.self) == "a b-\n4\n")
        #expect(await child.wait() == .exited(0))
    }

    @Test("A program that cannot be started is refused with the reason in words")
    func refused() async throws {
        let error = await #expect(throws: SystemError.self) { try await Child.start("/no/such/program", []) }
        #expect(error?.description == "cannot start /no/such/program: No such file or directory")
        await #expect(throws: SystemError.self) { try await Child.start("/etc/passwd", []) }
    }

    @Test("Many children leave no descriptor and no dead process behind")
    func noLeak() async throws {
        let before = openDescriptors
        for _ in 0..<Self.starts {
            let child = try await Child.start("/bin/true", [], input: .pipe, output: .pipe)
            close(child.standardInput)
            let output = child.standardOutput
            _ = await onThread { drain(output) }
            #expect(await child.wait() == .exited(0))
        }
        #expect(await eventually { openDescriptors < before + Self.starts })
    }

    @Test("A start that was refused leaves no descriptor behind")
    func refusedLeaksNothing() async throws {
        let before = openDescriptors
        for _ in 0..<Self.starts {
            _ = try? await Child.start("/no/such/program", [], input: .pipe, output: .pipe)
            _ = try? await Child.start("/bin/true", [], input: .pipe, output: .file("/no/such/folder/log"))
        }
        #expect(await eventually { openDescriptors < before + Self.starts })
    }

    @Test("A start that was refused leaves no dead process behind")
    func refusedLeavesNoZombie() async throws {
        for _ in 0..<5 { _ = try? await Child.start("/no/such/program", []) }
        #expect(await eventually { zombies == 0 })
    }

    @Test("This process knows its own file and its memory")
    func own() {
        #expect(ThisProcess.residentBytes > 1 << 20)
        #expect(Files.exists(ThisProcess.executable))
    }
}
