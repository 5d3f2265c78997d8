import Glibc
import System
import TestSupport
import Testing

@testable import Crypto

@Suite("Passwords")
struct PasswordsTests {
    /// Quick: 64 KiB instead of 19 MiB.
    private let passwords = Passwords(memory: 64 << 10)

    @Test("The right password is accepted; another, a longer, a shorter and none are refused")
    func verify() async throws {
        let hash = try await passwords.hash("correct horse")
        #expect(hash.hasPrefix("$argon2id$v=19$m=64,t=2,p=1$"))
        #expect(try await passwords.verify("correct horse", against: hash))
        for wrong in ["correct horsf", "correct horse ", "correct hors", "", "Correct horse", "correct horse\u{0}"] {
            #expect(try await !passwords.verify(wrong, against: hash))
        }
    }

    @Test("The same password hashes differently each time, and letters of any language count")
    func salted() async throws {
        let (a, b) = (try await passwords.hash("perché no? 🚪"), try await passwords.hash("perché no? 🚪"))
        #expect(a != b)
        #expect(try await passwords.verify("perché no? 🚪", against: a))
        #expect(try await passwords.verify("perché no? 🚪", against: b))
        let empty = try await passwords.hash("")
        #expect(try await passwords.verify("", against: empty))
    }

    @Test("The memory of a real one is OWASP's minimum")
    func parameters() async throws {
        #expect(try await Passwords().hash("x").hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    }

    @Test(
        "A stored hash that is none, or was changed, is refused",
        arguments: ["", "$argon2id$", "nonsense", "$2b$12$abcdefghijk"])
    func broken(stored: String) async throws { #expect(try await !passwords.verify("x", against: stored)) }

    @Test("For an account that does not exist the answer is no, even to the password of the stand-in")
    func unknownAccount() async throws {
        for password in ["nobody", "", "x"] { #expect(try await !passwords.verify(password, against: nil)) }
    }

    @Test("For an account that does not exist the same work is done: the stand-in has the parameters of a real one")
    func unknownCostsTheSame() async throws {
        for memory in [8 << 20, 19 << 20] {
            let passwords = Passwords(memory: memory)
            func parameters(_ hash: String) -> [Substring] { Array(hash.split(separator: "$").prefix(3)) }
            let (real, standIn) = (try await passwords.hash("correct horse"), passwords.unknown)
            #expect(parameters(standIn) == parameters(real) && parameters(real).count == 3)
            #expect(standIn.utf8.count == real.utf8.count)
        }
    }

    @Test("While strangers fill their share of the queue, whoever is known still gets in")
    func room() async throws {
        let slow = Passwords(memory: 4 << 20)
        let hash = try await slow.hash("correct horse")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try? await slow.verify("wrong", against: hash) } }
            for name in 0..<UInt8(8) {
                group.addTask {
                    let isRight = try await slow.verify("correct horse", against: hash, for: .known([name], of: []))
                    #expect(isRight)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Beyond the queue the flood is refused at once, and after it all is as before")
    func busy() async throws {
        let thread = ThreadExecutor(name: "argon2 test")
        let passwords = Passwords(memory: 64 << 10, threads: [thread])
        let hash = try await passwords.hash("correct horse")
        // Nothing is worked off before all have come.
        let (refused, isFull) = (Shared(0), Shared(false))
        let held = Task(executorPreference: thread) { while !isFull.value { usleep(1000) } }
        let answers = await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do { return try await passwords.verify("correct horse", against: hash) } catch {
                        refused.change { $0 += 1 }
                        return nil
                    }
                }
            }
            group.addTask {
                let isReached = await eventually { refused.value == 100 - Passwords.strangersLimit }
                isFull.change { $0 = true }
                return isReached
            }
            return await group.reduce(into: [Bool?]()) { $0.append($1) }
        }
        await held.value
        #expect(answers.filter { $0 == true }.count == Passwords.strangersLimit + 1)
        #expect(answers.filter { $0 == nil }.count == 100 - Passwords.strangersLimit)
        #expect(try await passwords.verify("correct horse", against: hash))
    }

    @Test("Strangers, known browsers and who sets a new password have places of their own, one person few of them")
    func shares() async throws {
        let thread = ThreadExecutor(name: "argon2 shares")
        let passwords = Passwords(memory: 64 << 10, threads: [thread])
        let (isFull, refused) = (Shared(false), Shared(0))
        let held = Task(executorPreference: thread) { while !isFull.value { usleep(1000) } }
        func ask(_ count: Int, _ asker: Passwords.Asker) -> [Task<Bool, Never>] {
            (0..<count).map { _ in
                Task { () -> Bool in
                    do {
                        _ = try await passwords.hash("correct horse", for: asker)
                        return true
                    } catch {
                        refused.change { $0 += 1 }
                        return false
                    }
                }
            }
        }
        func count(_ tasks: [Task<Bool, Never>]) async -> Int {
            var count = 0
            for task in tasks where await task.value { count += 1 }
            return count
        }
        let ada = ask(40, .known([1], of: []))
        #expect(await eventually { refused.value == 40 - Passwords.mostOfOne })
        let strangers = ask(40, .stranger)
        #expect(await eventually { refused.value == 80 - Passwords.mostOfOne - Passwords.strangersLimit })
        let room = Passwords.newLimit - Passwords.mostOfOne
        let others = (0..<room + 20).map { ask(1, .known([2, UInt8($0 >> 8), UInt8($0 & 255)], of: []))[0] }
        let before = 80 - Passwords.mostOfOne - Passwords.strangersLimit
        #expect(await eventually { refused.value == before + others.count - room })
        // One known browser's owner has few of those places, too.
        let so = refused.value
        let flood = (0..<40).map { _ in
            Task {
                do { _ = try await passwords.verify("wrong", against: nil, for: .known([8], of: [])) } catch {
                    refused.change { $0 += 1 }
                }
            }
        }
        #expect(await eventually { refused.value == so + 40 - Passwords.mostOfOne })
        let known = Task { try await passwords.verify("wrong", against: nil, for: .known([9], of: [])) }
        isFull.change { $0 = true }
        await held.value
        // In the line that was full, who had four places gave three of them to people who had none.
        #expect(await count(ada) == 1)
        #expect(await count(strangers) == Passwords.strangersLimit)
        #expect(await count(others) == Passwords.newLimit - 1, "strangers and one person took no place of theirs")
        #expect(try await known.value == false)
        for one in flood { await one.value }
        // What was taken is given back.
        #expect(await count(ask(Passwords.mostOfOne, .known([1], of: []))) == Passwords.mostOfOne)
    }

    @Test(
        "Who comes now and then finds a place in a line that a few hundred accounts have filled, and one of theirs is refused"
    )
    func fullLine() async throws {
        let thread = ThreadExecutor(name: "argon2 full line")
        let passwords = Passwords(memory: 64 << 10, threads: [thread])
        let (isReady, refused, served) = (Shared(false), Shared(0), Shared(0))
        let held = Task(executorPreference: thread) { while !isReady.value { usleep(1000) } }
        let accounts = Passwords.knownLimit / Passwords.mostOfOne + 10
        let flood = (0..<accounts).flatMap { account in
            (0..<Passwords.mostOfOne).map { _ in
                Task {
                    do {
                        _ = try await passwords.verify(
                            "wrong", against: nil, for: .known([1, UInt8(account >> 8), UInt8(account & 255)], of: []))
                        served.change { $0 += 1 }
                    } catch { refused.change { $0 += 1 } }
                }
            }
        }
        let tooMany = 10 * Passwords.mostOfOne
        #expect(await eventually { refused.value == tooMany }, "\(refused.value)")
        let mine = Task { try await passwords.verify("wrong", against: nil, for: .known([9], of: [])) }
        #expect(await eventually { refused.value == tooMany + 1 }, "\(refused.value)")
        isReady.change { $0 = true }
        await held.value
        #expect(try await mine.value == false)
        for one in flood { await one.value }
        #expect(served.value == Passwords.knownLimit - 1 && refused.value == tooMany + 1)
    }

    @Test("Secrets that are tried together have one salt, and a try costs one hash; one with its own is found, too")
    func beside() async throws {
        let passwords = Passwords(memory: 64 << 10)
        let others = Passwords(memory: 128 << 10)
        var hashes = [try await passwords.hash("perché no? 🚪")]
        for number in 0..<9 {
            hashes.append(try await passwords.hash("\(number)", beside: hashes, for: .known([1], of: [])))
        }
        func salt(_ hash: String) -> Substring { hash.split(separator: "$")[3] }
        #expect(Set(hashes.map(salt)).count == 1 && Set(hashes).count == 10)
        hashes.append(try await others.hash("another"))
        for (place, secret) in (["perché no? 🚪"] + (0..<9).map { "\($0)" } + ["another"]).enumerated() {
            let found = try await passwords.verify(secret, againstEach: hashes, for: .known([1], of: []))
            #expect(found == hashes.indices.map { $0 == place })
            // As libsodium itself finds it.
            #expect(try await passwords.verify(secret, against: hashes[place]))
        }
        #expect(try await !passwords.verify("", againstEach: hashes, for: .known([1], of: [])).contains(true))
        // One that was made with less memory is no model.
        #expect(try await salt(passwords.hash("0", beside: [hashes[10]], for: .known([1], of: []))) != salt(hashes[10]))
        // What is no hash of ours belongs to nothing, and makes no recipe.
        let other = "$argon2i$v=19$m=64,t=2,p=1$\(salt(hashes[0]))$AAAA"
        for broken in ["", "$", "$argon2id$v=19$m=64,t=2,p=1$$", other] {
            #expect(try await passwords.verify("0", againstEach: [broken], for: .known([1], of: [])) == [false])
            #expect(try await salt(passwords.hash("0", beside: [broken], for: .known([1], of: []))) != salt(hashes[0]))
        }
    }

    @Test("A secret is compared with several hashes in one place of the queue")
    func several() async throws {
        let thread = ThreadExecutor(name: "argon2 several")
        let passwords = Passwords(memory: 64 << 10, threads: [thread])
        var hashes: [String] = []
        for secret in ["one", "two", "one"] { hashes.append(try await passwords.hash(secret)) }
        let ten = (0..<10).flatMap { _ in hashes }
        #expect(ten.count > Passwords.mostOfOne)
        let found = try await passwords.verify("one", againstEach: ten, for: .known([1], of: []))
        #expect(found == (0..<10).flatMap { _ in [true, false, true] })
        #expect(
            try await passwords.verify("three", againstEach: hashes, for: .known([1], of: [])) == [false, false, false])
        #expect(try await passwords.verify("one", againstEach: [], for: .known([1], of: [])).isEmpty)
    }
}
