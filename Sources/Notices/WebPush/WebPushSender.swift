import Courier
import Crypto
import System

/// How a push service should treat a message (RFC 8030, section 5).
public struct PushOptions: Sendable, Equatable {
    /// How much it matters beside the phone's battery (5.3).
    public enum Urgency: String, Sendable, CaseIterable {
        case veryLow = "very-low"
        case low, normal, high
    }

    /// So long the service keeps it for a browser that is away, in seconds: 0...2,419,200 (four weeks).
    public var seconds: Int
    /// How much it matters.
    public var urgency: Urgency
    /// A later message about the same replaces an earlier one that still waits; nil for none.
    public var topic: PushTopic?

    /// The longest time, in seconds.
    public static let longest = 2_419_200

    /// See the properties; the time is brought into its range.
    public init(seconds: Int, urgency: Urgency = .normal, topic: PushTopic? = nil) {
        (self.seconds, self.urgency, self.topic) = (min(max(seconds, 0), Self.longest), urgency, topic)
    }
}

/// What a message is about, for the service to replace it (RFC 8030, 5.4). It is sent in clear, so it is a hash.
public struct PushTopic: Sendable, Hashable {
    /// 1...32 characters of base64url.
    public let text: String

    /// Nil for other characters and another length.
    public init?(_ text: String) {
        let isText = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
                || $0 == 0x5f
        }
        guard (1...32).contains(text.utf8.count), isText else { return nil }
        self.text = text
    }

    /// For anything that has a name: 32 letters and digits, since not every service takes dashes.
    public init(naming bytes: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let hash = Digest.sha256(bytes).prefix(16)
        text = String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// What became of a message.
public enum PushOutcome: Sendable, Equatable {
    /// The service has it.
    case delivered
    /// The browser has unsubscribed: forget the subscription.
    case gone
    /// The service takes no message of this length.
    case tooLarge
    /// Not now; after so many seconds where the service says so.
    case again(afterSeconds: Int?, why: String)
    /// The service will not have it: our fault or its.
    case refused(why: String)
}

/// Sends messages to browsers through their makers' push services.
public final class WebPushSender: Sendable {
    /// The longest wait that a service may ask for, in seconds: a day.
    static let longestWait = 86_400
    /// So much of a service's reason is passed on, in characters.
    static let longestReason = 80

    private let vapid: VAPID
    private let client: HTTPClient
    private let timeout: Duration

    /// - Parameters:
    ///   - vapid: who we are.
    ///   - lanes: how many messages at once, each on a thread of its own that lives as long as the process.
    ///   - threads: what they are called; at most 12 bytes.
    ///   - timeout: how long a push service may take.
    public init(vapid: VAPID, lanes: Int = 4, threads: String = "push", timeout: Duration = .seconds(10)) {
        (self.vapid, client) = (vapid, HTTPClient(name: threads, lanes: lanes, limit: 16 << 10))
        self.timeout = timeout
    }

    /// Seals a message and hands it to the browser's service.
    /// - Parameter text: at most `WebPushMessage.longest` bytes.
    public func send(_ text: [UInt8], to subscription: PushSubscription, _ options: PushOptions) async -> PushOutcome {
        do throws(WebPushMessage.TooLong) {
            let request = try request(text, to: subscription, options)
            do throws(CourierError) {
                return Self.outcome(of: try await client.send(request))
            } catch {
                return Self.outcome(of: error)
            }
        } catch {
            return .tooLarge
        }
    }

    /// The request that carries a message.
    public func request(
        _ text: [UInt8], to subscription: PushSubscription, _ options: PushOptions
    ) throws(WebPushMessage.TooLong) -> HTTPClientRequest {
        var headers = [
            (name: "TTL", value: "\(options.seconds)"), (name: "Urgency", value: options.urgency.rawValue),
            (name: "Content-Encoding", value: "aes128gcm"), (name: "Content-Type", value: "application/octet-stream"),
            (name: "Authorization", value: vapid.authorization(for: subscription.origin)),
        ]
        if let topic = options.topic { headers.append((name: "Topic", value: topic.text)) }
        return HTTPClientRequest(
            method: "POST", url: subscription.endpoint, headers: headers,
            body: try WebPushMessage.encrypt(text, key: subscription.key, auth: subscription.auth), timeout: timeout,
            reach: subscription.isLoopback ? .anywhere : .publicOnly)
    }

    static func outcome(of response: HTTPClientResponse) -> PushOutcome {
        outcome(status: response.status, retryAfter: response.header("retry-after"), body: response.body)
    }

    static func outcome(status: Int, retryAfter: String?, body: [UInt8]) -> PushOutcome {
        switch status {
        case 200..<300: .delivered
        case 404, 410: .gone
        case 413: .tooLarge
        case 408, 429, 500..<600:
            .again(
                afterSeconds: retryAfter.flatMap { wait($0) }, why: "the push service asks to wait (\(status))")
        case 300..<400: .refused(why: "the push service points elsewhere (\(status))")
        default: .refused(why: "the push service refuses it (\(status)\(reason(body)))")
        }
    }

    static func outcome(of error: CourierError) -> PushOutcome {
        switch error {
        case .badURL, .badRequest, .notPublic: .refused(why: "\(error)")
        // The service has answered, at more length than anybody reads.
        case .tooLarge: .again(afterSeconds: nil, why: "\(error)")
        case .unknownHost, .noConnection, .noTrust, .timedOut, .broken: .again(afterSeconds: nil, why: "\(error)")
        }
    }

    /// Seconds; the other form, a date, is left to our own pauses.
    private static func wait(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? 0, longestWait)
    }

    /// What the service says in its own words, on one line and never long.
    private static func reason(_ body: [UInt8]) -> String {
        let words = body.prefix(1024).split { $0 <= 0x20 || $0 >= 0x7f }
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ").prefix(longestReason)
        return text.isEmpty ? "" : ": \(text)"
    }
}
