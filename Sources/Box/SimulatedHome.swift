import Bus
import Safeguard
import Store
import System
import Wire

/// A box in a simulated room, on a real broker: its power can go, and its network.
public actor SimulatedHome {
    /// What a person sees of it.
    public struct View: Sendable {
        /// What people call the box.
        public var name = ""
        /// Whether it runs.
        public var hasPower = false
        /// Whether the cable is in.
        public var hasNetwork = false
        /// Whether the hub answers.
        public var hasHub = false
        /// `armed_away`.
        public var state = ""
        /// Seconds until that ends; nil: until something happens.
        public var left: Int64?
        /// What the sensors read, by their keys; those that tell nothing are left out.
        public var values: [(sensor: BoxSensor, value: Double)] = []
        /// Whether the gas sensor is warming up.
        public var isWarming = false
        /// Whether the siren sounds.
        public var isSounding = false
        /// Per cent.
        public var fan: UInt8 = 0
        /// Whether gas can flow.
        public var isValveOpen = true
        /// Whether the appliance has current.
        public var isPlugOn = false
        /// Red, green, blue.
        public var colour: (red: UInt8, green: UInt8, blue: UInt8) = (0, 0, 0)
        /// The display's two lines.
        public var lines: [String] = []
        /// Records that the hub has not acknowledged, written down or not; nil: the journal cannot be read.
        public var waiting: Int? = 0
        /// The version of the settings; 0: as it was made.
        public var settings: UInt64 = 0
        /// What the room is like.
        public var isLeaking = false
        /// The same.
        public var isDoorOpen = false
        /// The same.
        public var hasSmoke = false
        /// The same.
        public var isUnplugged = false
    }

    private let folder: String
    private let address: BusAddress
    private let step: Duration
    private let heartbeat: Duration
    private let uptime: @Sendable () -> UInt64
    private let wall: WallClock
    private var room: SimulatedRoom
    private let knownTag: [UInt8]

    private var memory: BoxMemory?
    private var controller: BoxController?
    private var bus: (link: BoxBus, task: Task<Void, Never>)?
    private var hasNetwork = true
    private var name = ""
    /// What people did and the next look at the sensors will find: one thing after another.
    private var acts: [(act: SimulatedRoom.Act, done: CheckedContinuation<Void, Never>)] = []
    private var isOver = false

    /// - Parameters:
    ///   - folder: of a paired box.
    ///   - address: of the broker.
    ///   - pace: how fast everything goes.
    ///   - seed: of the noise.
    ///   - step: between two looks at the sensors.
    ///   - heartbeat: between two hellos.
    public init(
        folder: String, address: BusAddress, pace: SimulatedRoom.Pace = .usual,
        seed: UInt64 = UInt64.random(in: 0 ... .max), step: Duration = .milliseconds(100),
        heartbeat: Duration = .seconds(4), wall: WallClock = .system,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }
    ) throws {
        (self.folder, self.address, self.step, self.heartbeat) = (folder, address, step, heartbeat)
        (self.wall, self.uptime) = (wall, uptime)
        room = SimulatedRoom(pace: pace, seed: seed, now: Int64(clamping: uptime()))
        try Files.makeFolder(folder)
        let path = folder + "/tag"
        if let kept = try? Files.read(path, limit: 10), !kept.isEmpty {
            knownTag = kept
        } else {
            knownTag = [0x04] + Random.bytes(3)
            try Files.replace(path, with: knownTag)
        }
    }

    private var now: Int64 { Int64(clamping: uptime()) }

    // MARK: life

    /// Lives until cancelled; then the box says farewell.
    public func run() async throws {
        try await powerOn()
        while (try? await Task.sleep(for: step)) != nil {
            while !acts.isEmpty {
                let (act, done) = acts.removeFirst()
                await perform(act)
                done.resume()
            }
            await goOn()
        }
        isOver = true
        for (_, done) in acts { done.resume() }
        acts = []
        await unplug(politely: true)
        await memory?.store.close()
        (memory, controller) = (nil, nil)
    }

    private func goOn() async {
        let hadPower = room.hasPower
        let core = await controller?.core
        room.step(to: now, fan: core?.fanPercent ?? 0, isValveOpen: core?.kept.isValveOpen ?? true)
        if hadPower, !room.hasPower { return await powerOff() }
        guard let controller else { return }
        await controller.sense(room.read(at: now), isWarming: room.isWarming(at: now))
    }

    private func powerOn() async throws {
        let memory = try await BoxMemory(
            folder: folder, reserve: Reserve(folder: folder, limit: Reserve.ofField))
        guard let identity = try memory.identity() else {
            await memory.store.close()
            throw SystemError("this box was never paired: --pair")
        }
        name = identity.name
        room.powerOn(at: now)
        let controller = try await BoxController(memory: memory, identity: identity, wall: wall, uptime: uptime)
        (self.memory, self.controller) = (memory, controller)
        if hasNetwork { plugIn() }
    }

    /// As when the battery is taken out: nothing is said, and what was not written is lost.
    private func powerOff() async {
        await unplug(politely: false)
        await memory?.store.close()
        (memory, controller) = (nil, nil)
    }

    private func plugIn() {
        guard let controller, bus == nil else { return }
        do {
            let link = try BoxBus(controller, address: address, heartbeat: heartbeat)
            bus = (link, Task { try? await link.run() })
        } catch {
            Log.failure("box", "there is no way to the broker", ["broker": "\(address)", "why": "\(error)"])
        }
    }

    private func unplug(politely: Bool) async {
        guard let bus else { return }
        self.bus = nil
        if !politely { await bus.link.cutOff() }
        bus.task.cancel()
        await bus.task.value
    }

    // MARK: what a person does

    /// Does it, and returns when it was done. What the box cannot feel without power befalls the room all the same.
    public func act(_ act: SimulatedRoom.Act) async {
        guard !isOver else { return }
        await withCheckedContinuation { acts.append((act, $0)) }
    }

    private func perform(_ act: SimulatedRoom.Act) async {
        room.take(act, at: now)
        switch act {
        case .tag: await controller?.hold(knownTag)
        case .stranger: await controller?.hold([0x08] + Random.bytes(3))
        case .help: await controller?.press()
        case .cut:
            hasNetwork = false
            await unplug(politely: false)
        case .restore:
            hasNetwork = true
            plugIn()
        case .restart:
            await powerOff()
            if room.hasPower { await powerOnAgain() }
        case .charge: if controller == nil { await powerOnAgain() }
        default: break
        }
    }

    private func powerOnAgain() async {
        do { try await powerOn() } catch {
            Log.failure("box", "the box does not start", ["folder": folder, "why": "\(error)"])
        }
    }

    /// How it all stands.
    public func view() async -> View {
        var view = View()
        (view.name, view.hasNetwork) = (name, hasNetwork)
        (view.isLeaking, view.isDoorOpen) = (room.isLeaking, room.isDoorOpen)
        (view.hasSmoke, view.isUnplugged) = (room.hasSmoke, room.isUnplugged)
        guard let controller else { return view }
        await controller.show(in: &view)
        return view
    }
}

extension BoxController {
    fileprivate func show(in view: inout SimulatedHome.View) {
        let display = BoxDisplay(core, isConnected: hasHub, at: now)
        (view.hasPower, view.hasHub, view.state) = (true, hasHub, core.panel.state.name)
        view.left = BoxDisplay.countdown(core.panel, at: now)
        view.values = BoxSensor.allCases.compactMap { sensor in core.values[sensor].map { (sensor, $0) } }
        (view.isWarming, view.isSounding, view.fan) = (core.isWarming, core.sounds(at: now), core.fanPercent)
        (view.isValveOpen, view.isPlugOn) = (core.kept.isValveOpen, core.isPlugOn)
        (view.colour, view.lines) = (display.colour, display.lines)
        (view.waiting, view.settings) = (waiting, core.setup.version)
    }
}
