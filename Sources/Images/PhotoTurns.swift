/// Whose photo is made next: the owner who has had least of the thread in the last minutes. At a full desk, owners who have had most give
/// way to one who has had less. So a new owner comes before many who send photo after photo.
struct PhotoTurns: Sendable {
    /// What waits or is made.
    private struct Job: Sendable {
        /// In the order in which they come.
        let number: UInt64
        let owner: String
        /// How long its file is.
        let bytes: Int
    }

    /// What came of asking for a place.
    struct Admission: Equatable {
        /// The photo's number.
        let number: UInt64
        /// The numbers of those that give way: they are not made.
        let givingWay: [UInt64]
    }

    /// After so long half of what an owner has had is forgotten, in milliseconds: a minute.
    static let halfLife: UInt64 = 60_000
    /// What a millisecond counts: halved a few times it still counts.
    private static let millisecond: UInt64 = 256

    /// The oldest first.
    private var waiting: [Job] = []
    private var made: Job?
    /// What each owner has had of the thread.
    private var had: [String: UInt64] = [:]
    private var last: UInt64 = 0
    private var halved: UInt64

    /// - Parameter now: milliseconds since anything.
    init(at now: UInt64) { halved = now }

    /// How many wait or are made.
    var count: Int { waiting.count + (made == nil ? 0 : 1) }

    private func weight(_ job: Job) -> UInt64 { had[job.owner] ?? 0 }

    /// Gives a photo a place.
    /// - Parameter bytes: how long its file is.
    /// - Returns: nil: its owner has as many as they may, or there is no room and nobody who waits has had more.
    mutating func admit(_ owner: String, bytes: Int) -> Admission? {
        let all = waiting + (made.map { [$0] } ?? [])
        guard all.count(where: { $0.owner == owner }) < PhotoDesk.mostOfOne else { return nil }
        var (places, room) = (PhotoDesk.queueLimit - all.count, PhotoDesk.byteLimit - all.reduce(0) { $0 + $1.bytes })
        let own = had[owner] ?? 0
        var others = waiting.filter { weight($0) > own }.sorted { (weight($0), $0.number) < (weight($1), $1.number) }
        var givingWay: [UInt64] = []
        while places < 1 || room < bytes {
            guard let most = others.popLast() else { return nil }
            places += 1
            room += most.bytes
            givingWay.append(most.number)
        }
        if !givingWay.isEmpty { waiting.removeAll { givingWay.contains($0.number) } }
        last += 1
        waiting.append(Job(number: last, owner: owner, bytes: bytes))
        return Admission(number: last, givingWay: givingWay)
    }

    /// Takes the next one out of the line; it is made until `end`. Nil: none waits, or another is made.
    mutating func next(at now: UInt64) -> UInt64? {
        forget(at: now)
        guard made == nil else { return nil }
        let least = waiting.indices.min {
            (weight(waiting[$0]), waiting[$0].number) < (weight(waiting[$1]), waiting[$1].number)
        }
        made = least.map { waiting.remove(at: $0) }
        return made?.number
    }

    /// The photo that was made is done.
    /// - Parameter milliseconds: how long the thread worked on it.
    mutating func end(after milliseconds: UInt64) {
        guard let made else { return }
        had[made.owner, default: 0] += max(1, milliseconds) * Self.millisecond
        self.made = nil
    }

    private mutating func forget(at now: UInt64) {
        let halvings = now < halved ? 0 : (now - halved) / Self.halfLife
        if halvings == 0 { return }
        halved += halvings * Self.halfLife
        had = had.compactMapValues { halvings < 64 && $0 >> halvings > 0 ? $0 >> halvings : nil }
    }
}
