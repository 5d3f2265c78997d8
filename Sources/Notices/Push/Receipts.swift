import Accounts
import HTTPServer
import Identity
import Ledger
import Store
import System

/// That a notice came onto the screen of a device, as the device itself says: a push service only says that it took it.
public enum ReceiptRecords {
    static let migration = Migration(
        "notices.receipts.1",
        """
        CREATE TABLE notice_receipts (
            notice BLOB NOT NULL REFERENCES notices (id), device BLOB NOT NULL, person BLOB NOT NULL,
            shown INTEGER NOT NULL, PRIMARY KEY (notice, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notice_receipts_by_person ON notice_receipts (person);
        """)

    /// A device said it.
    public struct Receipt: Sendable, Equatable {
        /// Which.
        public let device: PushDeviceID
        /// Whose it was.
        public let person: PersonID
        /// When the hub heard it.
        public let shown: Timestamp
    }

    /// What devices said of a notice, the first one first.
    public static func receipts(of notice: NoticeID, in database: Database) throws -> [Receipt] {
        try database.rows(
            "SELECT device, person, shown FROM notice_receipts WHERE notice = ? ORDER BY shown, device", notice
        ) { Receipt(device: $0[0], person: $0[1], shown: $0[2]) }
    }

    /// Notes it; the first time counts.
    static func note(
        _ device: PushDeviceID, of person: PersonID, _ notice: NoticeID, at now: Timestamp, in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO notice_receipts (notice, device, person, shown) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, notice, device, person, now)
    }
}

/// A device that pushes go to, as its person would recognise it.
public struct Phone: Sendable, Equatable {
    /// Its name in tables.
    public let id: PushDeviceID
    /// Whose.
    public let person: PersonID
    /// What it is, as far as it says.
    public let client: Client
}

extension Notices {
    /// This session's device shows a notice that its person was told.
    /// - Throws: `NoticeRefusal.unknown` when they were not told, or it is not written down yet, or nothing goes to this session's device.
    public func shown(_ id: NoticeID, to principal: Principal) async throws {
        let (now, person) = (clock.now, principal.person.id)
        guard let device = try devices.device(of: principal) else { throw NoticeRefusal.unknown }
        try await store.write(.vital) { database in
            guard try NoticeRecords.wasTold(person, of: id, in: database) else { throw NoticeRefusal.unknown }
            try ReceiptRecords.note(device.id, of: person, id, at: now, in: database)
        }
    }

    /// The devices that a notice to these people goes to.
    public func phones(of people: [PersonID]) throws -> [Phone] {
        let now = clock.now
        return try store.read { database in
            try people.flatMap { try PushRecords.phones(of: $0, at: now, in: database) }
        }
    }

    func registerReceipts(_ routes: inout Routes) {
        routes.on(
            .post, "/api/notices/{id}/shown",
            RouteDescription(
                "Says that this session's device shows a notice: its service worker does, as soon as a push has come.",
                body: .anything("nothing yet: {}"), status: 204), bodyLimit: 4_096
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            try await self.shown(try request.parameter("id", as: NoticeID.self), to: principal)
            return .empty()
        }
    }
}

extension PushRecords {
    static func phones(of person: PersonID, at now: Timestamp, in database: Database) throws -> [Phone] {
        try database.rows(
            """
            SELECT d.id, d.person, s.client
            FROM push_devices d JOIN sessions s ON s.hash = coalesce(
                (SELECT successor FROM renewals WHERE predecessor = d.session AND is_confirmed = 1), d.session
            ) WHERE s.expires > ?1 AND d.person = ?2 ORDER BY d.id
            """, now, person
        ) { Phone(id: $0[0], person: $0[1], client: Client(stored: $0[2])) }
    }
}
