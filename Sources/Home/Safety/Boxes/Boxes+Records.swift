import Crypto
import Household
import Identity
import JSON
import Ledger
import Notices
import Safeguard
import Store
import System
import Wire

// What boxes tell: acted on at once, written down second, acknowledged when it is safe.

extension BoxRecord.Content {
    /// When it happened by the box's own clock, in milliseconds since 1970: no later than the year 9999, so that sums with it fit.
    var moment: Int64 { Int64(min(time, 253_402_300_799_999)) }
}

extension Boxes {
    /// A record, and what the house knows about it.
    private struct Told {
        let record: BoxRecord
        let gateway: Gateway
        /// The sensor that it names.
        let sensor: Sensor?
        /// Whether the tag that it names is known.
        let isKnown: Bool
        /// Whether somebody had ended here, before it came, what was known of the box by then.
        let isAfterAnswer: Bool
        /// Whether something was tripped there already.
        let wasDisturbed: Bool
        let place: UnheardEntries.Place
        let now: Timestamp
        /// Whether the hub itself is not sure what time it is, or its boxes may not have heard yet.
        let isHubInDoubt: Bool

        var content: BoxRecord.Content { record.content }
        /// What it means that its sensor was tripped: as the box says that it was then, and else as the house has it.
        var meaning: SensorClass? { Boxes.meaning(of: sensor, in: content) }
        /// When it happened, as far as the box knows.
        var moment: Timestamp? {
            content.clock == .trusted ? Timestamp(milliseconds: content.moment) : nil
        }
        /// How long ago it happened, in milliseconds, as far as that is known; else 0.
        var age: Int64 { isClockComparable ? now.milliseconds - content.moment : 0 }
        /// Whether the box's clock says how long ago it was. What lies ahead is not past: then the two clocks differ, and its place in
        /// the journal says more.
        var isClockComparable: Bool {
            content.clock == .trusted && !isHubInDoubt && now.milliseconds - content.moment >= -Boxes.live
        }
    }

    /// Takes a record of a box's journal.
    func take(_ record: BoxRecord, _ gateway: Gateway, _ key: Key) {
        guard record.verifies(boxKey: key) else { return drop(gateway, "its key did not sign it") }
        let (now, revision) = (clock.now, panels.house(gateway.site).revision)
        let (sensor, isKnown): (Sensor?, Bool)
        do { (sensor, isKnown) = try named(in: record.content, by: gateway) } catch {
            // It is told again in four seconds.
            return Log.failure(
                "home", "what a box tells could not be understood yet", ["box": gateway.id.text, "why": "\(error)"])
        }
        // The box asks once more when its acknowledgement was lost.
        let isWritten = isWritten(record.sequence, of: record.journalID, from: gateway.id)
        let (isNew, before, place) = state.withLock { state -> (Bool, BoxState, UnheardEntries.Place) in
            var box = state.boxes[gateway.id] ?? BoxState()
            let (before, place) = (box, box.acted.place(of: record))
            box.told = now
            let isNew = box.acted.insert(record.sequence, of: record.journalID) && !isWritten
            if isNew {
                Self.hear(record.content, sensor, now, revision, &box)
                box.isSounding = record.content.panel.isSounding
            }
            state.boxes[gateway.id] = box
            return (isNew, before, place)
        }
        // Before it can be acknowledged.
        if isNew {
            act(
                on: Told(
                    record: record, gateway: gateway, sensor: sensor, isKnown: isKnown,
                    isAfterAnswer: before.answered != nil,
                    wasDisturbed: before.isDisturbed,
                    place: place, now: now, isHubInDoubt: !clock.isFirm))
        }
        let alarms = alarms.journal.count
        state.withLock { state in
            guard state.waiting[gateway.id, default: []].count < Self.mostWaiting else { return }
            let wish = Self.wish(for: record, gateway, now, &state)
            state.waiting[gateway.id, default: []].append(
                TakenRecord(
                    record: record, gateway: gateway, key: key, sensor: sensor?.id, wish: wish, isNew: isNew,
                    alarms: alarms))
        }
        compareWhatCan(be: gateway)
        wake()
    }

    /// What a record names, as the house has it: its sensor, and whether it knows the tag.
    private func named(in content: BoxRecord.Content, by gateway: Gateway) throws -> (Sensor?, isKnown: Bool) {
        let sensor = try content.sensor.flatMap { place in
            let places = try places(of: gateway, with: place)
            return Int(place) < places.count ? places[Int(place)] : nil
        }
        guard content.kind == .panelChanged, content.cause == .tag else { return (sensor, false) }
        return (sensor, try tag(HouseTagID(content.credential))?.gateway == gateway.id)
    }

    private static func hear(
        _ content: BoxRecord.Content, _ sensor: Sensor?, _ now: Timestamp, _ revision: UInt64, _ box: inout BoxState
    ) {
        // That the time to disarm ran out is no news of what was heard of before.
        let isSame = content.cause == .deadline && box.isDisturbed
        let isNews = content.kind == .tripped || content.kind == .panelChanged && !isSame
        guard isNews, BoxState.isDisturbed(content.panel) else { return box.hear(content.panel, revision) }
        let trip = sensor.flatMap { sensor in
            meaning(of: sensor, in: content).map { HousePanel.Trip(sensor: sensor.id, kind: $0, at: now) }
        }
        box.hear(content.kind == .tripped ? trip : nil, revision)
    }

    /// Who waits for the tag that a record tells of.
    private static func wish(
        for record: BoxRecord, _ gateway: Gateway, _ now: Timestamp, _ state: inout State
    ) -> Learning? {
        guard record.content.kind == .tagLearnt,
            let wish = state.learning.removeValue(forKey: HouseTagID(record.content.credential)),
            wish.gateway == gateway.id, wish.until > now
        else { return nil }
        return wish
    }

    /// What it means that one of a box's sensors was tripped. Gas and smoke are danger there, whatever class they have here.
    private static func meaning(of sensor: Sensor?, in content: BoxRecord.Content) -> SensorClass? {
        if let said = content.alarmClass.flatMap({ SensorClass(rawValue: $0) }) { return said }
        let known = sensor?.kind.savesLives == true ? .environmental : sensor?.alarmClass
        // A box of before says it by how it stands alone: no danger to whoever is inside leaves time to disarm.
        return known == .environmental && content.panel.state == PanelState.pending.rawValue ? .door : known
    }

    // MARK: acting

    private func act(on told: Told) {
        let (content, isLive) = (told.content, isLive(told))
        if content.kind == .tripped { trip(told, isLive: isLive) }
        noteEntries(told, isLive: isLive)
        // Before the record is acknowledged.
        tellOfEntries(at: told.gateway)
        switch content.kind {
        case .thresholdReached, .thresholdLeft:
            guard isLive, let sensor = told.sensor else { return }
            let crossing: Crossing = content.kind == .thresholdReached ? .reached : .left
            air.told(crossing, of: sensor, value: Double(content.value) / 1000)
        case .panelChanged: follow(told, isLive: isLive)
        case .orderTaken: noteObeyed(content.credential, told.gateway)
        case .unknownTag: tellOfUnknownTag(told)
        case .tripped, .fault, .faultOver, .tagLearnt: return
        }
    }

    /// Whether it happens now: a box that was alone tells what happened meanwhile too.
    private func isLive(_ told: Told) -> Bool {
        told.isClockComparable ? told.age <= Self.live : isSinceHello(told)
    }

    /// Whether it happened since the box said hello.
    private func isSinceHello(_ told: Told) -> Bool {
        let hello = state.withLock { $0.boxes[told.gateway.id]?.hello }
        return hello.map { $0.journalID == told.record.journalID && told.record.sequence > $0.lastSequence } ?? false
    }

    /// While the house is armed, whoever tries tags at its door is no guest.
    private func tellOfUnknownTag(_ told: Told) {
        guard ArmMode(rawValue: told.content.panel.mode) != nil else { return }
        let isDue = state.withLock { state in
            let last = state.boxes[told.gateway.id]?.unknownTag
            let passed = last.map { told.now.milliseconds - $0.milliseconds } ?? .max
            guard !(0..<BoxState.betweenUnknownTags).contains(passed) else { return false }
            state.boxes[told.gateway.id, default: BoxState()].unknownTag = told.now
            return true
        }
        guard isDue else { return }
        alarms.end(
            alarms.raise(
                .fault, at: told.gateway.site, .unknownTag(box: told.gateway.name),
                aspect: "tag \(told.gateway.id.text)", isPast: true))
    }

    /// Something tripped there: it trips the house where that happens now.
    private func trip(_ told: Told, isLive: Bool) {
        guard let sensor = told.sensor, let kind = told.meaning else { return }
        let (standing, now) = (told.content.panel, told.now)
        if isLive {
            let box = Panel(standing, beside: panels.panel(of: sensor.site), at: now.milliseconds)
            let left = box?.state == .pending ? box?.left(at: now.milliseconds) : nil
            panels.trip(kind, by: sensor, at: now, left: left)
        }
        // Of the air people are told by what is there now: smoke that is gone before its box is heard again would be told by nothing.
        guard kind == .environmental else { return }
        let value = sensor.kind.isTruth ? nil : Double(told.content.value) / 1000
        if air.tripped(sensor, value: value) { return }
        if standing.state == PanelState.triggered.rawValue { tellOfPast(sensor, kind, at: told.moment) }
    }

    /// What was there is told as of what is past. Of gas or smoke that is still there people are told as of what happens now, and not twice.
    /// - Parameter moment: when it happened; nil: nobody knows.
    private func tellOfPast(_ sensor: Sensor, _ kind: SensorClass, at moment: Timestamp?) {
        let (alarm, message): (HouseAlarm.Kind, AlarmMessage) =
            switch kind {
            case .environmental:
                (.environmental, AlarmMessage(nil, sensor, at: registry.catalog.devices[sensor.device]))
            case .tamper: (.tamper, AlarmMessage(trippedBy: panels.distinct(sensor)))
            case .door, .motion: (.intrusion, AlarmMessage(trippedBy: panels.distinct(sensor)))
            }
        let stands = alarms.standing(at: sensor.site).contains { $0.sensor == sensor.id && $0.kind == alarm }
        guard alarm != .environmental || !stands else { return }
        raisePast(alarm, at: sensor.site, sensor: sensor.id, message, at: moment)
    }

    /// A box that was alone for longer has a wrong clock, in milliseconds: a year.
    private static let longestAlone: Int64 = 31_622_400_000

    /// Tells of what is past, and of when it was.
    private func raisePast(
        _ kind: HouseAlarm.Kind, at site: SiteID, sensor: SensorID? = nil, _ message: AlarmMessage,
        at moment: Timestamp?
    ) {
        let now = clock.now
        let known = moment.flatMap { moment in
            (0...Self.longestAlone).contains(now.milliseconds - moment.milliseconds) ? moment : nil
        }
        let minutes = known.map { Int((now.milliseconds - $0.milliseconds) / 60_000) }
        alarms.end(
            alarms.raise(
                kind, at: site, sensor: sensor, .late(message, minutes: minutes), isPast: true, happened: known))
    }

    // MARK: who came in

    /// Keeps what a record says of who came in there, unless the hub heard of it.
    private func noteEntries(_ told: Told, isLive: Bool) {
        let content = told.content
        guard let state = PanelState(rawValue: content.panel.state) else { return }
        let isProven =
            switch content.cause {
            case .tag: told.isKnown
            case .order: true
            case .none, .sensor, .deadline, .button: false
            }
        let event = UnheardEntries.Event(
            state: state, entry: entry(in: told, isLive: isLive),
            isOfPanel: content.kind == .panelChanged || content.kind == .orderTaken, isProven: isProven,
            place: told.place)
        panels.noteEntries(at: told.gateway.id, of: told.gateway.site) { $0.take(event) }
    }

    /// Who came in by a record, unless the hub heard of it.
    private func entry(in told: Told, isLive: Bool) -> UnheardEntries.Entry? {
        let (content, sensor) = (told.content, told.sensor)
        guard content.kind == .tripped, let mode = ArmMode(rawValue: content.panel.mode) else { return nil }
        let isPending = content.panel.state == PanelState.pending.rawValue
        let kind = told.meaning ?? .door
        let counts = kind.counts(for: mode) || isPending || !told.wasDisturbed
        guard kind != .environmental, counts else { return nil }
        let at = Timestamp(milliseconds: content.clock == .trusted ? content.moment : told.now.milliseconds)
        let house = panels.house(told.gateway.site)
        let isHeard = house.trips.contains {
            $0.sensor == sensor?.id && $0.kind != .environmental
                && (isLive || abs($0.at.milliseconds - at.milliseconds) <= Self.skew)
        }
        if house.panel.isDisturbed, isHeard { return nil }
        return UnheardEntries.Entry(sensor: sensor?.id, kind: kind, at: at)
    }

    /// People are told of who came in at a box while it was alone, of whom nobody has heard.
    func tellOfEntries(at gateway: Gateway) { tellOfEntries(at: gateway.id, of: gateway.site) }

    private func tellOfEntries(at id: GatewayID, of site: SiteID) {
        let isOn = state.withLock { $0.boxes[id]?.compares } != nil
        let (house, catalog) = (panels.house(site), registry.catalog)
        let due = house.entries[id]?.due(isOn: isOn) ?? []
        if due.isEmpty { return }
        for entry in due {
            if let sensor = entry.sensor.flatMap({ catalog.sensors[$0] }) {
                tellOfPast(sensor, entry.kind, at: entry.at)
            } else {
                let missing = AlarmMessage.trippedUnknown(name: entry.sensor.flatMap { house.watched[$0] })
                let message = catalog.gateways[id].map { AlarmMessage.sounds(box: $0.name) } ?? missing
                raisePast(.intrusion, at: site, message, at: entry.at)
            }
        }
        let count = alarms.journal.count
        panels.noteEntries(at: id, of: site) { $0.tell(due, count) }
    }

    /// Tells what could not be told before, and forgets what people were told once that is on the disk; also what a box told that is out of use
    /// since.
    func lookAfterEntries() {
        let (done, catalog) = (alarms.journal.done, registry.catalog)
        for (site, house) in panels.houses where !house.entries.isEmpty {
            for id in house.entries.keys {
                // Of a box that is out of use nothing more comes that would tell of them.
                if catalog.gateways[id] == nil {
                    panels.noteEntries(at: id, of: site) { $0.end() }
                }
                tellOfEntries(at: id, of: site)
                panels.noteEntries(at: id, of: site) { $0.forget(upTo: done) }
            }
        }
    }

    /// Takes how the box's panel stands after something happened there.
    private func follow(_ told: Told, isLive: Bool) {
        let (content, gateway) = (told.content, told.gateway)
        let hub = panels.panel(of: gateway.site)
        guard let box = Panel(content.panel, beside: hub, at: told.now.milliseconds, age: told.age) else {
            return drop(gateway, "its panel stands like none")
        }
        if content.cause == .button, box.state == .triggered { return call(told, isLive: isLive) }
        let tag = content.cause == .tag ? HouseTagID(content.credential) : nil
        if box.number > hub.number {
            var actor = PanelActor.box(gateway.id)
            if let tag {
                guard told.isKnown else {
                    // Taken away here while the box was alone: what it did there does not count.
                    panels.outrank(box.number, at: gateway)
                    sendAll(to: gateway)
                    return drop(gateway, "it was disarmed by a tag that is not known any more")
                }
                actor = .tag(tag)
            } else if box.lowers(hub), !isFromBackup(gateway.site) {
                // Only a tag disarms there, or the hub itself, and of the tag another record tells.
                if isLive, box.isMoreUrgent(than: hub) { meet(box, gateway) }
                return
            }
            if hub.state == .triggered, !isAbout(gateway.site, content, isLive: isLive), hub.isMoreUrgent(than: box) {
                // Done before the alarm: it ends nothing, and counts for how the house stands after it.
                panels.heed(box, of: gateway)
                panels.outrank(box.number, at: gateway)
                return sendAll(to: gateway)
            }
            return panels.follow(box, of: gateway, act(of: box, hub, actor), tripped(at: gateway))
        }
        if let tag, told.isKnown, isLast(content, at: gateway.site, told.now) {
            if hub.state == .triggered, !isAbout(gateway.site, content, isLive: isLive) {
                panels.heed(box, of: gateway)
                panels.outrank(hub.number, at: gateway)
            } else {
                panels.disarm(gateway.site, by: .tag(tag))
            }
            return sendAll(to: gateway)
        }
        guard isLive, box.number == hub.number else { return }
        if hub.state == .triggered, box.state == .triggered, hub.isSounding, !box.isSounding {
            return panels.silence(gateway.site, by: .box(gateway.id))
        }
        if Panel.right(hub: hub, box: box) == .box {
            panels.follow(box, of: gateway, nil, tripped(at: gateway))
        }
    }

    /// Somebody calls for help by the button of a box, or did so while it was alone. How the house is armed stays as it is.
    private func call(_ told: Told, isLive: Bool) {
        let (gateway, now) = (told.gateway, told.now)
        let (message, last) = (AlarmMessage.called(name: gateway.name), panels.house(gateway.site).last)
        let box = state.withLock { $0.boxes[gateway.id] }
        let isOn = isLive || isSinceHello(told) || box?.hello?.panel.state == PanelState.triggered.rawValue
        // By what somebody did here who knew of it: not by a tag or a button there, nor by whoever disarmed a quiet house.
        let end = last.flatMap { told.isAfterAnswer && $0.endsAlarm && !$0.by.isAtBox ? $0.at : nil }
        let isAnswered =
            told.content.clock == .trusted && end.map { told.content.moment + Self.skew < $0.milliseconds } ?? false
        if isOn, !isAnswered {
            panels.trigger(at: gateway.site, by: .box(gateway.id))
            alarms.raise(.help, at: gateway.site, message, mayBeAnew: true)
        } else if box?.hasCalled(by: told.record, at: now) != true {
            state.withLock { $0.boxes[gateway.id]?.noteCall(told.record, at: now) }
            raisePast(.help, at: gateway.site, message, at: told.moment)
        }
    }

    /// Whether somebody disarmed at a box after all that was done to the house's panel here, where that was armed meanwhile: then the hub
    /// knows of more acts, and not of the last one.
    private func isLast(_ content: BoxRecord.Content, at site: SiteID, _ now: Timestamp) -> Bool {
        let house = panels.house(site)
        guard content.panel.state == PanelState.disarmed.rawValue, house.panel.mode != nil, content.clock == .trusted,
            let last = house.last
        else { return false }
        return content.moment >= last.at.milliseconds + Self.skew && content.moment <= now.milliseconds + Self.live
    }

    /// Whether what somebody did at a box came after what is on in the house now. The clocks of boxes go by whole seconds.
    private func isAbout(_ site: SiteID, _ content: BoxRecord.Content, isLive: Bool) -> Bool {
        guard content.clock == .trusted, let trip = panels.house(site).trips.last else { return isLive }
        return content.moment >= trip.at.milliseconds - 2_000
    }

    // MARK: writing

    /// Writes down some of what waits, of each box as much, and acknowledges it.
    /// - Returns: whether there may be more.
    func writeRecords() async -> Bool {
        // What was acted on is acknowledged when a start knows of it, and of what people were told. If that cannot be written yet, `tick` asks again.
        let done = alarms.journal.done
        let batch = state.withLock { state in
            let most = max(Self.batch / max(state.waiting.count, 1), 1)
            return state.waiting.keys.shuffled().prefix(Self.batch).flatMap {
                state.waiting[$0, default: []].prefix(most).prefix { $0.alarms <= done }
            }
        }
        if batch.isEmpty { return false }
        let now = clock.now
        let (written, places): ([Written], Places)
        do {
            try await panels.write()
            let known = state.withLock { $0.places }
            (written, places) = try await store.write(.vital) { database in
                var places = known
                return (try batch.map { try self.write($0, &places, at: now, in: database) }, places)
            }
        } catch {
            Log.failure("home", "what boxes told could not be written down yet", ["why": "\(error)"])
            return false
        }
        let isMore = state.withLock { state in
            state.places = places
            for (gateway, done) in Dictionary(grouping: batch, by: \.gateway.id) {
                let left = state.waiting[gateway, default: []].dropFirst(done.count)
                state.waiting[gateway] = left.isEmpty ? nil : Array(left)
            }
            state.unsettled.formUnion(written.compactMap(\.learnt?.gateway))
            return !state.waiting.isEmpty
        }
        for one in written {
            // The head of a chain is 32 bytes.
            guard
                let answer = try? Acknowledgement(
                    journalID: one.taken.record.journalID, sequence: one.taken.record.sequence,
                    ledgerSequence: one.head.sequence, ledgerHead: one.head.hash, gateKey: one.taken.key)
            else { continue }
            send(.acknowledgement(answer), to: one.taken.gateway)
        }
        return isMore
    }

    /// A record that needs not be told again.
    private struct Written {
        let taken: TakenRecord
        let head: Ledger.Head
        var learnt: HouseTag?
    }

    /// Writes a record down, once, and what it makes known.
    private func write(
        _ taken: TakenRecord, _ places: inout Places, at now: Timestamp, in database: Database
    ) throws -> Written {
        let (record, gateway) = (taken.record, taken.gateway)
        let digest = Digest.sha256(record.encoded())
        if let known = try BoxRecords.taken(record.sequence, of: record.journalID, from: gateway.id, in: database) {
            // What was written first stays.
            if known.digest != digest {
                Log.warning(
                    "home", "a box tells something else under a number of its journal", ["box": gateway.id.text])
            }
            return Written(taken: taken, head: known.head)
        }
        // What makes a tag known is always written.
        guard places.take(gateway.id, recordsAtOnce, at: uptime()) || taken.wish != nil else {
            if taken.isNew { places.leftOut[gateway.id, default: 0] += 1 }
            return Written(taken: taken, head: try Ledger.head(of: gateway.site, in: database))
        }
        let leftOut = places.leftOut.removeValue(forKey: gateway.id) ?? 0
        let learnt = try taken.wish.flatMap { wish in
            try record.content.digest.flatMap { try learn($0, wish, at: gateway, now: now, in: database) }
        }
        let head = try Ledger.append(
            NewEvent(
                id: .new(at: now), site: gateway.site, kind: "home.box.record", at: now,
                payload: BoxRecordPayload(taken: taken, leftOut: leftOut).document(capacity: 384)), to: database)
        try BoxRecords.add(
            record.sequence, of: record.journalID, from: gateway.id, .init(digest: digest, head: head), at: now,
            in: database)
        return Written(taken: taken, head: head, learnt: learnt)
    }
}
