extension UnsafeRawBufferPointer {
    /// Whether the bytes are those of the text. Makes no `String`.
    package func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && elementsEqual(UnsafeRawBufferPointer(start: text.utf8Start, count: count))
    }
}
