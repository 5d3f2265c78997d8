/// The routes as a tree of path segments. A literal goes before a parameter, a parameter before the rest.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var parameter: Int?
        var rest: Int?
        var routes: [Route] = []
    }

    private var nodes = [Node()]

    /// Traps when a route with this method and shape is there already.
    mutating func insert(_ route: Route) {
        var node = 0
        for segment in route.pattern.segments { node = child(of: node, segment) }
        let isTaken = nodes[node].routes.contains { $0.method == route.method }
        precondition(!isTaken, "two routes for \(route.method.rawValue) \(route.pattern.text)")
        nodes[node].routes.append(route)
    }

    private mutating func child(of node: Int, _ segment: RoutePattern.Segment) -> Int {
        let new = nodes.count
        switch segment {
        case .literal(let bytes):
            if let known = nodes[node].literals.first(where: { $0.bytes == bytes }) { return known.node }
            nodes[node].literals.append((bytes, new))
        case .parameter:
            if let known = nodes[node].parameter { return known }
            nodes[node].parameter = new
        case .rest:
            if let known = nodes[node].rest { return known }
            nodes[node].rest = new
        }
        nodes.append(Node())
        return new
    }

    /// The routes whose pattern fits a path that begins with `/`, one for each method; the positions of the parameters.
    func find(_ path: UnsafeRawBufferPointer) -> (routes: [Route], parameters: PathParameters)? {
        var parameters = PathParameters()
        guard let node = search(path, from: 1, at: 0, &parameters, count: 0) else { return nil }
        return (nodes[node].routes, parameters)
    }

    /// `start`: where the next segment begins; beyond the end of the path when none is left.
    private func search(
        _ path: UnsafeRawBufferPointer, from start: Int, at node: Int, _ parameters: inout PathParameters, count: Int
    ) -> Int? {
        if start > path.count { return nodes[node].routes.isEmpty ? nil : node }
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        for literal in nodes[node].literals where isEqual(literal.bytes, path, start, end) {
            if let found = search(path, from: end + 1, at: literal.node, &parameters, count: count) { return found }
        }
        if let parameter = nodes[node].parameter, end > start {
            parameters[count] = start..<end
            if let found = search(path, from: end + 1, at: parameter, &parameters, count: count + 1) { return found }
        }
        if let rest = nodes[node].rest {
            parameters[count] = start..<path.count
            return rest
        }
        return nil
    }

    private func isEqual(_ bytes: [UInt8], _ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        if bytes.count != end - start { return false }
        for index in bytes.indices where bytes[index] != path[start + index] { return false }
        return true
    }
}
