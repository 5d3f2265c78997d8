import Accounts
import Household
import Identity
import Ledger
import Pages
import System

struct SensorChartView {
    let language: Language
    let site: SiteID
    let sensor: Sensor
    /// What people call the device.
    let device: String
    /// How the sensor is now.
    let face: Face
    let chart: SensorChart
    let style: ChartStyle
    let now: Timestamp
    /// Whether whoever looks owns the house.
    let isOwner: Bool
    /// Whether what it told was just deleted.
    let wasDeleted: Bool

    private var words: HistoryWords { .in(language) }
    private var window: ChartWindow { chart.window }

    /// The page of a sensor.
    static func path(_ site: SiteID, _ sensor: SensorID) -> LocalPath { "/houses/\(site.text)/sensors/\(sensor.text)" }

    private var own: LocalPath { Self.path(site, sensor.id) }

    /// The page with another part of the series.
    private func path(_ span: ChartSpan, at moment: Timestamp? = nil, _ other: ChartStyle? = nil) -> LocalPath {
        let style = other ?? style
        return own.adding("span", span.rawValue).adding("at", moment?.iso8601 ?? "")
            .adding("style", style == .line ? "" : style.rawValue)
    }

    /// What is inside of the page.
    var content: HTML {
        div(.css("pile")) {
            if wasDeleted { Part.notice(.go, words.deleted) }
            if sensor.retired != nil { Part.notice(.idle, words.outOfUse) }
            present
            if chart.whole == nil, chart.mark == nil {
                Part.empty(title: words.nothingYet, detail: words.nothingYetDetail)
            } else {
                island(
                    "sensor-chart", .css("pile"), .data("of", sensor.id.text),
                    .data("zone", window.zone.name), .data("unit", sensor.unit),
                    .data("truth", sensor.kind.isTruth ? "yes" : nil),
                    .data("follows", window.holds(now) ? "yes" : nil)
                ) {
                    islandWords
                    figure
                }
                tools
            }
            if isOwner, chart.whole != nil || chart.mark != nil { deletion }
        }
    }

    private var present: HTML {
        section(.css("plate"), .data("sensor", sensor.id.text), .aria("label", words.now)) {
            p(.css("soft")) { bdi { device } }
            if sensor.retired == nil {
                let live = HomeLiveWords.in(language)
                p(.css("now-value")) { LivePart.value(face) }
                div(.css("row")) {
                    LivePart.status(face)
                    span(.css("soft")) { LivePart.age(face.at, now, live) }
                }
            }
        }
    }

    // MARK: the figure

    private var figure: HTML {
        section(.css("plate chart-plate"), .id("figure"), .aria("labelledby", "chart-title")) {
            Part.tabs(
                words.spans,
                ChartSpan.allCases.map {
                    NavItem(
                        href: path($0, at: anchor(for: $0)), label: words.span($0), isCurrent: $0 == window.span)
                })
            div(.css("chart-head")) {
                if let neighbours = window.neighbours {
                    step(
                        words.earlier, neighbours.earlier, "earlier",
                        chart.whole.map { $0.first < window.from } ?? false)
                }
                h2(.id("chart-title")) { ChartText.title(window, language) }
                if let neighbours = window.neighbours {
                    step(words.later, neighbours.later, "later", neighbours.later <= now)
                }
            }
            if let total = chart.total {
                div(.css("chart-field"), .data("part", "field")) {
                    ChartDrawing(chart, of: sensor, style, at: now, language).html(said(total))
                }
                p(.css("chart-readout soft"), .data("part", "readout")) { said(total) }
                legend
            } else {
                div(.css("chart-field chart-none")) { p(.css("soft")) { words.nothingThen } }
            }
            nav(.css("row"), .aria("label", words.drawnAs)) {
                for one in ChartStyle.allCases {
                    a(
                        .css("button plain"), .href(path(window.span, at: shown, one)),
                        .aria("current", one == style ? "true" : nil)
                    ) { words.style(one) }
                }
            }
            if !chart.alarms.isEmpty { alarms }
            if chart.total != nil { table }
        }
    }

    /// The moment that brings this window back.
    private var shown: Timestamp? { window.span == .all ? nil : window.from }

    /// Where another zoom goes: into now where this one holds it, else to where this one begins.
    private func anchor(for span: ChartSpan) -> Timestamp? {
        if span == .all { return nil }
        if window.holds(now) { return now }
        return window.span == .all ? nil : window.from
    }

    private func step(_ label: String, _ moment: Timestamp, _ kind: String, _ isThere: Bool) -> HTML {
        isThere
            ? a(.css("button plain chart-step \(kind)"), .href(path(window.span, at: moment))) {
                span(.css("unseen")) { label }
            }
            : span(.css("chart-step"), .aria("hidden", "true")) {}
    }

    /// The chart in a sentence.
    private func said(_ total: Rollup) -> String {
        if sensor.kind.isTruth { return "\(words.readings): \(total.count)" }
        return [
            (words.lowest, total.low), (words.highest, total.high), (words.mean, total.mean),
        ].map { "\($0): \(ChartText.value($1, of: sensor, language))" }.joined(separator: " · ")
    }

    private var legend: HTML {
        ul(.css("chart-legend soft")) {
            if style == .line, !sensor.kind.isTruth { li(.css("of-line")) { words.mean } }
            if !sensor.kind.isTruth { li(.css("of-band")) { words.band } }
            if let level = chart.thresholds.last(where: { $0.threshold != nil })?.threshold?.level {
                li(.css("of-level")) {
                    HistoryWords.fill(words.threshold, "n", ChartText.value(level, of: sensor, language))
                }
            }
            if !chart.alarms.isEmpty { li(.css("of-alarm")) { words.alarm } }
        }
    }

    private var alarms: HTML {
        section(.css("lines"), .aria("labelledby", "chart-alarms")) {
            h3(.id("chart-alarms")) { words.alarms }
            ul(.css("facts")) {
                for span in chart.alarms.suffix(20) {
                    li {
                        let from = ChartText.moment(span.at, window, language)
                        if let ended = span.ended {
                            HistoryWords.fill(
                                HistoryWords.fill(words.until, "from", from), "to",
                                ChartText.moment(ended, window, language))
                        } else {
                            HistoryWords.fill(words.lasts, "from", from)
                        }
                    }
                }
            }
        }
    }

    private var table: HTML {
        details {
            summary { words.asTable }
            div(.css("chart-table"), .tabindex(0), .role("region"), .aria("label", words.asTable)) {
                Pages.table {
                    thead {
                        tr {
                            for head in [words.time, words.readings, words.lowest, words.highest, words.mean] {
                                th(.scope("col")) { head }
                            }
                        }
                    }
                    tbody {
                        for bucket in chart.bars {
                            tr {
                                th(.scope("row")) {
                                    ChartText.stretch(bucket.from, window.barStep, window, language)
                                }
                                td { "\(bucket.rollup.count)" }
                                td { ChartText.value(bucket.rollup.low, of: sensor, language) }
                                td { ChartText.value(bucket.rollup.high, of: sensor, language) }
                                td { ValueText.number(bucket.rollup.mean, language) }
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: what one can do

    private var tools: HTML {
        section(.css("plate"), .aria("label", words.show)) {
            form(.css("filter"), .method(.get), .action(own)) {
                div(.css("row-field")) {
                    label(.for("day")) { words.goToDay }
                    input(
                        .css("field"), .id("day"), .name("day"), .type(.date),
                        .value(window.zone.day(at: window.span == .all ? now : window.from).iso8601))
                }
                button(.css("quiet"), .type(.submit)) { words.show }
            }
            div(.css("part")) {
                p {
                    a(.css("button quiet"), .href(file)) { words.take }
                }
                p(.css("hint")) { words.takeDetail }
            }
            form(.css("part"), .method(.post), .action(own.under("start"))) {
                if let mark = chart.mark {
                    p {
                        HistoryWords.fill(
                            words.beginsAt, "when",
                            ChartText.day(window.zone.day(at: mark), language) + ", "
                                + window.zone.clockText(at: mark))
                    }
                    p {
                        button(.css("quiet"), .type(.submit), .name("begins"), .value("first")) {
                            words.fromBeginning
                        }
                    }
                } else {
                    p {
                        button(.css("quiet"), .type(.submit), .name("begins"), .value("now")) { words.startAnew }
                    }
                    p(.css("hint")) { words.startAnewDetail }
                }
            }
        }
    }

    private var file: LocalPath {
        let path: LocalPath = "/api/sensors/\(sensor.id.text)/readings.csv"
        return path.adding("from", max(window.from, chart.mark ?? window.from).iso8601)
            .adding("to", window.to.iso8601).adding("language", language.rawValue)
    }

    private var deletion: HTML {
        details {
            summary { words.delete }
            form(.css("stack"), .method(.post), .action(own.under("delete"))) {
                p(.css("soft")) { words.deleteDetail }
                p { button(.css("danger"), .type(.submit)) { words.delete } }
            }
        }
    }

    // MARK: the island

    private var islandWords: HTML {
        data(
            id: "chart-words",
            [
                "lowest": words.lowest, "highest": words.highest, "mean": words.mean, "readings": words.readings,
                "yes": words.yes, "no": words.no, "hint": words.readIt, "lost": words.notLoaded,
                "from": window.from.iso8601, "to": window.to.iso8601, "span": window.span.rawValue,
                "style": style.rawValue,
            ])
    }
}
