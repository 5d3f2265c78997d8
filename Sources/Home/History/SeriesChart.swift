import Store
import System

/// A stretch of a chart.
struct ChartBucket: Sendable, Equatable {
    /// When it begins; it ends where the grid's next edge is.
    let from: Timestamp
    /// What it holds.
    var rollup: Rollup
}

/// Which stretches a chart has, and out of which tier they are made.
struct ChartGrid: Sendable, Equatable {
    /// Where stretches begin, and where the last one ends: two at least, rising.
    let edges: [Timestamp]
    /// Where they are read from.
    let tier: Tier

    /// No chart has more stretches.
    static let most = 400
    /// No chart reads more rows of one tier: then the coarser one is read.
    static let budget = 20_000

    /// Stretches of one length: out of the coarsest tier that is no coarser than they are, and goes back so far. They begin where the
    /// tier's own begin, so that each of those lies in one stretch.
    /// - Parameters:
    ///   - count: at most so many stretches, and one more where the span does not begin with one.
    ///   - least: out of nothing finer than this.
    ///   - kept: since when a tier is there.
    init(from: Timestamp, to: Timestamp, count: Int, least: Tier = .raw, kept: (Tier) -> Timestamp) {
        let span = max(to.milliseconds - from.milliseconds, 1)
        let fine = Tier.folds.last { $0.width <= span / Int64(count) } ?? .raw
        let tier = Self.reaching(from, max(fine, least), kept)
        let (start, width) = (tier.start(of: from).milliseconds, max(tier.width, 1))
        let step = ((span + Int64(count) - 1) / Int64(count) + width - 1) / width * width
        var edges = [Timestamp(milliseconds: start)]
        repeat { edges.append(edges.last!.adding(milliseconds: step)) } while edges.last! < to
        self.init(edges: edges, tier: tier)
    }

    /// Stretches along edges of a calendar: out of the coarsest tier whose own stretches do not lie across an edge, unless that has too
    /// many rows.
    init(along edges: [Timestamp], least: Tier = .raw, kept: (Tier) -> Timestamp) {
        let narrowest = zip(edges, edges.dropFirst()).map { $1.milliseconds - $0.milliseconds }.min() ?? 1
        let span = edges.last!.milliseconds - edges.first!.milliseconds
        let narrow = Tier.folds.filter { $0.width <= narrowest }
        let whole = narrow.last { tier in
            span / tier.width <= Self.budget && edges.allSatisfy { tier.start(of: $0) == $0 }
        }
        self.init(edges: edges, tier: Self.reaching(edges.first!, max(whole ?? narrow.last ?? .raw, least), kept))
    }

    private init(edges: [Timestamp], tier: Tier) { (self.edges, self.tier) = (edges, tier) }

    /// The finest that is no finer than that, and goes back so far.
    private static func reaching(_ from: Timestamp, _ least: Tier, _ kept: (Tier) -> Timestamp) -> Tier {
        Tier.allCases.first { $0 >= least && kept($0) <= from } ?? .day
    }

    /// What a sensor's stretches hold, without those in which there is nothing; nil when there are too many readings to go through.
    func fill(_ sensor: Int64, in database: Database) throws -> [ChartBucket]? {
        var (buckets, next) = ([ChartBucket](), 1)
        var isNew = true
        let limit = tier == .raw ? Self.budget + 1 : .max
        let count = try SeriesRecords.each(
            tier, of: sensor, from: edges[0], to: edges[edges.count - 1], limit: limit, in: database
        ) { start, rollup in
            while next < edges.count - 1, start >= edges[next] { (next, isNew) = (next + 1, true) }
            if isNew {
                buckets.append(ChartBucket(from: edges[next - 1], rollup: rollup))
                isNew = false
            } else {
                buckets[buckets.count - 1].rollup.add(rollup)
            }
        }
        return count == limit ? nil : buckets
    }
}

extension ChartGrid {
    /// The stretches of the first grid that can be filled: where there are too many single readings, five minutes are the finest.
    /// - Parameter make: the grid out of nothing finer than a tier.
    static func read(
        _ sensor: Int64, in database: Database, _ make: (_ least: Tier) -> ChartGrid
    ) throws -> (grid: ChartGrid, buckets: [ChartBucket]) {
        let fine = make(.raw)
        if let buckets = try fine.fill(sensor, in: database) { return (fine, buckets) }
        let coarse = make(.fiveMinutes)
        return (coarse, try coarse.fill(sensor, in: database) ?? [])
    }
}
