import HTTPServer
import Identity
import Ledger

/// Where people's programs have signed in since the hub's start. A program keeps nothing by which it is known again, as a browser does; so it
/// is new from a network, or with a client, from which none of that person's has signed in.
struct ProgramPlaces {
    /// So many of one person are remembered; of more, the longest unused is new again.
    /// - Key: person
    static let mostOfOne = 20
    /// People whose programs are remembered; of more, all are new again.
    /// - Key: hub
    static let capacity = 10_000

    private struct Place: Equatable {
        let network: ClientNetwork
        let client: Client
    }

    private var places: [PersonID: [Place]] = [:]

    /// Notes that a program has signed in.
    /// - Returns: whether it is new.
    mutating func note(_ visitor: Visitor, of person: PersonID) -> Bool {
        let place = Place(network: ClientNetwork(visitor.address), client: visitor.client)
        var own = places[person] ?? []
        let before = own.firstIndex(of: place)
        if let before { own.remove(at: before) }
        own.append(place)
        if places[person] == nil, places.count >= Self.capacity { places.removeAll() }
        places[person] = own.suffix(Self.mostOfOne)
        return before == nil
    }
}
