import System

/// That nobody heard for a while what a sensor said.
///
/// Somebody who is back after a moment says how things are, and that is no news. After longer, or once that has been said, what is heard
/// may have ended and begun again meanwhile.
struct Absence: Sendable, Equatable {
    /// An absence that is no longer hides nothing, in milliseconds: what ends and comes back within this is the same alarm anyhow.
    static let short = AlarmDesk.reopening
    /// For so long after a short one it is said how things are, in milliseconds.
    static let greeting: Int64 = 10_000

    /// Since when; nil: before the hub was started.
    private var lost: Timestamp?
    /// Since when it is over; nil: it is not.
    private var back: Timestamp?
    /// Whether one before, of which nothing has come yet, was long.
    private var isLong: Bool

    /// Until the hub was started.
    init() { (lost, back, isLong) = (nil, nil, true) }

    /// From now on.
    init(since now: Timestamp) { (lost, back, isLong) = (now, nil, false) }

    /// Nobody hears it again, or still.
    mutating func goOn(at now: Timestamp) {
        guard let back else { return }
        isLong = isLong || hides(until: back)
        (lost, self.back) = (now, nil)
    }

    /// It is heard again.
    mutating func end(at now: Timestamp) { back = back ?? now }

    /// Whether what is said now may be something else than what was said before.
    func mayHideAnother(at now: Timestamp) -> Bool {
        let end = back ?? now
        return isLong || hides(until: end) || abs(now.milliseconds - end.milliseconds) >= Self.greeting
    }

    private func hides(until end: Timestamp) -> Bool {
        // A clock that was set hides, too: how long it was nobody knows.
        lost.map { !(0..<Self.short).contains(end.milliseconds - $0.milliseconds) } ?? true
    }
}
