import JSON

/// Which events of a chain something speaks of: runs of sequences, both ends included, ascending.
public struct SequenceRanges: Sendable, Equatable {
    /// The runs, which neither touch nor overlap.
    public private(set) var runs: [ClosedRange<UInt64>] = []

    /// - Parameter sequences: ascending.
    public init(_ sequences: some Sequence<UInt64>) {
        for sequence in sequences { add(sequence...sequence) }
    }

    /// - Parameter runs: in any order; those that touch become one.
    init(merging runs: [ClosedRange<UInt64>]) {
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { add(run) }
    }

    /// How many sequences there are.
    public var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// Adds a run that begins no earlier than the last one.
    private mutating func add(_ run: ClosedRange<UInt64>) {
        guard let last = runs.last, run.lowerBound <= last.upperBound &+ 1 else { return runs.append(run) }
        runs[runs.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
    }

    /// Whether one of the runs holds a sequence; a search by halves.
    func contains(_ sequence: UInt64) -> Bool {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].contains(sequence)
    }

    /// As pieces of at most so many runs.
    func pieces(of limit: Int) -> [SequenceRanges] {
        stride(from: 0, to: runs.count, by: limit).map { start in
            SequenceRanges(merging: Array(runs[start..<min(start + limit, runs.count)]))
        }
    }

    /// Writes `[[1,3],[7,7]]`.
    func write(to json: inout JSONWriter) {
        json.array("sequences") { json in
            for run in runs {
                json.array { json in
                    json.value(run.lowerBound)
                    json.value(run.upperBound)
                }
            }
        }
    }
}
