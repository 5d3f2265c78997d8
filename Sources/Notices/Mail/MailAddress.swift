import Courier

/// Addresses as mail servers understand them.
public enum MailAddress {
    /// The address in ASCII: a domain in other letters is written the way that name servers know it (RFC 5891, 4.4). Nil when no letter can
    /// go there.
    public static func ascii(of text: String) -> String? {
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { return nil }
        let labels = text[text.index(after: at)...].split(separator: ".", omittingEmptySubsequences: false)
        let domain = labels.compactMap { label(String($0)) }
        guard domain.count == labels.count else { return nil }
        let address = text[..<at] + "@" + domain.joined(separator: ".")
        return Envelope.isAddress(address) ? address : nil
    }

    private static func label(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return (1...63).contains(text.utf8.count) ? text : nil
        }
        guard let encoded = punycode(text.lowercased()) else { return nil }
        let label = "xn--" + encoded
        return label.utf8.count <= 63 ? label : nil
    }

    // RFC 3492, 5: the parameters for names.
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

    /// RFC 3492, 6.3. Nil for more than a label can hold.
    static func punycode(_ text: String) -> String? {
        let points = text.unicodeScalars.map { Int($0.value) }
        guard points.count <= 63 else { return nil }
        var out = points.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = out.count
        if basic > 0 { out.append(UInt8(ascii: "-")) }
        var (n, delta, bias, handled) = (128, 0, 72, basic)
        while handled < points.count {
            guard let next = points.filter({ $0 >= n }).min() else { return nil }
            delta += (next - n) * (handled + 1)
            n = next
            for point in points {
                if point < n { delta += 1 }
                guard point == n else { continue }
                write(delta, bias, to: &out)
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                (delta, handled) = (0, handled + 1)
            }
            (delta, n) = (delta + 1, n + 1)
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func write(_ delta: Int, _ bias: Int, to out: inout [UInt8]) {
        let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var (rest, k) = (delta, base)
        while true {
            let threshold = min(max(k - bias, tMin), tMax)
            if rest < threshold { return out.append(digits[rest]) }
            out.append(digits[threshold + (rest - threshold) % (base - threshold)])
            rest = (rest - threshold) / (base - threshold)
            k += base
        }
    }

    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var (rest, k) = (isFirst ? delta / damp : delta / 2, 0)
        rest += rest / count
        while rest > (base - tMin) * tMax / 2 {
            rest /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * rest / (rest + skew)
    }
}
