import System
import Testing

@Suite("The room on a disk")
struct FreeSpaceTests {
    @Test("The file system says how much is free, and nothing of a folder that is missing")
    func real() throws {
        let space = try #require(FreeSpace(of: "/tmp"))
        #expect(space.total > 0 && space.free >= 0 && space.free <= space.total)
        #expect(FreeSpace(of: "/nowhere/at/all") == nil)
    }

    @Test("Its share is between 0 and 1")
    func share() {
        #expect(FreeSpace(free: 25, total: 100).share == 0.25)
        #expect(FreeSpace(free: -1, total: 100).share == 0)
        #expect(FreeSpace(free: 0, total: 0).share == 1)
    }
}
