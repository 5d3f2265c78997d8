import System

/// What systemd is told about a hub: who it is, what it may, when it is well.
enum SystemdUnit {
    /// The unit, for `/etc/systemd/system/soglia.service`.
    /// - Parameters:
    ///   - program: the program's own file.
    ///   - port: where the hub listens on loopback.
    static func text(program: String, port: UInt16) -> String {
        """
        # Printed by `soglia admin unit`. To change something: systemctl edit soglia
        [Unit]
        Description=Soglia, everything that happens at a threshold
        Wants=network-online.target
        After=network-online.target time-sync.target

        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=\(quoted(program)) serve --data %S/soglia --port \(port) --log json
        # The hub shows a pulse: its loop takes a turn and its writer commits. Without one for a minute it is started anew.
        WatchdogSec=60
        Restart=on-failure
        RestartSec=2
        TimeoutStartSec=60
        TimeoutStopSec=30
        KillMode=mixed

        # A user of its own, and a folder that is its alone.
        DynamicUser=yes
        StateDirectory=soglia
        StateDirectoryMode=0700
        UMask=0077
        LimitNOFILE=16384

        # Nothing beyond it.
        NoNewPrivileges=yes
        CapabilityBoundingSet=
        AmbientCapabilities=
        ProtectSystem=strict
        ProtectHome=yes
        PrivateTmp=yes
        PrivateDevices=yes
        DevicePolicy=closed
        ProtectClock=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectProc=invisible
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RemoveIPC=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources
        SystemCallErrorNumber=EPERM

        [Install]
        WantedBy=multi-user.target
        """
    }

    /// As systemd reads a word: % and \ are its own.
    private static func quoted(_ path: String) -> String {
        let escaped = path.reduce(into: "") { out, character in
            switch character {
            case "%": out += "%%"
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            default: out.append(character)
            }
        }
        return escaped.contains(where: { " \"'\\;$".contains($0) }) ? "\"\(escaped)\"" : escaped
    }
}
