import Identity
import Images
import Ledger
import Synchronization
import System

/// The last picture of each camera, made anew from what came and kept in memory: whoever looks at a house sees how it is there now,
/// and nobody who it was. After a restart the broker brings the last one again.
package final class Pictures: Sendable {
    private struct State {
        var kept: [SensorID: Kept] = [:]
        /// When a picture was looked at last, and of which cameras one is just being made.
        var begun: [SensorID: Timestamp] = [:]
        var busy: [SensorID: SiteID] = [:]
        var number = 0
        /// Made with the first picture: most houses have no camera.
        var desk: PhotoDesk?
    }
    private let state = Mutex(State())
    /// One is made at a time: each house has its turn, however many another one sends.
    private let turns = FairTurns<SiteID>(1)
}

package extension Pictures {
    /// Between two pictures of one camera that are looked at, in milliseconds: decoding costs more than all other readings.
    static let pause: Int64 = 2_000

    /// Of so many cameras the last picture is kept; the oldest goes of the house that has most.
    /// - Key: hub
    static let most = 64

    /// So many pictures of one house's cameras are made or wait at a time.
    /// - Key: house
    static let mostOfHouse = 8

    /// So many of all houses; then of each house that has none one more, up to twice as many.
    /// - Key: hub
    static let mostWaiting = 64

    /// A picture.
    struct Kept: Sendable, Equatable {
        /// Which one it is, since the hub began.
        package let number: Int
        /// Whose house the camera is in.
        let site: SiteID
        /// A JPEG without metadata: see `Photo.still`.
        package let jpeg: [UInt8]
        /// When it came.
        package let at: Timestamp
    }

    /// The last one; nil: none yet.
    func last(of sensor: SensorID) -> Kept? { state.withLock { $0.kept[sensor] } }

    /// Whether the next picture of a camera is looked at: none of it is being made, and the last is some time ago.
    /// - Parameter isRetained: it comes as often as the hub subscribes, and at once.
    func admits(_ sensor: SensorID, in site: SiteID, isRetained: Bool, at now: Timestamp) -> Bool {
        state.withLock { state in
            if state.busy[sensor] != nil { return false }
            if !isRetained, let last = state.begun[sensor],
                (0..<Self.pause).contains(now.milliseconds - last.milliseconds)
            {
                return false
            }
            let (own, all) = (state.busy.values.count { $0 == site }, state.busy.count)
            guard own < Self.mostOfHouse, all < (own == 0 ? 2 : 1) * Self.mostWaiting else { return false }
            state.busy[sensor] = site
            state.begun[sensor] = now
            return true
        }
    }

    /// Makes an admitted picture and keeps it.
    /// - Returns: its number; nil when the bytes are no picture that can be shown.
    func make(_ bytes: [UInt8], of sensor: SensorID, in site: SiteID, at now: Timestamp) async -> Int? {
        let desk = state.withLock { state in
            let desk = state.desk ?? PhotoDesk()
            state.desk = desk
            return desk
        }
        let jpeg = await turns.run(for: site) { try? await desk.still(from: bytes, of: sensor.text) }
        return state.withLock { state in
            state.busy[sensor] = nil
            guard let jpeg else { return nil }
            state.number += 1
            Self.keep(Kept(number: state.number, site: site, jpeg: jpeg, at: now), of: sensor, &state.kept)
            return state.number
        }
    }

    static func keep(_ picture: Kept, of sensor: SensorID, _ kept: inout [SensorID: Kept]) {
        kept[sensor] = picture
        if kept.count <= most { return }
        let houses = Dictionary(grouping: kept.values, by: \.site)
        let largest = houses.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        guard let oldest = largest?.value.map(\.number).min() else { return }
        kept = kept.filter { $0.value.number != oldest }
    }

    /// Forgets those of cameras that are gone.
    func keep(only sensors: Set<SensorID>) {
        state.withLock { state in
            state.kept = state.kept.filter { sensors.contains($0.key) }
            state.begun = state.begun.filter { sensors.contains($0.key) }
        }
    }
}
