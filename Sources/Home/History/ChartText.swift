import Accounts
import Household
import Identity
import Pages
import System

/// Values and times of charts, as people read them.
enum ChartText {
    /// A mark of an axis: with so many figures after the point at most, and a comma where the language has one.
    static func mark(_ value: Double, places: Int, _ language: Language) -> String {
        guard value.magnitude < 1e12 else { return value.description }
        let scale = [1.0, 10, 100, 1_000, 10_000][min(places, 4)]
        let text = ((value * scale).rounded() / scale).description
        let whole = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        return String(whole.map { $0 == "." && language != .en ? "," : $0 == "-" ? "−" : $0 })
    }

    /// With its unit, which keeps together with it; a yes or no in words.
    static func value(_ value: Double, of sensor: Sensor, _ language: Language) -> String {
        if sensor.kind.isTruth, value == 0 || value == 1 {
            let words = HistoryWords.in(language)
            return value == 1 ? words.yes : words.no
        }
        return ValueText.number(value, unit: sensor.unit, language)
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
