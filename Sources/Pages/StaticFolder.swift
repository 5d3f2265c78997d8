import Foundation

/// Where the files of our pages lie.
public enum StaticFolder {
    /// SwiftPM lays them beside the program; a program that was moved brings the bundle along.
    public static var path: String { Bundle.module.bundlePath + "/Static" }
}
