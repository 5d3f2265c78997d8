import Identity
import Ledger
import System
import Testing

@testable import Notices

@Suite("What notices write for others")
struct WrittenShapesTests {
    private let id = NoticeID(String(repeating: "0a", count: 16))!
    private let person = PersonID(String(repeating: "0b", count: 16))!
    private let site = SiteID(String(repeating: "0c", count: 16))!
    private let text = LocalizedText(en: NoticeWords("A", "B"), it: NoticeWords("C"), es: NoticeWords("D"))

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func notice(by sender: PersonID?) -> Notice {
        Notice(
            id: id, site: site,
            content: NoticeContent(kind: "site.news", urgency: .high, text: text, publicText: text), sender: sender,
            created: Timestamp(milliseconds: 0), expires: Timestamp(milliseconds: 1))
    }

    @Test("The ledger holds whom a notice is about and who sent it only where there is such a person")
    func ledger() {
        let start = #"{"notice":"\#(id.text)","kind":"site.news","urgency":"high","people":3"#
        #expect(text(NoticeSentPayload(notice: notice(by: nil), count: 3, about: nil).document()) == start + "}")
        #expect(
            text(NoticeSentPayload(notice: notice(by: person), count: 3, about: person).document())
                == start + #","person":"\#(person.text)","by":"\#(person.text)"}"#)
        #expect(
            text(NoticeAcknowledgedPayload(notice: id, person: person).document())
                == #"{"notice":"\#(id.text)","person":"\#(person.text)"}"#)
    }

    @Test("A site's server gets the words in every language")
    func webhook() {
        #expect(LocalizedText.shape.fields.map(\.name.description) == Language.allCases.map(\.rawValue))
        #expect(
            text(WebhookRecords.body(of: notice(by: nil), at: site))
                == #"{"id":"\#(id.text)","site":"\#(site.text)","kind":"site.news","urgency":"high","#
                + #""at":"1970-01-01T00:00:00.000Z","expires":"1970-01-01T00:00:00.001Z","#
                + #""text":{"en":{"title":"A","body":"B"},"it":{"title":"C","body":""},"es":{"title":"D","body":""}}}"#)
    }

    @Test("What waits in the outbox has the bytes that it always had")
    func outbox() throws {
        let letter = try #require(Letter(to: "a@b.example", name: "Ada", subject: "S", text: "T"))
        #expect(
            text(MailParcel(letter).payload) == #"{"to":"a@b.example","name":"Ada","subject":"S","text":"T"}"#)
        #expect(
            text(MailParcel(Errand(.invite, person: person, language: .es)).payload)
                == #"{"errand":"invite","person":"\#(person.text)","address":null,"name":null,"language":"es","invitation":null}"#
        )
        let device = PushDeviceID(String(repeating: "0d", count: 16))!
        let push = PushPayload(
            device: device, urgency: .low, topic: try #require(PushTopic("t")), message: Array("{}".utf8))
        #expect(
            text(push.encoded) == #"{"device":"\#(device.text)","urgency":"low","topic":"t","message":"{}"}"#)
        #expect(PushPayload(push.encoded) == push)
    }

    @Test("A device gets what its service worker reads")
    func push() {
        let words = PushWords.in(.it)
        #expect(
            text(PushMessage(test: "7", .it).json)
                == #"{"id":"7","title":"\#(words.testTitle)","body":"\#(words.testBody)","lang":"it","tag":"test","#
                + #""isCritical":false,"isTracked":false,"link":"/account/sessions#this-device","actions":[],"#
                + #""words":{"unreachable":"\#(words.unreachable)","signedOut":"\#(words.signedOut)","over":"\#(words.over)","#
                + #""done":"\#(words.done)","prove":"\#(words.prove)","refused":"\#(words.refused)"}}"#)
    }
}
