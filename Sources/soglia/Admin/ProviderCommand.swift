import Crypto
import OpenID
import Platform
import System

/// `soglia admin provider`: the services that people may sign in by.
enum ProviderCommand {
    static let usage = """
        soglia admin provider add ID --client-id TEXT --data DIR   lets people sign in by a service; its secret is asked for at
                                       the terminal or read from standard input. `google` and `facebook` are known by their id
          --issuer URL                 whose word counts: any service that speaks OpenID Connect and describes itself
          --name NAME                  what people call it
          --kind KIND                  openID unless told, or facebook
          --host NAME                  a name by which people call this hub, as often as there are: for the addresses to register
        soglia admin provider remove ID --data DIR
        soglia admin provider list --data DIR   what there is, with the addresses to register at each service

        A hub that runs takes it up at its next start.
        """

    static func run(_ words: [String]) throws {
        let arguments = try Arguments(words, options: ["data", "client-id", "issuer", "name", "kind"], lists: ["host"])
        let folder = try arguments.require("data")
        switch (arguments.words.first, arguments.words.count) {
        case ("add", 2): try add(arguments.words[1], arguments, folder)
        case ("remove", 2): try remove(arguments.words[1], folder)
        case ("list", 1): try list(arguments, folder)
        default: throw UsageError("provider add ID, remove ID or list?")
        }
    }

    private static func add(_ id: String, _ arguments: Arguments, _ folder: String) throws {
        let isFacebook = id == "facebook"
        guard
            let kind = arguments["kind"].map({ ProviderSettings.Kind(rawValue: $0) })
                ?? (isFacebook ? .facebook : .openID)
        else { throw UsageError("--kind is openID or facebook") }
        let known = [
            "google": ("Google", ProviderSettings.google), "facebook": ("Facebook", ProviderSettings.facebook),
        ][id]
        guard let issuer = arguments["issuer"] ?? known?.1 else { throw UsageError("--issuer is missing") }
        let name = arguments["name"] ?? known?.0 ?? id
        let clientID = try arguments.require("client-id")
        var file = try ProviderFile.load(folder: folder)
        guard let secret = Terminal.readSecret("secret of the client at \(name): "), !secret.isEmpty else {
            throw UsageError("the secret is read from the terminal or from standard input: there was none")
        }
        let one = ProviderSettings(
            id: id, name: name, kind: kind, issuer: issuer, clientID: clientID, clientSecret: secret)
        if let place = file.providers.firstIndex(where: { $0.id == id }) {
            file.providers[place] = one
        } else {
            file.providers.append(one)
        }
        try Files.makeFolder(folder)
        try file.save(folder: folder)
        try tell(one, arguments, folder)
        Output.line("a hub that runs takes it up at its next start")
    }

    private static func remove(_ id: String, _ folder: String) throws {
        var file = try ProviderFile.load(folder: folder)
        guard file.providers.contains(where: { $0.id == id }) else { throw UsageError("there is no service \(id)") }
        file.providers.removeAll { $0.id == id }
        try file.save(folder: folder)
        Output.line("\(id) is removed; who had no other way in has to be let in anew")
    }

    private static func list(_ arguments: Arguments, _ folder: String) throws {
        let file = try ProviderFile.load(folder: folder)
        if file.providers.isEmpty { Output.line("none") }
        for one in file.providers { try tell(one, arguments, folder) }
    }

    /// What to register at a service, for each name by which people call this hub.
    private static func tell(_ one: ProviderSettings, _ arguments: Arguments, _ folder: String) throws {
        Output.line("\(one.id)  \(one.name)  \(one.issuer)  client \(one.clientID)")
        var hosts = arguments.all("host")
        if hosts.isEmpty { hosts = try TLSFolder(data: folder).served()?.leaf.names.map(\.urlHost) ?? [] }
        for host in hosts.isEmpty ? ["HOST"] : hosts {
            Output.line("  redirect URI   https://\(host)\(one.callbackPath)")
            if one.kind == .facebook { Output.line("  data deletion  https://\(host)\(one.deletionPath)") }
        }
        Output.line("  with the port behind the name, where it is not 443")
    }
}
