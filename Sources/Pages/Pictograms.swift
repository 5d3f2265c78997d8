import Accounts

extension Part {
    /// The sign of a kind of site, standing on its threshold. It only repeats what a word beside it says.
    public static func kind(_ kind: SiteKind, isSmall: Bool = false) -> HTML {
        span(.css(isSmall ? "kind tiny" : "kind"), .aria("hidden", "true")) {
            element("svg", [Attribute("viewBox", "0 0 24 24")], Frame.joined(drawing(kind), threshold))
        }
    }

    private static let threshold = HTML.raw(#"<path d="M2 21.5h20"/>"#)

    /// Lines on a field of 24, above a threshold.
    private static func drawing(_ kind: SiteKind) -> HTML {
        switch kind {
        // A hall with a toothed roof.
        case .company:
            HTML.raw(#"<path d="M4 21V10.5l5 3.5v-3.5l5 3.5v-3.5l6 3.5v7"/><path d="M10.5 21v-3.5h3V21"/>"#)
        // Floors above each other.
        case .building:
            HTML.raw(
                #"<path d="M6 21V3.5h12V21"/><path d="M10 7.5h.01M14 7.5h.01M10 11.5h.01M14 11.5h.01M10.5 21v-5h3v5"/>"#
            )
        // A shop under its awning.
        case .centre:
            HTML.raw(
                #"<path d="M4 4h16l1.5 5.5h-19zM2.5 9.5a2.4 2.4 0 0 0 4.75 0 2.4 2.4 0 0 0 4.75 0 2.4 2.4 0 0 0 4.75 0 2.4 2.4 0 0 0 4.75 0M4.5 13.5V21m15-7.5V21"/>"#
            )
        // A roof, and a door in the middle.
        case .home:
            HTML.raw(
                #"<path d="M3.5 11.5 12 4l8.5 7.5M6 9.5V21m12-11.5V21"/><path d="M10.5 21v-6h3v6"/>"#)
        }
    }

    /// Somebody's photo in a disc, or the first letters of their name where there is none.
    /// - Parameter label: what it is, for whoever does not see it; nil where their name stands beside it.
    public static func portrait(
        of name: String, photo: LocalPath?, label: String? = nil, isLarge: Bool = false
    ) -> HTML {
        let look = Attribute.css(isLarge ? "portrait large" : "portrait")
        if let photo {
            let path = isLarge ? photo : photo.adding("size", "96")
            return img(path, alt: label ?? "", side: isLarge ? 96 : 40, look)
        }
        return span(look, .aria("hidden", "true")) { initials(of: name) }
    }

    /// One or two letters: of the first and the last word.
    static func initials(of name: String) -> String {
        let words = name.split(whereSeparator: \.isWhitespace)
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap {
            $0?.first { $0.isLetter || $0.isNumber }
        }
        return letters.map { $0.uppercased() }.joined()
    }
}
