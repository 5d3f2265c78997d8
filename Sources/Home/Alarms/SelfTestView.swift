import Accounts
import Identity
import Ledger
import Pages
import System

/// A test as it runs, and those before it.
enum SelfTestView {
    struct Model {
        let tests: [SelfTest]
        /// What people are called.
        let names: [PersonID: String]
        let zone: Zone
        let now: Timestamp
        let language: Language
        let hasPhones: Bool
        /// In so many seconds the next one may begin; nil: now.
        var wait: Int?
    }

    static func content(_ model: Model, _ own: LocalPath) -> HTML {
        let words = AlarmPageWords.in(model.language)
        let runs = model.tests.first.map { $0.ended == nil } ?? false
        return div(.css("pile narrow")) {
            p(.css("soft")) { words.testIntro }
            if let wait = model.wait { Part.notice(.wait, words.tooSoon(wait)) }
            if !model.hasPhones {
                Part.notice(.no, words.noPhones)
                p { a(.css("button quiet"), .href("/account/sessions")) { words.noPhonesLink } }
            }
            form(.css("row"), .method(.post), .action(own)) {
                button(.type(.submit)) { words.testBegin }
            }
            island("alarm-test", .css("pile"), .data("runs", runs ? "1" : nil)) {
                if let newest = model.tests.first {
                    latest(newest, model, words)
                } else {
                    p(.css("soft")) { words.testNone }
                }
                if model.tests.count > 1 { history(model.tests.dropFirst(), model, words) }
            }
        }
    }

    private static func latest(_ test: SelfTest, _ model: Model, _ words: AlarmPageWords) -> HTML {
        section(.css("plate"), .aria("labelledby", "latest")) {
            div(.css("row")) {
                h2(.id("latest")) { test.ended == nil ? words.testRuns : words.testOver }
                outcome(test, words)
            }
            p(.css("soft")) { about(test, model, words) }
            p(.css("soft")) { test.origin == .box ? words.fromBox : words.fromHub }
            dl(.css("pairs")) {
                if test.origin == .box { fact(words.step[0], words.figure(since(test, test.heard))) }
                fact(words.step[1], words.figure(since(test, test.told)))
            }
            ul(.css("pile")) { for phone in test.phones { li { line(phone, test, words) } } }
        }
    }

    private static func line(_ phone: SelfTest.Phone, _ test: SelfTest, _ words: AlarmPageWords) -> HTML {
        let client = phone.client.text(on: words.on) ?? words.unknownPhone
        return div(.css("stack-tight")) {
            p {
                strong { bdi { phone.name ?? words.somebody } }
                " "
                span(.css("soft")) { client }
            }
            p {
                if let shown = phone.shown {
                    Part.chip(.go, "\(words.step[3]) \(words.answered(words.figure(since(test, shown))))")
                } else {
                    Part.chip(
                        test.ended == nil ? .wait : .no, test.ended == nil ? words.testRuns : words.silentPhone)
                }
                if let sent = phone.sent {
                    span(.css("soft")) { " \(words.step[2]) \(words.answered(words.figure(since(test, sent))))" }
                }
            }
        }
    }

    private static func history(
        _ tests: some Collection<SelfTest>, _ model: Model, _ words: AlarmPageWords
    ) -> HTML {
        section(.css("plate"), .aria("labelledby", "history")) {
            h2(.id("history")) { words.testHistory }
            ul(.css("pile")) {
                for test in tests {
                    li {
                        p { about(test, model, words) }
                        p { outcome(test, words) }
                        for phone in test.silent where test.ended != nil {
                            p(.css("soft")) {
                                bdi { phone.name ?? words.somebody }
                                ", \(phone.client.text(on: words.on) ?? words.unknownPhone): \(words.silentPhone)"
                            }
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private static func about(_ test: SelfTest, _ model: Model, _ words: AlarmPageWords) -> HTML {
        Part.moment(
            test.at.iso8601, PagesWords.in(model.language).moment(test.at, in: model.zone, now: model.now))
        " · "
        bdi { test.by.map { words.byPerson(model.names[$0] ?? words.somebody) } ?? words.byItself }
    }

    @HTMLBuilder private static func outcome(_ test: SelfTest, _ words: AlarmPageWords) -> HTML {
        if test.ended != nil, !test.phones.isEmpty {
            if let slowest = test.slowest, test.silent.isEmpty {
                Part.chip(.go, words.allAnswered(words.figure(slowest)))
            } else {
                Part.chip(.no, words.silentPhones(test.silent.count))
            }
        }
    }

    @HTMLBuilder private static func fact(_ name: String, _ value: String) -> HTML {
        dt { name }
        dd { value }
    }

    private static func since(_ test: SelfTest, _ time: Timestamp) -> Int64 {
        max(0, time.milliseconds - test.at.milliseconds)
    }
}
