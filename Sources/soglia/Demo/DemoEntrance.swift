import Pages

/// What the demo's page shows to whoever has not shown its token.
enum DemoEntrance {
    /// - Parameter isRefused: whether another token was shown.
    static func page(isRefused: Bool) -> HTML {
        Frame.page(
            title: "Demo", place: "Soglia", language: .en, modules: ["demo-entrance"], hasLanguages: false,
            content: div(.css("pile")) {
                p { "This page shows passwords, and stops processes. It opens with the token of this demo." }
                if isRefused { Part.notice(.no, "This is not the token of this demo.") }
                island("demo-entrance") {
                    form(.css("stack"), .method(.post), .action("/enter")) {
                        Part.field(
                            "Token", name: "token", kind: .password,
                            hint:
                                "The token is in demo.json, in the demo's folder. The link that soglia demo prints has it too."
                        )
                        button(.type(.submit)) { "Enter" }
                    }
                }
            })
    }
}
