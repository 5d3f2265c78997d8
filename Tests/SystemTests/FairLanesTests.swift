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
        await lanes.run(for: owner, owner, id()) { (true, 0) }
    }

    /// An owner of whom it is known that what they have done is quick.
    private func quick(_ lanes: FairLanes<Int>) async -> Int {
        let owner = id()
        #expect(await carried(by: owner, lanes) == true)
        return owner
    }

    /// Parcels that hang until the test ends them, by their names.
    private final class Hanging: Sendable {
        let lanes: FairLanes<Int>
        private let state = Mutex<(held: [String], ended: Set<String>, isOver: Bool)>(([], [], false))

        /// Milliseconds that each of them takes, as it says.
        let took: UInt64

        init(_ lanes: FairLanes<Int>, took: UInt64 = FairLaneLimit.slow - 1) { (self.lanes, self.took) = (lanes, took) }

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
                    return (true, took)
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
        let victim = await quick(hanging.lanes)
        var others: [Int] = []
        for _ in 0..<4 { others.append(await quick(hanging.lanes)) }
        var tasks = houses.enumerated().flatMap { index, house in
            (0..<4).map { hanging.begin("\(index)-\($0)", of: house, id()) }
        }
        #expect(await eventually { hanging.held.count == 12 && hanging.lanes.waiting == 12 })
        #expect(await carried(by: victim, hanging.lanes) == true)
        // Of these four it is known that they are quick; of a fifth nothing is.
        tasks.append(hanging.begin("unknown", of: id(), id()))
        #expect(await eventually { hanging.lanes.waiting == 13 })
        for (index, house) in others.enumerated() { tasks.append(hanging.begin("new \(index)", of: house, id())) }
        #expect(await eventually { hanging.held.count == 16 })
        // All are full: who holds none is the next, before all that wait already.
        tasks.append(hanging.begin("victim", of: victim, id()))
        #expect(await eventually { hanging.lanes.waiting == 14 })
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
        var houses: [Int] = []
        for _ in 0..<8 { houses.append(await quick(hanging.lanes)) }
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

    @Test func `However many houses somebody made, each telephone of another's house has a lane at once`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let (owner, victim, house) = (id(), await quick(hanging.lanes), id())
        let tasks = (0..<40).flatMap { number in
            let house = id()
            return (0..<2).map { hanging.begin("\(number)-\($0)", by: owner, of: house, id()) }
        }
        #expect(await eventually { hanging.held.count == 12 && hanging.lanes.waiting == 68 })
        // All six are carried before any of the others ends.
        for number in 0..<6 { hanging.end("phone \(number)") }
        let phones = (0..<6).map { hanging.begin("phone \($0)", by: victim, of: house, id()) }
        for phone in phones { #expect(await phone.value) }
        #expect(hanging.held.count == 12 && hanging.lanes.waiting == 68)
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }

    @Test func `Owners whose work was slow hold half of the lanes together, until many in a row were quick`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)))
        let victim = await quick(hanging.lanes)
        let owners = (0..<20).map { _ in id() }
        for owner in owners {
            #expect(await hanging.lanes.run(for: owner, owner, id()) { (true, FairLaneLimit.slow) } == true)
        }
        var tasks = owners.map { hanging.begin("\($0)", of: $0, id()) }
        #expect(await eventually { hanging.held.count == 8 && hanging.lanes.waiting == 12 })
        // Quick ones have the other half, and several each.
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

    @Test func `Among slow owners whoever took little time before goes first, with all telephones of a house`() async {
        let hanging = Hanging(FairLanes(lanes: 16, patience: .seconds(3_600)), took: 4_000)
        let (owners, victim, house) = ((0..<20).map { _ in id() }, id(), id())
        #expect(await hanging.lanes.run(for: victim, house, id()) { (true, FairLaneLimit.slow) } == true)
        for owner in owners { #expect(await hanging.lanes.run(for: owner, owner, id()) { (true, 4_000) } == true) }
        var tasks = owners.flatMap { owner in
            (0..<2).map { hanging.begin("\(owner)-\($0)", of: owner, id()) }
        }
        #expect(await eventually { hanging.held.count == 8 && hanging.lanes.waiting == 32 })
        tasks += (0..<2).map { hanging.begin("victim \($0)", by: victim, of: house, id()) }
        #expect(await eventually { hanging.lanes.waiting == 34 })
        for number in 1...2 {
            hanging.end(hanging.held.first { !$0.hasPrefix("victim") }!)
            #expect(await eventually { hanging.held.count { $0.hasPrefix("victim") } == number })
        }
        hanging.drain()
        for task in tasks { #expect(await task.value) }
    }
}
