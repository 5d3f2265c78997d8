/// When the broker is asked what it kept, after messages were dropped for want of room: once none is dropped any more, and less and less
/// often where the asking itself is too much.
struct CatchingUp: Sendable {
    /// So many looks at most lie between the last drop and the question; a look is a second.
    static let longest = 300

    private var dropped = 0
    /// With so many drops in a row it is asked all the same, or after `pause` where that is longer: who floods keeps nothing unheard.
    static let patience = 30

    /// How many looks without a drop are to pass.
    private var left = 0
    /// How many looks have passed since the first drop.
    private var waited = 0
    private var pause = 1
    private var calm = 0

    /// Looks once.
    /// - Parameter dropped: how many messages were dropped until now.
    /// - Returns: whether to ask now.
    mutating func look(_ dropped: Int) -> Bool {
        if dropped != self.dropped {
            self.dropped = dropped
            if left == 0 {
                pause = calm < Self.longest ? min(pause * 2, Self.longest) : 1
                waited = 0
            }
            (left, calm) = (pause, 0)
        } else if left > 0 {
            left -= 1
        } else {
            calm = min(calm + 1, Self.longest)
            return false
        }
        waited += 1
        if waited > max(Self.patience, pause) { left = 0 }
        return left == 0
    }
}
