import Accounts
import OpenID

/// A service that people may sign in by, as pages show it.
public struct ServiceButton: Sendable, Hashable {
    /// Its name in paths.
    public let id: String
    /// What people call it.
    public let name: String

    /// See the properties.
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }

    init(_ settings: ProviderSettings) { (id, name) = (settings.id, settings.name) }

    /// A form with one button, which leads to the service.
    /// - Parameters:
    ///   - action: where it is sent.
    ///   - back: where to go in the end; nil where that is known.
    static func form(_ action: LocalPath, _ label: String, back: LocalPath? = nil) -> HTML {
        Pages.form(.method(.post), .action(action)) {
            if let back { input(.type(.hidden), .name("return"), .value(back.description)) }
            button(.css("quiet wide"), .type(.submit)) { label }
        }
    }
}

extension SignInServices {
    /// A button for each.
    var buttons: [ServiceButton] { settings.map { ServiceButton($0) } }

    /// Those of which an identity is one.
    func buttons(for identities: [Identity]) -> [ServiceButton] {
        settings.filter { one in identities.contains { $0.issuer == one.issuer } }.map { ServiceButton($0) }
    }

    /// What people call an issuer: by its service, else by its host.
    func name(of issuer: String) -> String {
        settings.first { $0.issuer == issuer }?.name
            ?? issuer.split(separator: "/").dropFirst().first.map(String.init) ?? issuer
    }
}
