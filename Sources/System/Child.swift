import CSystem
import Glibc
import Synchronization

/// A child process that the kernel kills when this one ends, however it ends.
public final class Child: Sendable {
    /// How it ended.
    public enum End: Sendable, Equatable {
        /// It left with this code.
        case exited(Int32)
        /// This signal ended it.
        case killed(Int32)
    }

    /// Where a standard stream goes.
    public enum Stream: Sendable {
        /// To the same place as ours.
        case inherited
        /// Nowhere; as input, the end at once.
        case none
        /// To this file, appended.
        case file(String)
        /// To a pipe whose other end is `standardInput` (of input) or `standardOutput` (of output).
        case pipe
    }

    /// The process id. Sending signals goes by `signal`, which cannot hit a later process of the same id.
    public let id: Int32
    /// Our end of a piped standard input, else -1. The caller closes it.
    public let standardInput: Int32
    /// Our end of a piped standard output, else -1. The caller closes it.
    public let standardOutput: Int32
    private let pidfd: Int32
    private let state = Mutex(State())

    private struct State {
        var end: End?
        var waiters: [CheckedContinuation<End, Never>] = []
    }

    /// The kernel's notice "your parent is gone" fires when the *thread* that spawned ends: so one that never does.
    private static let spawner = ThreadExecutor(name: "spawner")

    private init(id: Int32, pidfd: Int32, standardInput: Int32, standardOutput: Int32) {
        (self.id, self.pidfd, self.standardInput, self.standardOutput) = (id, pidfd, standardInput, standardOutput)
        Thread.start(name: "child \(id)") { [self] in ended(csystem_wait(id)) }
    }

    /// Starts a program.
    /// - Parameters:
    ///   - path: the program, from the root.
    ///   - arguments: those after the program's name. They are visible to every user of the machine: no secrets.
    ///   - environment: all of it; ours unless told.
    ///   - ownGroup: true keeps a terminal's Ctrl-C from it, so that its parent decides when it ends.
    /// - Throws: when it cannot be started, with the reason in words.
    public static func start(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, input: Stream = .none,
        output: Stream = .inherited, errors: Stream = .inherited, ownGroup: Bool = true
    ) async throws(SystemError) -> Child {
        let result: Result<Child, SystemError> = await Task(executorPreference: spawner) {
            do throws(SystemError) {
                return .success(
                    try spawn(path, arguments, environment, input, output, errors, ownGroup))
            } catch {
                return .failure(error)
            }
        }.value
        return try result.get()
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String]?, _ input: Stream, _ output: Stream,
        _ errors: Stream, _ ownGroup: Bool
    ) throws(SystemError) -> Child {
        precondition(spawner.isCurrent)
        var toClose: [Int32] = []
        var kept: (input: Int32, output: Int32) = (-1, -1)
        defer { toClose.forEach { close($0) } }
        func descriptor(_ stream: Stream, of number: Int32) throws(SystemError) -> Int32 {
            switch stream {
            case .inherited: return number
            case .none:
                let fd = open("/dev/null", O_RDWR | O_CLOEXEC)
                toClose.append(fd)
                return fd
            case .file(let path):
                let fd = try Place(path, follows: true).open(O_WRONLY | O_CREAT | O_APPEND)
                toClose.append(fd)
                return fd
            case .pipe:
                var ends: [Int32] = [0, 0]
                if pipe(&ends) != 0 { throw SystemError("cannot make a pipe", errno: errno) }
                let (ours, theirs) = number == 0 ? (ends[1], ends[0]) : (ends[0], ends[1])
                _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
                _ = fcntl(theirs, F_SETFD, FD_CLOEXEC)
                if number == 0 { kept.input = ours } else { kept.output = ours }
                toClose.append(theirs)
                return theirs
            }
        }
        let streams: (Int32, Int32, Int32)
        do throws(SystemError) {
            streams = try (descriptor(input, of: 0), descriptor(output, of: 1), descriptor(errors, of: 2))
        } catch {
            for fd in [kept.input, kept.output] where fd >= 0 { close(fd) }
            throw error
        }
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = []
        if let environment { envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { (argv + envp).forEach { free($0) } }
        let id = csystem_spawn(
            path, &argv, environment == nil ? environ : envp.withUnsafeMutableBufferPointer { $0.baseAddress! },
            streams.0, streams.1, streams.2, ownGroup ? 1 : 0)
        if id < 0 {
            for fd in [kept.input, kept.output] where fd >= 0 { close(fd) }
            throw SystemError("cannot start \(path)", errno: -id)
        }
        let pidfd = csystem_pidfd(id)
        precondition(pidfd >= 0, "pidfd_open: a kernel of 2019 or later is needed")
        return Child(id: id, pidfd: pidfd, standardInput: kept.input, standardOutput: kept.output)
    }

    private func ended(_ status: Int32) {
        let end: End = status >= 1000 ? .killed(status - 1000) : .exited(status)
        let waiters = state.withLock { state in
            state.end = end
            defer { state.waiters = [] }
            return state.waiters
        }
        close(pidfd)
        for waiter in waiters { waiter.resume(returning: end) }
    }

    /// Waits until it has ended.
    public func wait() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state -> End? in
                if state.end == nil { state.waiters.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Nil while it runs.
    public var end: End? { state.withLock { $0.end } }

    /// Sends a signal; nothing happens when it has ended.
    public func signal(_ number: Int32) {
        state.withLock { state in
            if state.end == nil { _ = csystem_pidfd_signal(pidfd, number) }
        }
    }

    /// Asks it to end, and makes it end when it has not within the time.
    @discardableResult
    public func stop(within patience: Duration = .seconds(5)) async -> End {
        signal(SIGTERM)
        let reminder = Task {
            try await Task.sleep(for: patience)
            signal(SIGKILL)
        }
        let end = await wait()
        reminder.cancel()
        return end
    }
}

/// The signals that ask a program to end.
public enum Signals {
    /// Keeps Ctrl-C and a polite kill from ending the process by themselves, for `waitForEnd` to hear them.
    ///
    /// The first thing that a program does: threads inherit it from the one that starts them.
    public static func block() { csystem_block_signals() }

    /// Waits for Ctrl-C or a polite kill, and answers which.
    public static func waitForEnd() async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.start(name: "signals") { continuation.resume(returning: csystem_wait_signal()) }
        }
    }
}

/// The program that asks, as the system sees it.
public enum ThisProcess {
    /// Resident memory in bytes, negative when unknown.
    public static var residentBytes: Int { csystem_resident_bytes() }

    /// The program's own file.
    public static var executable: String { (try? Files.absolute("/proc/self/exe")) ?? CommandLine.arguments[0] }

    /// The folder in which it lies, with what was built beside it.
    public static var folder: String { executable.split(separator: "/").dropLast().map { "/" + $0 }.joined() }
}
