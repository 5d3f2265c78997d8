import Household
import Ledger
import Safeguard
import Store
import System

/// Everything that a chart of a sensor shows.
struct SensorChart: Sendable {
    let window: ChartWindow
    /// As a line, with a band from the lowest to the highest.
    let line: [ChartBucket]
    /// The edges of its stretches.
    let lineEdges: [Timestamp]
    /// As bars, and as a table.
    let bars: [ChartBucket]
    let barEdges: [Timestamp]
    /// The threshold as it was.
    let thresholds: [ThresholdRecords.Step]
    /// When alarms were.
    let alarms: [(at: Timestamp, ended: Timestamp?)]
    /// The last value before the chart begins, where single readings go back so far: what counted when it began.
    let before: Double?
    /// Where the series begins and ends, what a mark hides left out; nil: there is nothing.
    let whole: (first: Timestamp, last: Timestamp)?
    /// Where whoever looks wants it to begin.
    let mark: Timestamp?

    /// What to show.
    struct Wish: Sendable {
        var span = ChartSpan.day
        /// Nil: the day before, or today when there is nothing of the day before.
        var moment: Timestamp?
        var mark: Timestamp?
    }

    /// Reads it, in one snapshot.
    static func read(_ sensor: Sensor, _ wish: Wish, zone: Zone, at now: Timestamp, in database: Database) throws
        -> SensorChart
    {
        let rules = try HistoryRetention.of(sensor.site, in: database)
        let kept = { (tier: Tier) in rules.kept(tier, at: now) }
        var whole = try SeriesRecords.bounds(of: sensor.number, in: database)
        if let mark = wish.mark, let found = whole {
            whole = found.last < mark ? nil : (max(found.first, mark), found.last)
        }
        let window = ChartWindow(
            wish.span, at: moment(wish, whole?.first, zone, now), zone: zone, whole: whole ?? (now, now))
        func stretches(_ style: ChartStyle) throws -> (grid: ChartGrid, buckets: [ChartBucket]) {
            let (grid, buckets) = try ChartGrid.read(sensor.number, in: database) {
                window.grid(style, least: $0, kept: kept)
            }
            // What a mark hides is hidden in whole stretches; the one in which it lies is shown.
            guard let mark = wish.mark else { return (grid, buckets) }
            return (grid, buckets.filter { $0.rollup.lastAt >= mark })
        }
        let (line, bars) = (try stretches(.line), try stretches(.bars))
        let before = try SeriesRecords.last(of: sensor.number, before: window.from, in: database)
        return SensorChart(
            window: window, line: line.buckets, lineEdges: line.grid.edges, bars: bars.buckets,
            barEdges: bars.grid.edges,
            thresholds: try ThresholdRecords.steps(of: sensor.id, from: window.from, to: window.to, in: database),
            alarms: try AlarmRecords.spans(of: sensor.id, from: window.from, to: window.to, in: database),
            before: before.flatMap { before in wish.mark.map { before.at >= $0 } ?? true ? before.value : nil },
            whole: whole, mark: wish.mark)
    }

    private static func moment(_ wish: Wish, _ first: Timestamp?, _ zone: Zone, _ now: Timestamp) -> Timestamp {
        if let moment = wish.moment { return moment }
        guard wish.span == .day else { return now }
        let today = zone.start(of: zone.day(at: now))
        guard let first, first < today else { return now }
        return today.adding(milliseconds: -1)
    }

    /// All of the chart in one stretch; nil: there is nothing in it.
    var total: Rollup? {
        bars.first.map { first in bars.dropFirst().reduce(into: first.rollup) { $0.add($1.rollup) } }
    }
}
