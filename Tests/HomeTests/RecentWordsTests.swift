import Testing

@testable import Home
@testable import Household

struct RecentWordsTests {
    @Test func `What the hub said comes back within a minute, with its copies, and is then another's word`() {
        var words = RecentWords()
        func takeBack(_ topic: String, _ payload: [UInt8], _ now: UInt64) -> Bool {
            words.takeBack(topic, payload, now)
        }
        #expect(!takeBack("a", [1], 0))
        words.say("a", [1], 0)
        #expect(!takeBack("a", [2], 1) && !takeBack("b", [1], 1))
        #expect(takeBack("a", [1], 10) && takeBack("a", [1], 20))
        #expect(!takeBack("a", [1], 10 + RecentWords.copies + 1))
        words.say("a", [1], 5_000)
        #expect(!takeBack("a", [1], 5_000 + RecentWords.patience + 1))
        // What is said to one gateway makes nothing forgotten that was said to another.
        let (one, other) = (String(repeating: "1", count: 73), String(repeating: "2", count: 73))
        words.say(other, [], 100_000)
        for number in 0...RecentWords.capacity { words.say(one + "\(number)", [], 100_000) }
        #expect(!takeBack(one + "0", [], 100_000) && takeBack(one + "1", [], 100_000))
        #expect(takeBack(other, [], 100_000))
    }
}
