import Glibc
import System

/// A Mosquitto of our own, on loopback, with its dynamic-security plugin: nobody enters without credentials, and each
/// client says and hears what its access list names, nothing else.
///
/// Its folder keeps everything: the port, the hub's credentials, the plugin's file of clients, retained messages. Killed
/// and started again it is the same broker, and clients come back by themselves.
public actor Broker: BusProcess {
    /// What brings its parts, on Debian.
    public static let package = "mosquitto"
    /// The name under which the hub connects. No other client may have it.
    public static let hubName = "hub"
    /// Where the hub's own credentials lie in the broker's folder.
    public static let credentialsFile = "hub.json"
    /// Whom the broker lets in, with what: the plugin's own file, made where there is none.
    public static let clientsFile = "dynamic-security.json"
    /// So many bytes wait for one client that does not acknowledge what it is sent. There is no limit of all memory: 2.0.11 loses count
    /// where it frees what it had not counted, and then refuses every client for good.
    /// - Key: client of the broker
    private static let queueLimit = 16 << 20

    /// Clients whose shares are counted; the one that has said nothing for longest is forgotten.
    /// - Key: hub
    private static let namesLimit = 20_000
    /// Levels of a topic or filter that a client says. Each takes some hundred bytes of the broker.
    /// - Key: client of the broker
    private static let levelsLimit = 16
    /// Different filters that one client may hear.
    /// - Key: client of the broker
    private static let filtersLimit = 512
    /// How often in an hour a client may subscribe to what it has: 2.0.11 loses a copy of the filter each time.
    /// - Key: client of the broker
    private static let repeatsLimit = 2_048
    /// Levels, at some 600 bytes each, of topics on which a client ever retained something: the broker keeps them after they are cleared,
    /// until it is started again.
    /// - Key: client of the broker
    private static let levelsOfClientLimit = 16_384
    /// The same of all clients of one site.
    /// - Key: site
    private static let levelsOfSiteLimit = 65_536
    /// The same of all sites. When there are so many, a site has its share.
    /// - Key: hub
    private static let levelsOfAllLimit = 1_000_000
    /// What a site may have then, too.
    /// - Key: site
    private static let levelsShare = 2_048
    /// Bytes of retained payloads of one site, since the broker was started.
    /// - Key: site
    private static let bytesOfSiteLimit = 32 << 20
    /// The same of all sites. When there is so much, a site has its share.
    /// - Key: hub
    private static let bytesOfAllLimit = 512 << 20
    /// What a site may have then, too.
    /// - Key: site
    private static let bytesShare = 2 << 20
    /// Where the broker names a client of which it drops messages, once a second: its name is the payload.
    public static let cutTopic = "soglia/guard/cut"
    /// The same of a client whose messages it passes on and does not keep, although they are to be retained.
    public static let unkeptTopic = "soglia/guard/unkept"

    /// Messages a second that a client says in the long run. The broker drops what is above, and says so on `cutTopic`: it would else drop
    /// what others say to a hub that cannot read so fast.
    /// - Key: client of the broker
    private static let messagesPerSecond = 3_000
    /// More than that it may say at once.
    /// - Key: client of the broker
    private static let burstLimit = 6_000
    /// The same of all clients of one site.
    /// - Key: site
    private static let messagesOfSitePerSecond = 6_000
    /// More than that they may say at once.
    /// - Key: site
    private static let burstOfSiteLimit = 8_000
    /// The same of all sites: below what a hub reads, and what waits for it. Where they say more, a site has its share.
    /// - Key: hub
    private static let messagesOfAllPerSecond = 20_000
    /// More than that they may say at once.
    /// - Key: hub
    private static let burstOfAllLimit = 8_000
    /// What a site may say then, too.
    /// - Key: site
    private static let messagesShare = 300
    /// More than that it may say at once.
    /// - Key: site
    private static let burstShare = 3_000
    /// What a client may say whatever others say, of its own site, too.
    /// - Key: client of the broker
    private static let messagesOfOneShare = 20
    /// More than that it may say at once.
    /// - Key: client of the broker
    private static let burstOfOneShare = 200
    /// Bytes of a message above which a client does not hear its own, which would wait for one that does not read; nor may it be of QoS 2.
    /// - Key: client of the broker
    private static let echoLimit = 4_096

    /// All that its process is told. A message of 16 kB or more has pages of its own (mallopt(3)), which go back to the machine with it:
    /// otherwise, what a client had it keep stays taken after it was cleared, since something small lies behind it.
    private static let environment = ["MALLOC_MMAP_THRESHOLD_": "16384"]

    /// Where it listens, on loopback.
    public nonisolated let address: BusAddress
    /// For one connection at a time: full rights on `soglia/#`, and the right to name clients (`BrokerControl`).
    public nonisolated let hubCredentials: BusCredentials
    private let port: ReservedPort
    private let folder: String
    private let executable: String
    private let passwordTool: String
    private let plugin: String
    private var child: Child?

    /// Prepares the folder; nothing runs yet.
    /// - Parameters:
    ///   - folder: its own, made when it is missing, readable by this user alone.
    ///   - port: 0 chooses a free one on the first start and keeps it.
    ///   - executable: Mosquitto's program; looked for in the usual places unless told.
    public init(folder: String, port: UInt16 = 0, executable: String? = nil) throws(BrokerError) {
        guard let mosquitto = executable ?? Program.find("mosquitto") else { throw .missing("Mosquitto", Self.package) }
        guard let tool = Program.find("mosquitto_passwd") else { throw .missing("mosquitto_passwd", Self.package) }
        guard let plugin = Self.findPlugin() else {
            throw .missing("Mosquitto's dynamic-security plugin", Self.package)
        }
        (self.executable, passwordTool, self.plugin) = (mosquitto, tool, plugin)
        if !Files.exists(Self.guardPlugin) {
            throw .failed("libBusGuard.so is not beside the program: both are built together")
        }
        do throws(SystemError) {
            try Files.makeFolder(folder)
            let folder = try Files.absolute(folder)
            // A line end would begin a new line of the configuration.
            if !folder.utf8.allSatisfy({ $0 >= 0x20 }) { throw SystemError("not a name of a folder: \(folder)") }
            self.folder = folder
            if port == 0 {
                self.port = try Self.keptPort(in: folder)
            } else if let reserved = ReservedPort(port) {
                self.port = reserved
            } else {
                throw SystemError("another program listens on port \(port)")
            }
            address = BusAddress(host: "127.0.0.1", port: self.port.number)
            hubCredentials = try Self.keptCredentials(in: folder)
        } catch {
            throw .failed(error.description)
        }
    }

    // MARK: Life

    /// See `BusProcess`.
    public func start() async throws(BrokerError) {
        if let child, child.end == nil { return }
        do throws(SystemError) {
            try await writeClientsOnce()
            try Files.replace(folder + "/mosquitto.conf", with: Array(configuration.utf8))
        } catch {
            throw .failed(error.description)
        }
        child = try await Program.startListening(
            executable, ["-c", folder + "/mosquitto.conf"], environment: Self.environment, port: port.number,
            log: folder + "/mosquitto.log")
    }

    /// Ends it, retained messages saved.
    public func stop() async {
        await child?.stop()
        child = nil
    }

    /// See `BusProcess`.
    public var processID: Int32? { child.flatMap { $0.end == nil ? $0.id : nil } }

    /// See `BusProcess`.
    public func waitForEnd() async -> Child.End? { await child?.wait() }

    // MARK: Files

    private var configuration: String {
        """
        # Written by Soglia at each start: changes made here are lost.
        \(geteuid() == 0 ? "user root" : "# not root: it runs as whoever starts it")
        allow_anonymous false
        listener \(address.port) \(address.host)
        use_username_as_clientid true
        plugin \(Self.guardPlugin)
        plugin_opt_hub \(Self.hubName)
        plugin_opt_cut \(Self.cutTopic)
        plugin_opt_unkept \(Self.unkeptTopic)
        plugin_opt_names \(Self.namesLimit)
        plugin_opt_levels \(Self.levelsLimit)
        plugin_opt_bytes \(Topic.limit)
        plugin_opt_filters \(Self.filtersLimit)
        plugin_opt_repeats \(Self.repeatsLimit)
        plugin_opt_echo \(Self.echoLimit)
        plugin_opt_client_levels \(Self.levelsOfClientLimit)
        plugin_opt_site_levels \(Self.levelsOfSiteLimit)
        plugin_opt_all_levels \(Self.levelsOfAllLimit)
        plugin_opt_share_levels \(Self.levelsShare)
        plugin_opt_site_kilobytes \(Self.bytesOfSiteLimit >> 10)
        plugin_opt_all_kilobytes \(Self.bytesOfAllLimit >> 10)
        plugin_opt_share_kilobytes \(Self.bytesShare >> 10)
        plugin_opt_client_rate \(Self.messagesPerSecond)
        plugin_opt_client_burst \(Self.burstLimit)
        plugin_opt_site_rate \(Self.messagesOfSitePerSecond)
        plugin_opt_site_burst \(Self.burstOfSiteLimit)
        plugin_opt_all_rate \(Self.messagesOfAllPerSecond)
        plugin_opt_all_burst \(Self.burstOfAllLimit)
        plugin_opt_share_rate \(Self.messagesShare)
        plugin_opt_share_burst \(Self.burstShare)
        plugin_opt_own_rate \(Self.messagesOfOneShare)
        plugin_opt_own_burst \(Self.burstOfOneShare)
        plugin \(plugin)
        plugin_opt_config_file \(folder)/\(Self.clientsFile)
        persistence true
        persistence_location \(folder)/
        autosave_interval 60
        persistent_client_expiration 1d
        max_packet_size 524288
        max_queued_messages 10000
        max_queued_bytes \(Self.queueLimit)
        set_tcp_nodelay true
        sys_interval 0
        connection_messages false
        log_dest stderr
        log_type error
        log_type warning

        """
    }

    /// The plugin's file with the hub in it. After the first start the file is the plugin's own. The plugin writes it in place: where the power fails
    /// in that moment, or it is killed, nothing or half of it is left, and nobody would come in any more. Then it is made anew, and the hub lets
    /// everybody in again.
    private func writeClientsOnce() async throws(SystemError) {
        let path = folder + "/" + Self.clientsFile
        if Files.exists(path) {
            let bytes = try Files.read(path, limit: 256 << 20)
            if AccessRules.isWhole(bytes, hub: hubCredentials.username) { return }
            Log.warning("bus", "the list of whom the broker lets in was left half written, and is made anew")
        }
        // The tool hashes in place, so that the password is on no command line.
        let hashing = folder + "/hub.hash"
        defer { Files.remove(hashing) }
        try Files.replace(
            hashing, with: Array("\(hubCredentials.username):\(hubCredentials.password)\n".utf8), mode: 0o600)
        let tool = try await Child.start(passwordTool, ["-U", hashing], output: .none, errors: .none)
        let end = await tool.wait()
        let line = String(decoding: try Files.read(hashing), as: UTF8.self)
        guard end == .exited(0), let file = AccessRules.file(hub: hubCredentials.username, passwordLine: line) else {
            throw SystemError("mosquitto_passwd did not hash the hub's password")
        }
        try Files.replace(path, with: file, mode: 0o600)
    }

    /// The port that gates and devices of this machine were paired with. Where another program has it, the next start tries it again.
    private static func keptPort(in folder: String) throws(SystemError) -> ReservedPort {
        let path = folder + "/port"
        let kept = (try? Files.read(path, limit: 16)).flatMap { bytes in
            UInt16(String(decoding: bytes.filter { $0 != 0x0a }, as: UTF8.self))
        }
        if let kept {
            // A broker of before may still be on its way out.
            for attempt in 0..<Self.portTries {
                if attempt > 0 { usleep(100_000) }
                if let port = ReservedPort(kept) { return port }
            }
        }
        guard let port = ReservedPort.any() else { throw SystemError("there is no free port on loopback") }
        if let kept {
            Log.warning(
                "bus",
                "another program has the bus's port, so gates and devices of this machine that were paired with it cannot come in: end that program, and start the hub again",
                ["port": "\(kept)", "instead": "\(port.number)"])
        } else {
            try Files.replace(path, with: Array("\(port.number)\n".utf8))
        }
        return port
    }

    /// So often, a tenth of a second apart, the kept port is tried.
    private static let portTries = 30

    private static func keptCredentials(in folder: String) throws(SystemError) -> BusCredentials {
        let path = folder + "/" + credentialsFile
        if Files.exists(path) { return try BusCredentials.load(path) }
        if Files.exists(folder + "/" + clientsFile) {
            throw SystemError("\(path) is missing: bring it back, or remove the folder and pair every device again")
        }
        let credentials = BusCredentials.random(username: hubName)
        try credentials.save(to: path)
        return credentials
    }

    // MARK: The machine

    /// What a broker of our own needs, and where it is on this machine; nil when it is not there.
    public static var parts: [(name: String, path: String?)] {
        [
            ("Mosquitto", Program.find("mosquitto")), ("mosquitto_passwd", Program.find("mosquitto_passwd")),
            ("Mosquitto's dynamic-security plugin", findPlugin()),
        ]
    }

    /// Where what bounds a client lies, where Mosquitto has no limit (`Sources/CBusGuard`): beside the program.
    public static let guardPlugin = ThisProcess.folder + "/libBusGuard.so"

    private static func findPlugin() -> String? {
        [
            "/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/", "/usr/lib/arm-linux-gnueabihf/", "/usr/lib/",
            "/usr/lib64/", "/usr/local/lib/",
        ].map { $0 + "mosquitto_dynamic_security.so" }.first(where: Files.exists)
    }
}
