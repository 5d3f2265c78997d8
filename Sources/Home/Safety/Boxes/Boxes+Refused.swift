import Household
import Identity
import Ledger
import System
import Wire

/// An order that a box did not obey.
struct RefusedOrder: Sendable, Equatable {
    /// What was wanted.
    let kind: BoxOrder.Kind
    /// Why; nil: a reason that only a newer box knows.
    let why: BoxOrder.Refusal?
    /// Since when it refuses.
    let since: Timestamp
    /// The newest order of the kind that it refused.
    let id: ID16

    /// Why, as programs know it.
    var reason: String { why.map { "\($0)" } ?? "unknown" }
    /// All of those.
    static let reasons = BoxOrder.Refusal.allCases.map { "\($0)" } + ["unknown"]

    /// Whether the box and the hub differ about what time it is.
    var isAboutClock: Bool { why == .clockUntrusted || why == .late }
}

/// What came of an order for which a person waits.
enum BoxAnswer: Sendable {
    /// It is done.
    case taken
    /// The box does not do it.
    case refused(RefusedOrder)
    /// The box has said nothing yet.
    case none
    /// The box is not there.
    case away
}

extension BoxState {
    /// Sent an order.
    mutating func sent(_ order: ID16, _ kind: BoxOrder.Kind, at now: Timestamp) {
        orders.append((order, kind, now))
        if orders.count > Self.mostOrders { orders.removeFirst() }
    }

    /// Whether it refuses something that its panel would show.
    var refusesPanel: Bool { refusals.contains { $0.kind.isOfPanel } }

    /// The box obeyed one that was sent: it refuses that kind no more, and, where that is of its panel, nothing of its panel.
    mutating func obeyed(_ id: ID16) {
        guard let place = orders.firstIndex(where: { $0.id == id }) else { return }
        let kind = orders[place].kind
        // Older ones of its kind are settled with it.
        orders = orders[...place].filter { $0.kind != kind } + orders[(place + 1)...]
        refusals.removeAll { $0.kind == kind || kind.isOfPanel && $0.kind.isOfPanel }
    }

    /// The box refused one that was sent. What it refused before stays as old as it is.
    /// - Returns: nil: it is none of those, or was obeyed.
    mutating func refused(_ id: ID16, _ why: BoxOrder.Refusal?, at now: Timestamp) -> RefusedOrder? {
        guard let kind = orders.first(where: { $0.id == id })?.kind else { return nil }
        let known = refusals.firstIndex { $0.kind == kind }.map { refusals.remove(at: $0) }
        let refused = RefusedOrder(kind: kind, why: why, since: known?.since ?? now, id: id)
        refusals.append(refused)
        return refused
    }
}

// Orders that boxes did not obey: shown where the house is, and told when it stays so.

extension Boxes {
    /// A box that refuses for so long, in milliseconds, is told of: what it refuses while it connects is sent to it again.
    static let untilRefusalIsTold: Int64 = 10_000
    /// What a box did not do for a person, and what its panel does not show, is shown for so long, in milliseconds.
    static let refusalShown: Int64 = 600_000

    /// Takes a box's word that it did not obey.
    func take(_ message: BoxOrderRefused, _ gateway: Gateway, _ key: Key) {
        guard message.verifies(boxKey: key) else { return drop(gateway, "its key did not sign it") }
        let now = clock.now
        let (refused, waiting) = state.withLock { state in
            (
                state.boxes[gateway.id]?.refused(message.id, message.why, at: now), state.tests[message.id]
            )
        }
        guard let refused else { return }
        waiting?.yield(.refused(refused))
        Log.warning(
            "home", "a box did not obey an order",
            ["box": gateway.id.text, "order": "\(refused.kind)", "why": refused.reason])
    }

    /// A box did what it was told.
    func noteObeyed(_ order: ID16, _ gateway: Gateway) {
        let waiting = state.withLock { state in
            state.boxes[gateway.id]?.obeyed(order)
            return state.tests[order]
        }
        waiting?.yield(.taken)
        if state.withLock({ $0.boxes[gateway.id]?.refusesPanel }) != true { endRefusal(of: gateway) }
    }

    /// A box told how it stands: one that stands as the house does refuses nothing of it any more.
    func noteAgreement(of gateway: Gateway, with box: PanelStanding, isClockTrusted: Bool) {
        let house = panels.panel(of: gateway.site)
        let stands = box.state == house.state.rawValue && box.isSounding == house.isSounding
        guard isClockTrusted, stands else { return }
        state.withLock { $0.boxes[gateway.id]?.refusals.removeAll { $0.kind.isOfPanel } }
        // Also one of before the hub's start.
        endRefusal(of: gateway)
    }

    /// What boxes of a house do not do, by box.
    func refused(at site: SiteID) -> [(gateway: Gateway, order: RefusedOrder)] {
        registry.catalog.gateways(of: site).filter { $0.kind == .box }.flatMap { gateway in
            (state.withLock { $0.boxes[gateway.id]?.refusals } ?? []).map { (gateway, $0) }
        }
    }

    private static let quieting: Set<BoxOrder.Kind> = [.silence, .disarm, .reset]
    /// A box that has not answered for so long, in milliseconds, may not have heard.
    static let answerTime: Int64 = 900

    /// Whether a siren may sound although the house is silent: of a box that sounded when it told last.
    func sirenDoubt(at site: SiteID) -> SirenDoubt? {
        guard !panels.panel(of: site).isSounding else { return nil }
        let (now, gateways) = (clock.now, registry.catalog.gateways(of: site).filter { $0.kind == .box })
        let boxes = state.withLock { state in gateways.compactMap { state.boxes[$0.id] }.filter(\.isSounding) }
        if boxes.contains(where: { $0.refusals.contains { Self.quieting.contains($0.kind) } }) { return .refused }
        let mayNotHaveHeard = boxes.contains { box in
            box.session == nil
                || box.orders.contains {
                    Self.quieting.contains($0.kind) && now.milliseconds - $0.at.milliseconds >= Self.answerTime
                }
        }
        return mayNotHaveHeard ? .unanswered : nil
    }

    /// Asks the boxes of a house once more to be silent: for its panel nothing has changed.
    func silenceAgain(at site: SiteID) {
        for gateway in registry.catalog.gateways(of: site) where gateway.kind == .box { send(.silence, to: gateway) }
    }

    /// Waits until each box of a house that is there has answered the newest order to be silent, or `patience` has passed.
    func silenceAnswered(at site: SiteID, within patience: Duration) async {
        let end = ContinuousClock.now + patience
        let boxes = registry.catalog.gateways(of: site).filter { $0.kind == .box }.map(\.id)
        let awaited = state.withLock { state in
            boxes.compactMap { id -> (box: GatewayID, order: ID16)? in
                guard let box = state.boxes[id], box.session != nil else { return nil }
                return box.orders.last { $0.kind == .silence }.map { (id, $0.id) }
            }
        }
        func isAwaited() -> Bool {
            state.withLock { state in
                awaited.contains { id, order in
                    guard let box = state.boxes[id] else { return false }
                    return box.orders.contains { $0.id == order } && !box.refusals.contains { $0.id == order }
                }
            }
        }
        while isAwaited(), ContinuousClock.now < end {
            // The person has gone: nobody waits any more.
            do { try await Task.sleep(for: .milliseconds(25)) } catch { return }
        }
    }

    /// Tells of refusals that stay, and forgets those that nobody can tell the end of.
    func lookAfterRefusals() {
        let (now, catalog) = (clock.now, registry.catalog)
        let due = state.withLock { state -> [(GatewayID, RefusedOrder)] in
            var due: [(GatewayID, RefusedOrder)] = []
            for (id, box) in state.boxes where !box.refusals.isEmpty {
                state.boxes[id]?.refusals.removeAll {
                    !$0.kind.isOfPanel
                        && (now < $0.since || now.milliseconds - $0.since.milliseconds > Self.refusalShown)
                }
                let stays = box.refusals.first {
                    $0.kind.isOfPanel
                        && (now < $0.since || now.milliseconds - $0.since.milliseconds >= Self.untilRefusalIsTold)
                }
                if let stays { due.append((id, stays)) }
            }
            return due
        }
        for (id, refused) in due {
            guard let gateway = catalog.gateways[id] else { continue }
            alarms.raise(
                .fault, at: gateway.site, .orderRefused(box: gateway.name, isAboutClock: refused.isAboutClock),
                aspect: Self.aspect(gateway))
        }
    }

    private static func aspect(_ gateway: Gateway) -> String { "refuses:" + gateway.id.text }

    private func endRefusal(of gateway: Gateway) {
        let aspect = Self.aspect(gateway)
        for alarm in alarms.standing(at: gateway.site) where alarm.aspect == aspect { alarms.end(alarm.id) }
    }
}

extension BoxOrder.Kind {
    /// Whether its panel shows whether it was obeyed.
    var isOfPanel: Bool {
        switch self {
        case .arm, .disarm, .silence, .reset, .trigger, .follow: true
        case .test, .openValve, .learnTag: false
        }
    }
}
