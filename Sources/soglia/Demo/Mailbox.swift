import Glibc
import Synchronization
import System

/// The demo's mail server: on loopback, without encryption, for nobody but this machine. The last letters lie in DIR/mailbox.
final class Mailbox: Sendable {
    /// So many letters are kept.
    static let kept = 100
    /// So many talk at a time.
    private static let most = 16

    private let folder: String
    private let state: Mutex<(talking: Int, last: Int)>

    /// - Parameter folder: where letters are kept; made when it is not there.
    init(folder: String) throws {
        try Files.makeFolder(folder)
        self.folder = folder
        state = Mutex((0, Self.numbers(in: folder).last ?? 0))
    }

    /// The names of what is kept, oldest first: `17.eml`.
    static func numbers(in folder: String) -> [Int] {
        Files.names(in: folder).compactMap { $0.hasSuffix(".eml") ? Int($0.dropLast(4)) : nil }.sorted()
    }

    /// Takes letters for as long as the process lives.
    func listen(port: UInt16) throws {
        let listener = try LoopbackPort.listen(port)
        Thread.start(name: "mailbox") { [self] in
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { continue }
                let hasRoom = state.withLock { state in
                    if state.talking < Self.most { state.talking += 1 } else { return false }
                    return true
                }
                guard hasRoom else {
                    close(client)
                    continue
                }
                Thread.start(name: "mail") { [self] in
                    talk(client)
                    close(client)
                    state.withLock { $0.talking -= 1 }
                }
            }
        }
    }

    private func talk(_ client: Int32) {
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(client, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        var session = MailboxSession()
        guard say(MailboxSession.greeting, to: client) else { return }
        var (held, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4_096))
        while true {
            let count = recv(client, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            held += piece[..<count]
            while let end = held.firstIndex(of: 0x0a) {
                let line = Array(held[..<end].dropLast(end > 0 && held[end - 1] == 0x0d ? 1 : 0))
                held.removeFirst(end + 1)
                switch session.hear(line) {
                case .nothing: continue
                case .answer(let words): if !say(words, to: client) { return }
                case .letter(let bytes, let words):
                    let isKept = keep(bytes)
                    if !say(isKept ? words : "451 No room", to: client) { return }
                case .end(let words):
                    _ = say(words, to: client)
                    return
                }
            }
            if held.count > MailboxSession.longestLine { return }
        }
    }

    private func say(_ words: String, to client: Int32) -> Bool {
        let bytes = Array((words + "\r\n").utf8)
        return send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// One writer at a time, so that numbers are not given twice.
    private func keep(_ letter: [UInt8]) -> Bool {
        state.withLock { state in
            state.last += 1
            do { try Files.replace("\(folder)/\(state.last).eml", with: letter) } catch {
                Log.warning("mailbox", "a letter was not kept", ["why": "\(error)"])
                return false
            }
            for number in Self.numbers(in: folder).dropLast(Self.kept) { Files.remove("\(folder)/\(number).eml") }
            return true
        }
    }
}
