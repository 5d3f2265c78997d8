/// When the broker is asked what it kept, after messages were dropped for want of room: once none is dropped any more, and less and less
/// often where the asking itself is too much.
struct CatchingUp: Sendable {
    /// So many looks at most lie between the last drop and the question; a look is a second.
    static let longest = 300

    private var dropped = 0
    /// How many looks without a drop are to pass.
    private var left = 0
    private var pause = 1
    private var calm = 0

    /// Looks once.
    /// - Parameter dropped: how many messages were dropped until now.
    /// - Returns: whether to ask now.
    mutating func look(_ dropped: Int) -> Bool {
        if dropped != self.dropped {
            self.dropped = dropped
            if left == 0 { pause = calm < Self.longest ? min(pause * 2, Self.longest) : 1 }
            (left, calm) = (pause, 0)
            return false
        }
        guard left > 0 else {
            calm = min(calm + 1, Self.longest)
            return false
        }
        left -= 1
        return left == 0
    }
}
