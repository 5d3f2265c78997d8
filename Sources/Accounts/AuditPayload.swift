import JSON

/// The payload of an event about accounts: a JSON object, written by hand.
struct AuditPayload {
    private var facts: [(StaticString, Fact)] = []

    private enum Fact {
        case text(String), number(Int), membership(Membership)
    }

    mutating func add(_ name: StaticString, _ text: String?) { if let text { facts.append((name, .text(text))) } }
    mutating func add(_ name: StaticString, _ number: Int) { facts.append((name, .number(number))) }
    mutating func add(_ membership: Membership, as name: StaticString) { facts.append((name, .membership(membership))) }

    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for (name, fact) in facts {
                switch fact {
                case .text(let text): json.field(name, text)
                case .number(let number): json.field(name, number)
                case .membership(let membership):
                    json.key(name)
                    json.object { json in
                        json.field("membership", membership.id.text)
                        json.field("person", membership.person.text)
                        json.field("permission", membership.permission.rawValue)
                        json.field("role", membership.role?.text)
                        json.field("firstDay", membership.firstDay?.iso8601)
                        json.field("lastDay", membership.lastDay?.iso8601)
                        json.field("revoked", membership.revoked?.iso8601)
                    }
                }
            }
        }
        return json.bytes
    }
}
