import Glibc

/// Runs blocking code on a thread of its own: the two or so threads of the pool are shared by all tests.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: body()) }
    }
}

/// Starts a thread that ends with the body.
func startThread(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    var id = pthread_t()
    let status = pthread_create(
        &id, nil,
        { work in
            Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().run()
            return nil
        }, work)
    precondition(status == 0, "no thread to be had")
    pthread_detach(id)
}

private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
