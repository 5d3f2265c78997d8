/// A step that brings the tables forward. Steps only add: what an older hub wrote stays readable.
public struct Migration: Sendable {
    /// The room and the number of the step, `ledger.1`; once given, never changed.
    public let name: String
    /// The statements, in the dialect that SQLite and PostgreSQL share as far as tables allow (`STRICT` is SQLite's own).
    public let sql: String

    /// - Parameters:
    ///   - name: the room and the number, `ledger.1`.
    ///   - sql: the statements.
    public init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }
}
