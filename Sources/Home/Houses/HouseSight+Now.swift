import Accounts
import Household
import Identity
import JSON
import Ledger

/// What of a house is told.
struct HouseNews: Sendable, Equatable {
    var sensors: Set<SensorID> = []
    var actuators: Set<ActuatorID> = []
    var gateways: Set<GatewayID> = []
    var panel = false
    var alarms = false
    /// There are others than before, or they are called otherwise.
    var devices = false

    /// As programs are told what changed.
    enum Part: String, JSONChoice {
        case panel, alarms, connection, devices
    }

    /// What changed; the values of sensors and actuators are none of these.
    var parts: [Part] {
        Part.allCases.filter { part in
            switch part {
            case .panel: panel
            case .alarms: alarms
            case .connection: !gateways.isEmpty
            case .devices: devices
            }
        }
    }
}

extension HouseSight {
    /// A house as it is now.
    /// - Parameter news: of which sensors, actuators and gateways; nil: of all.
    func now(_ site: SiteID, _ news: HouseNews?, _ language: Language) -> HouseNow {
        let (words, catalog, summary) = (HomeLiveWords.in(language), registry.catalog, summary(of: site))
        return HouseNow(
            summary: summary, text: words.condition(summary.condition), contact: summary.contact(at: clock.now),
            panelText: words.panel(summary.panel.state),
            sensors: catalog.sensors(at: site).compactMap { sensor in
                guard news?.sensors.contains(sensor.id) ?? true else { return nil }
                return FaceRow(id: sensor.id.text, face: face(of: sensor, words))
            },
            actuators: catalog.actuators(at: site).compactMap { actuator in
                guard news?.actuators.contains(actuator.id) ?? true else { return nil }
                return FaceRow(id: actuator.id.text, face: face(of: actuator, words))
            },
            gateways: catalog.gateways(of: site).compactMap { gateway in
                guard news?.gateways.contains(gateway.id) ?? true else { return nil }
                let state = live.gateway(gateway.id)
                return GatewayFace(id: gateway.id, state: state, word: state.isThere ? words.there : words.away)
            }, changed: news?.parts ?? HouseNews.Part.allCases)
    }
}
