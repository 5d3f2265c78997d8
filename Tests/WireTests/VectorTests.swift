import Testing

@testable import Wire

@Suite("The vectors file")
struct VectorTests {
    let vectors: VectorFile

    init() throws { vectors = try VectorFile.load() }

    @Test("HMAC-SHA256 and HMAC-SHA1 give the tags of RFC 4231 and RFC 2202")
    func rfc() throws {
        #expect(vectors.rfc.hmacSHA256.count == 7 && vectors.rfc.hmacSHA1.count == 7)
        for vector in vectors.rfc.hmacSHA256 {
            let tag = HMACSHA256(key: try unhex(vector.key)).authenticate(try unhex(vector.data))
            #expect(hex(tag.bytes).hasPrefix(vector.tag))
        }
        for vector in vectors.rfc.hmacSHA1 {
            #expect(hex(HMACSHA1(key: try unhex(vector.key)).authenticate(try unhex(vector.data))) == vector.tag)
        }
    }

    @Test("Each domain has its byte, and each input its tag")
    func domains() throws {
        #expect(vectors.domains.map(\.domain) == Domain.allCases.map(\.rawValue))
        for vector in vectors.domains {
            let input = try unhex(vector.input)
            #expect(input.first == vector.domain)
            #expect(hex(HMACSHA256(key: try key(vector.key)).authenticate(input).bytes) == vector.tag)
        }
    }

    @Test("Each pass, message, receipt and record is the same byte for byte, made and read")
    func passes() throws {
        #expect(vectors.passes.count >= 20)
        for vector in vectors.passes {
            let gateKey = try key(vector.gateKey)
            let header = try vector.header.made()
            #expect(hex(header.encoded()) == vector.header.bytes, "\(vector.name)")
            #expect(try PassHeader(decoding: try unhex(vector.header.bytes)) == header)

            var pass = Pass(header: header, gateKey: gateKey)
            #expect(hex(pass.key.bytes) == vector.keys[0], "\(vector.name)")
            for (index, caveat) in vector.caveats.enumerated() {
                #expect(hex(try caveat.made().encoded()) == caveat.bytes, "\(vector.name)")
                pass = try pass.narrowed(by: try caveat.made())
                #expect(hex(pass.key.bytes) == vector.keys[index + 1], "\(vector.name)")
            }
            #expect(vector.keys.count == vector.caveats.count + 1)
            #expect(hex(pass.encoded()) == vector.pass)
            #expect(try Pass(decoding: try unhex(vector.pass)).caveats == pass.caveats)

            let intent = try vector.intent.made()
            #expect(hex(intent.encoded()) == vector.intent.bytes)
            let (carrier, gateNonce) = (try carrier(vector.carrier), try nonce(vector.gateNonce))
            let openerNonce = try nonce(vector.openerNonce)
            let input = PassMessage.openInput(
                carrier: carrier, gateID: header.gateID, gateNonce: gateNonce, openerNonce: openerNonce, intent: intent)
            #expect(hex(input.bytes) == vector.openInput, "\(vector.name)")
            let message = try pass.message(
                carrier: carrier, gateNonce: gateNonce, openerNonce: openerNonce, intent: intent)
            #expect(hex(message.open.bytes) == vector.open)
            #expect(hex(message.encoded()) == vector.message, "\(vector.name)")
            let arrived = try PassMessage(decoding: try unhex(vector.message))
            #expect(arrived.verifies(gateKey: gateKey, carrier: carrier, gateNonce: gateNonce), "\(vector.name)")
            for other in Carrier.allCases where other != carrier {
                #expect(!arrived.verifies(gateKey: gateKey, carrier: other, gateNonce: gateNonce))
            }

            for reply in vector.receipts {
                let outcome = try outcome(reply.outcome)
                let clock = try #require(ClockState(rawValue: reply.clock))
                let (journalID, eventID) = (try id(reply.journalID), try id(reply.eventID))
                let receipt = arrived.receipt(
                    gateKey: gateKey, outcome: outcome, reason: reply.reason, gateTime: reply.gateTime, clock: clock,
                    journalID: journalID, sequence: reply.sequence, eventID: eventID)
                #expect(hex(receipt.encoded()) == reply.receipt, "\(vector.name)")
                #expect(pass.verifies(receipt: try Receipt(decoding: try unhex(reply.receipt)), for: message))
                let record = try JournalRecord(
                    passID: header.passID, carrier: carrier, intent: intent, caveats: pass.caveats, open: message.open,
                    outcome: outcome, reason: reply.reason, gateTime: reply.gateTime, clock: clock,
                    journalID: journalID, sequence: reply.sequence, eventID: eventID, gateKey: gateKey,
                    gateID: header.gateID)
                #expect(hex(record.encoded()) == reply.record, "\(vector.name)")
                let short = JournalRecord(message: arrived, carrier: carrier, receipt: receipt, gateKey: gateKey)
                #expect(hex(short.encoded()) == reply.record)
                let read = try JournalRecord(decoding: try unhex(reply.record))
                #expect(read.verifies(gateKey: gateKey, gateID: header.gateID))
            }
        }
    }

    @Test("Every carrier, intent, outcome and reason of a receipt occurs")
    func coverage() throws {
        #expect(Set(vectors.passes.map(\.carrier)).count == Carrier.allCases.count)
        #expect(Set(vectors.passes.map(\.intent.kind)).count == IntentKind.allCases.count)
        let replies = vectors.passes.flatMap(\.receipts)
        #expect(Set(replies.map(\.outcome)).count == Outcome.allCases.count)
        #expect(
            Set(replies.compactMap { GateReason(rawValue: $0.reason) })
                == Set(GateReason.allCases).subtracting([.notValid]))
        #expect(Set(vectors.passes.map(\.header.intervals.count)).isSuperset(of: [0, 1, 8]))
        #expect(Set(vectors.passes.map(\.caveats.count)).isSuperset(of: [0, 1, 4]))
        #expect(vectors.passes.contains { $0.message.count == 2 * PassMessage.maxLength })
    }

    @Test("Each control message on the bus is the same byte for byte, made and read")
    func bus() throws {
        let gateKey = try key(vectors.passes[0].gateKey)
        let bus = vectors.bus
        for vector in bus.rights {
            let denied = try vector.denied.map { Denied(passID: try id($0.passID), until: $0.until) }
            let rights = try Rights(
                version: vector.version, epoch: vector.epoch, denied: denied.reversed(),
                settings: GateSettings(pulseMilliseconds: vector.pulse), gateKey: gateKey)
            #expect(hex(rights.encoded()) == vector.bytes)
            let read = try Rights(decoding: try unhex(vector.bytes))
            #expect(read.verifies(gateKey: gateKey) && read.denied == denied)
        }
        for vector in bus.time {
            let nonce = try nonce(vector.nonce)
            #expect(hex(TimeAnswer(nonce: nonce, utc: vector.utc, gateKey: gateKey).encoded()) == vector.bytes)
            #expect(try TimeAnswer(decoding: try unhex(vector.bytes)).verifies(gateKey: gateKey, nonce: nonce))
        }
        for vector in bus.acknowledgement {
            let made = try Acknowledgement(
                journalID: try id(vector.journalID), sequence: vector.sequence, ledgerSequence: vector.ledgerSequence,
                ledgerHead: try unhex(vector.ledgerHead), gateKey: gateKey)
            #expect(hex(made.encoded()) == vector.bytes)
            #expect(try Acknowledgement(decoding: try unhex(vector.bytes)).verifies(gateKey: gateKey))
        }
        for vector in bus.hello {
            let made = try GateHello(
                session: try unhex(vector.session), uptime: vector.uptime, bootCount: vector.bootCount,
                journalID: try id(vector.journalID), lastSequence: vector.lastSequence,
                rightsVersion: vector.rightsVersion, clock: try #require(ClockState(rawValue: vector.clock)),
                timeNonce: try nonce(vector.timeNonce), gateKey: gateKey)
            #expect(hex(made.encoded()) == vector.bytes)
            #expect(try GateHello(decoding: try unhex(vector.bytes)).verifies(gateKey: gateKey))
        }
        for vector in bus.absent {
            #expect(hex(RecordAbsent(eventID: try id(vector.eventID), gateKey: gateKey).encoded()) == vector.bytes)
            #expect(try RecordAbsent(decoding: try unhex(vector.bytes)).verifies(gateKey: gateKey))
        }
        for vector in bus.recall {
            let made = try Recall(
                journalID: try id(vector.journalID), after: vector.after, ledgerSequence: vector.ledgerSequence,
                ledgerHead: try unhex(vector.ledgerHead), nonce: try nonce(vector.nonce), gateKey: gateKey)
            #expect(hex(made.encoded()) == vector.bytes)
            let read = try Recall(decoding: try unhex(vector.bytes))
            #expect(read.verifies(gateKey: gateKey, nonce: try nonce(vector.nonce)))
        }
        for vector in bus.witness {
            let recall = try Recall(decoding: try unhex(vector.recall))
            let made = try Witness(
                ledgerSequence: vector.ledgerSequence, ledgerHead: try unhex(vector.ledgerHead),
                records: vector.records, recall: recall, gateKey: gateKey)
            #expect(hex(made.encoded()) == vector.bytes)
            #expect(try Witness(decoding: try unhex(vector.bytes)).verifies(gateKey: gateKey, recall: recall.tag))
        }
        for vector in bus.nonces {
            #expect(Nonce(gateKey: gateKey, bootCount: vector.bootCount, n: vector.n).hex == vector.nonce)
        }
        #expect(bus.frames.map(\.kind) == [1, 2, 3, 4, 16, 17, 18, 19, 20, 21])
        for vector in bus.frames {
            let frame = try GateFrame(decoding: try unhex(vector.bytes))
            #expect(frame.kind == vector.kind)
            #expect(hex(frame.encoded()) == vector.bytes)
        }
    }

    @Test("Pairing gives the same key, confirmations, frames and codes")
    func pairing() throws {
        let vector = vectors.pairing
        let (identity, gatePublic) = (try unhex(vector.hubIdentity), try unhex(vector.gatePublicKey))
        let (hubPublic, gateID) = (try unhex(vector.hubPublicKey), try id(vector.gateID))
        let gateKey = Pairing.gateKey(
            shared: try unhex(vector.shared), code: try unhex(vector.code), hubIdentity: identity,
            gatePublicKey: gatePublic, hubPublicKey: hubPublic, gateID: gateID)
        #expect(hex(gateKey.bytes) == vector.gateKey)
        let hubTag = Pairing.hubConfirmation(
            gateKey: gateKey, hubIdentity: identity, gatePublicKey: gatePublic, hubPublicKey: hubPublic, gateID: gateID)
        #expect(hex(hubTag.bytes) == vector.hubConfirmation)
        let gateTag = Pairing.gateConfirmation(
            gateKey: gateKey, hubIdentity: identity, gatePublicKey: gatePublic, hubPublicKey: hubPublic, gateID: gateID)
        #expect(hex(gateTag.bytes) == vector.gateConfirmation)
        for frame in vector.frames {
            #expect(hex(try PairingFrame(decoding: try unhex(frame.bytes)).encoded()) == frame.bytes)
        }
        for code in vector.codes {
            #expect(PairingCode(try unhex(code.bytes))?.text == code.text)
            #expect(PairingCode(text: code.text)?.bytes == (try unhex(code.bytes)))
        }
        for typed in vector.typed {
            #expect(PairingCode(text: typed.text)?.bytes == (try unhex(typed.bytes)), "\(typed.text)")
        }
        for text in vector.badCodes {
            #expect(PairingCode(text: text) == nil, "\(text)")
        }
    }

    @Test("The legacy cipher repeats its key, and an empty key is refused")
    func legacy() throws {
        for vector in vectors.legacy {
            let (badge, key) = (try unhex(vector.badge), try unhex(vector.key))
            if vector.error != nil {
                #expect(throws: WireError.emptyKey) { try Legacy.cipher(badge: badge, key: key) }
            } else {
                let cipher = try Legacy.cipher(badge: badge, key: key)
                #expect(hex(cipher) == vector.cipher, "\(vector.name)")
                #expect(try Legacy.cipher(badge: cipher, key: key) == badge)
            }
        }
    }

    @Test("A gate answers each well-formed message with the expected reason")
    func gate() throws {
        #expect(vectors.gate.count >= 40)
        for vector in vectors.gate {
            let gate = vector.gate
            let denied = Set(try gate.denied.map(id))
            let context = GateCheck.Context(
                gateID: try id(gate.id), gateKey: try key(gate.key), carrier: try carrier(gate.carrier),
                gateNonce: try nonce(gate.gateNonce), utc: gate.utc, uptimeSeconds: gate.uptime, epoch: gate.epoch,
                isDenied: { denied.contains($0) }, hubContactAge: gate.hubContactAge)
            let message = try PassMessage(decoding: try unhex(vector.message))
            #expect(GateCheck.decide(message, in: context) == (try gateReason(vector.reason)), "\(vector.name)")
        }
    }

    @Test("Replayed receipts, rights, times, acknowledgements and nonces change nothing")
    func replays() throws {
        let gateKey = try key(vectors.passes[0].gateKey)
        let replays = vectors.replays
        for vector in replays.receipts {
            let pass = try Pass(decoding: try unhex(vector.pass))
            let message = try PassMessage(decoding: try unhex(vector.message))
            let receipt = try Receipt(decoding: try unhex(vector.receipt))
            #expect(pass.verifies(receipt: receipt, for: message) == vector.verifies, "\(vector.name)")
        }
        for vector in replays.rights {
            let rights = try Rights(decoding: try unhex(vector.bytes))
            #expect(rights.verifies(gateKey: gateKey))
            #expect(rights.isNewer(than: vector.held) == vector.newer, "\(vector.name)")
        }
        for vector in replays.time {
            let time = try TimeAnswer(decoding: try unhex(vector.bytes))
            #expect(
                time.verifies(gateKey: gateKey, nonce: try nonce(vector.nonce)) == vector.verifies, "\(vector.name)")
        }
        for vector in replays.acknowledgement {
            let ack = try Acknowledgement(decoding: try unhex(vector.bytes))
            #expect(ack.verifies(gateKey: gateKey))
            #expect(
                ack.advances(journalID: try id(vector.journalID), acknowledged: vector.acknowledged) == vector.advances,
                "\(vector.name)")
        }
        var window = BusNonceWindow(session: try unhex(replays.busNonces.session))
        for step in replays.busNonces.steps {
            #expect(window.accept(try nonce(step.nonce)) == step.accepted, "\(step.nonce)")
        }
        for vector in replays.nonceAges {
            #expect(try carrier(vector.carrier).acceptsNonce(age: vector.age) == vector.accepted)
        }
    }

    @Test("Malformed bytes are refused, each with the expected error")
    func refused() throws {
        #expect(vectors.refused.bytes.count >= 80)
        for vector in vectors.refused.bytes {
            let format = try #require(Format(rawValue: vector.format))
            let refusal = format.refusal(of: try unhex(vector.bytes))
            #expect(refusal.map { "\($0)" } == vector.error, "\(vector.name ?? "")")
        }
        for vector in vectors.refused.truncations {
            let format = try #require(Format(rawValue: vector.format))
            let bytes = try unhex(vector.bytes)
            for count in 0..<bytes.count {
                #expect(format.refusal(of: Array(bytes.prefix(count))) == .truncated, "\(vector.format) \(count)")
            }
        }
    }
}
