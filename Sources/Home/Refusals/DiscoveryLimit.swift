/// How much of discovery is taken.
public enum DiscoveryLimit {
    /// Bytes of one message.
    public static let payload = 64 << 10
    /// Objects and lists inside one another.
    public static let depth = 8
    /// Components in one message.
    public static let components = 64
    /// Devices of one gateway.
    /// - Key: gateway
    public static let devices = 200
    /// Sensors and actuators in use of one house that devices say of themselves. Of 200 Zigbee devices there are some 2,000.
    /// - Key: site
    public static let parts = 4_096
    /// Devices, sensors and actuators that one gateway ever described, with those out of use: what is out of use is kept, with what it told
    /// and what people have chosen for it, for when it comes again.
    /// - Key: gateway
    public static let known = 8_192
    /// The same of all connections in use of one house: each change of what it has reads them all.
    /// - Key: site
    public static let knownOfHouse = 16_384
    /// Sensors and actuators of one gateway that appear, change or go at once; then one more a second.
    /// - Key: gateway
    public static let news = 32_768
    /// Discovery topics of one gateway.
    /// - Key: gateway
    public static let topics = 1024
    /// Bytes of a topic, the gateway's own beginning included.
    public static let topic = 512
    /// Bytes of an id as a device writes it.
    public static let id = 256
    /// Characters of a name, a maker, a model, a room; what is longer is cut.
    public static let name = 80
    /// Bytes of a payload that stands for something, `ON`.
    public static let word = 256
    /// Bytes of a unit.
    public static let unit = 16
    /// Members of a value's path.
    public static let path = 8
    /// So often in a minute one topic may say something else; then it is kept as it was.
    /// - Key: gateway
    public static let changes = 5
}
