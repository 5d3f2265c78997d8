import Accounts
import Ledger
import Platform
import Store

extension SafetyRecords {
    /// Who acted last, who added a code or a tag. Panels, codes and tags stay; an owner is shown their names (`freeTexts`).
    static let eraser = Eraser(
        erase: { erasure, database in
            let (person, site) = (erasure.person, erasure.site)
            try database.execute(
                "UPDATE home_panels SET act_person = NULL WHERE act_person = ? AND site = ?", person, site)
            try database.execute(
                "UPDATE home_codes SET added_by = NULL WHERE added_by = ? AND site = ?", person, site)
            try database.execute("UPDATE home_tags SET added_by = NULL WHERE added_by = ? AND site = ?", person, site)
        })

    /// Codes and tags bear names that people typed.
    static let freeTexts = [
        FreeText(
            "alarmCodes", title: { SafetyChoiceWords.in($0).codes }, page: { "/houses/\($0.text)/safety/settings" },
            texts: { site, database in try codes(of: site, in: database).map(\.code.name) }),
        FreeText(
            "alarmTags", title: { SafetyChoiceWords.in($0).tags }, page: { "/houses/\($0.text)/safety/settings" },
            texts: { site, database in try tags(of: site, in: database).map(\.name) }),
    ]

    /// What somebody is told of themselves.
    static let tellers = [
        Teller(
            "alarmPanels", of: "home_panels",
            sql: "SELECT site, act, act_by, act_at FROM home_panels WHERE act_person = ?",
            columns: ["site": .site, "act": .text, "by": .text, "at": .moment]),
        Teller(
            "houseCodes", of: "home_codes", sql: "SELECT site, name, added FROM home_codes WHERE added_by = ?",
            columns: ["site": .site, "name": .text, "added": .moment]),
        Teller(
            "houseTags", of: "home_tags", sql: "SELECT site, name, added FROM home_tags WHERE added_by = ?",
            columns: ["site": .site, "name": .text, "added": .moment]),
    ]
}
