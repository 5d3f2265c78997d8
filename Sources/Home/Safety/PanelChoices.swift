import JSON
import Safeguard
import Wire

// The words by which programs know what the rooms below count.

extension PanelState: JSONChoice {
    public var word: String { name }
}

extension ArmMode: JSONChoice {
    public var word: String { name }
}

extension SensorClass: JSONChoice {
    public var word: String { name }
}

extension BoxOrder.Kind: JSONChoice {
    public var word: String { "\(self)" }
}

extension BoxRecord.Kind: JSONChoice {
    public var word: String { "\(self)" }
}

extension BoxRecord.Cause: JSONChoice {
    public var word: String { "\(self)" }
}
