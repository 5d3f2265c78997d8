import Household
import Ledger
import System

/// Panic buttons: pressed, they call for help, whatever the panel's state.
struct PanicButtons: ReadingListener {
    let registry: Registry
    let alarms: AlarmDesk
    let panels: HousePanels

    func heard(_ reading: Reading, of sensor: Sensor, before: SensorState) {
        guard sensor.kind == .panic, reading.value == .truth(true), !reading.isRetained else { return }
        // In a state with other values it is said again with each of them; on a topic of its own each message is a press.
        guard sensor.binding.source == .payload || before.value != .truth(true) else { return }
        panels.trigger(at: sensor.site, by: .button(sensor.id))
        let name = sensor.name(at: registry.catalog.devices[sensor.device])
        alarms.raise(.help, at: sensor.site, sensor: sensor.id, .called(name: name), mayBeAnew: true)
    }

    func changed(to status: SensorStatus, of sensor: Sensor, before: SensorState, at now: Timestamp) {}
}
