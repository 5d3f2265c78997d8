import Accounts
import Household
import Identity
import Pages
import System

/// Draws a chart: shapes on a field that stretches with the page, words and discs that do not.
struct ChartDrawing {
    private let chart: SensorChart
    private let sensor: Sensor
    private let style: ChartStyle
    private let language: Language
    private let now: Timestamp
    private let scale: ChartScale
    /// The field is so wide and so high in its own units.
    private static let (width, height) = (10_000.0, 1_000.0)

    init(_ chart: SensorChart, of sensor: Sensor, _ style: ChartStyle, at now: Timestamp, _ language: Language) {
        (self.chart, self.sensor, self.style, self.language, self.now) = (chart, sensor, style, language, now)
        let buckets = style == .line ? chart.line : chart.bars
        let levels = chart.thresholds.compactMap { $0.threshold?.level }
        scale =
            sensor.kind.isTruth
            ? .truth
            : ChartScale(
                buckets.flatMap { [$0.rollup.low, $0.rollup.high] } + levels + (style == .bars ? [0] : [])
                    + (chart.before.map { [$0] } ?? []))
    }

    /// The drawing.
    /// - Parameter words: what it shows, for whoever does not see it.
    func html(_ words: String) -> HTML {
        Drawing.picture(words, .css("chart")) {
            Drawing.stretched(width: Int(Self.width), height: Int(Self.height)) {
                for tick in scale.ticks { Drawing.path("M0 \(y(tick))H10000", .css("grid")) }
                for span in alarms { alarm(span) }
                if style == .line { lines } else { bars }
                for step in thresholds {
                    Drawing.path("M\(step.from) \(y(step.level))H\(step.to)", .css("level"))
                }
            }
            for tick in scale.ticks { Drawing.words(0, scale.place(tick), label(tick), .css("of-value")) }
            for tick in chart.window.ticks {
                Drawing.words(place(tick), 1, ChartText.tick(tick, chart.window, language), .css("of-time"))
            }
            if let step = thresholds.last {
                Drawing.words(
                    1, scale.place(step.level),
                    HistoryWords.fill(
                        HistoryWords.in(language).threshold, "n", ValueText.number(step.level, language)),
                    .css("of-level"))
            }
            for span in alarms { Drawing.disc(span.from / Self.width, 0, radius: 5, .css("alarm-disc")) }
        }
    }

    private func label(_ tick: Double) -> String {
        sensor.kind.isTruth
            ? ChartText.value(tick, of: sensor, language) : ChartText.mark(tick, places: scale.places, language)
    }

    // MARK: places

    private func place(_ moment: Timestamp) -> Double {
        let window = chart.window
        let part =
            Double(moment.milliseconds - window.from.milliseconds)
            / Double(window.to.milliseconds - window.from.milliseconds)
        return min(max(part, 0), 1)
    }

    private func x(_ moment: Timestamp) -> String { "\(Int(place(moment) * Self.width))" }
    private func y(_ value: Double) -> String { Drawing.number(scale.place(value) * Self.height) }

    // MARK: threshold and alarms

    private var thresholds: [(from: Int, to: Int, level: Double)] {
        let steps = chart.thresholds
        return steps.indices.compactMap { index in
            guard let level = steps[index].threshold?.level else { return nil }
            let end = index + 1 < steps.count ? steps[index + 1].since : chart.window.to
            return (Int(place(steps[index].since) * Self.width), Int(place(end) * Self.width), level)
        }
    }

    private var alarms: [(from: Double, to: Double)] {
        chart.alarms.map { span in
            (place(span.at) * Self.width, place(span.ended ?? max(now, span.at)) * Self.width)
        }
    }

    private func alarm(_ span: (from: Double, to: Double)) -> HTML {
        Drawing.rectangle(
            span.from, 0, width: max(span.to - span.from, 1), height: Self.height, .css("alarm"))
    }

    // MARK: bars

    private var bars: HTML {
        let base = scale.place(0) * Self.height
        return HTMLBuilder.buildArray(
            chart.bars.map { bucket in
                let from = place(bucket.from) * Self.width
                let to = place(end(of: bucket, chart.barEdges)) * Self.width
                let (mean, middle) = (scale.place(bucket.rollup.mean) * Self.height, (from + to) / 2)
                return HTMLBuilder.buildArray([
                    Drawing.rectangle(
                        from + (to - from) * 0.14, min(mean, base), width: (to - from) * 0.72,
                        height: abs(base - mean), .css("bar")),
                    Drawing.path(
                        "M\(Int(middle)) \(y(bucket.rollup.low))V\(y(bucket.rollup.high))", .css("whisker")),
                ])
            })
    }

    private func end(of bucket: ChartBucket, _ edges: [Timestamp]) -> Timestamp {
        edges.first { $0 > bucket.from } ?? chart.window.to
    }

    // MARK: the line

    /// Stretches without a silence in between. A sensor that speaks only when something changes is never silent.
    private var runs: [[ChartBucket]] {
        guard let period = sensor.period else { return chart.line.isEmpty ? [] : [chart.line] }
        let edges = chart.lineEdges
        let step = edges.count > 1 ? edges[1].milliseconds - edges[0].milliseconds : 0
        let silence = max(step * 2, Int64(min(period, 86_400) * 3_000)) + step
        var runs: [[ChartBucket]] = []
        for bucket in chart.line {
            if let last = runs.last?.last, bucket.from.milliseconds - last.from.milliseconds <= silence {
                runs[runs.count - 1].append(bucket)
            } else {
                runs.append([bucket])
            }
        }
        return runs
    }

    private var lines: HTML {
        let runs = runs
        return HTMLBuilder.buildArray(
            runs.map { Drawing.path(band($0), .css("band")) }
                + runs.enumerated().map { index, run in
                    Drawing.path(sensor.kind.isTruth ? steps(run) : curve(run, isFirst: index == 0), .css("line"))
                })
    }

    /// The middle of a stretch, as far as it is past.
    private func middle(_ bucket: ChartBucket) -> Timestamp {
        let step = chart.lineEdges.count > 1 ? chart.lineEdges[1].milliseconds - chart.lineEdges[0].milliseconds : 0
        return min(bucket.from.adding(milliseconds: step / 2), max(bucket.rollup.lastAt, bucket.from))
    }

    private func band(_ run: [ChartBucket]) -> String {
        let above = run.map { "\(x(middle($0))) \(y($0.rollup.high))" }
        let below = run.reversed().map { "\(x(middle($0))) \(y($0.rollup.low))" }
        return "M" + (above + below).joined(separator: "L") + "Z"
    }

    private func curve(_ run: [ChartBucket], isFirst: Bool) -> String {
        var points = run.map { "\(x(middle($0))) \(y($0.rollup.mean))" }
        if isFirst, sensor.period == nil, let before = chart.before { points.insert("0 \(y(before))", at: 0) }
        return "M" + points.joined(separator: "L") + (points.count == 1 ? "h0" : "")
    }

    /// A yes stays until it becomes a no.
    private func steps(_ run: [ChartBucket]) -> String {
        var path = "M0 " + y(chart.before ?? run[0].rollup.last)
        if chart.before == nil { path = "M\(x(run[0].from)) \(y(run[0].rollup.last))" }
        for bucket in run { path += "H\(x(bucket.from))V\(y(bucket.rollup.last))" }
        return path + "H\(x(min(now, chart.window.to)))"
    }
}
