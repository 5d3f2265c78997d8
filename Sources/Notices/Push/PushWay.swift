import Accounts
import Identity
import JSON
import Ledger
import Store
import System

/// Reaches people on their devices: one parcel for each.
struct PushWay: NoticeWay {
    let channel = Channel.push
    let store: Store

    func parcels(for delivery: NoticeDelivery, at now: Timestamp, in database: Database) throws -> [Parcel] {
        parcels(for: delivery, to: try Self.reach(of: delivery, at: now, in: database), at: now)
    }

    /// Reading waits for no commit and needs no room on the disk.
    func parcelsAtOnce(for delivery: NoticeDelivery, at now: Timestamp) -> [Parcel] {
        let reach = try? store.read { try Self.reach(of: delivery, at: now, in: $0) }
        return parcels(for: delivery, to: reach ?? Reach(devices: [], asksForMore: true), at: now)
    }

    /// Where a notice goes.
    private struct Reach {
        let devices: [PushDevice]
        /// Whether its site opens itself only to whoever has proven who they are in a strong way.
        let asksForMore: Bool
    }

    private static func reach(of delivery: NoticeDelivery, at now: Timestamp, in database: Database) throws -> Reach {
        Reach(
            devices: try PushRecords.devices(of: delivery.person, at: now, in: database),
            asksForMore: try delivery.notice.site.map { try WayRecords.asksSecondFactor($0, in: database) } ?? false)
    }

    private func parcels(for delivery: NoticeDelivery, to reach: Reach, at now: Timestamp) -> [Parcel] {
        if reach.devices.isEmpty { return [] }
        let message = PushMessage(delivery, isLocked: false)
        let topic = PushPayload.topic(message.tag, for: delivery.person)
        let (whole, locked) = (message.json, PushMessage(delivery, isLocked: true).json)
        return reach.devices.map { device in
            let payload = PushPayload(
                device: device.id, urgency: delivery.notice.content.urgency, topic: topic,
                message: reach.asksForMore && !device.isStrong ? locked : whole)
            return delivery.parcel(by: .push, payload.encoded, at: now)
        }
    }
}

/// What a parcel of the push channel holds: where it goes, how, and what it says. Where the device is reached is looked up when it is
/// sent: then it may be gone.
struct PushPayload: Sendable, Equatable {
    let device: PushDeviceID
    let urgency: Urgency
    let topic: PushTopic
    /// What the service worker reads.
    let message: [UInt8]

    /// The topic that the push service sees tells neither what a notice is about nor that two people are told the same.
    static func topic(_ tag: String, for person: PersonID) -> PushTopic {
        PushTopic(naming: person.raw.bytes + Array(tag.utf8))
    }

    var encoded: [UInt8] { document(capacity: message.count + 128) }
}

extension PushPayload: JSONObject {
    private static let deviceKey = JSONKey<PushDeviceID>("device", "the device's id")
    private static let urgencyKey = JSONKey<Urgency>("urgency")
    private static let topicKey = JSONKey<String>("topic", "what the push service knows it by")
    private static let messageKey = JSONKey<String>("message", "what the service worker reads")
    private static let body = JSONBody(deviceKey, urgencyKey, topicKey, messageKey)

    static let shape = Shape<PushPayload> {
        JSONField(deviceKey) { $0.device }
        JSONField(urgencyKey) { $0.urgency }
        JSONField(topicKey) { $0.topic.text }
        JSONField(messageKey) { String(decoding: $0.message, as: UTF8.self) }
    }

    /// Nil for what `encoded` did not write.
    init?(_ bytes: [UInt8]) {
        guard let fields = try? JSONFields(bytes, limit: Parcel.longest),
            let (device, urgency, name, message) = try? Self.body.read(fields), let topic = PushTopic(name)
        else { return nil }
        self.init(device: device, urgency: urgency, topic: topic, message: Array(message.utf8))
    }
}
