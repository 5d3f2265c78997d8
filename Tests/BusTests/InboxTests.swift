import Testing

@testable import Bus

@Suite("What arrives and waits")
struct InboxTests {
    private func message(_ bytes: Int = 0, topic: String = "a") -> BusMessage {
        BusMessage(topic: topic, payload: [UInt8](repeating: 0, count: bytes), isRetained: false)
    }

    @Test("A message says how often something may have been missed before it, and not those that wait already")
    func gaps() async throws {
        let inbox = Inbox()
        inbox.append(message())
        inbox.missSomething()
        inbox.append(message())
        let first = try #require(await inbox.next())
        #expect(first.map(\.gaps) == [0, 1])
        for number in 0..<Inbox.messageLimit { inbox.append(message(topic: "a\(number % 16)")) }
        inbox.append(message())
        inbox.append(message())
        #expect(inbox.overflown == 2)
        let second = try #require(await inbox.next())
        #expect(second.count == Inbox.messageLimit && second.allSatisfy { $0.gaps == 1 })
        inbox.append(message())
        #expect(try #require(await inbox.next()).map(\.gaps) == [3])
    }

    @Test(
        "Who floods has a share of the room: others are heard, and what was missed of the one is missed of that one alone"
    )
    func shares() async throws {
        let inbox = Inbox()
        inbox.append(message(topic: "soglia/site/calm/door"))
        for number in 0..<Inbox.messageLimit { inbox.append(message(topic: "soglia/site/loud/\(number)/on")) }
        #expect(inbox.overflown == Inbox.messageLimit - Inbox.messagesOfSenderLimit)
        inbox.append(message(topic: "soglia/site/calm/smoke"))
        let first = try #require(await inbox.next())
        #expect(first.first?.topic == "soglia/site/calm/door" && first.last?.topic == "soglia/site/calm/smoke")
        #expect(first.count == Inbox.messagesOfSenderLimit + 2)
        #expect(first.allSatisfy { $0.gaps == 0 && $0.gapsOfSender == 0 })
        inbox.append(message(topic: "soglia/site/loud/again"))
        inbox.append(message(topic: "soglia/site/calm/door"))
        let second = try #require(await inbox.next())
        #expect(second.map(\.gaps) == [0, 0])
        #expect(second.map { $0.gapsOfSender > 0 } == [true, false])
    }

    @Test("So it is with bytes")
    func bytes() async throws {
        let inbox = Inbox()
        for _ in 0..<200 { inbox.append(message(512 << 10, topic: "soglia/site/loud/picture")) }
        inbox.append(message(512 << 10, topic: "soglia/site/calm/picture"))
        let batch = try #require(await inbox.next())
        #expect(batch.last?.topic == "soglia/site/calm/picture" && batch.count == 17)
    }
}
