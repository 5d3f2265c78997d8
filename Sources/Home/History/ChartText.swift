import Accounts
import Pages
import System

/// Values and times of charts, as people read them.
enum ChartText {
    /// `412`, `21.5`, `0.25`; with a comma where the language has one.
    /// - Parameter places: after the point, at most.
    static func number(_ value: Double, places: Int? = nil, _ language: Language) -> String {
        let size = value.magnitude
        guard size.isFinite, size < 1e12 else { return value.description }
        let places = places ?? (size >= 100 ? 0 : size >= 10 ? 1 : 2)
        let scale = [1.0, 10, 100, 1_000, 10_000][min(places, 4)]
        let scaled = Int64((value * scale).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        var text = (scaled < 0 ? "−" : "") + String(whole)
        guard rest > 0 else { return text }
        var figures = String(rest)
        figures = String(repeating: "0", count: max(0, places - figures.utf8.count)) + figures
        while figures.hasSuffix("0") { figures.removeLast() }
        text += (language == .en ? "." : ",") + figures
        return text
    }

    /// With its unit, which keeps together with it; a yes or no in words.
    static func value(_ value: Double, of sensor: Sensor, _ language: Language) -> String {
        if sensor.kind.isTruth, value == 0 || value == 1 {
            let words = HistoryWords.in(language)
            return value == 1 ? words.yes : words.no
        }
        let text = number(value, language)
        return sensor.unit.isEmpty ? text : text + "\u{a0}" + sensor.unit
    }

    /// What a window shows, above the chart.
    static func title(_ window: ChartWindow, _ language: Language) -> String {
        let words = HistoryWords.in(language)
        let (first, last) = (window.zone.day(at: window.from), window.zone.day(at: window.to.adding(milliseconds: -1)))
        switch window.span {
        case .hour: return "\(day(first, language)), \(clock(window.from, window)) – \(clock(window.to, window))"
        case .day: return words.weekday(first) + " " + day(first, language)
        case .week, .all:
            return first == last ? day(first, language) : "\(day(first, language)) – \(day(last, language))"
        case .month: return words.month(first.civil.month) + " \(first.civil.year)"
        case .year: return "\(first.civil.year)"
        }
    }

    /// Beside a mark of the axis.
    static func tick(_ moment: Timestamp, _ window: ChartWindow, _ language: Language) -> String {
        let words = HistoryWords.in(language)
        let day = window.zone.day(at: moment)
        switch window.span {
        case .hour, .day: return clock(moment, window)
        case .week: return words.shortWeekday(day)
        case .month: return "\(day.civil.day)"
        case .year: return words.shortMonth(day.civil.month)
        case .all: return stretch(moment, window.barStep, window, language)
        }
    }

    /// A stretch of the table.
    static func stretch(
        _ from: Timestamp, _ step: ChartWindow.Step, _ window: ChartWindow, _ language: Language
    ) -> String {
        let words = HistoryWords.in(language)
        let day = window.zone.day(at: from)
        switch step {
        case .minutes:
            let clock = clock(from, window)
            return window.span == .all ? "\(day.civil.day) \(words.shortMonth(day.civil.month)) \(clock)" : clock
        case .days: return words.shortWeekday(day) + " \(day.civil.day) " + words.shortMonth(day.civil.month)
        case .months: return words.shortMonth(day.civil.month) + " \(day.civil.year)"
        case .years: return "\(day.civil.year)"
        }
    }

    /// A moment with its day, where the window is longer than one.
    static func moment(_ moment: Timestamp, _ window: ChartWindow, _ language: Language) -> String {
        switch window.span {
        case .hour, .day: clock(moment, window)
        default: day(window.zone.day(at: moment), language) + ", " + clock(moment, window)
        }
    }

    static func day(_ day: Day, _ language: Language) -> String {
        let (year, month, number) = day.civil
        return PagesWords.in(language).date(year: year, month: month, day: number)
    }

    private static func clock(_ moment: Timestamp, _ window: ChartWindow) -> String {
        window.zone.clockText(at: moment)
    }
}
