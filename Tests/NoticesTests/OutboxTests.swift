import Accounts
import Identity
import Ledger
import System
import TestSupport
import Testing

@testable import Notices

@Suite struct OutboxTests {
    @Test func `What is handed in arrives once, and what it held is gone then`() async throws {
        try await withOutbox { place in
            let carrier = Hand(lanes: 2) { _ in .delivered }
            place.outbox.use(carrier, for: .mail)
            let id = try await place.add(.mail)
            try await place.running {
                try #require(await eventually { try place.state(of: id) == .delivered })
            }
            #expect(carrier.seen.map(\.id) == [id])
            #expect(try place.payload(of: id) == [])
        }
    }

    @Test func `What was on its way when the hub ended is carried at the next start, and not when its lease ends`()
        async throws
    {
        try await withOutbox { place in
            let carrier = Hand(lanes: 2) { _ in .delivered }
            place.outbox.use(carrier, for: .push)
            let (leased, later) = (try await place.add(.push), try await place.add(.push))
            for (id, after) in [(leased, Notices.lease), (later, Notices.lease * 2)] {
                let due = place.clock.now.adding(milliseconds: after)
                try await place.store.write {
                    _ = try $0.execute("UPDATE outbox SET due = ? WHERE id = ?", due, id)
                }
            }
            place.move(by: 1)
            try await place.running {
                try #require(await eventually { try place.state(of: leased) == .delivered })
            }
            #expect(try place.state(of: later) == .waiting, "it is not due yet")
        }
    }

    @Test(arguments: [false, true])
    func `After the clock was set back nothing waits for a time that only a clock that was ahead would have shown`(
        isRestarted: Bool
    ) async throws {
        try await withOutbox { place in
            let isUp = Shared(false)
            let carrier = Hand(lanes: 4) { _ in isUp.value ? .delivered : .again(afterSeconds: nil, why: "down") }
            place.outbox.use(carrier, for: .mail)
            let year: Int64 = 366 * 86_400_000
            let before = try await place.add(.mail, lifetime: 2 * year)
            place.move(by: year)
            // One that is held until the quiet hours are over, in an hour, and one that is tried again in some seconds.
            let held = try await place.add(.mail, lifetime: 7_200_000, due: 3_600_000)
            let during = try await place.add(.mail, lifetime: 7_200_000, share: ShareID(address: "a@example.org"))
            try await place.running {
                try #require(await eventually { try place.attempts(of: before) > 0 && place.attempts(of: during) > 0 })
                if !isRestarted {
                    place.move(by: -year)
                    isUp.change { $0 = true }
                    try await place.outboxIsWoken()
                    try #require(await eventually { try place.state(of: before) == .delivered })
                }
            }
            if isRestarted {
                place.move(by: -year)
                isUp.change { $0 = true }
            }
            let again = Outbox(store: place.store, clock: place.clock)
            again.use(carrier, for: .mail)
            let work = Task { try await again.run() }
            defer { work.cancel() }
            try #require(await eventually { try place.state(of: before) == .delivered })
            let now = place.clock.now
            #expect(try place.due(of: during)! <= now.adding(milliseconds: 2 * Outbox.firstPause))
            #expect(try place.due(of: held) == now.adding(milliseconds: 3_600_000))
            #expect(try place.expires(of: held) == now.adding(milliseconds: 7_200_000))
            place.move(by: 3_600_000)
            try await place.outboxIsWoken()
            try #require(await eventually { try place.state(of: held) == .delivered })
            try #require(await eventually { try place.state(of: during) == .delivered })
        }
    }

    @Test func `One channel that hangs holds up no other, nor the free lanes of its own`() async throws {
        try await withOutbox { place in
            let isFree = Shared(false)
            let first = Shared(ParcelID?.none)
            let hanging = Hand(lanes: 2) { parcel in
                guard parcel.id == first.value else { return .delivered }
                while !isFree.value && !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
                return .delivered
            }
            place.outbox.use(hanging, for: .push)
            place.outbox.use(Hand(lanes: 1) { _ in .delivered }, for: .mail)
            let stuck = try await place.add(.push)
            first.change { $0 = stuck }
            try await place.running {
                try #require(await eventually { hanging.seen.contains { $0.id == stuck } })
                let (letter, second) = (try await place.add(.mail), try await place.add(.push))
                try #require(await eventually { try place.state(of: letter) == .delivered })
                try #require(await eventually { try place.state(of: second) == .delivered })
                #expect(try place.state(of: stuck) == .waiting)
                isFree.change { $0 = true }
                try #require(await eventually { try place.state(of: stuck) == .delivered })
            }
        }
    }

    @Test func `What cannot be carried now waits longer each time, and is given up when it is too old`() async throws {
        try await withOutbox { place in
            let carrier = Hand(lanes: 1) { _ in .again(afterSeconds: nil, why: "nobody answers") }
            place.outbox.use(carrier, for: .mail)
            let id = try await place.add(.mail, lifetime: 60_000)
            try await place.running {
                let first = place.clock.now.adding(milliseconds: 5_000)
                try #require(await eventually { try place.due(of: id) == first })
                place.move(by: 5_000)
                // Another commit wakes whoever waits by the clock that we have moved.
                try await place.outboxIsWoken()
                try #require(await eventually { try place.due(of: id) == place.clock.now.adding(milliseconds: 10_000) })
                place.move(by: 60_000)
                try await place.outboxIsWoken()
                try #require(await eventually { try place.state(of: id) == .expired })
            }
            #expect(carrier.seen.count == 2)
        }
    }

    @Test func `What is soonest too late goes before what may wait for days`() async throws {
        try await withOutbox { place in
            let carrier = Hand(lanes: 1) { _ in .delivered }
            place.outbox.use(carrier, for: .mail)
            let person = PersonID.new(at: place.clock.now)
            var days: [ParcelID] = []
            for _ in 0..<50 { days.append(try await place.add(.mail, of: person, lifetime: 7 * 86_400_000)) }
            place.move(by: 60_000)
            let minutes = try await place.add(.mail, of: person, lifetime: 1_800_000)
            try await place.running {
                try #require(await eventually { carrier.seen.count == 51 })
            }
            #expect(carrier.seen.map(\.id) == [minutes] + days)
        }
    }

    @Test func `A pause doubles up to an hour, and is at least what the other side asks for`() {
        #expect(Outbox.pause(after: 0, asked: nil) == 5_000)
        #expect(Outbox.pause(after: 3, asked: nil) == 40_000)
        #expect(Outbox.pause(after: 200, asked: nil) == 3_600_000)
        #expect(Outbox.pause(after: 0, asked: 90) == 90_000)
        #expect(Outbox.pause(after: 0, asked: .max) == 3_600_000)
    }
}
