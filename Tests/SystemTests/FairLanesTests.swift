import Synchronization
import TestSupport
import Testing

@testable import System

/// Who is carried at once when others hang.
@Suite struct FairLanesTests {
    private static let names = Mutex(0)

    /// A name that nothing else has.
    private func id() -> Int {
        Self.names.withLock { last in
            last += 1
            return last
        }
    }

    /// Carries one quick thing of a new share.
    private func carried(by owner: Int, _ lanes: FairLanes<Int>) async -> Bool? {
        await lanes.run(for: owner, owner, id()) { (true, false) }
    }

    /// Parcels that hang until the test ends them, by their names.
    private final class Hanging: Sendable {
        let lanes: FairLanes<Int>
        private let state = Mutex<(held: [String], ended: Set<String>, isOver: Bool)>(([], [], false))

        init(_ lanes: FairLanes<Int>) { self.lanes = lanes }

        var held: [String] { state.withLock(\.held) }

        func end(_ name: String) { state.withLock { _ = $0.ended.insert(name) } }

        /// Ends all that hang, and what comes into their lanes.
        func drain() { state.withLock { $0.isOver = true } }

        func begin(_ name: String, by owner: Int? = nil, of group: Int, _ share: Int) -> Task<Bool, Never> {
            Task {
                await lanes.run(for: owner ?? group, group, share) {
                    state.withLock { $0.held.append(name) }
                    while !state.withLock({ $0.isOver || $0.ended.contains(name) }) {
                        try? await Task.sleep(for: .milliseconds(2))
                    }
                    state.withLock { $0.held.removeAll { $0 == name } }
                    return (true, false)
                } ?? false
            }
        }
    }

    @Test func `A house whose devices hang holds an eighth of the lanes, whoever they are, and others are carried`()
        async
    {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let house = id()
        let tasks = (0..<10).map { hanging.begin("\($0)", of: house, id()) }
        #expect(await eventually { hanging.held.count == 2 && hanging.lanes.waiting == 8 })
        #expect(await carried(by: id(), hanging.lanes) == true)
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }

    @Test func `However many houses hang, one that holds no lane has the last quarter, and is the next after that`()
        async
    {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        // Six houses with two each fill twelve; the other four lanes are for houses that hold none.
        let houses = (0..<6).map { _ in id() }
        var tasks = houses.enumerated().flatMap { index, house in
            (0..<4).map { hanging.begin("\(index)-\($0)", of: house, id()) }
        }
        #expect(await eventually { hanging.held.count == 12 && hanging.lanes.waiting == 12 })
        #expect(await carried(by: id(), hanging.lanes) == true)
        for index in 0..<4 { tasks.append(hanging.begin("new \(index)", of: id(), id())) }
        #expect(await eventually { hanging.held.count == 16 })
        // All are full: who holds none is the next, before all that wait already.
        tasks.append(hanging.begin("victim", of: id(), id()))
        #expect(await eventually { hanging.lanes.waiting == 13 })
        hanging.end(hanging.held[0])
        #expect(await eventually { hanging.held.contains("victim") })
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }

    @Test func `However many messages of one house wait, another house has a lane at once`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let house = id()
        let tasks = (0..<FairLaneLimit.mostWaiting + 2).map { hanging.begin("\($0)", of: house, id()) }
        #expect(await eventually { hanging.held.count == 2 && hanging.lanes.waiting == FairLaneLimit.mostWaiting })
        #expect(await carried(by: house, hanging.lanes) == nil, "the house has too many")
        #expect(await carried(by: id(), hanging.lanes) == true)
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }

    @Test func `Houses take turns: one that has had no lane is next, however many wait that hold none`() async {
        let hanging = Hanging(FairLanes(lanes: 4, patience: .seconds(3_600)))
        let houses = (0..<8).map { _ in id() }
        var tasks = houses.prefix(4).enumerated().map { hanging.begin("first \($0)", of: $1, id()) }
        #expect(await eventually { hanging.held.count == 4 })
        // Each of these four has more to say, and waits for longer than the others will.
        for (index, house) in houses.prefix(4).enumerated() {
            for number in 0..<3 { tasks.append(hanging.begin("more \(index) \(number)", of: house, id())) }
        }
        #expect(await eventually { hanging.lanes.waiting == 12 })
        for (index, house) in houses.dropFirst(4).enumerated() {
            tasks.append(hanging.begin("new \(index)", of: house, id()))
        }
        #expect(await eventually { hanging.lanes.waiting == 16 })
        for index in 0..<4 {
            hanging.end("first \(index)")
            #expect(await eventually { hanging.held.count { $0.hasPrefix("new") } == index + 1 })
        }
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }

    @Test func `In a house that waits the person comes first who holds fewest lanes`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let (house, first, second) = (id(), id(), id())
        let tasks = [
            hanging.begin("a", of: house, first), hanging.begin("b", of: house, first),
        ]
        #expect(await eventually { hanging.held.count == 2 })
        let third = hanging.begin("c", of: house, first)
        #expect(await eventually { hanging.lanes.waiting == 1 })
        let other = hanging.begin("d", of: house, second)
        #expect(await eventually { hanging.lanes.waiting == 2 })
        hanging.end("a")
        #expect(await eventually { Set(hanging.held) == ["b", "d"] })
        for name in ["b", "c", "d"] { hanging.end(name) }
        for task in tasks + [third, other] { #expect(await task.value) }
    }

    @Test func `What has waited too long is left to the outbox, and takes no lane later`() async {
        let hanging = Hanging(FairLanes(lanes: 1, patience: .zero))
        let task = hanging.begin("a", of: id(), id())
        #expect(await eventually { hanging.held == ["a"] })
        #expect(await carried(by: id(), hanging.lanes) == nil)
        #expect(hanging.lanes.waiting == 0)
        hanging.end("a")
        #expect(await task.value)
        #expect(await carried(by: id(), hanging.lanes) == true)
    }

    @Test func `However many houses somebody made, each next telephone of another's house has a lane soon`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let (owner, victim, house) = (id(), id(), id())
        var tasks = (0..<40).flatMap { number in
            let house = id()
            return (0..<2).map { hanging.begin("\(number)-\($0)", by: owner, of: house, id()) }
        }
        // The last quarter is for others.
        #expect(await eventually { hanging.held.count == 12 && hanging.lanes.waiting == 68 })
        for number in 0..<6 {
            tasks.append(hanging.begin("phone \(number)", by: victim, of: house, id()))
            #expect(await eventually { hanging.held.count + hanging.lanes.waiting == 81 })
            var ended = 0
            while !hanging.held.contains("phone \(number)") {
                // Each second lane that is given back, at most, is another's; the first telephone needs none.
                guard ended < 2, let name = hanging.held.first(where: { !$0.hasPrefix("phone") }) else { break }
                let waiting = hanging.lanes.waiting
                hanging.end(name)
                ended += 1
                #expect(await eventually { !hanging.held.contains(name) && hanging.lanes.waiting < waiting })
                tasks.append(hanging.begin("again \(number) \(ended)", by: owner, of: id(), id()))
                #expect(await eventually { hanging.held.count + hanging.lanes.waiting == 81 })
            }
            #expect(hanging.held.contains("phone \(number)"), "after \(ended) that ended")
            hanging.end("phone \(number)")
            #expect(await eventually { !hanging.held.contains("phone \(number)") })
        }
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }

    @Test func `Owners whose work was slow hold half of the lanes together, until many in a row were quick`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let owners = (0..<20).map { _ in id() }
        for owner in owners { #expect(await hanging.lanes.run(for: owner, owner, id()) { (true, true) } == true) }
        var tasks = owners.map { hanging.begin("\($0)", of: $0, id()) }
        #expect(await eventually { hanging.held.count == 8 && hanging.lanes.waiting == 12 })
        // Quick ones have the other half, and several each.
        let victim = id()
        tasks += (0..<2).map { hanging.begin("victim \($0)", of: victim, id()) }
        #expect(await eventually { hanging.held.count == 10 })
        hanging.drain()
        for task in tasks { #expect(await task.value) }
        let first = owners[0]
        for _ in 0..<FairLaneLimit.quickAgain { #expect(await carried(by: first, hanging.lanes) == true) }
        let again = Hanging(hanging.lanes)
        tasks = owners.dropFirst().map { again.begin("\($0)", of: $0, id()) }
        #expect(await eventually { again.held.count == 8 })
        #expect(await carried(by: first, hanging.lanes) == true)
        again.drain()
        for task in tasks { #expect(await task.value) }
    }
}
