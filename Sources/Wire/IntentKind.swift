/// What an opening asks for, without its reason: what the caveat `intents` lists.
public enum IntentKind: UInt8, Sendable, CaseIterable {
    /// Open (the lock controller's own word).
    case apri = 1
    /// Close (the lock controller's own word).
    case chiudi = 2
    /// Go in.
    case enter = 3
    /// Go out.
    case leave = 4
}
