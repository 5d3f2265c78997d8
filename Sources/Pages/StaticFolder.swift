import HTTPServer
import System

/// Where the files of our pages lie.
public enum StaticFolder {
    /// SwiftPM lays them beside the program; a program that was moved brings them along.
    public static let path = ThisProcess.folder + "/soglia_Pages.resources/Static"

    /// Libraries that our pages use where this machine has them, from where its packages lay them.
    private static let libraries = [
        (path: "/usr/share/javascript/leaflet/leaflet.esm.min.js", name: "leaflet/leaflet.js"),
        (path: "/usr/share/javascript/leaflet/leaflet.css", name: "leaflet/leaflet.css"),
    ]

    /// All files that a hub serves: its own, and the libraries.
    public static func files() throws(StaticFilesError) -> StaticFiles {
        var files = StaticFiles()
        try files.add(folder: path)
        for (path, name) in libraries where Files.exists(path) { try files.add(file: path, as: name) }
        return files
    }

    /// The version of all files, as the service worker has it: what a page compares with what the hub has later. Where they cannot be
    /// read, the hub does not start either.
    static let version = (try? files())?.version ?? ""
}
