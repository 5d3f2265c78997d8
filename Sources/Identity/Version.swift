/// Which Soglia this is: one number for the hub, the gate's controller and the home's box, which are built together.
public enum Version {
    /// As `soglia --version`, the metrics, backups and what controllers say of themselves have it.
    public static let current = "0.2.0"
}
