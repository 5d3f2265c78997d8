import Crypto
import Household
import Ledger
import Store
import Synchronization
import System

/// A detector of gas, fire or carbon monoxide that the hub cannot read warns of nothing: its house has a fault for it until it is taken, or
/// gone. All else that is not taken stands on the page of its connection alone.
final class RefusedDetectors: Sendable {
    /// So many of one connection are told by name; the others are on its page.
    /// - Key: gateway
    static let most = 8
    /// So many new ones of a connection are told in an hour.
    /// - Key: gateway
    static let mostInAnHour = 16

    private let registry: Registry
    private let alarms: AlarmDesk
    private let refusedMessages: RefusedMessages
    private let store: Store
    private let clock: WallClock
    /// Those that were told, by what they are about. People may have ended them since.
    private let faults = Mutex<[GatewayID: [Matter: HouseAlarmID]]>([:])
    /// Where some wait for the next hour.
    private let waiting = Mutex<Set<GatewayID>>([])
    private let told = Mutex<[GatewayID: (since: Timestamp, count: Int)]>([:])
    /// How many more its connection has, as the fault of that says, or said when people ended it.
    private let saidMore = Mutex<[GatewayID: Int]>([:])
    /// When that was put in other words last; and where it is to be.
    private let reworded = Mutex<(at: [GatewayID: Timestamp], due: Set<GatewayID>)>(([:], []))
    /// It is put in other words once in so long, in milliseconds: each time the log and the open pages change.
    private static let betweenWords: Int64 = 60_000

    /// What a fault is about.
    private struct Matter: Hashable {
        /// One detector: its key and the topic of its message; or that there are more.
        let detector: String
        /// What is told of it, its name and why: another is told anew.
        let mark: String

        /// That there are more, however many. No key has this sign.
        static let more = Matter(":more", telling: "")

        init(_ detector: String, telling message: String) {
            self.detector = detector
            mark = Digest.sha256(Array(message.utf8)).prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
        }

        init?(_ aspect: String) {
            let parts = aspect.split(separator: " ", maxSplits: 3).map(String.init)
            guard parts.count == 4 else { return nil }
            // A hub of before had another mark for each count.
            (mark, detector) = (parts[3] == Self.more.detector ? Self.more.mark : parts[2], parts[3])
        }

        func aspect(_ gateway: GatewayID) -> String { "refused \(gateway.text) \(mark) \(detector)" }
    }

    /// Takes up the faults that stand.
    init(_ registry: Registry, _ alarms: AlarmDesk, _ refused: RefusedMessages, _ store: Store, _ clock: WallClock) {
        (self.registry, self.alarms, refusedMessages, self.store, self.clock) = (
            registry, alarms, refused, store, clock
        )
        for alarm in alarms.standing where alarm.kind == .fault {
            switch alarm.message {
            case .refusedDetector, .refusedDetectors: break
            default: continue
            }
            guard let gateway = Self.gateway(of: alarm) else { continue }
            // One of a hub of before is told anew, and ends.
            let matter = Matter(alarm.aspect) ?? Matter(alarm.aspect, telling: "")
            if case .refusedDetectors(_, let more) = alarm.message { saidMore.withLock { $0[gateway] = more } }
            let other = faults.withLock { $0[gateway, default: [:]].updateValue(alarm.id, forKey: matter) }
            if let other { end([other]) }
        }
    }

    private static func gateway(of alarm: HouseAlarm) -> GatewayID? {
        let parts = alarm.aspect.split(separator: " ", maxSplits: 2)
        return parts.count > 1 ? GatewayID(String(parts[1])) : nil
    }

    /// Looks at what is not taken of what devices say.
    /// - Parameter gateway: of this connection; nil: of all.
    func review(_ gateway: GatewayID? = nil) {
        let gateways = registry.catalog.gateways
        do {
            let refused = try store.read { try AnnouncementRecords.refusedDetectors(of: gateway, in: $0) }
            let byGateway = Dictionary(grouping: refused, by: \.gateway)
            let known = faults.withLock { Set($0.keys) }
            let whole = refusedMessages.gatewaysWithDetectors
            for id in gateway.map({ [$0] }) ?? known.union(byGateway.keys).union(whole) {
                guard let gateway = gateways[id] else {
                    end(Set((faults.withLock { $0.removeValue(forKey: id) } ?? [:]).values))
                    continue
                }
                // Of a message that was refused whole, what was taken before it does not count.
                let messages = refusedMessages.detectors(of: id)
                let found = (byGateway[id] ?? []).filter { messages[$0.topic] == nil }
                let more = messages.sorted { $0.key < $1.key }.flatMap { topic, one -> [Found] in
                    one.refused.map { (gateway: id, topic: topic, detector: $0, device: one.device) }
                }
                review(gateway, found + more)
            }
        } catch {
            Log.warning("home", "which detectors are not taken is not known yet", ["why": "\(error)"])
        }
    }

    private typealias Found = (gateway: GatewayID, topic: String, detector: DiscoveredDevice.Refused, device: String)

    private func review(_ gateway: Gateway, _ found: [Found]) {
        let before = faults.withLock { $0[gateway.id] ?? [:] }
        let named = Dictionary(before.map { ($0.key.detector, $0) }) { first, _ in first }
        let all = found.map { one -> (matter: Matter, message: AlarmMessage) in
            let name = one.detector.component
            let shown = name == one.device || name.isEmpty ? one.device : "\(name) (\(one.device))"
            let key = one.detector.key ?? DiscoveryKey.of(name)
            let matter = Matter("\(key) \(one.topic)", telling: "\(shown)\n\(one.detector.why)")
            return (matter, .refusedDetector(name: shown, why: one.detector.why))
        }
        // Those that are told already go first: another one ends none of them.
        let ranked = all.filter { named[$0.matter.detector] != nil } + all.filter { named[$0.matter.detector] == nil }
        var stand: [Matter: HouseAlarmID] = [:]
        for (matter, message) in ranked.prefix(Self.most) {
            if let same = before[matter] {
                stand[matter] = same
            } else if let fault = raise(message, of: gateway, matter, isKnown: named[matter.detector] != nil) {
                stand[matter] = fault
            } else if let old = named[matter.detector] {
                // What it was told as before holds until the hour has room.
                stand[old.key] = old.value
            }
        }
        if ranked.count > Self.most {
            stand[.more] = tellMore(ranked.count - Self.most, of: gateway, before[.more])
        }
        faults.withLock { $0[gateway.id] = stand.isEmpty ? nil : stand }
        end(Set(before.values).subtracting(stand.values))
    }

    /// That there are more is one fault, which says how many there are now. Where people ended it, it is another one once there are more
    /// than it said.
    /// - Parameter known: the fault that told so.
    private func tellMore(_ more: Int, of gateway: Gateway, _ known: HouseAlarmID?) -> HouseAlarmID? {
        let message = AlarmMessage.refusedDetectors(gateway: gateway.name, more: more)
        var fault = known
        if let known {
            guard saidMore.withLock({ $0[gateway.id] }) != more, mayReword(gateway.id) else { return known }
            if !alarms.reword(known, message) {
                guard saidMore.withLock({ more > $0[gateway.id] ?? 0 }) else { return known }
                fault = nil
            }
        }
        guard let fault = fault ?? raise(message, of: gateway, .more, isKnown: false) else { return known }
        // One that is back a moment after its end says what it said.
        alarms.reword(fault, message)
        saidMore.withLock { $0[gateway.id] = more }
        return fault
    }

    private func mayReword(_ gateway: GatewayID) -> Bool {
        let now = clock.now
        return reworded.withLock { reworded in
            if let last = reworded.at[gateway], (0..<Self.betweenWords).contains(now.milliseconds - last.milliseconds) {
                reworded.due.insert(gateway)
                return false
            }
            reworded.at[gateway] = now
            return true
        }
    }

    /// Those whose words were to change within the last minute, which is over.
    private func dueWords(at now: Timestamp) -> Set<GatewayID> {
        reworded.withLock { reworded in
            let due = reworded.due.filter { id in
                reworded.at[id].map { !(0..<Self.betweenWords).contains(now.milliseconds - $0.milliseconds) } ?? true
            }
            reworded.due.subtract(due)
            return due
        }
    }

    /// Tells it while the hour has room for it.
    /// - Parameter isKnown: it was told as something else. That takes half of the room, so that no name takes it from another detector.
    private func raise(
        _ message: AlarmMessage, of gateway: Gateway, _ matter: Matter, isKnown: Bool
    ) -> HouseAlarmID? {
        let now = clock.now
        let hasRoom = told.withLock { told in
            var count = told[gateway.id] ?? (now, 0)
            if !(0..<3_600_000).contains(now.milliseconds - count.since.milliseconds) { count = (now, 0) }
            let hasRoom = count.count < (isKnown ? Self.mostInAnHour / 2 : Self.mostInAnHour)
            if hasRoom { count.count += 1 }
            told[gateway.id] = count
            return hasRoom
        }
        guard hasRoom else {
            waiting.withLock { _ = $0.insert(gateway.id) }
            return nil
        }
        return alarms.raise(.fault, at: gateway.site, message, aspect: matter.aspect(gateway.id))
    }

    /// Ends those of connections that are out of use, and tells what waited for the next hour.
    func look() {
        let (gateways, now) = (registry.catalog.gateways, clock.now)
        let due = waiting.withLock { waiting in
            let due = waiting.filter { id in
                let since = told.withLock { $0[id]?.since }
                return since.map { !(0..<3_600_000).contains(now.milliseconds - $0.milliseconds) } ?? true
            }
            waiting.subtract(due)
            return due
        }
        for id in due.union(dueWords(at: now)) where gateways[id] != nil { review(id) }
        let gone = faults.withLock { faults in
            let gone = faults.filter { gateways[$0.key] == nil }
            for id in gone.keys { faults[id] = nil }
            return gone
        }
        told.withLock { told in told = told.filter { gateways[$0.key] != nil } }
        saidMore.withLock { said in said = said.filter { gateways[$0.key] != nil } }
        reworded.withLock { reworded in reworded.at = reworded.at.filter { gateways[$0.key] != nil } }
        for faults in gone.values { end(Set(faults.values)) }
    }

    private func end(_ faults: Set<HouseAlarmID>) { for fault in faults { alarms.end(fault) } }
}
