/// Why an actuator was not told.
package enum ActuationRefusal: Error, Sendable, Equatable {
    /// It knows nothing of the kind: a siren takes no colour.
    case notOfItsKind
    /// It knows the kind, and the value is out of range.
    case outOfRange
    /// It is not known any more, or has nowhere to be told.
    case unknown
    /// There is no way to it now.
    case notReachable
    /// It would open a valve, and whoever asks has not proven who they are.
    case opens
    /// A box opens its valve by an order alone, which proves who asks.
    case onlyByOrder
    /// It would open a valve while there is smoke, gas or water in the house.
    case inAirAlarm
    /// It was told too often in the last seconds.
    case tooOften
    /// It was added by hand for a topic that is something else's.
    case anothers
}
