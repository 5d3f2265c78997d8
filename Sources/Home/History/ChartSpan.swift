import System

/// How much of a series a chart shows.
enum ChartSpan: String, Sendable, CaseIterable {
    case hour, day, week, month, year
    case all
}

/// How a chart is drawn.
enum ChartStyle: String, Sendable, CaseIterable {
    case line, bars
}

/// A stretch of time as a chart shows it. Days, weeks, months and years are those of the house.
struct ChartWindow: Sendable, Equatable {
    let span: ChartSpan
    let zone: Zone
    /// Its first moment.
    let from: Timestamp
    /// Its first moment after.
    let to: Timestamp

    /// The hour, day, week, month or year in which a moment lies.
    /// - Parameter whole: for `all`: the first and last moment of the series.
    init(_ span: ChartSpan, at moment: Timestamp, zone: Zone, whole: (first: Timestamp, last: Timestamp)) {
        (self.span, self.zone) = (span, zone)
        let day = zone.day(at: moment)
        let (year, month, _) = day.civil
        func first(_ year: Int, _ month: Int) -> Timestamp {
            zone.start(of: Day(year: year, month: month, day: 1) ?? day)
        }
        switch span {
        case .hour:
            let past = Int64(zone.minute(at: moment) % 60) * 60_000
            let minute = moment.milliseconds - (moment.milliseconds % 60_000 + 60_000) % 60_000
            from = Timestamp(milliseconds: minute - past)
            to = from.adding(milliseconds: 3_600_000)
        case .day: (from, to) = (zone.start(of: day), zone.start(of: day.adding(days: 1)))
        case .week:
            let monday = day.adding(days: 1 - day.weekday)
            (from, to) = (zone.start(of: monday), zone.start(of: monday.adding(days: 7)))
        case .month: (from, to) = (first(year, month), month == 12 ? first(year + 1, 1) : first(year, month + 1))
        case .year: (from, to) = (first(year, 1), first(year + 1, 1))
        case .all:
            from = zone.start(of: zone.day(at: whole.first))
            to = max(zone.start(of: zone.day(at: whole.last).adding(days: 1)), from.adding(milliseconds: 86_400_000))
        }
    }

    /// The one before, and the one after; nil for `all`.
    var neighbours: (earlier: Timestamp, later: Timestamp)? {
        span == .all ? nil : (from.adding(milliseconds: -1), to)
    }

    /// Whether a moment lies in it.
    func holds(_ moment: Timestamp) -> Bool { from <= moment && moment < to }

    // MARK: its stretches

    /// What a chart's stretches are counted in.
    enum Step: Sendable, Equatable {
        case minutes(Int64)
        case days
        case months
        case years
    }

    /// A line has many stretches, so that it is smooth; nil: as many of one length as fit.
    var lineStep: Step? {
        switch span {
        case .hour: .minutes(1)
        case .day: .minutes(5)
        case .week: .minutes(60)
        case .month: .minutes(120)
        case .year: .days
        case .all: nil
        }
    }

    /// Bars are few, so that each can be read.
    var barStep: Step {
        switch span {
        case .hour: .minutes(5)
        case .day: .minutes(60)
        case .week, .month: .days
        case .year: .months
        case .all:
            switch (to.milliseconds - from.milliseconds) / 86_400_000 {
            case ...2: .minutes(60)
            case ...62: .days
            case ...1_100: .months
            default: .years
            }
        }
    }

    /// The edges of its stretches. A day of 23 or 25 hours has as many.
    func edges(_ step: Step) -> [Timestamp] {
        var edges = [from]
        while edges[edges.count - 1] < to {
            let last = edges[edges.count - 1]
            edges.append(min(max(next(after: last, step), last.adding(milliseconds: 60_000)), to))
        }
        return edges
    }

    private func next(after moment: Timestamp, _ step: Step) -> Timestamp {
        let day = zone.day(at: moment)
        let (year, month, _) = day.civil
        switch step {
        case .minutes(let count): return moment.adding(milliseconds: count * 60_000)
        case .days: return zone.start(of: day.adding(days: 1))
        case .months:
            return zone.start(of: Day(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1) ?? day)
        case .years: return zone.start(of: Day(year: year + 1, month: 1, day: 1) ?? day)
        }
    }

    /// A grid of its stretches.
    func grid(_ style: ChartStyle, least: Tier = .raw, kept: (Tier) -> Timestamp) -> ChartGrid {
        switch (style, lineStep) {
        case (.line, let step?): ChartGrid(along: edges(step), least: least, kept: kept)
        case (.line, nil): ChartGrid(from: from, to: to, count: ChartGrid.most, least: least, kept: kept)
        case (.bars, _): ChartGrid(along: edges(barStep), least: least, kept: kept)
        }
    }

    /// Where its axis is marked.
    var ticks: [Timestamp] {
        switch span {
        case .hour: return [0, 15, 30, 45].map { from.adding(milliseconds: $0 * 60_000) }
        case .day:
            let day = zone.day(at: from)
            return [0, 6, 12, 18].map { zone.moment($0 * 60, of: day, .first) }
        case .week: return Array(edges(.days).dropLast())
        case .month:
            return Array(edges(.days).dropLast()).enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
        case .year: return Array(edges(.months).dropLast()).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        case .all:
            let all = Array(edges(barStep).dropLast())
            let each = max(1, (all.count + 3) / 4)
            return all.enumerated().filter { $0.offset % each == 0 }.map(\.element)
        }
    }
}
