import Bus
import Household
import Platform
import System

/// Home's connection to the broker, kept alive over restarts of the broker and of the hub's own client.
struct HomeConnection: HouseWork {
    /// So long the broker may keep us out while it lets the hub itself in, in seconds: it has forgotten us then.
    private static let patience = 5

    private let intake: Intake
    private let broker: BusAccess?

    private var bus: HomeBus { intake.bus }
    private var readings: HouseReadings { intake.readings }

    /// - Parameter broker: nil: there is none.
    init(_ intake: Intake, _ broker: BusAccess?) {
        (self.intake, self.broker) = (intake, broker)
        intake.readings.registry.follow { [bus = intake.bus] catalog in bus.listen(to: catalog.gateways.values) }
    }

    /// Listens until cancelled; where there is no broker, to nobody.
    func run() async throws {
        guard let broker else {
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
        while !Task.isCancelled {
            for await state in broker.client.states where state == .connected { break }
            do {
                let client = try await broker.join(as: "home", publish: ["soglia/#"], subscribe: ["soglia/#"])
                await serve(client, broker)
            } catch {
                if Task.isCancelled { break }
                Log.warning("home", "the broker does not let Home in yet", ["why": "\(error)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
        throw CancellationError()
    }

    /// Works with one client until cancelled, or until the broker knows it no more.
    private func serve(_ client: BusClient, _ broker: BusAccess) async {
        bus.use(client)
        do {
            for topic in [Broker.cutTopic, Broker.unkeptTopic] {
                try client.subscribe(topic, quality: .atLeastOnce)
            }
            try client.subscribe(Listening.prefix + "+")
        } catch { Log.failure("home", "the broker's word on lost messages is not heard", ["why": "\(error)"]) }
        bus.watch(client) { [self] in shutOut($0, broker.control) }
        await intake.missSomething()
        client.start()
        await withTaskGroup { group in
            group.addTask { for await batch in client.batches { await intake.receive(batch) } }
            group.addTask {
                for await state in client.states {
                    guard state == .connected else {
                        bus.stopListening()
                        readings.lostBus()
                        continue
                    }
                    bus.listenAnew(to: { readings.registry.catalog.gateways.values }) {
                        readings.foundBus()
                    }
                }
            }
            group.addTask {
                await bus.listening.work(on: client) {
                    bus.greet($0)
                } missed: {
                    await intake.missSomething()
                    if $0 { await intake.askAgain() }
                }
            }
            group.addTask { await look(client, broker.client) }
            await group.next()
            group.cancelAll()
        }
        // A connection that is given up has not told that it is lost.
        if !Task.isCancelled {
            bus.stopListening()
            readings.lostBus()
        }
        bus.use(nil)
        await client.stop()
    }

    /// Shuts a gateway out that has the broker keep too much. From then on nothing of it comes, so all of it can be cleared.
    private func shutOut(_ id: GatewayID, _ control: BrokerControl) {
        guard let gateway = readings.registry.catalog.gateways[id] else { return }
        Task {
            do { try await control.removeClient(username: gateway.username) } catch {
                // Its next messages are counted, and bring it here again.
                return Log.failure("home", "a gateway was not shut out", ["gateway": id.text, "why": "\(error)"])
            }
            bus.clear(gateway)
            await intake.shutOut(id)
        }
    }

    private func look(_ client: BusClient, _ hub: BusClient) async {
        var (shutOut, catchingUp) = (0, CatchingUp())
        while shutOut < Self.patience {
            await intake.look()
            await intake.takeOverlong(client.takeOverlong())
            if catchingUp.look(client.overflown) { await intake.askAgain() }
            for filter in bus.retained.look() { bus.ask(for: filter) }
            // A pulse a second: a broker that delivers nothing any more is found out.
            if bus.listening.isIdle { bus.listening.add(.call {}) }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            shutOut = hub.state == .connected && client.state != .connected ? shutOut + 1 : 0
        }
        Log.warning("home", "the broker has forgotten Home, which comes in anew")
    }
}
