import Home
import Store
import System

/// `soglia admin map`: where the pictures of the map of houses come from.
enum MapCommand {
    static let usage = """
        soglia admin map --data DIR --tiles URL --credit TEXT   houses are shown on a map, whose pictures come from there
          --tiles URL      https://tiles.example.org/{z}/{x}/{y}.png; its server learns which parts of the earth people look at
          --credit TEXT    whom the map is by, as its licence asks: shown on it
        soglia admin map --data DIR --off                       no map, as in the beginning: directions and distances alone

        Works beside a running hub, at once.
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "tiles", "credit"], flags: ["off"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        if arguments.has("off") {
            try await AccessCommand.withHub(arguments) { try await $0.write { try Tiles.save(nil, in: $0) } }
            return Output.line("houses are shown without a map")
        }
        guard let address = arguments["tiles"] else {
            let tiles = try await AccessCommand.withHub(arguments) { try $0.read { try Tiles.load(in: $0) } }
            return Output.line(tiles.map { "the map comes from \($0.origin)" } ?? "houses are shown without a map")
        }
        guard let tiles = Tiles(address: address, credit: try arguments.require("credit")) else {
            throw UsageError("--tiles takes an https address with {z}, {x} and {y}, and --credit 1 to 200 characters")
        }
        try await AccessCommand.withHub(arguments) { try await $0.write { try Tiles.save(tiles, in: $0) } }
        Output.line("the map comes from \(tiles.origin)")
    }
}
