/// Compares secrets without telling, by its duration, where they differ. The lengths are no secret: different lengths
/// answer `false` at once.
@inline(never)
public func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
}
