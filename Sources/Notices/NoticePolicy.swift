import JSON
import System

/// By which ways, and when, a person is told: a pure function of what they want and how it is now.
public struct NoticePolicy: Sendable {
    /// So long is a day of the budget, in milliseconds.
    public static let day: Int64 = 86_400_000

    /// How many notices of a kind, and of a site, reach a person outside the inbox in a day; nil: as many as there are.
    public static func budget(_ urgency: Urgency) -> Int? {
        switch urgency {
        case .low, .normal: 20
        case .high: 60
        case .critical: nil
        }
    }

    /// Why something stays in the inbox, for whoever sent it.
    public enum Held: String, Sendable, JSONChoice {
        /// They were told too much of this kind today.
        case budget
        /// It will matter no more when their quiet hours end.
        case quietHours
        /// They have switched it off.
        case preference
    }

    /// What is decided.
    public struct Decision: Sendable, Equatable {
        /// When it is pushed; nil: not at all.
        public var push: Timestamp?
        /// When it is mailed; nil: not at all.
        public var mail: Timestamp?
        /// Why it leaves the inbox by no way; nil when it does.
        public var held: Held?

        /// When it leaves by a channel; nil: not by that one.
        public func due(by channel: Channel) -> Timestamp? {
            switch channel {
            case .push, .apns: push
            case .mail: mail
            case .webhook: nil
            }
        }
    }

    /// How much it matters.
    public var urgency: Urgency
    /// What it is about.
    public var group: NoticeGroup
    /// What the person wants.
    public var preferences: NoticePreferences
    /// When their quiet hours end; nil: it is not quiet.
    public var quietEnd: Timestamp?
    /// How many of this kind and this site have reached them in the last day.
    public var told: Int
    /// The time.
    public var now: Timestamp
    /// When it will matter no more.
    public var expires: Timestamp

    /// - Critical passes everything.
    /// - A letter about the safety of the account passes preferences and quiet hours.
    /// - All else waits for the end of quiet hours, when it still matters then.
    public func decide() -> Decision {
        if urgency == .critical { return Decision(push: now, mail: now) }
        if let budget = Self.budget(urgency), told >= budget { return Decision(held: .budget) }
        let isSecurity = group == .security
        let wantsPush = preferences.push.contains(group)
        let wantsMail = isSecurity || preferences.mail.contains(group)
        guard wantsPush || wantsMail else { return Decision(held: .preference) }
        let later: Timestamp? = quietEnd.map { $0 < expires ? $0 : nil } ?? now
        var decision = Decision(push: wantsPush ? later : nil, mail: wantsMail ? (isSecurity ? now : later) : nil)
        if decision.push == nil && decision.mail == nil { decision.held = .quietHours }
        return decision
    }
}
