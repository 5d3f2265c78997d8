/// Comparisons of ASCII bytes that make no `String`.
extension UnsafeRawBufferPointer {
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        equalsIgnoringCase(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func equalsIgnoringCase(_ other: UnsafeRawBufferPointer) -> Bool {
        if count != other.count { return false }
        for index in 0..<count {
            let (mine, theirs) = (self[index], other[index])
            // Upper and lower case differ in one bit, but only for letters.
            if mine != theirs, mine ^ theirs != 0x20 || !(0x61...0x7a).contains(mine | 0x20) { return false }
        }
        return true
    }

    /// Without spaces and tabs at both ends (RFC 9110: OWS).
    var trimmed: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// What stands before the first such byte, and what stands after it (nil when there is none).
    func split(at byte: UInt8) -> (before: UnsafeRawBufferPointer, after: UnsafeRawBufferPointer?) {
        guard let index = firstIndex(of: byte) else { return (self, nil) }
        let after = UnsafeRawBufferPointer(rebasing: self[(index + 1)...])
        return (UnsafeRawBufferPointer(rebasing: self[..<index]), after)
    }
}
