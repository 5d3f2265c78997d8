import Bus
import Glibc
import System

/// What a hub needs of its machine.
enum MachineChecks {
    /// A clock before this program was made is wrong.
    private static let oldest = Timestamp(iso8601: "2026-01-01T00:00:00.000Z")!
    /// Open files: 4,000 connections and what else there is.
    private static let files = 8_192
    /// Bytes of memory that should be free.
    private static let memory = 256 << 20

    static func all() -> [Finding] {
        broker() + [guardPlugin(), proxy(), zones(), clock(), openFiles(), freeMemory(), service()]
    }

    private static func broker() -> [Finding] {
        Broker.parts.map { part in
            guard let path = part.path else {
                return .fail("broker", "\(part.name) is missing", "On Debian: apt-get install \(Broker.package)")
            }
            return .ok("broker", "\(part.name) is \(path)")
        }
    }

    private static func guardPlugin() -> Finding {
        guard Files.exists(Broker.guardPlugin) else {
            return .fail(
                "broker", "\(Broker.guardPlugin) is missing", "It is built with the program: copy it to the same folder"
            )
        }
        return .ok("broker", "its guard is \(Broker.guardPlugin)")
    }

    private static func proxy() -> Finding {
        guard let path = BusProxy.program else {
            return .warn(
                "broker",
                "HAProxy is missing: gates and devices of other machines (--listen, --bus-listen) cannot reach the hub",
                "On Debian: apt-get install \(BusProxy.package)")
        }
        return .ok("broker", "HAProxy is \(path)")
    }

    private static func zones() -> Finding {
        let count = Zone.allNames.count
        guard count > 300, Zone(name: "Europe/Rome") != nil else {
            return .fail("time zones", "the time zone database is missing", "On Debian: apt-get install tzdata")
        }
        return .ok("time zones", "\(count) zones")
    }

    private static func clock() -> Finding {
        let now = WallClock.system.now
        if now < oldest {
            return .fail(
                "clock", "it says \(now.iso8601), which cannot be",
                "Set it, and let systemd-timesyncd or chrony keep it: passes and hours depend on it")
        }
        if WallClock.isKeptRight == false {
            return .warn(
                "clock", "it says \(now.iso8601), and nothing keeps it right",
                "On Debian: apt-get install systemd-timesyncd, or chrony")
        }
        return .ok("clock", "\(now.iso8601)")
    }

    private static func openFiles() -> Finding {
        let lines = (try? Files.read("/proc/self/limits")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = lines.split(separator: "\n").first { $0.hasPrefix("Max open files") } ?? ""
        let soft = line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) } ?? .max
        guard soft >= files else {
            return .warn(
                "open files", "at most \(soft), which many pages use up",
                "ulimit -n \(files), or LimitNOFILE= in the unit that soglia admin unit prints")
        }
        return .ok("open files", soft == .max ? "no limit" : "\(soft)")
    }

    private static func freeMemory() -> Finding {
        let lines = (try? Files.read("/proc/meminfo")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = lines.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") } ?? ""
        guard let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            return .ok("memory", "how much is free is not known here")
        }
        guard kilobytes << 10 >= memory else {
            return .warn(
                "memory", "\(kilobytes >> 10) MB are free", "A hub wants \(memory >> 20) MB: sign-ins take 19 MB each")
        }
        return .ok("memory", "\(kilobytes >> 10) MB are free")
    }

    private static func service() -> Finding {
        let places = ["/etc/systemd/system/", "/usr/local/lib/systemd/system/", "/usr/lib/systemd/system/"]
        if let place = places.first(where: { Files.exists($0 + "soglia.service") }) {
            return .ok("service", "\(place)soglia.service")
        }
        guard Files.exists("/run/systemd/system") else { return .ok("service", "this machine is not run by systemd") }
        return .warn(
            "service", "nothing starts a hub when the machine starts",
            "soglia admin unit | sudo tee /etc/systemd/system/soglia.service, then: systemctl enable --now soglia")
    }
}
