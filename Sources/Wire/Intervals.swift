/// Lists of intervals: *sorted* means ascending, not empty, disjoint and not touching.
extension [Interval] {
    /// The same moments, sorted.
    public func normalised() -> [Interval] {
        var result: [Interval] = []
        for interval in sorted(by: { $0.start < $1.start }) where interval.start < interval.end {
            if let last = result.last, interval.start <= last.end {
                result[result.count - 1] = Interval(start: last.start, end: Swift.max(last.end, interval.end))
            } else {
                result.append(interval)
            }
        }
        return result
    }

    /// What lies in both lists; both sorted.
    public func intersection(_ other: [Interval]) -> [Interval] {
        var result: [Interval] = []
        var (a, b) = (0, 0)
        while a < count, b < other.count {
            let start = Swift.max(self[a].start, other[b].start)
            let end = Swift.min(self[a].end, other[b].end)
            if start < end { result.append(Interval(start: start, end: end)) }
            if self[a].end < other[b].end { a += 1 } else { b += 1 }
        }
        return result
    }

    /// Whether all of it lies in another list; both sorted.
    public func isCovered(by other: [Interval]) -> Bool { intersection(other) == self }
}
