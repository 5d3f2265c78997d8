import Accounts
import Identity
import Testing

@testable import Pages

/// Every phrase by its name. Those with parameters are said here with sample values, since reflection cannot call them;
/// one that is forgotten here is empty, and so found.
private func phrases(_ language: Language) -> [(name: String, text: String)] {
    let words = PagesWords.in(language)
    let said = [
        "tooManyAttempts": words.tooManyAttempts("Q1"), "todayAt": words.todayAt("Q1"),
        "yesterdayAt": words.yesterdayAt("Q1"), "onDayAt": words.onDayAt("Q1", "Q2"),
        "dayMonthYear": words.dayMonthYear("Q1", "Q2", "Q3"),
    ]
    return Mirror(reflecting: words).children.map { child in
        let name = child.label ?? ""
        return (name, child.value as? String ?? said[name] ?? "")
    }
}

@Suite("The words of the pages")
struct WordsTests {
    @Test(
        "are there in every language, none empty, none shouting, none with a blank at its ends",
        arguments: Language.allCases)
    func complete(_ language: Language) {
        let all = phrases(language)
        #expect(all.count > 60)
        for (name, text) in all {
            #expect(!text.isEmpty, "\(name) is empty or of an unknown shape")
            #expect(!text.contains("!") && !text.contains("¡"), "\(name) shouts")
            #expect(!text.lowercased().contains("error"), "\(name) speaks of an error")
            #expect(text.first != " " && text.last != " ", "\(name) has a blank at its end")
        }
    }

    @Test("count the recipients of a notice in the right forms")
    func recipients() {
        func counts(_ language: Language) -> [String] {
            [(0, 0, 0), (1, 1, 1), (2, 2, 2)].map { NoticesWords.in(language).counts($0.0, $0.1, $0.2) }
        }
        #expect(
            counts(.en) == [
                "0 recipients, 0 not reached, 0 read", "1 recipient, 1 not reached, 1 read",
                "2 recipients, 2 not reached, 2 read",
            ])
        #expect(
            counts(.it) == [
                "0 destinatari, 0 non raggiunti, 0 letture", "1 destinatario, 1 non raggiunto, 1 lettura",
                "2 destinatari, 2 non raggiunti, 2 letture",
            ])
        #expect(
            counts(.es) == [
                "0 destinatarios, 0 sin recibir, 0 lecturas", "1 destinatario, 1 sin recibir, 1 lectura",
                "2 destinatarios, 2 sin recibir, 2 lecturas",
            ])
    }

    @Test("keep every parameter of a phrase in every language")
    func parameters() {
        let english = phrases(.en)
        for language in Language.allCases {
            for (own, other) in zip(english, phrases(language)) {
                for mark in ["Q1", "Q2", "Q3"] {
                    #expect(own.text.contains(mark) == other.text.contains(mark), "\(own.name) in \(language)")
                }
            }
        }
    }

    @Test("write a date as each language writes it")
    func date() {
        #expect(PagesWords.en.date(year: 2027, month: 3, day: 3) == "3 March 2027")
        #expect(PagesWords.it.date(year: 2027, month: 3, day: 3) == "3 marzo 2027")
        #expect(PagesWords.es.date(year: 2027, month: 3, day: 3) == "3 de marzo de 2027")
        #expect(PagesWords.en.date(year: 2027, month: 13, day: 1) == "1 December 2027")
    }

    @Test("say one o'clock in the singular where Spanish does")
    func oneOClock() {
        #expect(PagesWords.es.todayAt("01:05") == "hoy a la 01:05")
        #expect(PagesWords.es.onDayAt("3 de marzo", "11:05") == "3 de marzo a las 11:05")
    }

    @Test("name every permission and every kind of site")
    func names() {
        for permission in ["owner", "manager", "installer", "member", "merchant", "guest"] {
            #expect(PagesWords.it.permission(permission) != permission)
        }
        for kind in ["company", "building", "centre", "home"] { #expect(PagesWords.en.kind(kind) != kind) }
    }
}
