/// Whether a write can wait while the disk is nearly full.
public enum WriteWeight: Sendable {
    /// It is refused as by a full disk: readings, new people, settings.
    case ordinary
    /// It has the room that is kept: alarms and what is done about them, openings, sessions, revocations, what gates and boxes tell.
    case vital

    @TaskLocal fileprivate static var ofTask = WriteWeight.ordinary

    /// What the task's writes are unless they say it themselves.
    public static var current: WriteWeight { ofTask }
}

extension Store {
    /// Runs something whose writes have a weight unless they say another.
    public static func writing<T>(
        _ weight: WriteWeight, _ body: nonisolated(nonsending) () async throws -> T
    ) async rethrows -> T {
        try await WriteWeight.$ofTask.withValue(weight, operation: body)
    }

    /// Whether what can wait is refused, since the disk is nearly full.
    public var isScarce: Bool { reserve?.isScarce ?? false }

    /// Looks at the disk anew, also while nothing is written.
    /// - Returns: whether what can wait is refused.
    @discardableResult
    public func lookAtDisk() -> Bool { reserve?.look() ?? false }

    /// Says who wants to know that a write found the disk full; called on the writer's thread.
    public func whenFull(_ hook: @escaping @Sendable () -> Void) {
        writer.hooks.withLock { $0.append(FullHook(call: hook)) }
    }
}

/// Who wants to know of a full disk.
struct FullHook: Sendable {
    let call: @Sendable () -> Void
}
