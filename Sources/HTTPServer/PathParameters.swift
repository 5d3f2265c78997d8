/// Where the parameters of a route lie in the path of a request.
struct PathParameters: Sendable {
    /// No pattern has more: their positions are kept in line, without an allocation.
    static let limit = 4

    /// Of the route's pattern.
    var names: [String] = []
    /// Start and end of each, as offsets into the UTF-8 of the path (a head is at most 16 KiB).
    private var offsets = SIMD8<UInt16>()

    subscript(index: Int) -> Range<Int> {
        get { Int(offsets[2 * index])..<Int(offsets[2 * index + 1]) }
        set {
            offsets[2 * index] = UInt16(newValue.lowerBound)
            offsets[2 * index + 1] = UInt16(newValue.upperBound)
        }
    }

    func range(of name: StaticString) -> Range<Int>? {
        for (index, candidate) in names.enumerated() where isEqual(candidate, name) { return self[index] }
        return nil
    }

    private func isEqual(_ text: String, _ name: StaticString) -> Bool {
        text.utf8.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
