import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// What a sensor told, as a file for a spreadsheet.
struct SeriesExport {
    /// No file has more lines: about 8 MB.
    static let limit = 100_000

    /// The tiers as programs call them.
    static let names: [(tier: Tier, name: String)] = [(.raw, "raw"), (.fiveMinutes, "5m"), (.hour, "1h"), (.day, "1d")]

    let sensor: Sensor
    let device: String
    let zone: Zone
    let language: Language

    /// The file out of one tier; nil when it has no room for it.
    func file(_ tier: Tier, from: Timestamp, to: Timestamp, in database: Database) throws -> [UInt8]? {
        let words = HistoryWords.in(language)
        let unit = sensor.unit.isEmpty ? "" : " (\(sensor.unit))"
        let name = "\(sensor.name), \(device)"
        var writer = CSVWriter(delimiter: UInt8(ascii: language == .en ? "," : ";"))
        writer.row(
            ["\(words.time) (\(zone.name))", words.utc]
                + (tier == .raw
                    ? [name + unit]
                    : ["\(words.readings): \(name)"]
                        + [words.lowest, words.highest, words.mean, words.last].map { $0 + unit }))
        let count = try SeriesRecords.each(
            tier, of: sensor.number, from: from, to: to, limit: Self.limit + 1, in: database
        ) { start, rollup in
            let values = [rollup.low, rollup.high, rollup.mean, rollup.last].map(figures)
            writer.ownRow(
                [wallClock(start), start.iso8601]
                    + (tier == .raw ? [figures(rollup.last)] : ["\(rollup.count)"] + values))
        }
        return count > Self.limit ? nil : writer.bytes
    }

    /// As a wall clock there shows it; of an hour that comes twice, the other column tells which it is.
    private func wallClock(_ moment: Timestamp) -> String {
        let second = (moment.milliseconds / 1000 % 60 + 60) % 60
        return zone.day(at: moment).iso8601 + " " + zone.clockText(at: moment) + (second < 10 ? ":0" : ":")
            + "\(second)"
    }

    /// Every figure of it, with a comma where the language's spreadsheets expect one.
    private func figures(_ value: Double) -> String {
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        return language == .en
            ? text : text.split(separator: ".", omittingEmptySubsequences: false).joined(separator: ",")
    }
}

extension HistoryRoutes {
    func export(_ request: Request, _ principal: Principal) async throws -> Response {
        let sensor = try sensor(of: request, principal)
        let query = try request.query.decoded()
        let now = desk.clock.now
        let to = try query.moment("to") ?? now
        let from = try query.moment("from") ?? to.adding(milliseconds: -86_400_000)
        guard from < to else { throw Problem.unprocessable("from: a time before to") }
        let language =
            try query.get("language", as: String.self).flatMap { Language(rawValue: $0) }
            ?? Language.of(principal, request)
        let wanted = try query.get("every", as: String.self)
        let tiers = SeriesExport.names.filter { wanted == nil || $0.name == wanted }.map(\.tier)
        if tiers.isEmpty { throw Problem.unprocessable("every: raw, 5m, 1h or 1d") }
        let export = SeriesExport(
            sensor: sensor, device: try desk.deviceName(of: sensor),
            zone: principal.memberships.first { $0.site.id == sensor.site }?.site.zone ?? .utc, language: language)
        let bytes = try await desk.store.readAside(for: principal.person.id.raw.bytes) { database in
            let rules = try HistoryRetention.of(sensor.site, in: database)
            for tier in tiers where wanted != nil || rules.kept(tier, at: now) <= from || tier == .day {
                if let bytes = try export.file(tier, from: tier.start(of: from), to: to, in: database) { return bytes }
            }
            throw Problem.unprocessable(
                "there are more than \(SeriesExport.limit) lines: ask for a shorter time, or for 5m, 1h or 1d")
        }
        let name = "\(HistoryWords.in(language).fileName)-\(export.zone.day(at: from).iso8601)"
        return Response(
            contentType: "text/csv; charset=utf-8",
            headers: [("Content-Disposition", "attachment; filename=\"\(name).csv\"")], body: .bytes(bytes))
    }
}
