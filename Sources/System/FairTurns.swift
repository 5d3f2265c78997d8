/// Lets so many work at a time. Those who wait have their turns one name after the other, however much one name brings.
public actor FairTurns<Name: Hashable & Sendable> {
    private var free: Int
    /// Who waits, by name, in the order in which they came.
    private var waiting: [Name: [CheckedContinuation<Void, Never>]] = [:]
    /// The names that wait, in the order of their next turns.
    private var order: [Name] = []

    /// - Parameter count: how many work at a time.
    public init(_ count: Int) { free = count }

    /// How many wait.
    public var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// Does it when it is its turn.
    public func run<T: Sendable>(for name: Name, _ body: @Sendable () async throws -> T) async rethrows -> T {
        if free > 0 { free -= 1 } else { await turn(of: name) }
        defer { passOn() }
        return try await body()
    }

    private func turn(of name: Name) async {
        await withCheckedContinuation { continuation in
            if waiting[name] == nil { order.append(name) }
            waiting[name, default: []].append(continuation)
        }
    }

    private func passOn() {
        guard let name = order.first, let next = waiting[name]?.removeFirst() else { return free += 1 }
        order.removeFirst()
        if waiting[name]?.isEmpty == true { waiting[name] = nil } else { order.append(name) }
        next.resume()
    }
}
