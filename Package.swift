// swift-tools-version: 6.2
import PackageDescription

// The house, floor by floor: an import goes down, never up, never sideways between features.
// `make lint` holds every `import` against this file and against the floors (Scripts/floors.py).

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
    // A debug build compiles so many files of a room at a time instead of 25: each batch reads again what its files share, and three
    // batches keep one of two cores waiting. Whole-module builds, as in CI, know no batches.
    .unsafeFlags(["-driver-batch-size-limit", "64"], .when(configuration: .debug)),
    // What SwiftPM writes to find the files of `Pages` imports Foundation, and nobody calls it. Not loading it, with its tables of all
    // languages, leaves a hub some megabytes. Whoever calls something of it is told by the linker, and before that by a story (test_program.py).
    .unsafeFlags(
        ["Foundation", "FoundationInternationalization"].flatMap {
            ["-Xfrontend", "-disable-autolink-library", "-Xfrontend", $0]
        }, .when(configuration: .release)),
]

func room(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "soglia",
    products: [
        .executable(name: "soglia", targets: ["soglia"]),
        .library(name: "BusGuard", type: .dynamic, targets: ["CBusGuard"]),
    ],
    targets: [
        // Floor 0: C libraries and the thin shims that Swift cannot do without.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(
            name: "CImages",
            linkerSettings: [.linkedLibrary("turbojpeg"), .linkedLibrary("png16"), .linkedLibrary("webp")]),
        .target(name: "CSystem"),
        // What Mosquitto loads beside its dynamic security: C alone, in a file beside the program. Nothing imports it. It is not
        // instrumented, since Mosquitto is not; and the link step of Embedded Swift leaves out the runtime of Swift.
        .target(
            name: "CBusGuard",
            cSettings: [
                .unsafeFlags([
                    "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-fvisibility=default",
                    "-fno-sanitize=all",
                ])
            ], linkerSettings: [.unsafeFlags(["-enable-experimental-feature", "Embedded"])]),

        // Floor 1: pure values and functions.
        room("Wire", []),
        room("Safeguard", []),
        room("JSON", []),
        room("Identity", ["JSON", "Wire"]),
        room("Template", []),

        // Floor 2: the outside world, one room per technology. System (threads, files, children, time) is the lowest.
        room("System", ["CSystem", "JSON"]),
        room("Crypto", ["System", "Wire", "CCrypto", "CSodium"]),
        room("Store", ["System", "Identity", "Wire", "CSQLite"]),
        room("HTTPServer", ["System", "CMicrohttpd", "CZlib", "JSON"]),
        room("Bus", ["System", "CMosquitto"]),
        room("Radio", ["System"]),
        room("Courier", ["System", "CCurl"]),
        room("Images", ["System", "CImages"]),

        // Floor 3: what every feature stands on, in this order, lowest first.
        room("Ledger", ["Store", "Crypto", "System", "JSON", "Identity", "Wire"]),
        room("Commands", ["Ledger", "Identity"]),
        // The ceremonies of sign-in by others: they know protocols and no tables.
        room("OpenID", ["Courier", "HTTPServer", "Crypto", "System", "JSON", "Wire"]),
        room("WebAuthn", ["Crypto", "System", "JSON", "Wire"]),
        room("Accounts", ["Ledger", "Store", "HTTPServer", "Crypto", "System", "JSON", "Identity", "Wire"]),
        room(
            "Notices",
            [
                "Accounts", "Commands", "Ledger", "Store", "HTTPServer", "Courier", "Crypto", "System", "JSON",
                "Identity", "Wire",
            ]),
        room(
            "Pages",
            [
                "Notices", "Accounts", "OpenID", "WebAuthn", "Ledger", "Store", "HTTPServer", "Images", "Crypto",
                "System", "JSON", "Identity",
            ], resources: [.copy("Static")]),
        room(
            "Gates",
            [
                "Pages", "Accounts", "Commands", "Ledger", "Store", "HTTPServer", "Bus", "Crypto", "System", "JSON",
                "Identity", "Wire",
            ]),
        room(
            "Platform",
            [
                "Gates", "Pages", "Notices", "Accounts", "OpenID", "Commands", "Ledger", "Store", "HTTPServer", "Bus",
                "Crypto", "System", "JSON", "Identity", "Wire",
            ]),

        // Floor 4: the features. They never import one another.
        room(
            "Doors",
            [
                "Platform", "Gates", "Pages", "Notices", "Accounts", "Commands", "Ledger", "Store", "HTTPServer",
                "Crypto", "System", "JSON", "Identity", "Wire",
            ]),

        // What a house has and how it is now, below all that Home does with it. Of the features, Home alone imports it.
        room(
            "Household",
            ["Ledger", "Store", "Images", "System", "JSON", "Identity", "Wire", "Safeguard", "Template"]),
        room(
            "Home",
            [
                "Household", "Platform", "Gates", "Pages", "Notices", "Accounts", "Commands", "Ledger", "Store",
                "HTTPServer", "Bus", "Crypto", "System", "JSON", "Identity", "Wire", "Safeguard", "Template",
            ]),

        // Floor 5: the programs.
        // What stands in the field beside them: the clock and the pairing of a gate's controller and a home's box.
        room("Field", ["Wire", "Crypto", "Bus"]),
        room("Controller", ["Field", "Identity", "Wire", "System", "Store", "Bus", "Radio"]),
        room("Box", ["Field", "Identity", "Wire", "Safeguard", "System", "Store", "Bus"]),
        room("Phone", ["Wire", "System", "Crypto", "Radio", "Courier"]),
        .executableTarget(
            name: "soglia",
            dependencies: [
                "Controller", "Box", "Phone", "Doors", "Home", "Household", "Platform", "Gates", "Pages", "Notices",
                "Accounts",
                "OpenID",
                "Commands", "Ledger", "Store", "HTTPServer", "Bus", "Courier", "Crypto", "Radio", "System", "JSON",
                "Identity", "Wire",
            ],
            swiftSettings: settings),

        // What tests share. No room imports it, and it imports none.
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: settings),
        tests("Wire", ["Wire", "TestSupport"]),
        tests("Safeguard", ["Safeguard", "TestSupport"]),
        tests("JSON", ["JSON", "TestSupport"]),
        tests("Template", ["Template", "TestSupport"]),
        tests("System", ["System", "TestSupport"]),
        tests("Crypto", ["Crypto", "System", "Wire", "TestSupport"]),
        tests("Store", ["Store", "System", "Identity", "TestSupport"]),
        tests("HTTPServer", ["HTTPServer", "JSON", "TestSupport"]),
        tests("Bus", ["Bus", "System", "TestSupport"]),
        tests("Courier", ["Courier", "TestSupport"]),
        tests("Radio", ["Radio", "System", "Wire", "TestSupport"]),
        tests("Images", ["Images", "CImages", "System", "TestSupport"]),
        tests("Ledger", ["Ledger", "Store", "System", "Identity", "TestSupport"]),
        tests(
            "Accounts",
            [
                "Accounts", "Ledger", "Store", "HTTPServer", "Crypto", "System", "JSON", "Identity", "Wire",
                "TestSupport",
            ]),
        tests("OpenID", ["OpenID", "Courier", "HTTPServer", "Crypto", "System", "Wire", "TestSupport"]),
        tests("WebAuthn", ["WebAuthn", "Crypto"]),
        tests(
            "Notices",
            [
                "Notices", "Accounts", "Commands", "Courier", "Ledger", "Store", "HTTPServer", "Crypto", "System",
                "Identity", "Wire", "TestSupport",
            ]),
        tests("Pages", ["Pages", "Accounts", "System", "Identity"]),
        tests(
            "Gates",
            [
                "Gates", "Pages", "Accounts", "Ledger", "Store", "Bus", "Crypto", "System", "JSON", "Identity", "Wire",
                "TestSupport",
            ]),
        tests(
            "Doors",
            [
                "Doors", "Platform", "Gates", "Pages", "Notices", "Accounts", "Commands", "HTTPServer", "Ledger",
                "Store", "System", "Identity", "Wire", "TestSupport",
            ]),
        tests(
            "Home",
            [
                "Home", "Household", "Box", "Gates", "Platform", "Pages", "Notices", "Accounts", "Commands",
                "HTTPServer", "Ledger",
                "Store", "Bus", "Crypto", "System", "JSON", "Identity", "Wire", "Safeguard", "Template", "TestSupport",
            ]),
        tests("Box", ["Box", "Safeguard", "Store", "Bus", "System", "Wire", "TestSupport"]),
        tests(
            "Platform",
            [
                "Platform", "Notices", "Accounts", "OpenID", "Commands", "Pages", "HTTPServer", "Ledger", "Store",
                "Crypto", "System", "Identity", "TestSupport",
            ]),
        tests(
            "Controller",
            ["Controller", "Field", "Crypto", "Store", "Radio", "System", "Identity", "Wire", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// The sanitizer tests some rooms at a time: `SOGLIA_ROOMS=Wire,Store` leaves out the tests of all others. (`swift test --filter` saves no
// build, since SwiftPM makes one bundle of all tests.)
if let rooms = Context.environment["SOGLIA_ROOMS"]?.split(separator: ",").map({ "\($0)Tests" }), !rooms.isEmpty {
    let known = package.targets.filter { $0.type == .test }.map(\.name)
    precondition(rooms.allSatisfy(known.contains), "SOGLIA_ROOMS names a room that has no tests")
    package.targets.removeAll { $0.type == .test && !rooms.contains($0.name) }
}

// The compiler's fuzzer around every parser of bytes from outside. `make fuzz` alone builds it: it is instrumented code.
if Context.environment["SOGLIA_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Doors", "Home", "Household", "Pages", "Store", "HTTPServer", "Bus", "Images", "OpenID", "Crypto",
                "System", "Wire",
                "Template", "JSON", "Identity",
            ],
            path: "Tests/Fuzz", swiftSettings: settings))
}
