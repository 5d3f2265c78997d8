import Glibc
import System

// The compiler's own fuzzer (libFuzzer) around our targets: `fuzz NAME [FOLDER] [-option=…]`; `fuzz list` names them all;
// `fuzz seeds NAME FOLDER` writes what a target begins with. Scripts/fuzz.sh runs each for some seconds.

/// A C function of pointers and one number, for which Swift's calling convention is C's.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
private struct Fuzz {
    static func main() {
        var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
        exit(runDriver(&count, &arguments, feed))
    }

    /// The one that this process feeds; chosen before the first input.
    nonisolated(unsafe) static var target: Target?

    static func choose(_ arguments: [String]) {
        switch arguments.first {
        case "list":
            for target in Target.all { print(target.name) }
            exit(0)
        case "seeds" where arguments.count == 3:
            guard let target = find(arguments[1]) else { refuse() }
            do { try target.writeSeeds(to: arguments[2]) } catch { refuse("\(error)") }
            exit(0)
        case let name?:
            target = find(name)
            if target == nil { refuse() }
        case nil: refuse()
        }
    }

    private static func find(_ name: String) -> Target? { Target.all.first { $0.name == name } }

    private static func refuse(_ why: String = "fuzz list | fuzz seeds NAME FOLDER | fuzz NAME [FOLDER] [-option=…]")
        -> Never
    {
        Log.warning("fuzz", why)
        exit(2)
    }
}

/// Called by the fuzzer once, before anything else: takes our own words out of its arguments.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let words = (1..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
    Fuzz.choose(words)
    for index in 1..<Int(count.pointee) { arguments.pointee[index] = arguments.pointee[index + 1] }
    count.pointee -= 1
    return 0
}

/// Called by the fuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func feed(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzz.target?.feed([UInt8](UnsafeBufferPointer(start: data, count: count)))
    return 0
}
