import System
import TestSupport
import Testing

/// A machine with both clocks, of which each can be moved.
private struct Machine {
    static let noon = Timestamp(milliseconds: 1_795_867_200_000)
    static let day: Int64 = 86_400_000

    var now = ClockCheck.Instant(machine: noon, steady: 5_000_000, isKept: false)
    var boot = [UInt8](repeating: 7, count: 16)
    var check: ClockCheck

    init(isKept: Bool? = false) {
        now.isKept = isKept
        check = ClockCheck(now, boot: boot, mark: nil, newest: nil)
    }

    mutating func pass(_ milliseconds: Int64) {
        now.machine = now.machine.adding(milliseconds: milliseconds)
        now.steady += UInt64(milliseconds)
    }

    mutating func jump(_ milliseconds: Int64) { now.machine = now.machine.adding(milliseconds: milliseconds) }

    var time: Timestamp { mutating get { check.read(now) } }
    var doubt: ClockDoubt.Cause? { mutating get { check.doubt(now)?.cause } }

    /// The program starts again, in the same start of the machine or in another one.
    mutating func restart(isMachineToo: Bool = false, off: Int64 = 0, newest: Timestamp? = nil) {
        let mark = ClockCheck.Mark(decoding: check.mark(now, boot: boot).encoded)
        if isMachineToo {
            boot = boot.map { $0 &+ 1 }
            now.machine = now.machine.adding(milliseconds: off)
            now.steady = 20_000
        } else {
            pass(off)
        }
        check = ClockCheck(now, boot: boot, mark: mark, newest: newest)
    }
}

@Suite("Whether a machine's clock is believed")
struct ClockCheckTests {
    static let jumps: [Int64] = [
        150_000, -150_000, 300 * Machine.day, -300 * Machine.day, 1_100 * Machine.day, -1_100 * Machine.day,
    ]

    @Test("A clock that goes on as it did is believed, whatever small steps a time service makes")
    func steady() {
        var machine = Machine()
        for step in [0, 900, -1_200, 30_000, -25_000] as [Int64] {
            machine.pass(3_600_000)
            machine.jump(step)
            #expect(machine.time == machine.now.machine && machine.doubt == nil)
        }
    }

    @Test("Time goes on as if nothing were while a clock has jumped, and after it is right again", arguments: jumps)
    func jumped(by jump: Int64) {
        var machine = Machine()
        machine.pass(60_000)
        let before = machine.time
        machine.jump(jump)
        #expect(machine.doubt == .jumped)
        machine.pass(75_000)
        #expect(machine.time == before.adding(milliseconds: 75_000))
        #expect(machine.check.mayRemoveByAge(machine.now) == false)
        machine.jump(-jump)
        #expect(machine.doubt == nil)
        #expect(machine.time == before.adding(milliseconds: 75_000) && machine.time == machine.now.machine)
    }

    @Test("A jump holds over a start of the program, and over one that begins with it", arguments: jumps)
    func restarted(after jump: Int64) {
        var machine = Machine()
        machine.jump(jump)
        let expected = machine.time
        machine.restart(off: 4_000)
        #expect(machine.doubt == .jumped && machine.time == expected.adding(milliseconds: 4_000))
        machine.jump(-jump)
        #expect(machine.doubt == nil && machine.time == machine.now.machine)
        // The clock is set while the program is off.
        machine.restart(off: 4_000)
        let before = machine.time
        machine.jump(jump)
        machine.restart()
        #expect(machine.doubt == .jumped && machine.time == before)
    }

    @Test("Steps that each are small do not lead far within an hour")
    func creeping() {
        var machine = Machine()
        for _ in 0..<2 {
            machine.pass(1_000)
            machine.jump(30_000)
            #expect(machine.doubt == nil)
        }
        machine.jump(30_000)
        #expect(machine.doubt == .jumped)
    }

    @Test("A person who confirms it ends the doubt, and from then on it is held against that")
    func confirmed() {
        var machine = Machine()
        machine.jump(Self.jumps[0])
        #expect(machine.doubt == .jumped)
        machine.check.confirm(machine.now)
        #expect(machine.doubt == nil && machine.time == machine.now.machine)
        machine.jump(-Self.jumps[0])
        #expect(machine.doubt == .jumped)
    }

    @Test(
        "A time service that sets a clock for the first time since the start is believed; one that kept it before is not"
    )
    func timeService() {
        var machine = Machine()
        machine.now.isKept = true
        machine.jump(9 * Machine.day)
        #expect(machine.doubt == nil && machine.time == machine.now.machine)
        var kept = Machine(isKept: true)
        kept.jump(9 * Machine.day)
        #expect(kept.doubt == .jumped)
    }

    @Test("Nothing is removed by its age in the first minutes after a start and after a doubt")
    func firstMinutes() {
        var machine = Machine()
        func mayRemove() -> Bool { machine.check.mayRemoveByAge(machine.now) }
        machine.pass(599_999)
        #expect(!mayRemove())
        machine.pass(1)
        #expect(mayRemove())
        machine.jump(Machine.day)
        #expect(!mayRemove())
        machine.jump(-Machine.day)
        #expect(!mayRemove())
        machine.pass(600_000)
        #expect(mayRemove())
    }

    @Test("A time that was set is firm a minute later, when gates and boxes go by it")
    func firm() {
        var machine = Machine()
        func isFirm() -> Bool { machine.check.isFirm(machine.now) }
        #expect(isFirm(), "at a start")
        machine.jump(Machine.day)
        #expect(!isFirm())
        machine.check.confirm(machine.now)
        #expect(!isFirm())
        machine.pass(59_999)
        #expect(!isFirm())
        machine.pass(1)
        #expect(isFirm())
    }

    @Test("A time service that begins while all is well is known: it is no first setting when the clock jumps later")
    func serviceBegins() {
        var machine = Machine()
        machine.now.isKept = true
        #expect(machine.doubt == nil)
        machine.jump(9 * Machine.day)
        #expect(machine.doubt == .jumped)
    }

    @Test(
        "After a start of the machine a time that has passed already is not believed, one some days later is, and one long after is not"
    )
    func started() {
        var machine = Machine()
        machine.restart(isMachineToo: true, off: 13 * Machine.day)
        #expect(machine.doubt == nil)
        let before = machine.time
        machine.restart(isMachineToo: true, off: -3_600_000)
        #expect(machine.doubt == .behind && machine.time == before)
        machine.pass(60_000)
        #expect(machine.time == before.adding(milliseconds: 60_000))
        // Set right by hand, two days later.
        machine.jump(2 * Machine.day)
        #expect(machine.doubt == nil && machine.time == machine.now.machine)
        let last = machine.time
        machine.restart(isMachineToo: true, off: 1_100 * Machine.day)
        #expect(machine.doubt == .ahead && machine.time == last)
        machine.jump(-1_099 * Machine.day)
        #expect(machine.doubt == nil)
    }

    @Test("A machine that was off for months and whose clock a time service keeps is believed")
    func longOff() {
        var machine = Machine(isKept: true)
        machine.restart(isMachineToo: true, off: 200 * Machine.day)
        #expect(machine.doubt == nil)
    }

    @Test("Without a mark the newest entry of the log tells what is far too late, and nothing to go by")
    func withoutMark() {
        var now = Machine().now
        var late = ClockCheck(now, boot: [], mark: nil, newest: now.machine.adding(milliseconds: -300 * Machine.day))
        #expect(late.doubt(now)?.cause == .ahead)
        var early = ClockCheck(now, boot: [], mark: nil, newest: now.machine.adding(milliseconds: 300 * Machine.day))
        #expect(early.doubt(now) == nil && early.read(now) == now.machine)
        now.machine = Timestamp(milliseconds: 0)
        var unset = ClockCheck(now, boot: [], mark: nil)
        #expect(unset.doubt(now)?.cause == .neverSet)
        now.machine = Machine.noon
        #expect(unset.doubt(now) == nil && unset.read(now) == Machine.noon)
    }

    @Test("A start of which the kernel tells no name ties nothing")
    func namelessStart() {
        var machine = Machine()
        machine.boot = [UInt8](repeating: 0, count: 16)
        machine.restart(off: 13 * Machine.day)
        #expect(machine.doubt == nil)
        machine.jump(10 * Machine.day)
        machine.restart()
        // The mark has the time from before the jump: ten days later is what a machine may have been off.
        #expect(machine.doubt == nil)
    }

    @Test(
        "Gates that went on while the machine stood still speak for its clock, most of them, after they were heard for a while"
    )
    func gatesAgree() {
        var machine = Machine()
        machine.jump(3_600_000)
        #expect(machine.doubt == .jumped)
        machine.check.hear([1], says: machine.now.machine, machine.now)
        #expect(machine.doubt == .jumped)
        machine.pass(10_000)
        machine.check.hear([2], says: machine.now.machine.adding(milliseconds: -3_600_000), machine.now)
        #expect(machine.doubt == .jumped, "one of two is not most")
        machine.check.hear([3], says: machine.now.machine, machine.now)
        #expect(machine.doubt == nil && machine.time == machine.now.machine)
    }

    @Test("One voice counts once, and what was said long ago counts no more")
    func voices() {
        var machine = Machine()
        machine.check.hear([9], says: machine.now.machine, machine.now)
        machine.jump(3_600_000)
        machine.pass(10_000)
        for _ in 0..<5 { machine.check.hear([1], says: machine.now.machine, machine.now) }
        #expect(machine.doubt == .jumped)
        #expect(machine.doubt == .jumped, "one alone may lie")
        machine.pass(31_000)
        machine.check.hear([1], says: machine.now.machine, machine.now)
        machine.check.hear([2], says: machine.now.machine, machine.now)
        #expect(machine.doubt == nil)
    }

    @Test(
        "After a start for which only the clock itself speaks, gates that say otherwise make it doubtful until it is set"
    )
    func gatesContradict() {
        var machine = Machine()
        machine.restart(isMachineToo: true, off: 5 * Machine.day)
        let own = machine.time
        machine.check.hear([1], says: own.adding(milliseconds: -5 * Machine.day), machine.now)
        #expect(machine.doubt == nil, "one alone may lie")
        machine.check.hear([2], says: own.adding(milliseconds: -5 * Machine.day), machine.now)
        #expect(machine.doubt == .contradicted && machine.time == own)
        machine.jump(-5 * Machine.day)
        #expect(machine.doubt == nil && machine.time == machine.now.machine)
        // One that a time service keeps, or that has gone for some minutes, is not contradicted by a gate.
        var kept = Machine(isKept: true)
        kept.restart(isMachineToo: true, off: Machine.day)
        for voice in 1...3 as ClosedRange<UInt8> {
            kept.check.hear([voice], says: kept.now.machine.adding(milliseconds: Machine.day), kept.now)
        }
        #expect(kept.doubt == nil)
        var late = Machine()
        late.restart(isMachineToo: true, off: Machine.day)
        late.pass(300_000)
        for voice in 1...3 as ClosedRange<UInt8> {
            late.check.hear([voice], says: late.now.machine.adding(milliseconds: Machine.day), late.now)
        }
        #expect(late.doubt == nil)
    }

    @Test("Numbers at the ends of what there is harm nothing")
    func extremes() {
        for machine in [Int64.min, -1, 0, .max] {
            for said in [Int64.min, .max] {
                var check = Machine()
                check.now.machine = Timestamp(milliseconds: machine)
                _ = check.doubt
                check.check.hear([1], says: Timestamp(milliseconds: said), check.now)
                check.restart()
                check.check.hear([2], says: Timestamp(milliseconds: said), check.now)
                _ = check.check.mayRemoveByAge(check.now)
            }
        }
        #expect(ClockCheck.Mark(decoding: [UInt8](repeating: 255, count: 31)) == nil)
        #expect(ClockCheck.Mark(decoding: [UInt8](repeating: 255, count: 32))?.encoded.count == 32)
    }

    @Test("A word of another program counts while the clock goes as it did then")
    func word() {
        let (wall, steady) = (Shared(Machine.noon), Shared(UInt64(5_000)))
        let source = CheckedClock.Source(
            machine: { wall.value }, steady: { steady.value }, isKept: { false },
            boot: [UInt8](repeating: 1, count: 16))
        let clock = CheckedClock(source, mark: nil, newest: nil)
        wall.change { $0 = $0.adding(milliseconds: Machine.day) }
        #expect(clock.doubt?.cause == .jumped)
        let word = CheckedClock(source, mark: nil, newest: nil).mark
        wall.change { $0 = $0.adding(milliseconds: Machine.day) }
        #expect(!clock.confirm(word) && clock.doubt != nil)
        wall.change { $0 = $0.adding(milliseconds: -Machine.day) }
        #expect(clock.confirm(word) && clock.doubt == nil && clock.now == wall.value)
    }
}
