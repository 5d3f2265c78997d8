import Accounts
import FoundationEssentials
import Household
import Identity
import JSON
import Ledger
import Notices
import Store
import System

/// The log of alarms. Every function runs inside the caller's transaction.
enum AlarmRecords {
    static let migrations = [
        Migration(
            "home.alarms.1",
            """
            CREATE TABLE home_alarms (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), kind TEXT NOT NULL, sensor BLOB,
                en TEXT NOT NULL, it TEXT NOT NULL, es TEXT NOT NULL, value REAL, drill INTEGER NOT NULL,
                at INTEGER NOT NULL, ended INTEGER, ended_by BLOB, silenced INTEGER, silenced_by BLOB
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX home_alarms_site ON home_alarms (site, at);
            CREATE INDEX home_alarms_sensor ON home_alarms (sensor, at) WHERE sensor IS NOT NULL;
            """),
        Migration(
            "home.alarms.2",
            """
            ALTER TABLE home_alarms ADD COLUMN raised_by BLOB;
            CREATE INDEX home_alarms_by_id ON home_alarms (site, id);
            CREATE INDEX home_alarms_standing ON home_alarms (site) WHERE ended IS NULL;
            CREATE TABLE home_alarm_notices (
                alarm BLOB NOT NULL REFERENCES home_alarms (id), round INTEGER NOT NULL, notice BLOB NOT NULL,
                at INTEGER NOT NULL, PRIMARY KEY (alarm, round)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX home_alarm_notices_by_notice ON home_alarm_notices (notice);
            """),
        Migration("home.alarms.3", "ALTER TABLE home_alarms ADD COLUMN actuator BLOB"),
        Migration("home.alarms.4", "ALTER TABLE home_alarms ADD COLUMN aspect TEXT NOT NULL DEFAULT ''"),
        // What was kept as words stays as words. The faults of things without a name are raised anew if they still hold.
        Migration(
            "home.alarms.5",
            """
            ALTER TABLE home_alarms ADD COLUMN message TEXT NOT NULL DEFAULT '';
            UPDATE home_alarms SET message =
                json_object('written', json_object('_0', json_object('en', en, 'it', it, 'es', es)));
            UPDATE home_alarms SET ended = at
            WHERE ended IS NULL AND kind = 'fault' AND sensor IS NULL AND actuator IS NULL;
            """),
    ]

    /// When a sensor's alarms began, and when each ended; nil: it has not. Exercises are left out.
    static func spans(
        of sensor: SensorID, from: Timestamp, to: Timestamp, in database: Database
    ) throws -> [(at: Timestamp, ended: Timestamp?)] {
        try database.rows(
            """
            SELECT at, ended FROM home_alarms
            WHERE sensor = ? AND drill = 0 AND at < ? AND (ended IS NULL OR ended >= ?) ORDER BY at
            """, sensor, to, from
        ) { (at: $0[0], ended: $0[1]) }
    }

    /// The houses that had an alarm, or an exercise, since then; faults are left out.
    static func sites(withAlarmsSince since: Timestamp, in database: Database) throws -> [SiteID] {
        try database.rows("SELECT DISTINCT site FROM home_alarms WHERE at >= ? AND kind <> 'fault'", since) { $0[0] }
    }

    // MARK: writing

    /// Writes down what happened to an alarm, and tells the house's chain. A second time it changes nothing.
    static func write(_ entry: AlarmJournal.Entry, in database: Database) throws {
        switch entry {
        case .raised(let alarm): try add(alarm, in: database)
        case .reworded(let id, let message):
            try database.execute("UPDATE home_alarms SET message = ? WHERE id = ?", try encoded(message), id)
        case .told(let alarm, let notice, let round, let at):
            try database.execute(
                """
                INSERT INTO home_alarm_notices (alarm, round, notice, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """, alarm, round, notice, at)
        case .reopened(let id, let site, let at):
            let changed = try database.execute(
                "UPDATE home_alarms SET ended = NULL, ended_by = NULL WHERE id = ? AND ended IS NOT NULL", id)
            if changed == 1 { try tell("home.alarm.reopened", id, site, at, nil, in: database) }
        case .ended(let id, let site, let at, let person):
            let changed = try database.execute(
                "UPDATE home_alarms SET ended = ?, ended_by = ? WHERE id = ? AND ended IS NULL", at, person, id)
            if changed == 1 { try tell("home.alarm.ended", id, site, at, person, in: database) }
        case .silenced(let id, let site, let at, let person):
            let changed = try database.execute(
                "UPDATE home_alarms SET silenced = ?, silenced_by = ? WHERE id = ? AND silenced IS NULL", at, person, id
            )
            if changed == 1 { try tell("home.alarm.silenced", id, site, at, person, in: database) }
        }
    }

    private static func add(_ alarm: HouseAlarm, in database: Database) throws {
        let added = try database.execute(
            """
            INSERT INTO home_alarms
                (id, site, kind, sensor, en, it, es, message, value, drill, at, raised_by, actuator, aspect)
            VALUES (?, ?, ?, ?, '', '', '', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """, alarm.id, alarm.site, alarm.kind.rawValue, alarm.sensor, try encoded(alarm.message), alarm.value,
            alarm.isDrill, alarm.at, alarm.raisedBy, alarm.actuator, alarm.aspect)
        guard added == 1 else { return }
        try tell(
            "home.alarm.raised", alarm.id, alarm.site, alarm.raised, alarm.raisedBy, raised: alarm, in: database)
    }

    private static func tell(
        _ kind: String, _ alarm: HouseAlarmID, _ site: SiteID, _ at: Timestamp, _ person: PersonID?,
        raised: HouseAlarm? = nil, in database: Database
    ) throws {
        let payload = AlarmPayload(alarm: alarm, person: person, raised: raised)
        try Ledger.append(
            NewEvent(id: .new(at: at), site: site, kind: kind, at: at, person: person, payload: payload.document()),
            to: database)
    }

    // MARK: what it says

    private static func encoded(_ message: AlarmMessage) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(message), as: UTF8.self)
    }

    /// What this version does not know says only what it is about.
    private static func message(_ text: String, _ kind: HouseAlarm.Kind) -> AlarmMessage {
        (try? JSONReader.decode(AlarmMessage.self, from: Array(text.utf8))) ?? .hazard(Hazard(kind, nil))
    }

    // MARK: reading

    /// An alarm as the log has it.
    struct Logged: Sendable {
        let alarm: HouseAlarm
        let ended: Timestamp?
        let endedBy: PersonID?
        let silenced: Timestamp?
        let silencedBy: PersonID?
        /// When somebody first said that they take care, and who; nil: nobody has, or they are not known any more.
        let taken: Timestamp?
        let takenBy: PersonID?
    }

    private static func logged(_ row: Row) -> Logged {
        let kind = HouseAlarm.Kind(rawValue: row[2]) ?? .fault
        let alarm = HouseAlarm(
            id: row[0], site: row[1], kind: kind, sensor: row[3], message: message(row[4], kind), value: row[5],
            isDrill: row[6], at: row[7], raised: row[7], raisedBy: row[8], actuator: row[15], aspect: row[16])
        return Logged(
            alarm: alarm, ended: row[9], endedBy: row[10], silenced: row[11], silencedBy: row[12], taken: row[13],
            takenBy: row[14])
    }

    /// One of them.
    static func alarm(_ id: HouseAlarmID, in database: Database) throws -> Logged? {
        try database.row(
            """
            SELECT id, site, kind, sensor, message, value, drill, at, raised_by, ended, ended_by, silenced,
                silenced_by, (SELECT min(n.acknowledged) FROM home_alarm_notices t JOIN notices n ON n.id = t.notice
                    WHERE t.alarm = a.id),
                (SELECT n.acknowledged_by FROM home_alarm_notices t JOIN notices n ON n.id = t.notice
                    WHERE t.alarm = a.id AND n.acknowledged IS NOT NULL ORDER BY n.acknowledged LIMIT 1),
                actuator, aspect
            FROM home_alarms a WHERE id = ?
            """, id
        ) { logged($0) }
    }

    /// Those of a house, the newest first.
    /// - Parameters:
    ///   - unwritten: those of this house that were not on the disk before this read, or may not have been: they are in the log already.
    ///   - before: only older ones than this.
    ///   - kind: only of this kind; nil: of all.
    static func log(
        of site: SiteID, unwritten: [HouseAlarm], before: HouseAlarmID? = nil, kind: HouseAlarm.Kind? = nil, limit: Int,
        in database: Database
    ) throws -> (items: [Logged], next: HouseAlarmID?) {
        let found = try database.rows(
            """
            SELECT id, site, kind, sensor, message, value, drill, at, raised_by, ended, ended_by, silenced,
                silenced_by, (SELECT min(n.acknowledged) FROM home_alarm_notices t JOIN notices n ON n.id = t.notice
                    WHERE t.alarm = a.id),
                (SELECT n.acknowledged_by FROM home_alarm_notices t JOIN notices n ON n.id = t.notice
                    WHERE t.alarm = a.id AND n.acknowledged IS NOT NULL ORDER BY n.acknowledged LIMIT 1),
                actuator, aspect
            FROM home_alarms a
            WHERE site = ?1 AND (?2 IS NULL OR id < ?2) AND (?3 IS NULL OR kind = ?3) ORDER BY id DESC LIMIT ?4
            """, site, before, kind?.rawValue, limit + 1
        ) { logged($0) }
        // Where there is another page, those of it are older than the last one found.
        let written = Set(found.map(\.alarm.id))
        let unwritten = unwritten.filter { alarm in
            !written.contains(alarm.id) && before.map { alarm.id < $0 } ?? true && kind.map { alarm.kind == $0 } ?? true
        }
        let all = (found + unwritten.map(Logged.init(unwritten:))).sorted { $0.alarm.id > $1.alarm.id }
        let items = Array(all.prefix(limit))
        return (items, all.count > limit ? items.last?.alarm.id : nil)
    }

    /// All that have not ended, of every house.
    static func standing(in database: Database) throws -> [Logged] {
        try database.rows(
            """
            SELECT id, site, kind, sensor, message, value, drill, at, raised_by, ended, ended_by, silenced,
                silenced_by, NULL, NULL, actuator, aspect FROM home_alarms WHERE ended IS NULL ORDER BY id
            """
        ) { logged($0) }
    }

    /// What people were told of an alarm, the first round first.
    static func notices(
        of alarm: HouseAlarmID, in database: Database
    ) throws -> [(notice: NoticeID, at: Timestamp)] {
        try database.rows("SELECT notice, at FROM home_alarm_notices WHERE alarm = ? ORDER BY round", alarm) {
            ($0[0] as NoticeID, $0[1] as Timestamp)
        }
    }
}

extension AlarmRecords.Logged {
    /// One that stands and is not on the disk yet.
    init(unwritten alarm: HouseAlarm) {
        self.init(alarm: alarm, ended: nil, endedBy: nil, silenced: nil, silencedBy: nil, taken: nil, takenBy: nil)
    }

    /// As it is now, whatever of it is on the disk.
    /// - Parameters:
    ///   - standing: the same as the desk knows it; nil: it is over.
    ///   - waiting: what happened to it and is not on the disk yet, in order.
    ///   - now: when it was over, where nothing says it: more had happened than the journal holds.
    func asItIs(_ standing: HouseAlarm?, _ waiting: [AlarmJournal.Entry], at now: Timestamp) -> Self {
        var (silenced, silencedBy, ended, endedBy) = (silenced, silencedBy, ended, endedBy)
        for entry in waiting {
            switch entry {
            case .silenced(_, _, let at, let by): if silenced == nil { (silenced, silencedBy) = (at, by) }
            case .ended(_, _, let at, let by): (ended, endedBy) = (at, by)
            case .raised, .reworded, .told, .reopened: break
            }
        }
        if standing != nil { (ended, endedBy) = (nil, nil) }
        return Self(
            alarm: standing ?? alarm, ended: standing == nil ? ended ?? now : nil, endedBy: endedBy, silenced: silenced,
            silencedBy: silencedBy, taken: taken, takenBy: takenBy)
    }
}
