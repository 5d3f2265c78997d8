import Bus
import Household
import Ledger
import System

// What cameras send: decoded aside, so that no reading waits for it.

extension Intake {
    func takePicture(_ message: BusMessage, of sensor: Sensor, _ now: Timestamp) {
        guard !message.payload.isEmpty,
            readings.pictures.admits(sensor.id, in: sensor.site, isRetained: message.isRetained, at: now)
        else { return }
        let (bytes, isRetained) = (message.payload, message.isRetained)
        Task {
            let number = await readings.pictures.make(bytes, of: sensor.id, in: sensor.site, at: now)
            made(number, of: sensor.id, isRetained: isRetained, at: now)
        }
    }

    private func made(_ number: Int?, of id: SensorID, isRetained: Bool, at now: Timestamp) {
        guard let number else { return readings.live.refuse(id, .noPicture, at: now) }
        guard let index = table.sensors.firstIndex(where: { $0.sensor.id == id }) else { return }
        observe(
            .text("\(number)"), sensor: index, told: nil, isWarming: false, isRetained: isRetained,
            at: clock.now)
    }
}
