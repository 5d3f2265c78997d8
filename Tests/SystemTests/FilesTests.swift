import Glibc
import System
import TestSupport
import Testing

@Suite("Small files")
struct FilesTests {
    private func mode(_ path: String) -> mode_t {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o777 : 0
    }

    @Test("A replaced file holds the new bytes, is for its owner alone, and nothing is left beside it")
    func replace() async throws {
        try await withFolder { folder in
            let path = folder + "/key"
            try Files.replace(path, with: [1, 2, 3])
            #expect(try Files.read(path) == [1, 2, 3])
            #expect(mode(path) == 0o600)
            chmod(path, 0o644)
            let long = [UInt8](repeating: 7, count: 300_000)
            try Files.replace(path, with: long)
            #expect(try Files.read(path) == long)
            #expect(mode(path) == 0o600)
            try Files.replace(path, with: [])
            #expect(try Files.read(path).isEmpty)
            #expect(Files.names(in: folder) == ["key"])
        }
    }

    @Test("A reader at any moment sees the old file or the new one, never a part")
    func atomic() async throws {
        try await withFolder { folder in
            let path = folder + "/state"
            try Files.replace(path, with: [UInt8](repeating: 0, count: 20_000))
            let writing = Task.detached {
                for n in 1...40 { try Files.replace(path, with: [UInt8](repeating: UInt8(n), count: 20_000)) }
            }
            for _ in 0..<200 {
                let seen = try Files.read(path)
                #expect(seen.count == 20_000 && Set(seen).count == 1)
            }
            try await writing.value
        }
    }

    @Test("What a crash left beside is no hindrance, and a link planted there is not followed")
    func leftover() async throws {
        try await withFolder { folder in
            try Files.replace(folder + "/victim", with: [9])
            symlink(folder + "/victim", folder + "/key.new")
            try Files.replace(folder + "/key", with: [1])
            #expect(try Files.read(folder + "/key") == [1])
            #expect(try Files.read(folder + "/victim") == [9])
        }
    }

    @Test("A file that cannot be written is refused in words, and the old one stays")
    func refused() async throws {
        try await withFolder { folder in
            let error = #expect(throws: SystemError.self) { try Files.replace(folder + "/no/such/key", with: [1]) }
            #expect(error?.description == "cannot write \(folder)/no/such/key: No such file or directory")
            #expect(throws: SystemError.self) { try Files.read(folder + "/none") }
        }
    }

    @Test("A file above the limit is refused, one at the limit is read")
    func limit() async throws {
        try await withFolder { folder in
            let path = folder + "/big"
            try Files.replace(path, with: [UInt8](repeating: 1, count: 1000))
            #expect(try Files.read(path, limit: 1000).count == 1000)
            #expect(throws: SystemError.self) { try Files.read(path, limit: 999) }
            // It has no end: only the limit keeps the memory.
            #expect(throws: SystemError.self) { try Files.read("/dev/zero", limit: 1 << 20) }
        }
    }

    @Test("Folders are made with those above them, for their owner alone, and made twice is made once")
    func folders() async throws {
        try await withFolder { folder in
            try Files.makeFolder(folder + "/a/b/c")
            try Files.makeFolder(folder + "/a/b/c")
            #expect(mode(folder + "/a/b") == 0o700)
            #expect(try Files.absolute(folder + "/a/./b/../b/c") == Files.absolute(folder) + "/a/b/c")
            #expect(throws: SystemError.self) { try Files.makeFolder("/proc/nothing/here") }
            for inner in ["/a/b/c", "/a/b"] { rmdir(folder + inner) }
        }
    }

    @Test("A folder of data is locked by one at a time, and free again when that one has gone")
    func lock() async throws {
        try await withFolder { folder in
            var first: FolderLock? = try FolderLock(folder)
            let error = #expect(throws: SystemError.self) { try FolderLock(folder) }
            #expect(error?.description.contains("another Soglia already works in") == true)
            withExtendedLifetime(first) {}
            first = nil
            withExtendedLifetime(try FolderLock(folder)) {}
            #expect(throws: SystemError.self) { try FolderLock(folder + "/none") }
        }
    }

    @Test(
        "A lock that was given back is free at once, also while a child that is just starting holds a copy of its descriptor"
    )
    func release() async throws {
        try await withFolder { folder in
            let first = try FolderLock(folder)
            let lock = try #require(
                Files.names(in: "/proc/self/fd").compactMap { Int32($0) }.first { fd in
                    (try? Files.absolute("/proc/self/fd/\(fd)")) == (try? Files.absolute(folder + "/lock"))
                })
            let copy = dup(lock)
            first.release()
            first.release()
            let second = try FolderLock(folder)
            #expect(throws: SystemError.self) { try FolderLock(folder) }
            withExtendedLifetime((first, second)) {}
            close(copy)
        }
    }

    @Test("Who is refused a lock closes what is theirs, once: no descriptor that another thread has just got")
    func refusedLock() async throws {
        try await withFolder { folder in
            let first = try FolderLock(folder)
            let (isOver, lost) = (Shared(false), Shared(0))
            async let others: Void = onThread {
                while !isOver.value {
                    let fd = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    sched_yield()
                    if close(fd) != 0 { lost.change { $0 += 1 } }
                }
            }
            for _ in 0..<2_000 { #expect(throws: SystemError.self) { try FolderLock(folder) } }
            isOver.change { $0 = true }
            await others
            #expect(lost.value == 0)
            withExtendedLifetime(first) {}
        }
    }
}
