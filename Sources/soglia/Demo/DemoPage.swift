import Pages

/// The demo's own page, which its supervisor serves beside the hub: what runs, who can sign in, what to try.
enum DemoPage {
    /// How a process is.
    enum State: String, Sendable {
        /// It runs.
        case running
        /// It was stopped on purpose.
        case stopped
        /// It ended and is being started again.
        case restarting

        var tone: Tone {
            switch self {
            case .running: .go
            case .stopped: .idle
            case .restarting: .wait
            }
        }
    }

    /// One process of the demo.
    struct Process: Sendable {
        /// Its name in `soglia demo stop NAME`.
        var name: String
        /// How it is.
        var state: State
        /// Its process id while it runs.
        var pid: Int?
        /// What it is, in a sentence.
        var about: String
        /// A page of its own, `http://localhost:8123`.
        var page: String?
    }

    /// Somebody as whom one can sign in.
    struct Account: Sendable {
        /// The person's name.
        var name: String
        /// The email to sign in with.
        var email: String
        /// The password of this demo folder.
        var password: String
        /// What to try as this person.
        var tryThis: String
    }

    /// What the page shows.
    struct Model: Sendable {
        /// In the order to show.
        var processes: [Process]
        /// In the order to show.
        var accounts: [Account]
        /// Such as `http://localhost:8080`.
        var hubURL: String
    }

    /// Buttons are forms `POST /processes/{name}/stop` and `/start`. English only: it is for whoever tries the system.
    static func page(_ model: Model) -> HTML {
        Frame.page(
            title: "Demo", place: "Soglia", language: .en, style: .desk, modules: ["copy-text"], hasLanguages: false,
            actions: hubLink(model),
            content: div(.css("pile")) {
                section(.css("pile")) {
                    h2 { "Sign in as" }
                    ul(.css("cards")) {
                        for account in model.accounts { li { card(account) } }
                    }
                }
                section(.css("pile")) {
                    h2 { "What runs" }
                    p(.css("soft")) {
                        "Stop one and watch what the rest does without it. Each is started again after a crash."
                    }
                    ul(.css("cards")) {
                        for process in model.processes { li { card(process) } }
                    }
                }
            })
    }

    private static func hubLink(_ model: Model) -> HTML {
        guard let hub = HubOrigin(model.hubURL) else { return .empty }
        return HTMLBuilder.buildArray([
            a(.css("button plain"), .href("/letters")) { "Letters of the demo" },
            a(.css("button"), .href(hub, "/")) { "Open the hub" },
        ])
    }

    private static func card(_ account: Account) -> HTML {
        div(.css("card account-card")) {
            div(.css("card-words")) {
                h3 { bdi { account.name } }
                p { account.tryThis }
                dl(.css("pairs")) {
                    dt { "Email" }
                    dd { island("copy-text", .data("label", "Copy")) { code { account.email } } }
                    dt { "Password" }
                    dd { island("copy-text", .data("label", "Copy")) { code { account.password } } }
                }
            }
        }
    }

    private static func card(_ process: Process) -> HTML {
        let isStopped = process.state == .stopped
        return div(.css("card")) {
            Part.sign(process.state.tone)
            div(.css("card-words")) {
                h3 {
                    if let page = process.page.flatMap({ HubOrigin($0) }), !isStopped {
                        a(.href(page, "/")) { process.name }
                    } else {
                        process.name
                    }
                }
                p { Part.chip(process.state.tone, process.state.rawValue) }
                p(.css("soft")) {
                    process.about
                    if let pid = process.pid { " · process \(pid)" }
                }
            }
            form(
                .method(.post),
                .action(isStopped ? "/processes/\(process.name)/start" : "/processes/\(process.name)/stop")
            ) {
                button(
                    .css("quiet"), .type(.submit),
                    .aria("label", isStopped ? "Start \(process.name)" : "Stop \(process.name)")
                ) { isStopped ? "Start" : "Stop" }
            }
        }
    }
}
