import Glibc
import System

/// A folder of its own for one test, gone after it, also when the test fails.
func withFolder<T>(_ test: (String) async throws -> T) async throws -> T {
    let folder =
        "/tmp/soglia-system-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
    try Files.makeFolder(folder)
    let outcome: Result<T, any Error>
    do { outcome = .success(try await test(folder)) } catch { outcome = .failure(error) }
    for name in Files.names(in: folder) {
        rmdir(folder + "/" + name)
        unlink(folder + "/" + name)
    }
    rmdir(folder)
    return try outcome.get()
}

/// A moment, written as people read it. Traps when there is none.
func moment(_ text: String) -> Timestamp { Timestamp(iso8601: text)! }

/// All that a descriptor gives until its end, which is then closed.
func drain(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
        let n = read(descriptor, &piece, piece.count)
        if n < 0, errno == EINTR { continue }
        if n <= 0 { break }
        bytes += piece[..<n]
    }
    close(descriptor)
    return bytes
}
