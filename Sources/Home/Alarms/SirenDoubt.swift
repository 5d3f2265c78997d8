import Accounts
import Identity

/// Why a siren may sound in a house that is silent.
enum SirenDoubt: Sendable {
    /// A box does not obey.
    case refused
    /// A box has no connection, or has not answered.
    case unanswered
}

extension SirenDoubt {
    /// That a siren may sound although the house is silent.
    func text(_ language: Language) -> String {
        switch (self, language) {
        case (.refused, .en): "The box did not obey: its siren may still sound."
        case (.refused, .it): "La centralina non ha eseguito l’ordine: la sirena potrebbe ancora suonare."
        case (.refused, .es): "La caja no ha obedecido: su sirena puede seguir sonando."
        case (.unanswered, .en): "The box does not answer: its siren may still sound. Check its power and network."
        case (.unanswered, .it):
            "La centralina non risponde: la sirena potrebbe ancora suonare. Controlla alimentazione e rete."
        case (.unanswered, .es):
            "La caja no responde: su sirena puede seguir sonando. Comprueba su alimentación y su red."
        }
    }
}
