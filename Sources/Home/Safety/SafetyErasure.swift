import Accounts
import Ledger
import Store

extension SafetyRecords {
    /// Who acted last, who added a code or a tag: panels, codes and tags stay, and name nobody who is gone. A code or tag that bears
    /// the name of whoever is erased is theirs, and goes too.
    static let eraser = Eraser(
        erase: { erasure, database in
            let (person, site) = (erasure.person, erasure.site)
            try database.execute(
                "UPDATE home_panels SET act_person = NULL WHERE act_person = ? AND site = ?", person, site)
            try database.execute(
                "UPDATE home_codes SET added_by = NULL WHERE added_by = ? AND site = ?", person, site)
            try database.execute("UPDATE home_tags SET added_by = NULL WHERE added_by = ? AND site = ?", person, site)
            guard let name = try AccountRecords.person(person, in: database)?.name else { return }
            try database.execute(
                "DELETE FROM home_codes WHERE site = ?1 AND instr(lower(name), lower(?2)) > 0", site, name)
            try database.execute(
                "DELETE FROM home_tags WHERE site = ?1 AND instr(lower(name), lower(?2)) > 0", site, name)
        })

    /// What somebody is told of themselves.
    static let tellers = [
        Teller(
            "alarmPanels", of: "home_panels",
            sql: "SELECT site, act, act_by, act_at FROM home_panels WHERE act_person = ?",
            columns: ["site": .id, "act": .text, "by": .text, "at": .moment]),
        Teller(
            "houseCodes", of: "home_codes", sql: "SELECT site, name, added FROM home_codes WHERE added_by = ?",
            columns: ["site": .id, "name": .text, "added": .moment]),
        Teller(
            "houseTags", of: "home_tags", sql: "SELECT site, name, added FROM home_tags WHERE added_by = ?",
            columns: ["site": .id, "name": .text, "added": .moment]),
    ]
}
