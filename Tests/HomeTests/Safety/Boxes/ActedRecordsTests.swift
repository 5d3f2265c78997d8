import Testing
import Wire

@testable import Home
@testable import Household

struct ActedRecordsTests {
    /// Which of some numbers of a journal are new, one after the other.
    private func news(_ numbers: [UInt64], of journal: ID16 = .zero, _ acted: inout ActedRecords) -> [UInt64] {
        var news: [UInt64] = []
        for number in numbers where acted.insert(number, of: journal) { news.append(number) }
        return news
    }

    @Test(arguments: [[1, 2, 3, 5, 4], [5, 4, 3, 2, 1], [3, 1, 5, 2, 4], [.max, 0, .max - 1, 1]] as [[UInt64]])
    func `Each number is new once, in whatever order they come`(order: [UInt64]) {
        var acted = ActedRecords()
        #expect(news(order.flatMap { [$0, $0] }, &acted) == order)
        #expect(news(order, &acted) == [])
        #expect(acted.highest(of: .zero) == order.max())
    }

    @Test func `Of stretches beyond the most the lowest are forgotten`() {
        var acted = ActedRecords()
        let odd = (0...UInt64(ActedRecords.mostStretches)).map { 2 * $0 + 1 }
        #expect(news(odd, &acted) == odd)
        #expect(news(odd, &acted) == [1])
    }

    @Test func `Of a box that names ever more journals the latest are known`() {
        let most = UInt8(ActedRecords.mostJournals)
        func journal(_ number: UInt8) -> ID16 { ID16([UInt8](repeating: number, count: 16))! }
        var acted = ActedRecords()
        for number in 1...most + 4 { #expect(news([7], of: journal(number), &acted) == [7]) }
        // What is heard of stays; the one that was not heard of for longest goes.
        #expect(news([7], of: journal(5), &acted) == [])
        #expect(news([1], of: journal(99), &acted) == [1])
        #expect(acted.highest(of: journal(5)) == 7 && acted.highest(of: journal(7)) == 7)
        #expect(acted.highest(of: journal(4)) == 0 && acted.highest(of: journal(6)) == 0)
    }
}
