import Accounts
import Pages
import Safeguard

/// The fields of a sensor. A page may have the same ones several times, so their ids carry whose they are.
struct SensorFields: Sendable {
    let words: HomeDevicesWords
    let prefix: String
    let entry: SensorEntry
    let fault: DeviceFault?

    /// Whether it is still to be added.
    let isNew: Bool

    init(
        _ words: HomeDevicesWords, prefix: String, _ entry: SensorEntry, _ fault: DeviceFault?, isNew: Bool = false
    ) {
        (self.words, self.prefix, self.entry, self.fault, self.isNew) = (words, prefix, entry, fault, isNew)
    }

    /// What it is called and what its values mean.
    var meaning: HTML {
        HTMLBuilder.buildArray([
            text(words.name, .name("name"), "name", entry.name, longest: GivenName.longest),
            div(.css("pair")) {
                text(words.unit, .name("unit"), "unit", entry.unit, isOptional: true, longest: 16)
                text(
                    words.period, .name("period"), "period", entry.period, isOptional: true, hint: words.periodHint,
                    longest: 24)
            },
            div(.css("pair")) {
                text(words.low, .name("low"), "low", entry.low, isOptional: true, hint: words.rangeHint, longest: 24)
                text(words.high, .name("high"), "high", entry.high, isOptional: true, longest: 24)
            },
            choice(
                words.alarmClass, .name("class"), "class",
                [("", isNew ? words.usualClass : words.noClass)]
                    + SensorClass.allCases.map { ($0.name, words.classes[$0] ?? $0.name) },
                entry.alarmClass),
        ])
    }

    func text(
        _ title: String, _ name: Attribute, _ field: String, _ value: String, isOptional: Bool = false,
        hint: String? = nil, longest: Int
    ) -> HTML {
        let id = "\(field)-\(prefix)"
        let isRefused = fault?.field == field
        return div(.css("row-field")) {
            label(.for(id)) {
                title
                if isOptional { small { " \(PagesWords.in(words.language).optional)" } }
            }
            input(
                .css("field"), .id(id), name, .type(.text), .value(value), .required(!isOptional),
                .maxlength(longest), .autocomplete("off"), .aria("invalid", isRefused ? "true" : nil),
                .aria("describedby", described(id, hint, isRefused)), also: Attribute.verbatim)
            explanation(id, hint, isRefused)
        }
    }

    func choice(
        _ title: String, _ name: Attribute, _ field: String, _ options: [(value: String, label: String)],
        _ chosen: String, hint: String? = nil
    ) -> HTML {
        let id = "\(field)-\(prefix)"
        let isRefused = fault?.field == field
        return div(.css("row-field")) {
            label(.for(id)) { title }
            select(
                .css("field"), .id(id), name, .aria("invalid", isRefused ? "true" : nil),
                .aria("describedby", described(id, hint, isRefused))
            ) {
                for one in options { option(.value(one.value), .selected(one.value == chosen)) { one.label } }
            }
            explanation(id, hint, isRefused)
        }
    }

    private func described(_ id: String, _ hint: String?, _ isRefused: Bool) -> String? {
        let ids = [isRefused ? "\(id)-refused" : nil, hint == nil ? nil : "\(id)-hint"].compactMap { $0 }
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }

    @HTMLBuilder private func explanation(_ id: String, _ hint: String?, _ isRefused: Bool) -> HTML {
        if isRefused, let fault { p(.css("refused"), .id("\(id)-refused")) { words.faults(fault) } }
        if let hint { p(.css("hint"), .id("\(id)-hint")) { hint } }
    }
}
