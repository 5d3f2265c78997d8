import Courier
import Crypto
import System
import TestSupport
import Testing

@testable import Notices

@Suite("Messages to browsers")
struct WebPushSenderTests {
    private let browser = Browser()
    private let sender = WebPushSender(
        vapid: VAPID(secret: VAPID.newSecret(), subject: "mailto:ada@example.org", clock: .system)!, lanes: 1)
    private let options = PushOptions(seconds: 60, urgency: .high, topic: PushTopic(naming: [1, 2, 3]))

    private func subscription(_ endpoint: String) throws -> PushSubscription {
        try PushSubscription(
            endpoint: endpoint, key: browser.key.publicBytes, auth: browser.auth, allowsLoopback: true)
    }

    @Test("A message arrives at the service with everything that it needs, and the browser reads it")
    func arrives() async throws {
        let came = Shared<LoopbackServer.Connection.Request?>(nil)
        let service = LoopbackServer { connection in
            while let request = connection.request() {
                came.change { $0 = request }
                connection.answer(201)
            }
        }
        let place = try subscription("http://127.0.0.1:\(service.port)/browser/1")
        #expect(await sender.send(Array("hello".utf8), to: place, options) == .delivered)
        let request = try #require(came.value)
        #expect(request.line == "POST /browser/1 HTTP/1.1")
        #expect(request.headers["ttl"] == "60" && request.headers["urgency"] == "high")
        #expect(request.headers["content-encoding"] == "aes128gcm")
        #expect(request.headers["topic"]?.count == 32)
        #expect(request.headers["authorization"]?.hasPrefix("vapid t=") == true)
        #expect(browser.open(request.body) == Array("hello".utf8))
    }

    @Test("A service inside a private network is not reached, and said so")
    func reach() async throws {
        let place = try PushSubscription(
            endpoint: "https://10.0.0.1/x", key: browser.key.publicBytes, auth: browser.auth)
        #expect(try sender.request([], to: place, options).reach == .publicOnly)
        #expect(
            await sender.send([], to: place, options) == .refused(why: "the address is inside a private network"))
        #expect(try sender.request([], to: subscription("http://127.0.0.1:1/x"), options).reach == .anywhere)
    }

    @Test("A message that is too long does not leave")
    func tooLong() async throws {
        let place = try subscription("http://127.0.0.1:1/x")
        #expect(await sender.send([UInt8](repeating: 1, count: 3_994), to: place, options) == .tooLarge)
    }

    @Test("Each answer of a service is told apart")
    func answers() {
        func outcome(_ status: Int, _ retryAfter: String? = nil, _ body: String = "") -> PushOutcome {
            WebPushSender.outcome(status: status, retryAfter: retryAfter, body: Array(body.utf8))
        }
        for status in [200, 201, 202, 204] { #expect(outcome(status) == .delivered) }
        for status in [404, 410] { #expect(outcome(status, nil, "no such browser") == .gone) }
        #expect(outcome(413) == .tooLarge)
        func isAgain(_ outcome: PushOutcome, _ seconds: Int?) -> Bool {
            if case .again(seconds, _) = outcome { true } else { false }
        }
        for status in [408, 429, 500, 503, 599] { #expect(isAgain(outcome(status), nil)) }
        #expect(isAgain(outcome(429, "120"), 120) && isAgain(outcome(503, "999999999"), 86_400))
        for text in ["", "-1", "1.5", "Fri, 31 Dec 2027 23:59:59 GMT", "99999999999999999999", "1 2"] {
            #expect(isAgain(outcome(503, text), nil))
        }
        #expect(
            outcome(403, nil, "{\"reason\":\"BadJwtToken\"}\r\n")
                == .refused(why: "the push service refuses it (403: {\"reason\":\"BadJwtToken\"})"))
        for status in [302, 400, 401, 403, 451] {
            guard case .refused(let why) = outcome(status, nil, String(repeating: "a\u{1b}é<b>\n", count: 500)) else {
                Issue.record("\(status)")
                continue
            }
            #expect(why.utf8.count < 200 && why.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
        }
    }

    @Test("A service that cannot be reached now is tried again")
    func errors() {
        for error in [CourierError.timedOut, .noConnection, .unknownHost, .noTrust, .broken, .tooLarge] {
            guard case .again(nil, _) = WebPushSender.outcome(of: error) else {
                Issue.record("\(error)")
                continue
            }
        }
        for error in [CourierError.badURL, .badRequest, .notPublic] {
            #expect(WebPushSender.outcome(of: error) == .refused(why: "\(error)"))
        }
    }

    @Test("A topic is 32 letters of URLs at most, and times stay in their range")
    func topics() {
        for good in ["a", "A-_9", String(repeating: "x", count: 32)] { #expect(PushTopic(good)?.text == good) }
        for wrong in ["", "a b", "a\r\nb", "é", "a=", String(repeating: "x", count: 33)] {
            #expect(PushTopic(wrong) == nil)
        }
        #expect(PushTopic(naming: [1]) == PushTopic(naming: [1]) && PushTopic(naming: [1]) != PushTopic(naming: [2]))
        #expect(PushTopic(PushTopic(naming: []).text) != nil)
        #expect(PushOptions(seconds: -1).seconds == 0 && PushOptions(seconds: .max).seconds == 2_419_200)
    }
}
