import Glibc
import System
import TestSupport
import Testing

@testable import Images

@Suite("Whose photo is made next")
struct PhotoTurnsTests {
    private func admit(_ turns: inout PhotoTurns, _ owner: String, bytes: Int = 1) -> UInt64? {
        turns.admit(owner, bytes: bytes)?.number
    }

    @Test("A new owner comes before sixteen who send photo after photo, and again a minute later")
    func newcomer() throws {
        var turns = PhotoTurns(at: 0)
        let greedy = (0..<16).map { "greedy \($0)" }
        func flood() { for owner in greedy { _ = turns.admit(owner, bytes: Photo.bytesLimit / 2) } }
        for round in 0..<5 {
            // Each of them sends the next as soon as the last is made.
            for _ in 0..<greedy.count {
                flood()
                #expect(turns.next(at: UInt64(round)) != nil)
                turns.end(after: 400)
            }
            flood()
            let now = round < 4 ? UInt64(round) : PhotoTurns.halfLife
            #expect(turns.next(at: now) != nil)
            let mine = try #require(admit(&turns, "mine", bytes: Photo.bytesLimit))
            #expect(turns.next(at: now) == nil, "one is made at a time")
            turns.end(after: 400)
            #expect(turns.next(at: now) == mine, "\(round)")
            turns.end(after: 400)
        }
    }

    @Test("What an owner has had is halved each minute, and forgotten in the end")
    func forgetting() {
        var turns = PhotoTurns(at: 0)
        func make(_ owner: String, for milliseconds: UInt64, at now: UInt64) {
            let number = admit(&turns, owner)
            #expect(turns.next(at: now) == number)
            turns.end(after: milliseconds)
        }
        func first(at now: UInt64) -> UInt64? {
            var later = turns
            _ = (later.admit("busy", bytes: 1), later.admit("calm", bytes: 1))
            return later.next(at: now)
        }
        make("busy", for: 500, at: 0)
        #expect(first(at: 0) == 3, "who has had nothing comes before who came first")
        make("calm", for: 200, at: PhotoTurns.halfLife)
        #expect(first(at: PhotoTurns.halfLife) == 4, "250 and 200")
        make("calm", for: 100, at: PhotoTurns.halfLife)
        #expect(first(at: PhotoTurns.halfLife) == 4, "250 and 300")
        make("busy", for: 500, at: PhotoTurns.halfLife)
        #expect(first(at: PhotoTurns.halfLife) == 6, "750 and 300")
        #expect(first(at: 60 * PhotoTurns.halfLife) == 5, "neither has had anything, and this one came first")
    }

    @Test("In a full desk the newest of who has had most gives way to who has had less, and to nobody else")
    func full() throws {
        var turns = PhotoTurns(at: 0)
        for (owner, time) in [("some", 10), ("most", 20), ("as much", 20)] as [(String, UInt64)] {
            _ = turns.admit(owner, bytes: 1)
            _ = turns.next(at: 0)
            turns.end(after: time)
        }
        #expect(admit(&turns, "made") == 4)
        #expect(turns.next(at: 0) == 4)
        #expect(turns.admit("made", bytes: 1) == nil, "theirs is being made")
        for (number, owner) in ["as much", "some", "most"].enumerated() {
            #expect(admit(&turns, owner) == UInt64(5 + number))
        }
        for number in 0..<PhotoDesk.queueLimit - 4 { #expect(admit(&turns, "\(number)") != nil) }
        let last = UInt64(3 + PhotoDesk.queueLimit)
        #expect(turns.admit("most", bytes: 1) == nil, "one of theirs waits")
        #expect(turns.admit("new", bytes: 1) == .init(number: last + 1, givingWay: [7]), "the newer of two")
        #expect(turns.admit("most", bytes: 1) == nil, "nobody has had more")
        #expect(turns.admit("newer", bytes: 1) == .init(number: last + 2, givingWay: [5]))
        #expect(turns.admit("newest", bytes: 1) == .init(number: last + 3, givingWay: [6]))
        #expect(turns.admit("too late", bytes: 1) == nil, "all who wait have had nothing")
        turns.end(after: 1)
        var served: [UInt64] = []
        while let number = turns.next(at: 0) {
            served.append(number)
            turns.end(after: 1)
        }
        #expect(served == Array(8...last + 3), "who gave way is never served, and everybody else is")
    }

    @Test("Long files make room by their bytes: as many as it takes give way, or none")
    func bytes() throws {
        var turns = PhotoTurns(at: 0)
        for owner in ["a", "b"] {
            _ = turns.admit(owner, bytes: 1)
            _ = turns.next(at: 0)
            turns.end(after: 5)
        }
        let half = Photo.bytesLimit / 2
        let (a, b) = (try #require(admit(&turns, "a", bytes: half)), try #require(admit(&turns, "b", bytes: half)))
        for number in 0..<PhotoDesk.byteLimit / Photo.bytesLimit - 1 {
            #expect(admit(&turns, "\(number)", bytes: Photo.bytesLimit) != nil)
        }
        #expect(turns.admit("larger", bytes: Photo.bytesLimit + 1) == nil, "those who have had more have too little")
        #expect(turns.admit("large", bytes: Photo.bytesLimit)?.givingWay == [b, a])
        #expect(turns.admit("small", bytes: 1) == nil)
        #expect(turns.admit("empty", bytes: 0) != nil)
    }

    @Test("At a full desk whoever has had most is refused while they wait, and the others' photos are made")
    func desk() async throws {
        let thread = ThreadExecutor(name: "photos test")
        let desk = PhotoDesk(thread: thread)
        let file = PictureFiles.png(PictureFiles.corners(width: 120, height: 120))
        let (isReady, refused, made) = (Shared(false), Shared<[String]>([]), Shared<[String]>([]))
        @Sendable func make(_ owner: String) async {
            do throws(PhotoError) {
                _ = try await desk.make(from: file, of: owner)
                made.change { $0.append(owner) }
            } catch {
                #expect(error == .busy)
                refused.change { $0.append(owner) }
            }
        }
        await make("often")
        // Nothing is worked off before all have come.
        let held = Task(executorPreference: thread) { while !isReady.value { usleep(1000) } }
        let first = Task { await make("first") }
        #expect(await eventually { desk.count == 1 })
        let often = Task { await make("often") }
        #expect(await eventually { desk.count == 2 })
        let others = (0..<PhotoDesk.queueLimit).map { number in Task { await make("\(number)") } }
        // Two had a place before: so one of the others takes that of who has had most, and one finds none.
        #expect(await eventually { refused.value.count == 2 })
        #expect(refused.value.contains("often") && made.value == ["often"])
        isReady.change { $0 = true }
        await held.value
        for task in [first, often] + others { await task.value }
        #expect(made.value.count == 1 + PhotoDesk.queueLimit && made.value.contains("first"))
    }
}
