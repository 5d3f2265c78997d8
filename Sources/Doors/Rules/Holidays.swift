import System

/// A country whose public holidays we know.
enum HolidayCountry: String, CaseIterable, Sendable {
    case it = "IT"
    case es = "ES"
    case fr = "FR"
    case de = "DE"
}

/// The public holidays of whole countries, by the Gregorian calendar and the Western Easter. Those of regions and towns are not in
/// it: whoever keeps one adds it.
enum Holidays {
    /// For which the lists of today are taken to hold.
    static let years = 2000...2199

    /// A day off, called as its country calls it.
    struct Holiday: Sendable, Equatable {
        let name: String
        let day: Day
    }

    /// Where in the year a holiday lies.
    private enum Place {
        /// Month and day.
        case fixed(Int, Int)
        /// Days after Easter Sunday.
        case easter(Int)
    }

    /// The holidays of a year, earliest first.
    static func of(_ country: HolidayCountry, year: Int) -> [Holiday] {
        guard years.contains(year), let easter = easterSunday(year) else { return [] }
        return list(country, year).compactMap { name, place in
            switch place {
            case .fixed(let month, let day):
                Day(year: year, month: month, day: day).map { Holiday(name: name, day: $0) }
            case .easter(let days): Holiday(name: name, day: easter.adding(days: days))
            }
        }.sorted { $0.day < $1.day }
    }

    private static func list(_ country: HolidayCountry, _ year: Int) -> [(String, Place)] {
        switch country {
        case .it: italy + (year >= 2026 ? [("San Francesco d'Assisi", .fixed(10, 4))] : [])
        case .es: spain
        case .fr: france
        case .de: germany
        }
    }

    /// Law 260 of 1949 as amended last by law 151 of 2025, which brings the 4th of October back from 2026 on.
    private static let italy: [(String, Place)] = [
        ("Capodanno", .fixed(1, 1)), ("Epifania", .fixed(1, 6)), ("Pasqua", .easter(0)),
        ("Lunedì dell'Angelo", .easter(1)), ("Festa della Liberazione", .fixed(4, 25)),
        ("Festa del Lavoro", .fixed(5, 1)), ("Festa della Repubblica", .fixed(6, 2)), ("Ferragosto", .fixed(8, 15)),
        ("Ognissanti", .fixed(11, 1)), ("Immacolata Concezione", .fixed(12, 8)), ("Natale", .fixed(12, 25)),
        ("Santo Stefano", .fixed(12, 26)),
    ]

    /// Those that the regions keep as a rule; each may move some.
    private static let spain: [(String, Place)] = [
        ("Año Nuevo", .fixed(1, 1)), ("Epifanía del Señor", .fixed(1, 6)), ("Viernes Santo", .easter(-2)),
        ("Fiesta del Trabajo", .fixed(5, 1)), ("Asunción de la Virgen", .fixed(8, 15)),
        ("Fiesta Nacional de España", .fixed(10, 12)), ("Todos los Santos", .fixed(11, 1)),
        ("Día de la Constitución Española", .fixed(12, 6)), ("Inmaculada Concepción", .fixed(12, 8)),
        ("Natividad del Señor", .fixed(12, 25)),
    ]

    /// Code du travail, article L3133-1.
    private static let france: [(String, Place)] = [
        ("Jour de l'an", .fixed(1, 1)), ("Lundi de Pâques", .easter(1)), ("Fête du Travail", .fixed(5, 1)),
        ("Victoire de 1945", .fixed(5, 8)), ("Ascension", .easter(39)), ("Lundi de Pentecôte", .easter(50)),
        ("Fête nationale", .fixed(7, 14)), ("Assomption", .fixed(8, 15)), ("Toussaint", .fixed(11, 1)),
        ("Armistice de 1918", .fixed(11, 11)), ("Noël", .fixed(12, 25)),
    ]

    /// Those that all sixteen states keep.
    private static let germany: [(String, Place)] = [
        ("Neujahr", .fixed(1, 1)), ("Karfreitag", .easter(-2)), ("Ostermontag", .easter(1)),
        ("Tag der Arbeit", .fixed(5, 1)), ("Christi Himmelfahrt", .easter(39)), ("Pfingstmontag", .easter(50)),
        ("Tag der Deutschen Einheit", .fixed(10, 3)), ("Erster Weihnachtstag", .fixed(12, 25)),
        ("Zweiter Weihnachtstag", .fixed(12, 26)),
    ]

    /// Easter Sunday of a year of the Gregorian calendar: the anonymous algorithm, in the form of New Scientist of 30 March 1961.
    static func easterSunday(_ year: Int) -> Day? {
        let a = year % 19
        let (b, c) = year.quotientAndRemainder(dividingBy: 100)
        let (d, e) = b.quotientAndRemainder(dividingBy: 4)
        let g = (8 * b + 13) / 25
        let h = (19 * a + b - d - g + 15) % 30
        let (i, k) = c.quotientAndRemainder(dividingBy: 4)
        let l = (32 + 2 * e + 2 * i - h - k) % 7
        let m = (a + 11 * h + 19 * l) / 433
        let month = (h + l - 7 * m + 90) / 25
        return Day(year: year, month: month, day: (h + l - 7 * m + 33 * month + 19) % 32)
    }
}
