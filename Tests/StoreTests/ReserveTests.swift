import Glibc
import System
import Testing

@testable import Store

@Suite("Room that is kept for what cannot wait")
struct ReserveTests {
    private static let limit: Int64 = 64 << 10
    private static let whole = ReservePlan(limit: limit, total: 1 << 40)
    private static let plenty = whole.size * 100

    /// A disk that is as full as a test says.
    private final class Disk: Sendable {
        let free = Shared(ReserveTests.plenty)
        var reader: FreeSpace.Reader { { [free] _ in FreeSpace(free: free.value, total: 1 << 40) } }
        func set(_ bytes: Int64) { free.change { $0 = bytes } }
    }

    private func withReserve(
        free: Int64 = plenty, _ test: (Store, Reserve, Disk, String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let disk = Disk()
            disk.set(free)
            let reserve = Reserve(folder: folder, limit: Self.limit, read: disk.reader)
            let store = try Store(path: folder + "/test.sqlite", migrations: [numbers], reserve: reserve)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await test(store, reserve, disk, folder)) } catch { outcome = .failure(error) }
            await store.close()
            try outcome.get()
        }
    }

    /// A change that finds the disk full until so much of the reserve was given back.
    private func add(
        _ n: Int, _ weight: WriteWeight, to store: Store, once left: Int64, of reserve: Reserve
    ) async throws {
        try await store.write(weight) { database in
            try database.execute("INSERT INTO numbers (n, words) VALUES (?, '')", n)
            if reserve.held > left { throw StoreError.scarce }
        }
    }

    @Test("It is in eight slices, and never more than a sixteenth of the disk")
    func sizes() {
        #expect(ReservePlan(limit: 32 << 20, total: 1 << 40).size == 32 << 20)
        let small = ReservePlan(limit: 32 << 20, total: 48 << 20)
        #expect((small.size, small.slice) == (3 << 20, 384 << 10))
        #expect(ReservePlan(limit: 32 << 20, total: 0).size > 0)
    }

    @Test("What can wait is refused below a slice, and until there are two beside a whole reserve")
    func hysteresis() {
        let plan = Self.whole
        #expect(!plan.isScarce(false, held: plan.size, free: plan.slice))
        #expect(plan.isScarce(false, held: plan.size, free: plan.slice - 1))
        #expect(plan.isScarce(true, held: plan.size, free: 2 * plan.slice - 1))
        #expect(!plan.isScarce(true, held: plan.size, free: 2 * plan.slice))
        #expect(plan.isScarce(true, held: 0, free: plan.size + 2 * plan.slice - 1))
        #expect(!plan.isScarce(true, held: 0, free: plan.size + 2 * plan.slice))
    }

    @Test("It is really taken from the disk, where there is room for it")
    func allocated() async throws {
        try await withReserve { _, reserve, _, folder in
            #expect(reserve.held == Self.whole.size)
            #expect(taken(folder + "/" + Reserve.file) >= Self.whole.size)
        }
        try await withReserve(free: Self.whole.slice * 3) { _, reserve, disk, _ in
            #expect(reserve.held == 0)
            disk.set(Self.plenty)
            reserve.look()
            #expect(reserve.held == Self.whole.size)
        }
    }

    /// The bytes that a file really takes.
    private func taken(_ path: String) -> Int64 {
        var about = stat()
        return stat(path, &about) == 0 ? Int64(about.st_blocks) * 512 : 0
    }

    /// A reserve as a copy that leaves zeros out makes it: of its length, and with nothing in it.
    private func makeHollow(in folder: String) throws -> String {
        let path = folder + "/" + Reserve.file
        try Files.make(path)
        #expect(truncate(path, off_t(Self.whole.size)) == 0)
        #expect(taken(path) == 0 && Files.size(path) == Self.whole.size)
        return path
    }

    @Test("One that a copy left hollow is filled at the start")
    func hollow() async throws {
        try await withFolder { folder in
            let path = try makeHollow(in: folder)
            let reserve = Reserve(folder: folder, limit: Self.limit, read: Disk().reader)
            #expect(reserve.held == Self.whole.size)
            #expect(taken(path) >= Self.whole.size)
            #expect(!reserve.isScarce)
        }
    }

    @Test("Where there is no room to fill a hollow one it gives nothing, until there is")
    func hollowOnFullDisk() async throws {
        try await withFolder { folder in
            let (path, disk) = (try makeHollow(in: folder), Disk())
            disk.set(0)
            let reserve = Reserve(folder: folder, limit: Self.limit, read: disk.reader)
            #expect(reserve.held == 0 && reserve.isScarce)
            #expect(reserve.give() == 0)
            disk.set(Self.plenty)
            #expect(!reserve.look())
            #expect(reserve.held == Self.whole.size)
            #expect(taken(path) >= Self.whole.size)
        }
    }

    @Test("While the disk is nearly full what can wait is refused as full, what cannot is written, and reading goes on")
    func ordinaryIsRefused() async throws {
        try await withReserve { store, reserve, disk, _ in
            try await store.add(1)
            disk.set(Self.whole.slice - 1)
            let error = await #expect(throws: StoreError.self) { try await store.add(2) }
            #expect(error?.isFull == true)
            #expect(store.isScarce)
            try await store.write(.vital) { _ = try $0.execute("INSERT INTO numbers (n, words) VALUES (3, '')") }
            try await Store.writing(.vital) { try await store.add(4) }
            #expect(try store.all() == [1, 3, 4])
            #expect(reserve.held == Self.whole.size, "it is not given back before it is needed")
            disk.set(Self.plenty)
            try await store.add(5)
            #expect(!store.isScarce)
        }
    }

    @Test(
        "A vital write that finds the disk full is given slice after slice until it fits; what can wait is given none")
    func slices() async throws {
        try await withReserve { store, reserve, disk, _ in
            disk.set(Self.whole.slice)
            let left = Self.whole.size - 3 * Self.whole.slice
            let full = Shared(0)
            store.whenFull { full.change { $0 += 1 } }
            await #expect(throws: StoreError.self) { try await add(1, .ordinary, to: store, once: left, of: reserve) }
            #expect(reserve.held == Self.whole.size)
            #expect(full.value > 0)
            try await add(2, .vital, to: store, once: left, of: reserve)
            #expect(reserve.held == left)
            #expect(Files.size(store.path.dropLast("test.sqlite".count) + Reserve.file) == left)
            await #expect(throws: StoreError.self) { try await store.add(3) }
            #expect(try store.all() == [2])
            // Room for all but the reserve is not enough.
            disk.set(3 * Self.whole.slice)
            await #expect(throws: StoreError.self) { try await store.add(4) }
            disk.set(5 * Self.whole.slice)
            try await store.add(5)
            #expect(reserve.held == Self.whole.size)
        }
    }

    @Test("When nothing of it is left, also what cannot wait is refused as full, alone")
    func usedUp() async throws {
        try await withReserve { store, reserve, disk, _ in
            disk.set(0)
            let error = await #expect(throws: StoreError.self) {
                try await add(1, .vital, to: store, once: -1, of: reserve)
            }
            #expect(error?.isFull == true)
            #expect(reserve.held == 0)
            try await store.write(.vital) { _ = try $0.execute("INSERT INTO numbers (n, words) VALUES (2, '')") }
            #expect(try store.all() == [2])
        }
    }

    @Test("A group of changes of both kinds: those that can wait are refused, the others all written")
    func mixed() async throws {
        try await withReserve { store, reserve, disk, _ in
            disk.set(0)
            let left = Self.whole.size - Self.whole.slice
            await withTaskGroup(of: Void.self) { group in
                for n in 0..<100 {
                    group.addTask {
                        try? await self.add(n, n % 2 == 0 ? .vital : .ordinary, to: store, once: left, of: reserve)
                    }
                }
            }
            let vital = Array(stride(from: 0, to: 100, by: 2))
            let written = try store.all()
            #expect(written == vital)
            #expect(reserve.held == left)
        }
    }

    @Test("A start on a full disk gives a slice back before the database is opened, and refuses what can wait")
    func startOnFullDisk() async throws {
        try await withFolder { folder in
            let disk = Disk()
            _ = Reserve(folder: folder, limit: Self.limit, read: disk.reader)
            disk.set(0)
            let reserve = Reserve(folder: folder, limit: Self.limit, read: disk.reader)
            #expect(reserve.held == Self.whole.size - Self.whole.slice)
            #expect(reserve.isScarce)
            // What was given back is free now: the next start leaves the rest, and goes on refusing.
            disk.set(Self.whole.slice)
            let next = Reserve(folder: folder, limit: Self.limit, read: disk.reader)
            #expect(next.held == Self.whole.size - Self.whole.slice)
            #expect(next.isScarce)
        }
    }

    @Test("Without a reserve both kinds are alike")
    func none() async throws {
        try await withStore { store in
            try await store.write(.vital) { _ = try $0.execute("INSERT INTO numbers (n, words) VALUES (1, '')") }
            try await store.add(2)
            #expect(try store.all() == [1, 2])
            #expect(!store.isScarce && !store.lookAtDisk())
        }
    }
}
