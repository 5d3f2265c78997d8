import Accounts
import Commands
import Pages

/// A part of Home that people or programs meet, or that works on its own. `Home.features` lists them all; what a part has none of, it leaves out.
protocol HouseFeature: Sendable {
    /// For programs.
    func register(_ routes: inout Routes)
    /// For people.
    func register(_ pages: inout PageRoutes)
    /// For other features and Flows.
    func register(_ commands: Commands)
    /// Its long work, until it is cancelled.
    func run() async throws
}

extension HouseFeature {
    func register(_ routes: inout Routes) {}
    func register(_ pages: inout PageRoutes) {}
    func register(_ commands: Commands) {}
    func run() async throws {}
}
