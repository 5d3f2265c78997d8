import Household

/// What of a house is listened to, and how long it may be silent. Times in milliseconds.
struct IntakeLimits: Sendable {
    /// So many light messages (`IntakeTable.Route.weight`) a second a box or a device may send in the long run.
    /// - Key: gateway
    var perSecond = 200
    /// The same for a home's own broker, with many devices behind it.
    /// - Key: gateway
    var perSecondOfBridge = 1_000
    /// And so many more for each sensor that it has.
    /// - Key: sensor
    var perSecondOfSensor = 10
    /// More than this nobody may send, however many sensors are behind it: the hub hears others, too.
    /// - Key: gateway
    var perSecondAtMost = 2_500
    /// What computing from one message may cost (`ReadingWork`): some 40 ms. Who reads it then does not, but for the first readers.
    /// - Key: gateway
    var workPerMessage = 8_000_000
    /// What it may send in so many seconds, it may send at once.
    var burst = 10
    /// And at least so many: whatever has hundreds of devices behind it describes them all when it is started.
    /// - Key: gateway
    var atLeastAtOnce = 5_000
    /// Below that for so long, it is listened to again.
    var quiet: Int64 = 60_000
    /// What the broker may keep for a box, which has topics of its own only.
    /// - Key: box
    var retainedByBox = RetainedMeter.Limit(topics: 256, bytes: 4 << 20)
    /// The same for what may have hundreds of devices behind it, each of which describes itself in a dozen topics.
    /// - Key: gateway
    var retainedByOthers = RetainedMeter.Limit(topics: 4_096, bytes: 8 << 20)
    /// For so long a gateway is shut out that had the broker keep more.
    var shutOut: Int64 = 600_000
    /// While it is not, so many comings, goings and frames of a box a second are: they are proven, and few.
    /// - Key: box
    var framesPerSecond = 20
    /// More connections than this in a minute are no bad network: two clients have one credential.
    /// - Key: gateway
    var arrivalsPerMinute = 6
    /// Other troubles are over when they have not come again for so long.
    var troubleTime: Int64 = 600_000
    /// So many of its periods a sensor may be silent.
    var periods = 3.0
    /// A box says something every 15 s; after three times that it is not there.
    var boxSilence: Int64 = 45_000
    /// A sensor whose messages say that they are older than this is told to have its clock set.
    var behind: Int64 = 120_000
    /// A sensor is believed after so long, also when it says that it still warms up.
    var warming: Int64 = 900_000
    /// A clock that went further than this between two looks was set, or the machine slept: that is nobody's silence.
    var jump: Int64 = 10_000

    /// What the broker may keep for a gateway of a kind.
    func retained(by kind: Gateway.Kind) -> RetainedMeter.Limit { kind == .box ? retainedByBox : retainedByOthers }
}
