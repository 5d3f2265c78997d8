import Testing

@testable import Home
@testable import Household

/// Whatever happens at a box, in whatever order, while its hub hears it and while it is alone: people are told of everybody who came in, of
/// every fire and of every call for help. Tried with the firmware itself, and with stories that nobody wrote.
struct BoxStoryTests {
    /// Each argument plays so many, one after another.
    private static let stories = 10

    @Test(arguments: 0..<8)
    func `Whatever happens at a box, and in whatever order, people are told of it`(part: Int) async throws {
        for number in 0..<Self.stories {
            let seed = part * Self.stories + number
            try await TestHouse.run { house in
                let story = try await BoxStory(seed: UInt64(seed), house)
                try await story.play(30)
                let untold = try story.untold()
                #expect(untold.isEmpty, "seed \(seed): \(untold)\n\(story.lines.joined(separator: "\n"))")
            }
        }
    }
}
