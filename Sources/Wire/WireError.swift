/// Why bytes were refused, or why a value cannot be made. Nothing of the refused bytes is kept in it.
public enum WireError: Error, Equatable, Sendable {
    /// The bytes end before the format does.
    case truncated
    /// Bytes follow the end of the format.
    case trailingBytes
    /// More bytes or elements than the format allows (512 bytes a message, 8 intervals, 1,024 denied passes).
    case tooLong
    /// A version byte that this build does not know.
    case unknownVersion
    /// A flag bit that this build does not know.
    case unknownFlag
    /// A caveat type, intent or frame kind that this build does not know.
    case unknownType
    /// An interval is empty, ends before it starts, overlaps its predecessor or comes before it.
    case unsortedIntervals
    /// A pass ends before it starts, before it was issued, or more than 24 hours after it was issued.
    case badTimes
    /// A caveat on a pass whose header is not `narrowable`.
    case notNarrowable
    /// More than four caveats.
    case tooManyCaveats
    /// A caveat after `last`.
    case afterLast
    /// A value outside its range, or a field of the wrong length.
    case badValue
    /// The legacy cipher was given no key.
    case emptyKey
}
