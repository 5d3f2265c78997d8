import Accounts
import Commands
import Pages

/// A part of Home that people or programs meet. `HomeParts.features` lists them; what a part has none of, it leaves out.
protocol HouseFeature: Sendable {
    /// For programs.
    func register(_ routes: inout Routes)
    /// For people.
    func register(_ pages: inout PageRoutes)
    /// For other features and Flows.
    func register(_ commands: Commands)
}

extension HouseFeature {
    func register(_ routes: inout Routes) {}
    func register(_ pages: inout PageRoutes) {}
    func register(_ commands: Commands) {}
}

/// A part of Home that works by itself. `HomeParts.works` lists them.
protocol HouseWork: Sendable {
    /// Works until it is cancelled. What it throws ends the hub.
    func run() async throws
}
