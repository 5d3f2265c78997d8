import Bus
import Glibc
import System

/// Keeps the processes of the demo alive, and stops and starts them when asked.
actor Supervisor {
    /// What a process is and how it is started.
    struct Plan: Sendable {
        let name: String
        let about: String
        let arguments: [String]
        /// What it is told on its standard input at its first start.
        var firstWords: String?
        /// A page of its own, `http://localhost:8123`; nil: it has none.
        var page: String?
    }

    private struct Process {
        var plan: Plan
        var child: Child?
        /// Whether somebody wants it to run.
        var isWanted = true
        /// Ended by itself so many times in a row.
        var failures = 0
    }

    /// Somebody named a process that the demo does not have.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: String
    private var broker: Broker
    private var brokerIsWanted = true
    private var processes: [Process] = []
    private var file: DemoFile
    private var isStopping = false

    init(folder: String, broker: Broker, file: DemoFile) {
        (self.folder, self.broker, self.file) = (folder, broker, file)
    }

    /// A process's face on the demo's page.
    struct Face: Sendable {
        let name: String
        let about: String
        let processID: Int32?
        let isWanted: Bool
        /// A page of its own.
        var page: String?
    }

    /// What runs, the broker first.
    func faces() async -> [Face] {
        let own = Face(
            name: "broker", about: "Mosquitto: carries what hub and gates say to one another.",
            processID: await broker.processID,
            isWanted: brokerIsWanted)
        return [own]
            + processes.map {
                Face(
                    name: $0.plan.name, about: $0.plan.about,
                    processID: $0.child.flatMap { $0.end == nil ? $0.id : nil }, isWanted: $0.isWanted,
                    page: $0.plan.page)
            }
    }

    // MARK: starting

    /// Starts the broker, and starts it again whenever it ends.
    func startBroker() async throws {
        try await broker.start()
        await note()
        Task { await watchBroker() }
    }

    private func watchBroker() async {
        while !isStopping {
            _ = await broker.waitForEnd()
            await note()
            while !brokerIsWanted, !isStopping { try? await Task.sleep(for: .milliseconds(50)) }
            if isStopping { return }
            do { try await broker.start() } catch {
                Log.warning("demo", "the broker does not start", ["why": "\(error)"])
                try? await Task.sleep(for: .milliseconds(500))
            }
            await note()
        }
    }

    /// Starts a process, and starts it again whenever it ends by itself.
    func add(_ plan: Plan) async throws {
        processes.append(Process(plan: plan))
        try await launch(processes.count - 1)
    }

    private func launch(_ index: Int) async throws {
        let plan = processes[index].plan
        try Files.makeFolder(folder + "/logs")
        let log = "\(folder)/logs/\(plan.name).log"
        let child = try await Child.start(
            ThisProcess.executable, plan.arguments, input: plan.firstWords == nil ? .none : .pipe, output: .file(log),
            errors: .file(log))
        if let words = plan.firstWords {
            let bytes = Array((words + "\n").utf8)
            _ = write(child.standardInput, bytes, bytes.count)
            close(child.standardInput)
        }
        processes[index].child = child
        await note()
        Task { await watch(index, child) }
    }

    private func watch(_ index: Int, _ child: Child) async {
        let started = Uptime.milliseconds
        let end = await child.wait()
        guard processes[index].child === child else { return }
        processes[index].child = nil
        await note()
        guard processes[index].isWanted, !isStopping else { return }
        // One that lived a while begins anew; one that dies at once is started ever more slowly.
        processes[index].failures = Uptime.milliseconds - started > 5000 ? 0 : processes[index].failures + 1
        Log.warning(
            "demo", "a process ended and is started again", ["name": processes[index].plan.name, "how": "\(end)"])
        let pause = min(100 << min(processes[index].failures, 6), 5000)
        try? await Task.sleep(for: .milliseconds(pause))
        guard processes[index].isWanted, processes[index].child == nil, !isStopping else { return }
        do { try await launch(index) } catch {
            Log.failure("demo", "a process cannot be started", ["name": processes[index].plan.name, "why": "\(error)"])
        }
    }

    /// A paired controller needs no code at its next start.
    func isPaired(_ name: String) {
        guard let index = processes.firstIndex(where: { $0.plan.name == name }) else { return }
        let plan = processes[index].plan
        processes[index].plan = Plan(
            name: plan.name, about: plan.about, arguments: plan.arguments.filter { $0 != "--pair" }, firstWords: nil,
            page: plan.page)
    }

    // MARK: stopping

    /// Stops a process until somebody starts it again.
    func stop(_ name: String) async throws {
        if name == "broker" {
            brokerIsWanted = false
            await broker.stop()
            return await note()
        }
        let index = try index(of: name)
        processes[index].isWanted = false
        if let child = processes[index].child { await child.stop() }
    }

    /// Starts a process that was stopped; nothing happens to one that runs.
    func start(_ name: String) async throws {
        if name == "broker" {
            brokerIsWanted = true
            return
        }
        let index = try index(of: name)
        processes[index].isWanted = true
        if processes[index].child == nil { try await launch(index) }
    }

    private func index(of name: String) throws -> Int {
        guard let index = processes.firstIndex(where: { $0.plan.name == name }) else {
            let names = (["broker"] + processes.map(\.plan.name)).joined(separator: ", ")
            throw Unknown(description: "there is no \(name) here; there are \(names)")
        }
        return index
    }

    /// Stops everything, the hub first, so that the controllers' last words are kept for its next start.
    func stopAll() async {
        isStopping = true
        for process in processes { await process.child?.stop() }
        await broker.stop()
    }

    private func note() async {
        var running: [String: Int] = [:]
        for face in await faces() { if let id = face.processID { running[face.name] = Int(id) } }
        file.processes = running
        do { try file.save(folder) } catch { Log.failure("demo", "demo.json cannot be written", ["why": "\(error)"]) }
    }
}
