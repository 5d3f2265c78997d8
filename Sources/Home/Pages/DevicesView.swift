import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import System

/// All devices of a house, gateway by gateway.
struct DevicesView: Sendable {
    let sight: HouseSight
    let readings: HouseReadings
    let frame: HomeFrame
    /// How much of what each gateway's devices describe is not taken: for whoever may do something about it.
    var untaken: [GatewayID: Int] = [:]

    private var words: HomeDevicesWords { .in(frame.language) }
    private var live: HomeLiveWords { .in(frame.language) }
    private var site: SiteID { frame.site.id }

    /// - Parameter retired: those out of use, for whoever may take them back.
    func page(retired: [Device]) -> Response {
        let own = HouseTab.devices.path(site)
        let mayInstall = frame.may(Permission.installing)
        let catalog = sight.registry.catalog
        let gateways = catalog.gateways(of: site)
        let connect = a(.css("button quiet"), .href(own.under("new"))) { words.connect }
        return frame.page(
            .devices, title: words.devices, actions: mayInstall && !gateways.isEmpty ? connect : .empty
        ) {
            div(.css("pile"), .id("devices"), .data("fresh", "devices")) {
                if gateways.isEmpty {
                    Part.empty(
                        title: words.none, detail: words.noneDetail,
                        action: mayInstall ? (own.under("new"), words.connect) : nil)
                }
                for gateway in gateways {
                    section(gateway, catalog.devices(of: site).filter { $0.gateway == gateway.id }, mayInstall)
                }
                if !retired.isEmpty { outOfUse(retired) }
            }
            if mayInstall && gateways.contains(where: { $0.kind != .box }) { byHand }
        }
    }

    private func section(_ gateway: Gateway, _ devices: [Device], _ mayInstall: Bool) -> HTML {
        let state = sight.live.gateway(gateway.id)
        let label = "gateway-\(gateway.id.text)"
        return Pages.section(.css("plate"), .aria("labelledby", label)) {
            div(.css("row"), .data("gateway", gateway.id.text)) {
                h2(.id(label)) {
                    if mayInstall {
                        a(.href("/houses/\(site.text)/gateways/\(gateway.id.text)")) { bdi { gateway.name } }
                    } else {
                        bdi { gateway.name }
                    }
                }
                span(.css("kind-word")) { words.gatewayKinds[gateway.kind] ?? "" }
                Part.chip(state.isThere ? .go : .wait, state.isThere ? live.there : live.away, part: "status")
                span(.css("soft")) {
                    "\(words.lastContact): "
                    LivePart.age(state.heard, frame.now, live)
                }
            }
            if readings.isIsolated(gateway.id, at: site) {
                Part.notice(.wait, words.isolatedDetail)
                if mayInstall {
                    form(.method(.post), .action("/houses/\(site.text)/gateways/\(gateway.id.text)/release")) {
                        button(.css("quiet"), .type(.submit)) { words.release }
                    }
                }
            }
            if devices.isEmpty { p(.css("soft")) { words.nothingOnIt } }
            if let untaken = untaken[gateway.id], untaken > 0 {
                p {
                    a(.href("/houses/\(site.text)/gateways/\(gateway.id.text)#untaken")) { words.untaken(untaken) }
                }
            }
            ul(.css("rows")) { for device in devices { li { row(device) } } }
        }
    }

    private func row(_ device: Device) -> HTML {
        let catalog = sight.registry.catalog
        return div(.css("card-words")) {
            h3 { a(.css("strong"), .href(frame.path(of: device.id))) { bdi { device.name } } }
            if !device.area.isEmpty { p(.css("soft")) { words.area(device.area) } }
            ul(.css("lines")) {
                for sensor in catalog.sensors(of: device.id) { li { measure(sensor) } }
                for actuator in catalog.actuators(of: device.id) {
                    let face = sight.faces.of(actuator, live)
                    li {
                        div(.css("measure"), .data("actuator", actuator.id.text)) {
                            span(.css("of")) { bdi { actuator.name } }
                            LivePart.value(face)
                        }
                    }
                }
            }
        }
    }

    private func measure(_ sensor: Sensor) -> HTML {
        let face = sight.faces.of(sensor, live)
        return div(.css("measure"), .data("sensor", sensor.id.text)) {
            span(.css("of")) { bdi { sensor.name } }
            LivePart.value(face)
            LivePart.status(face)
            span(.css("soft")) { LivePart.age(face.at, frame.now, live) }
        }
    }

    private func outOfUse(_ devices: [Device]) -> HTML {
        Pages.section(.css("plate"), .aria("labelledby", "retired")) {
            h2(.id("retired")) { words.outOfUse }
            p(.css("soft")) { words.outOfUseDetail }
            ul(.css("rows")) {
                for device in devices {
                    li {
                        div(.css("card-words")) {
                            a(.css("strong"), .href(frame.path(of: device.id))) { bdi { device.name } }
                        }
                        form(.method(.post), .action(frame.path(of: device.id))) {
                            input(.type(.hidden), .name("in_use"), .value("1"))
                            button(.css("quiet"), .type(.submit)) { words.reuse }
                        }
                    }
                }
            }
        }
    }

    private var byHand: HTML {
        Pages.section(.css("plate"), .aria("labelledby", "by-hand")) {
            h2(.id("by-hand")) { words.addDetail }
            p(.css("row")) {
                a(.css("button quiet"), .href(frame.root.under("sensors").under("new"))) { words.addSensor }
                a(.css("button quiet"), .href(frame.root.under("actuators").under("new"))) { words.addActuator }
            }
        }
    }
}
