import Accounts
import Ledger
import System

/// What came of an action.
public struct ActOutcome: Sendable, Equatable {
    /// For programs: `checkedIn`, `silenced`.
    public let name: String
    /// For the person who acted: the title, and a body where it has one.
    public let text: LocalizedText
    /// Whether the notice is answered by it; if not, the same may be tried again.
    public let isDone: Bool

    /// See the properties.
    public init(_ name: String, _ text: LocalizedText, isDone: Bool = true) {
        (self.name, self.text, self.isDone) = (name, text, isDone)
    }
}

/// Somebody acts on a notice that they received.
public struct NoticeAct: Sendable {
    /// On which.
    public let notice: Notice
    /// What they chose.
    public let action: NoticeAction
    /// Who, as their session proves it now. What the action does checks its own rights: the notice may be older than a change of them.
    public let principal: Principal
    /// When.
    public let at: Timestamp

    /// See the properties.
    public init(notice: Notice, action: NoticeAction, principal: Principal, at: Timestamp) {
        (self.notice, self.action, self.principal, self.at) = (notice, action, principal, at)
    }
}

/// Does what an action says. What it throws goes to whoever acted, and the action can be tried again.
public typealias ActHandler = @Sendable (NoticeAct) async throws -> ActOutcome
