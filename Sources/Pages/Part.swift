import JSON

/// How something is, as colour and shape: always beside a word that says it too.
public enum Tone: String, Sendable, JSONChoice {
    /// Well: a disc.
    case go
    /// Not yet, or not known: a square.
    case wait
    /// No: a diamond.
    case no
    /// At rest: a ring.
    case idle
}

/// The pieces that pages are made of.
public enum Part {
    /// How large a sign is.
    public enum SignSize: String, Sendable {
        /// Beside a name: 44 points.
        case small
        /// The middle of a page.
        case big
    }

    /// Two posts on a threshold, together or apart with light between. It only repeats what a word says beside it.
    public static func sign(_ tone: Tone, open: Bool = false, size: SignSize = .small) -> HTML {
        span(.css("sign \(size.rawValue) \(tone.rawValue)\(open ? " open" : "")"), .aria("hidden", "true")) {
            HTML.raw("<i></i><b></b><i></i>")
        }
    }

    /// A state in a word, with its shape and colour. `part` names it for an island.
    public static func chip(_ tone: Tone, _ words: String, part: String? = nil) -> HTML {
        span(.css("chip \(tone.rawValue)"), .data("part", part)) { words }
    }

    /// A sentence about what happened. A refusal is read out at once, the rest when there is a pause.
    public static func notice(_ tone: Tone, _ words: String) -> HTML {
        p(.css("notice \(tone.rawValue)"), .role(tone == .no ? "alert" : "status")) { words }
    }

    /// A labelled field with its hint and its refusal, each tied to it for a screen reader.
    public static func field(
        _ label: String,
        name: StaticString,
        kind: Attribute.Kind = .text,
        value: String = "",
        autocomplete: StaticString = "off",
        optional: String? = nil,
        hint: String? = nil,
        refused: String? = nil,
        verbatim: Bool = false,
        longest: Int = 200
    ) -> HTML {
        wrapped(label, name: name, optional: optional, hint: hint, refused: refused) { described in
            input(
                .css("field"), .id("\(name)"), .name(name), .type(kind), .value(kind == .password ? "" : value),
                .autocomplete(autocomplete), .required(optional == nil), .maxlength(longest),
                .aria("describedby", described), .aria("invalid", refused == nil ? nil : "true"),
                also: verbatim ? Attribute.verbatim : [])
        }
    }

    /// A labelled choice of one.
    public static func choice(
        _ label: String,
        name: StaticString,
        options: [(value: String, label: String)],
        chosen: String?,
        optional: String? = nil,
        hint: String? = nil,
        refused: String? = nil
    ) -> HTML {
        wrapped(label, name: name, optional: optional, hint: hint, refused: refused) { described in
            select(
                .css("field"), .id("\(name)"), .name(name), .aria("describedby", described),
                .aria("invalid", refused == nil ? nil : "true")
            ) {
                for one in options {
                    option(.value(one.value), .selected(one.value == chosen)) { one.label }
                }
            }
        }
    }

    private static func wrapped(
        _ text: String, name: StaticString, optional: String?, hint: String?, refused: String?,
        field: (_ described: String?) -> HTML
    ) -> HTML {
        let ids = [hint == nil ? nil : "\(name)-hint", refused == nil ? nil : "\(name)-refused"].compactMap { $0 }
        return div(.css("row-field")) {
            label(.for("\(name)")) {
                text
                if let optional { small { " \(optional)" } }
            }
            field(ids.isEmpty ? nil : ids.joined(separator: " "))
            if let refused { p(.css("refused"), .id("\(name)-refused")) { refused } }
            if let hint { p(.css("hint"), .id("\(name)-hint")) { hint } }
        }
    }

    /// What a page shows when it has nothing to show: the sign at rest, what this is for, and at most one thing to do.
    public static func empty(title: String, detail: String, action: (href: LocalPath, label: String)? = nil) -> HTML {
        div(.css("empty")) {
            sign(.idle, size: .big)
            h2 { title }
            p { detail }
            if let action { a(.css("button"), .href(action.href)) { action.label } }
        }
    }

    /// A moment: exact for programs, in words for people.
    public static func moment(_ iso: String, _ words: String) -> HTML {
        time(.datetime(iso)) { words }
    }
}
