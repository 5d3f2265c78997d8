import Accounts
import Household
import Ledger
import Pages
import Safeguard
import System

/// The page of the air of a house.
struct CareView {
    /// A sensor of the page.
    struct One: Sendable {
        let sensor: Sensor
        /// With its device or room.
        let name: String
        let face: Face
        let watch: AirWatch
        /// Whether nobody has chosen its threshold.
        let isUsual: Bool
        /// Whether it is of dangerous air and raises no alarm.
        let isUnwatched: Bool
        let isWaiting: Bool
        /// With this threshold; nil: nobody knows.
        let evidence: Int?
        /// Since when it is in use, in words, and for how long.
        let installed: (day: Day, text: String, age: String?, isOld: Bool)
    }
    /// A fan of the page.
    struct Fan: Sendable {
        let fan: Actuator
        let face: Face
        let run: FanRun
        let rule: FanRule?
        /// The name of what it follows.
        let follows: String?
        /// Until when somebody's choice counts, by the house's clock, in words; nil: its rule counts.
        let byHand: String?
    }
    /// A threshold that was just changed.
    struct Changed: Sendable {
        let sensor: Sensor
        let name: String
        let now: Threshold?
        let before: Threshold?
    }
    /// What somebody wrote that does not fit.
    struct Refused: Sendable {
        /// Of the sensor or the fan.
        let id: String
        let field: String
        let words: String
        var written: [String: String] = [:]
    }

    let root: LocalPath
    let words: CareWords
    let live: HomeLiveWords
    let now: Timestamp
    var isEnabled = true
    var hasBox = false
    /// Whether this reader chooses thresholds and runs fans; looks after the house; says since when a sensor is in use.
    var chooses = false
    var manages = false
    var installs = false
    var sensors: [One] = []
    var fans: [Fan] = []
    var valves: [(valve: Actuator, face: Face)] = []
    var changed: Changed?
    var refused: Refused?

    /// Everything of the page.
    var content: HTML {
        div(.css("pile")) {
            if !isEnabled {
                Part.notice(.wait, "\(words.isOff). \(words.isOffDetail)\(hasBox ? " " + words.boxGoesOn : "")")
                if manages { turnOn }
            }
            if let changed { undo(changed) }
            if let refused { Part.notice(.no, refused.words) }
            if sensors.isEmpty {
                Part.empty(title: words.noSensor, detail: words.noSensorDetail)
            }
            for one in sensors { sensor(one) }
            if !fans.isEmpty { section(.css("pile"), .aria("labelledby", "fans")) { fanParts } }
            if !valves.isEmpty { valveParts }
            if isEnabled, manages, !sensors.isEmpty { turnOff }
            if !sensors.isEmpty { p(.css("soft")) { words.noDetector } }
        }
    }

    private func refusal(of id: String, _ field: String) -> String? {
        refused.flatMap { $0.id == id && $0.field == field ? $0.words : nil }
    }
    private func written(_ id: String, _ field: String, _ value: String) -> String {
        refused.flatMap { $0.id == id ? $0.written[field] : nil } ?? value
    }

    // MARK: whether thresholds count

    private var turnOn: HTML {
        form(.css("row"), .method(.post), .action(root.under("on"))) {
            button(.type(.submit)) { words.turnOn }
        }
    }

    private var turnOff: HTML {
        section(.css("plate"), .id("counting")) {
            Part.chip(.go, words.isOn)
            if hasBox { p(.css("soft")) { words.boxGoesOn } }
            p { a(.css("button quiet"), .href(root.under("off"))) { words.turnOff } }
        }
    }

    /// What asks before thresholds do not count any more.
    var asking: HTML {
        div(.css("pile narrow")) {
            Part.notice(.wait, words.askOffDetail)
            p { words.isOffDetail }
            if hasBox { p { words.boxGoesOn } }
            form(.css("row"), .method(.post), .action(root.under("off"))) {
                button(.css("danger"), .type(.submit)) { words.turnOff }
                a(.css("button quiet"), .href(root)) { words.keepOn }
            }
        }
    }

    private func undo(_ changed: Changed) -> HTML {
        func text(_ threshold: Threshold?) -> String {
            threshold.map { Figure.chosen($0.level, changed.sensor.unit, words.language) } ?? words.nothing
        }
        return section(.css("plate"), .id("changed")) {
            Part.notice(.go, words.changed(changed.name, text(changed.now)) + " " + words.before(text(changed.before)))
            form(.css("row"), .method(.post), .action(path(of: changed.sensor))) {
                if let before = changed.before {
                    input(.type(.hidden), .name("level"), .value(Figure.field(before.level)))
                    input(.type(.hidden), .name("hysteresis"), .value(Figure.field(before.hysteresis)))
                    input(
                        .type(.hidden), .name("rise"), .value(before.risePerMinute.map { Figure.field($0) } ?? ""))
                } else {
                    input(.type(.hidden), .name("none"), .value("1"))
                }
                button(.css("quiet"), .type(.submit)) { words.undo }
            }
        }
    }

    private func path(of sensor: Sensor) -> LocalPath {
        LocalPath(root.description + "/sensors/" + sensor.id.text) ?? root
    }

    // MARK: sensors

    private func sensor(_ one: One) -> HTML {
        let id = one.sensor.id.text
        return section(.css("plate air"), .data("sensor", id), .aria("labelledby", "name-" + id)) {
            div(.css("row between")) {
                h2(.id("name-" + id)) { bdi { one.name } }
                LivePart.status(one.face)
            }
            p(.css("level")) {
                LivePart.value(one.face)
                span(.css("soft")) { LivePart.age(one.face.at, now, live) }
            }
            div(.id("air-" + id), .data("fresh", "alarms")) { verdict(one) }
            if one.face.status == .warming { p(.css("soft")) { words.warmingDetail } }
            if one.sensor.isMeasured, chooses { threshold(one) }
            if one.sensor.kind.isSeries {
                p { a(.href("/houses/\(one.sensor.site.text)/sensors/\(id)")) { words.chart } }
            }
            age(one)
        }
    }

    /// Where it stands, in words. What is not known is no zero.
    private func verdict(_ one: One) -> HTML {
        let isUnknown = [.late, .unavailable, .isolated].contains(one.face.status)
        let isByTime = CareState.factor(of: one.sensor) != nil
        return joined {
            if one.watch.isOver {
                let level = one.watch.threshold.map { Figure.chosen($0.level, one.sensor.unit, words.language) }
                let measured = level.map(words.over) ?? words.exposed
                Part.notice(.no, one.watch.isDetector ? words.detectorAlarm : measured)
            }
            if isByTime {
                if isEnabled, !one.watch.isOver, let minutes = one.watch.exposure?.minutesLeft {
                    Part.notice(.wait, words.exposing(max(Int(minutes.rounded(.up)), 1)))
                }
                p(.data("part", "exposure")) { words.exposure }
                if one.watch.threshold != nil { Part.notice(.wait, words.levelToo) }
            }
            if isUnknown {
                Part.notice(.wait, words.unknown)
            } else if !one.watch.isOver, isEnabled, let threshold = one.watch.threshold {
                p { words.below(Figure.chosen(threshold.level, one.sensor.unit, words.language)) }
                if one.isUsual { p(.css("soft"), .data("part", "usual")) { words.usual } }
            } else if one.isUnwatched {
                Part.notice(.wait, words.nothingWatches)
            } else if !one.watch.isOver, one.sensor.isMeasured, !isByTime {
                p(.css("soft")) { words.unwatched }
            } else if !one.watch.isOver, !one.isWaiting, !isByTime {
                p { words.detectorQuiet }
            }
        }
    }

    private func joined(@HTMLBuilder _ content: () -> HTML) -> HTML { content() }

    private func threshold(_ one: One) -> HTML {
        let (id, unit) = (one.sensor.id.text, one.sensor.unit)
        let (chosen, range, span) = (one.watch.threshold, one.sensor.range, Self.bounds(of: one))
        return form(.css("stack tight"), .method(.post), .action(path(of: one.sensor))) {
            island(
                "threshold-slider", .css("stack tight"), .data("sensor", id),
                .data("step", Figure.field(Self.step(of: span)))
            ) {
                Part.amount(
                    words.threshold, name: "level", id: "level-" + id,
                    value: written(id, "level", chosen.map { Figure.field($0.level) } ?? ""), unit: unit,
                    least: Figure.field(span.lowerBound), greatest: Figure.field(span.upperBound),
                    hint: range.map {
                        words.thresholdHint(
                            Figure.chosen($0.lowerBound, unit, words.language),
                            Figure.chosen($0.upperBound, unit, words.language))
                    }, refused: refusal(of: id, "level"))
                p(.css("soft"), .role("status"), .data("part", "evidence")) { evidence(one) }
                details(.open(refused?.id == id && refused?.field != "level")) {
                    summary { words.more }
                    div(.css("pair")) {
                        Part.amount(
                            words.hysteresis, name: "hysteresis", id: "hysteresis-" + id,
                            value: written(id, "hysteresis", chosen.map { Figure.field($0.hysteresis) } ?? ""),
                            unit: unit, optional: true, hint: words.hysteresisHint,
                            refused: refusal(of: id, "hysteresis"))
                        Part.amount(
                            words.rise, name: "rise", id: "rise-" + id,
                            value: written(
                                id, "rise", chosen?.risePerMinute.map { Figure.field($0) } ?? ""), unit: unit,
                            optional: true, hint: words.riseHint, refused: refusal(of: id, "rise"))
                    }
                }
            }
            div(.css("actions")) {
                button(.type(.submit)) { words.save }
                if chosen != nil {
                    button(.css("plain"), .type(.submit), .name("none"), .value("1")) { words.none }
                }
            }
        }
    }

    /// What the slider goes over: what the sensor can tell; where it does not say, from none to twice what is known of it.
    private static func bounds(of one: One) -> ClosedRange<Double> {
        if let range = one.sensor.range { return range }
        let known = [one.watch.threshold?.level ?? 0, one.face.number ?? 0, 50].max() ?? 50
        return 0...min((known * 2).rounded(), Threshold.greatest)
    }

    /// A slider has at most some thousand places.
    private static func step(of range: ClosedRange<Double>) -> Double {
        let span = range.upperBound - range.lowerBound
        return [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 50, 100].first { $0 * 1000 >= span } ?? 1000
    }

    private func evidence(_ one: One) -> String {
        guard one.watch.threshold != nil else { return "" }
        return one.evidence.map { words.evidence($0, CareDesk.evidenceDays) } ?? words.noEvidence
    }

    private func age(_ one: One) -> HTML {
        let id = one.sensor.id.text
        return div(.css("stack tight")) {
            p(.css("soft")) { words.inUse(one.installed.text, one.installed.age) }
            if one.installed.isOld { Part.notice(.wait, words.old) }
            if installs {
                details(.open(refusal(of: id, "installed") != nil)) {
                    summary { words.installed }
                    form(.css("row"), .method(.post), .action(path(of: one.sensor).under("installed"))) {
                        label(.css("unseen"), .for("installed-" + id)) { words.installed }
                        input(
                            .css("field short"), .id("installed-" + id), .name("installed"), .type(.date),
                            .value(one.installed.day.iso8601), .required(true))
                        button(.css("quiet"), .type(.submit)) { words.save }
                    }
                }
            }
        }
    }
}
