import Testing

@testable import Bus

@Suite("What arrives and waits")
struct InboxTests {
    private func message(_ bytes: Int = 0) -> BusMessage {
        BusMessage(topic: "a", payload: [UInt8](repeating: 0, count: bytes), isRetained: false)
    }

    @Test("A message says how often something may have been missed before it, and not those that wait already")
    func gaps() async throws {
        let inbox = Inbox()
        inbox.append(message())
        inbox.missSomething()
        inbox.append(message())
        let first = try #require(await inbox.next())
        #expect(first.map(\.gaps) == [0, 1])
        for _ in 0..<Inbox.messageLimit { inbox.append(message()) }
        inbox.append(message())
        inbox.append(message())
        #expect(inbox.overflown == 2)
        let second = try #require(await inbox.next())
        #expect(second.count == Inbox.messageLimit && second.allSatisfy { $0.gaps == 1 })
        inbox.append(message())
        #expect(try #require(await inbox.next()).map(\.gaps) == [3])
    }
}
