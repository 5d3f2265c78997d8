import HTTPServer
import System

/// Where the files of our pages lie.
public enum StaticFolder {
    /// SwiftPM lays them beside the program; a program that was moved brings them along.
    public static let path =
        ThisProcess.executable.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        + "/soglia_Pages.resources/Static"

    /// Libraries that our pages use where this machine has them, from where its packages lay them.
    public static let libraries = [
        (path: "/usr/share/javascript/leaflet/leaflet.esm.min.js", name: "leaflet/leaflet.js"),
        (path: "/usr/share/javascript/leaflet/leaflet.css", name: "leaflet/leaflet.css"),
    ]

    /// The version of all files, as the service worker has it: what a page compares with what the hub has later.
    static let version: String = {
        var files = StaticFiles()
        // Where they cannot be read, the hub does not start either.
        guard (try? files.add(folder: path)) != nil else { return "" }
        return files.version
    }()
}
