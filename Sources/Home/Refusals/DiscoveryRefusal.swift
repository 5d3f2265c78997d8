import Accounts
import Identity
import JSON

/// Why a discovery message, or one component of it, is not taken. It holds names of keys and kinds, and of what the house has already:
/// nothing of what the device wrote under them.
public struct DiscoveryRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, without what it is about.
    public enum Reason: String, Sendable, JSONChoice {
        // Of a message.
        case tooLong, notJSON, tooManyTopics, tooManyDevices, tooManyParts, tooManyKnown, noComponents,
            tooManyComponents
        // Of a component, whatever it is.
        case notComponent, noPlatform, unknownPlatform, sameID, missing, notText, notNumber, notSeconds, impossible
        // Of its topics and templates.
        case notTopic, forbiddenTopic, describingTopic, notTemplate, computed, computedCommand, badAvailability,
            tooManyAvailabilities
        // Of some kinds.
        case longUnit, emptyRange, encodedPicture, remotePicture, templateLight, opensDoors
        // Of what the house has already.
        case reserved
    }

    /// Why.
    public let reason: Reason
    /// The key or the kind that it is about, as Home Assistant writes it, or the name of another actuator; empty: none.
    public let subject: String

    /// See the properties.
    public init(_ reason: Reason, _ subject: String = "") { (self.reason, self.subject) = (reason, subject) }

    /// For logs and programs.
    public var description: String { text(.en) }

    /// In words, for whoever set the device up.
    func text(_ language: Language) -> String {
        switch language {
        case .en: DiscoveryRefusalWords.en(self)
        case .it: DiscoveryRefusalWords.it(self)
        case .es: DiscoveryRefusalWords.es(self)
        }
    }
}

extension DiscoveryRefusal: Codable {
    /// As it is kept: the reason, and after a blank the subject. A reason that this version does not know says only that the component
    /// was not understood.
    public init(from decoder: any Decoder) throws {
        let parts = try decoder.singleValueContainer().decode(String.self).split(separator: " ", maxSplits: 1)
        if let reason = parts.first.flatMap({ Reason(rawValue: String($0)) }) {
            self.init(reason, parts.count > 1 ? String(parts[1]) : "")
        } else {
            self.init(.notComponent)
        }
    }

    /// The same, written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(subject.isEmpty ? reason.rawValue : "\(reason.rawValue) \(subject)")
    }
}
