import Accounts
import Notices

/// Tells owners that the hub's disk fills up.
enum DiskNotice {
    static let kind: NoticeKind = "hub.disk"
    /// For so long, in milliseconds, the same is not told again: a hub that starts again on a disk that is as it was.
    static let window: Int64 = 3_600_000
    /// So long it matters, in milliseconds.
    static let lifetime: Int64 = 7 * 86_400_000

    static func content(_ level: DiskLevel) -> NoticeContent {
        let text = level == .nearlyFull ? full : low
        return NoticeContent(kind: kind, urgency: .high, text: text, publicText: text, topic: "hub-disk")
    }

    private static let low = LocalizedText(
        en: NoticeWords(
            "Free up disk space on the hub",
            "Less than 10% of its disk is free. When the disk is full, the hub stops recording measurements and refuses changes."
        ),
        it: NoticeWords(
            "Libera spazio sul disco dell’hub",
            "È libero meno del 10% del disco. Quando il disco è pieno, l’hub non registra più le misure e rifiuta le modifiche."
        ),
        es: NoticeWords(
            "Libera espacio en el disco del hub",
            "Queda libre menos del 10 % del disco. Cuando el disco se llena, el hub deja de registrar mediciones y rechaza los cambios."
        ))

    private static let full = LocalizedText(
        en: NoticeWords(
            "Free up disk space on the hub now",
            "Its disk is almost full. When it is full, the hub records only alarms, openings and revoked access, and refuses other changes. Alarms still reach your phone."
        ),
        it: NoticeWords(
            "Libera subito spazio sul disco dell’hub",
            "Il disco è quasi pieno. Quando è pieno, l’hub registra solo allarmi, aperture e revoche degli accessi, e rifiuta le altre modifiche. Gli allarmi arrivano ancora sul tuo telefono."
        ),
        es: NoticeWords(
            "Libera ya espacio en el disco del hub",
            "El disco está casi lleno. Cuando se llena, el hub solo registra alarmas, aperturas y revocaciones de accesos, y rechaza los demás cambios. Las alarmas siguen llegando a tu teléfono."
        ))
}
