import Household
import Identity
import Ledger
import System

/// The discovery messages that wait to be read, the latest of each topic; and what is known of each topic, so that what was said before is
/// not read again and what keeps changing its mind is kept as it was. Houses take turns, and in a house its gateways: however much one
/// says, another one's new detector is known soon.
struct DiscoveryQueue {
    /// A topic of a gateway.
    struct Place: Hashable, Sendable {
        let gateway: GatewayID
        let topic: String
    }

    /// A message, and from whom.
    struct Message: Sendable {
        let gateway: Gateway
        let topic: String
        let payload: [UInt8]

        var place: Place { Place(gateway: gateway.id, topic: topic) }
    }

    /// What a description would take of its house and its gateway that was not there.
    struct Need: Sendable, Equatable {
        /// Sensors and actuators.
        var parts: Int
        /// Whether it needs a device more.
        var isDevice: Bool
        /// Devices, sensors and actuators that were never there.
        var fresh = 0
        /// The connections of its house when all that they had described was too much: without one of them there may be room, whatever came
        /// in its place. Nil: it was not.
        var connections: Set<GatewayID>?
    }

    private struct Told {
        /// SHA-256 of the latest message.
        var digest: [UInt8]
        /// Whether the latest message says that it is gone.
        var isGone: Bool
        /// When it last changed something, in the last minute.
        var changes: [Timestamp] = []
        /// The latest message while the topic is kept as it was, and when that came.
        var held: (message: Message, at: Timestamp)?
        /// The latest message while the house is armed, or sounds, and it would take something that protects it.
        var withheld: Message?
        /// When it was last found to tell of what another message tells of, or what conflicts with something that is there.
        var contested: Timestamp?
        /// What there was no room for, since when, and whether there may be by now.
        var lack: (need: Need, since: Timestamp, mayFit: Bool)?
        /// The fault that people were told of.
        var fault: HouseAlarmID?
    }

    /// So long after its last change a topic is believed again, in milliseconds.
    static let calm: Int64 = 60_000
    /// So many bytes of one gateway may wait.
    static let waitingBytes = 4 << 20

    /// So many sensors and actuators of a gateway may change at once.
    private let news: Int
    private var told: [Place: Told] = [:]
    private var topics: [GatewayID: Int] = [:]
    private var waiting: [Place: Message] = [:]
    /// Of each gateway, in the order in which they came.
    private var order: [GatewayID: [Place]] = [:]
    /// Houses in which something waits, and the gateways of each, in the order of their next turns.
    private var houses: [SiteID] = []
    private var gateways: [SiteID: [GatewayID]] = [:]
    private var bytes: [GatewayID: Int] = [:]
    /// When each gateway may change as much at once as it ever may (`DiscoveryLimit.news`).
    private var calmAt: [GatewayID: Timestamp] = [:]
    /// Whether somebody is at work on what waits.
    var isWorking = false

    init(news: Int = DiscoveryLimit.news) { self.news = news }

    // MARK: what comes

    /// Takes a message, unless it says what was said before.
    /// - Parameter digest: SHA-256 of its payload.
    /// - Throws: when there is no room for it.
    mutating func take(_ message: Message, digest: [UInt8], at now: Timestamp) throws(DiscoveryRefusal) {
        let place = message.place
        guard message.payload.count <= DiscoveryLimit.payload else { throw DiscoveryRefusal(.tooLong) }
        var known = told[place] ?? Told(digest: [], isGone: false)
        // What was contested may be free by now. What there was no room for is not read in vain.
        let isTriedAgain =
            known.contested.map { Self.isCalm(since: $0, at: now) } ?? false || known.lack?.mayFit == true
        if known.digest == digest, !isTriedAgain { return }
        let isNew = told[place] == nil
        guard !isNew || topics[place.gateway, default: 0] < DiscoveryLimit.topics,
            bytes[place.gateway, default: 0] + message.payload.count <= Self.waitingBytes
        else { throw DiscoveryRefusal(.tooManyTopics) }
        if isNew { topics[place.gateway, default: 0] += 1 }
        (known.digest, known.isGone, known.withheld) = (digest, message.payload.isEmpty, nil)
        told[place] = known
        wait(message)
    }

    private mutating func wait(_ message: Message) {
        let place = message.place
        let before = waiting.updateValue(message, forKey: place)
        bytes[place.gateway, default: 0] += message.payload.count - (before?.payload.count ?? 0)
        guard before == nil else { return }
        lineUp(message.gateway)
        order[place.gateway, default: []].append(place)
    }

    /// Gives a gateway a turn, if it has none: after the others of its house, and its house after the other ones.
    private mutating func lineUp(_ gateway: Gateway) {
        guard order[gateway.id] == nil else { return }
        if gateways[gateway.site] == nil { houses.append(gateway.site) }
        gateways[gateway.site, default: []].append(gateway.id)
    }

    /// Whether nothing waits.
    var isEmpty: Bool { houses.isEmpty }

    /// Whether something of a gateway waits.
    func waits(for gateway: GatewayID) -> Bool { order[gateway] != nil }

    /// Takes out the first messages of the gateway whose turn it is, at most so many.
    mutating func next(_ count: Int) -> [Message] {
        guard let site = houses.first, let gateway = gateways[site]?.first else { return [] }
        houses.removeFirst()
        gateways[site]?.removeFirst()
        let all = order[gateway, default: []]
        let left = Array(all.dropFirst(count))
        order[gateway] = left.isEmpty ? nil : left
        if !left.isEmpty { gateways[site]?.append(gateway) }
        if gateways[site]?.isEmpty == true { gateways[site] = nil } else { houses.append(site) }
        return all.prefix(count).compactMap { place in
            guard let message = waiting.removeValue(forKey: place) else { return nil }
            bytes[gateway, default: 0] -= message.payload.count
            return message
        }
    }

    /// Messages for which there was no time wait again, before what came after them.
    mutating func putBack(_ messages: [Message]) {
        let left = messages.filter { waiting[$0.place] == nil }
        guard let gateway = left.first?.gateway else { return }
        lineUp(gateway)
        for message in left {
            waiting[message.place] = message
            bytes[gateway.id, default: 0] += message.payload.count
        }
        order[gateway.id] = left.map(\.place) + order[gateway.id, default: []]
    }

    /// That it could not be kept: said again, it is taken again.
    mutating func forget(_ place: Place) { told[place]?.digest = [] }

    // MARK: what keeps changing

    /// Whether a topic has changed too often in the last minute, or its gateway too much, so that it is kept as it was for now. The message
    /// is remembered.
    mutating func holds(_ message: Message, at now: Timestamp) -> Bool {
        guard var known = told[message.place] else { return false }
        known.changes.removeAll { Self.isCalm(since: $0, at: now) }
        let isHeld =
            known.changes.count >= DiscoveryLimit.changes || debt(of: message.place.gateway, at: now) >= mostDebt
        if isHeld { known.held = (message, now) }
        told[message.place] = known
        return isHeld
    }

    /// A message of before the start was taken back, and that does not count yet.
    mutating func restore(_ message: Message, digest: [UInt8]) {
        topics[message.place.gateway, default: 0] += 1
        told[message.place] = Told(digest: digest, isGone: true, withheld: message)
    }

    /// Keeps a message until the house of its gateway is not armed any more, and still.
    mutating func withhold(_ message: Message) { told[message.place]?.withheld = message }

    /// That what a topic says has changed something.
    mutating func changed(_ place: Place, at now: Timestamp) { told[place]?.changes.append(now) }

    /// That what a topic says was held against the tables.
    /// - Parameter count: how many sensors and actuators it changed.
    mutating func read(_ place: Place, _ count: Int, at now: Timestamp) {
        let debt = debt(of: place.gateway, at: now) + Int64(max(count, 1)) * Self.refill
        calmAt[place.gateway] = now.adding(milliseconds: debt)
    }

    /// One more sensor or actuator of a gateway may change after so many milliseconds.
    private static let refill: Int64 = 1_000
    private var mostDebt: Int64 { Int64(news) * Self.refill }

    /// How much a gateway has changed lately, in milliseconds until that is forgotten; not more after the clock was set back.
    private func debt(of gateway: GatewayID, at now: Timestamp) -> Int64 {
        min(max((calmAt[gateway]?.milliseconds ?? 0) - now.milliseconds, 0), mostDebt)
    }

    /// That a topic tells of what is there already, or no more.
    mutating func contest(_ place: Place, at time: Timestamp?) { told[place]?.contested = time }

    /// What there was no room for in what a topic tells; nil: nothing.
    mutating func lack(_ need: Need?, _ place: Place, at now: Timestamp) {
        told[place]?.lack = need.map { ($0, now, false) }
    }

    /// What has had no room for a minute, and was not said to have some: what was refused first comes first.
    func lacking(at now: Timestamp) -> [(place: Place, need: Need)] {
        told.compactMap { place, known in
            known.lack.flatMap {
                $0.mayFit || !Self.isCalm(since: $0.since, at: now) ? nil : (place, $0.need, $0.since)
            }
        }.sorted { ($0.2, $0.0.gateway, $0.0.topic) < ($1.2, $1.0.gateway, $1.0.topic) }.map { ($0.0, $0.1) }
    }

    /// That there may be room for what a topic tells: said again, it is read again.
    mutating func offer(_ place: Place) { told[place]?.lack?.mayFit = true }

    /// The fault that people were told of; nil: none.
    func fault(of place: Place) -> HouseAlarmID? { told[place]?.fault }

    /// Which of some faults topics still have.
    func faults(among faults: Set<HouseAlarmID>) -> Set<HouseAlarmID> {
        told.values.reduce(into: []) { found, one in
            if let fault = one.fault, faults.contains(fault) { found.insert(fault) }
        }
    }

    /// Keeps the fault that people were told of, or that it is over.
    mutating func set(_ fault: HouseAlarmID?, of place: Place) { told[place]?.fault = fault }

    /// Lets time pass: what was held waits again when it has been calm, what was withheld when the house is disarmed
    /// and still; what is gone is forgotten.
    /// - Returns: the faults that are over.
    mutating func settle(
        at now: Timestamp, isInUse: (GatewayID) -> Bool, isHeld: (GatewayID) -> Bool
    ) -> [HouseAlarmID] {
        var over: [HouseAlarmID] = []
        calmAt = calmAt.filter { isInUse($0.key) && $0.value > now }
        var ready: [(message: Message, at: Timestamp)] = []
        for (place, known) in told {
            if !isInUse(place.gateway) {
                over += [known.fault].compactMap(\.self)
                remove(place)
            } else if let message = known.withheld {
                guard !isHeld(place.gateway) else { continue }
                over += [known.fault].compactMap(\.self)
                told[place]?.withheld = nil
                told[place]?.fault = nil
                wait(message)
            } else if let held = known.held {
                guard Self.isCalm(since: held.at, at: now) else { continue }
                over += [known.fault].compactMap(\.self)
                told[place] = Told(digest: known.digest, isGone: known.isGone)
                ready.append(held)
            } else if let fault = known.fault, known.contested == nil, waiting[place] == nil, !isHeld(place.gateway) {
                // What was withheld has been said otherwise since.
                over.append(fault)
                told[place]?.fault = nil
            } else if known.isGone, known.fault == nil, waiting[place] == nil,
                known.changes.allSatisfy({ Self.isCalm(since: $0, at: now) })
            {
                remove(place)
            }
        }
        // What has been held longest first.
        for one in ready.sorted(by: { ($0.at, $0.message.topic) < ($1.at, $1.message.topic) }) { wait(one.message) }
        return over
    }

    private mutating func remove(_ place: Place) {
        told[place] = nil
        topics[place.gateway, default: 1] -= 1
    }

    /// Whether so much time has gone by that a topic is believed again.
    static func isCalm(since time: Timestamp, at now: Timestamp) -> Bool {
        // Also when the clock was set back.
        !(0..<calm).contains(now.milliseconds - time.milliseconds)
    }
}
