import Ledger
import System

/// Whoever looks at every reading as it comes: thresholds, the panel, the series. Life safety acts first and records second: a listener
/// is called on the bus's own path and returns at once; it acts by publishing, and never waits for a table.
package protocol ReadingListener: Sendable {
    /// A reading of a sensor, after `LiveReadings` was told.
    /// - Parameter before: how the sensor was.
    func heard(_ reading: Reading, of sensor: Sensor, before: SensorState)
    /// A sensor is in another state without a reading: late, unavailable, back.
    func changed(to status: SensorStatus, of sensor: Sensor, before: SensorState, at now: Timestamp)
    /// A sensor that has not told anything since the hub started is there, as it or its gateway says.
    func isThere(_ sensor: Sensor)
    /// A sensor told a number above what it can measure.
    func heardBeyond(_ value: Double, of sensor: Sensor)
    /// The bus was lost: from now on nobody hears what sensors say.
    func lostBus()
    /// The bus is back.
    func foundBus()
}

package extension ReadingListener {
    func isThere(_ sensor: Sensor) {}
    func heardBeyond(_ value: Double, of sensor: Sensor) {}
    func lostBus() {}
    func foundBus() {}
}
