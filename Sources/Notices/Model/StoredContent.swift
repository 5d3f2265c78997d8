import FoundationEssentials

extension NoticeContent {
    /// As a row holds it. What it is about and how much it matters are columns.
    private struct Stored: Codable {
        let text: LocalizedText
        let publicText: LocalizedText
        let actions: [NoticeAction]
        let link: String?
        let topic: String?
    }

    var storedBytes: [UInt8] {
        let stored = Stored(text: text, publicText: publicText, actions: actions, link: link, topic: topic)
        // Texts and lists of texts: there is nothing in them that could not be encoded.
        return Array(try! JSONEncoder().encode(stored))
    }

    init(kind: NoticeKind, urgency: Urgency, stored bytes: [UInt8]) throws {
        let stored = try JSONDecoder().decode(Stored.self, from: Data(bytes))
        self.init(
            kind: kind, urgency: urgency, text: stored.text, publicText: stored.publicText, actions: stored.actions,
            link: stored.link, topic: stored.topic)
    }
}
