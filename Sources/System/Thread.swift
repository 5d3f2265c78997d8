import CSystem
import Glibc

/// Threads of our own, for work that blocks or that must live as long as the process.
public enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread.
    /// - Parameters:
    ///   - name: what debuggers and `top -H` show; at most 15 bytes are kept.
    ///   - body: what it runs; the thread ends with it.
    @discardableResult
    public static func start(name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t {
        var id = pthread_t()
        let named: @Sendable () -> Void = {
            csystem_name_thread(name)
            body()
        }
        let raw = Unmanaged.passRetained(Body(named)).toOpaque()
        let status = pthread_create(
            &id, nil,
            { raw in
                Unmanaged<Body>.fromOpaque(raw!).takeRetainedValue().run()
                return nil
            }, raw)
        precondition(status == 0, "no thread to be had")
        pthread_detach(id)
        return id
    }

    /// Runs something that blocks for a while on a thread made for it, and waits without holding one of the pool's.
    public static func run<T: Sendable>(
        name: String, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            start(name: name) { continuation.resume(with: Result { try body() }) }
        }
    }
}
