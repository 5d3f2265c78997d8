import Bus
import Glibc
import Testing

/// MQTT as bytes on a connection of its own, for what no library sends.
struct Raw {
    let socket: Int32

    init(
        _ address: BusAddress, as name: String, _ password: String, version: UInt8 = 4, isClean: Bool = true,
        will: String? = nil
    ) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var to = sockaddr_in()
        to.sin_family = sa_family_t(AF_INET)
        to.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &to.sin_addr)
        let isConnected = withUnsafePointer(to: &to) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Late("a connection") }
        // Whatever goes wrong, no test hangs.
        var longest = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &longest, socklen_t(MemoryLayout<timeval>.size))
        }
        let name = Self.text(name)
        let properties: [UInt8] = version == 5 ? [0] : []
        // The will is retained.
        let flags: UInt8 = (isClean ? 0xc2 : 0xc0) | (will == nil ? 0 : 0x24)
        let head = Self.text("MQTT") + [version, flags, 0, 0] + properties
        let last = will.map { Self.text($0) + Self.text("gone") } ?? []
        send(0x10, head + Self.text(isClean ? "" : "x") + last + name + Self.text(password))
    }

    func close() { _ = Glibc.close(socket) }

    static func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xff)] + Array(text.utf8)
    }

    func send(_ type: UInt8, _ body: [UInt8]) {
        var (packet, left) = ([type], body.count)
        repeat {
            packet.append(UInt8(left & 0x7f) | (left > 0x7f ? 0x80 : 0))
            left >>= 7
        } while left > 0
        packet += body
        var sent = 0
        while sent < packet.count {
            let count = packet[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// The next packet; nil when there is none any more.
    func receive() -> (type: UInt8, body: [UInt8])? {
        guard let type = read(1)?.first else { return nil }
        var (length, shift) = (0, 0)
        while let byte = read(1)?.first {
            length |= Int(byte & 0x7f) << shift
            shift += 7
            if byte & 0x80 == 0 { return read(length).map { (type, $0) } }
        }
        return nil
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = bytes[got...].withUnsafeMutableBytes { recv(socket, $0.baseAddress!, $0.count, 0) }
            guard more > 0 else { return nil }
            got += more
        }
        return bytes
    }

    /// Subscribes to all of them at once, and answers which were let.
    func subscribe(_ filters: [String], _ hears: (String) -> Void = { _ in }) -> [Bool] {
        send(0x82, [0, 1] + filters.flatMap { Self.text($0) + [0] })
        while let packet = receive() {
            if packet.type & 0xf0 == 0x30 { hears(Self.topic(of: packet.body)) }
            if packet.type == 0x90 { return packet.body.dropFirst(2).map { $0 != 0x80 } }
        }
        return []
    }

    /// The topic of a message.
    static func topic(of body: [UInt8]) -> String {
        String(decoding: body[2..<(2 + Int(body[0]) * 256 + Int(body[1]))], as: UTF8.self)
    }

    func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
        send(isRetained ? 0x31 : 0x30, Self.text(topic) + payload)
    }

    /// Waits until the broker has taken all that came before.
    func ping(_ hears: ((type: UInt8, body: [UInt8])) -> Void = { _ in }) {
        send(0xc0, [])
        while let packet = receive(), packet.type != 0xd0 { hears(packet) }
    }
}
