import Testing

@testable import HTTPServer

@Suite("What a server counts")
struct FiguresTests {
    @Test("Answers are counted by route, class of status and time; what has no route is counted too")
    func counts() {
        var counts = AnswerCounts(routes: 2)
        for nanoseconds: UInt64 in [0, 500_000, 500_001, 5_000_000_000, 5_000_000_001] {
            counts.count(1, status: 200, nanoseconds: nanoseconds)
        }
        counts.count(1, status: 404, nanoseconds: 1)
        counts.count(nil, status: 999, nanoseconds: 1)
        counts.count(nil, status: 7, nanoseconds: 1)
        let figures = counts.figures([(.get, "/a"), (.post, "/b/{id}")])
        #expect(figures.map(\.pattern) == ["/b/{id}", "-"])
        #expect(figures.map(\.method) == ["POST", "-"])
        #expect(figures[0].classes == [0, 5, 0, 1, 0])
        #expect(figures[1].classes == [1, 0, 0, 0, 1])
        #expect(figures[0].durations.count == ServerFigures.bounds.count + 1)
        #expect(figures[0].durations[0] == 3)
        #expect(figures[0].durations[1] == 1)
        #expect(figures[0].durations.suffix(2) == [1, 1])
        #expect(figures[0].durations.reduce(0, +) == figures[0].classes.reduce(0, +))
        #expect(figures[0].nanoseconds == 10_001_000_003)
    }

    @Test("The bounds ascend")
    func bounds() { #expect(zip(ServerFigures.bounds, ServerFigures.bounds.dropFirst()).allSatisfy { $0 < $1 }) }
}
