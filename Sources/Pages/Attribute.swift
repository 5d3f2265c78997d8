import Accounts
import Identity
import OpenID

/// One attribute of an element. There is none for style or for an event handler: the content policy forbids both.
public struct Attribute: Sendable {
    enum Value: Sendable {
        case absent
        case present
        case text(String)
    }

    let prefix: StaticString
    let name: StaticString
    let value: Value

    init(_ name: StaticString, _ value: Value, prefix: StaticString = "") {
        self.prefix = prefix
        self.name = name
        self.value = value
    }

    init(_ name: StaticString, _ text: String?, prefix: StaticString = "") {
        self.init(name, text.map(Value.text) ?? .absent, prefix: prefix)
    }

    init(_ name: StaticString, if isPresent: Bool) {
        self.init(name, isPresent ? Value.present : .absent)
    }

    /// How a form travels.
    public enum Method: String, Sendable {
        /// In the address: a search.
        case get
        /// In the body: everything that changes something.
        case post
    }

    /// Kinds of `input` and `button`.
    public enum Kind: String, Sendable {
        /// Kinds of `input`.
        case text, email, password, date, time, number, url, search, hidden, file, checkbox, radio
        /// Kinds of `button`.
        case submit, button
    }

    // MARK: Addresses

    /// A link within this hub.
    public static func href(_ path: LocalPath) -> Attribute { .init("href", path.description) }
    /// A link to an element of this page, by its id.
    public static func href(fragment: StaticString) -> Attribute { .init("href", "#\(fragment)") }
    /// A link from the demo's own page to its hub.
    public static func href(_ origin: HubOrigin, _ path: LocalPath) -> Attribute {
        .init("href", origin.description + path.description)
    }
    /// A link to a service that people sign in by.
    public static func href(_ address: WebAddress) -> Attribute { .init("href", address.description) }
    /// Where a form goes.
    public static func action(_ path: LocalPath) -> Attribute { .init("action", path.description) }
    /// A script or a picture of our own.
    public static func src(_ path: LocalPath) -> Attribute { .init("src", path.description) }

    // MARK: What it is

    /// Unique within the page.
    public static func id(_ value: String) -> Attribute { .init("id", value) }
    /// Classes of the style sheet (`class`), separated by spaces; an empty text leaves the attribute out.
    ///
    /// It is not named `class`: the compiler takes every body that says this word for one that declares a class, and checks it for the
    /// module's interface too. That was 3 % of a clean debug build.
    public static func css(_ value: String) -> Attribute { .init("class", value.isEmpty ? nil : value) }
    /// The language of this element, where it is not that of the page.
    public static func lang(_ language: Language) -> Attribute { .init("lang", language.rawValue) }
    /// An ARIA role.
    public static func role(_ value: StaticString) -> Attribute { .init("role", "\(value)") }
    /// `aria-…`; nil leaves it out.
    public static func aria(_ name: StaticString, _ value: String?) -> Attribute {
        .init(name, value, prefix: "aria-")
    }
    /// `data-…`, for islands; nil leaves it out.
    public static func data(_ name: StaticString, _ value: String?) -> Attribute {
        .init(name, value, prefix: "data-")
    }
    /// Not shown and not read out.
    public static func hidden(_ isHidden: Bool) -> Attribute { .init("hidden", if: isHidden) }
    /// −1 lets a script or a skip link move the focus here.
    public static func tabindex(_ value: Int) -> Attribute { .init("tabindex", String(value)) }
    /// A moment in ISO 8601.
    public static func datetime(_ iso: String) -> Attribute { .init("datetime", iso) }
    /// `col` or `row` of a heading cell.
    public static func scope(_ value: StaticString) -> Attribute { .init("scope", "\(value)") }

    // MARK: Forms

    /// How the form travels.
    public static func method(_ method: Method) -> Attribute { .init("method", method.rawValue) }
    /// The kind of an `input` or `button`.
    public static func type(_ kind: Kind) -> Attribute { .init("type", kind.rawValue) }
    /// The field's name in the form.
    public static func name(_ value: StaticString) -> Attribute { .init("name", "\(value)") }
    /// The field's value.
    public static func value(_ value: String) -> Attribute { .init("value", value) }
    /// The field that a label names, by its id.
    public static func `for`(_ id: String) -> Attribute { .init("for", id) }
    /// What the browser may fill in.
    public static func autocomplete(_ value: StaticString) -> Attribute { .init("autocomplete", "\(value)") }
    /// Must be filled in.
    public static func required(_ isRequired: Bool) -> Attribute { .init("required", if: isRequired) }
    /// The kinds of file that a field offers to choose, such as `.csv,text/csv`.
    public static func accept(_ kinds: StaticString) -> Attribute { .init("accept", "\(kinds)") }
    /// The form travels as multipart/form-data: it has a file.
    public static var multipart: Attribute { .init("enctype", "multipart/form-data") }
    /// The chosen option.
    public static func selected(_ isSelected: Bool) -> Attribute { .init("selected", if: isSelected) }
    /// A ticked box.
    public static func checked(_ isChecked: Bool) -> Attribute { .init("checked", if: isChecked) }
    /// Unfolded details.
    public static func open(_ isOpen: Bool) -> Attribute { .init("open", if: isOpen) }
    /// The most characters that a field takes.
    public static func maxlength(_ count: Int) -> Attribute { .init("maxlength", String(count)) }
    /// Codes and addresses are not words to correct.
    public static var verbatim: [Attribute] {
        [.init("spellcheck", "false"), .init("autocapitalize", "none"), .init("autocorrect", "off")]
    }
    /// Shown whole on the page, without the browser's own bubbles: the refusals stand in the page.
    public static var novalidate: Attribute { .init("novalidate", Value.present) }
    /// This button sends the form as it is, also where a field that is required is still empty.
    public static var formnovalidate: Attribute { .init("formnovalidate", Value.present) }
    /// This button sends the form elsewhere.
    public static func formaction(_ path: LocalPath) -> Attribute { .init("formaction", path.description) }

    func write(to bytes: inout [UInt8]) {
        if case .absent = value { return }
        bytes.append(UInt8(ascii: " "))
        bytes.append(prefix)
        bytes.append(name)
        if case .text(let text) = value {
            bytes.append("=\"")
            bytes.appendEscaped(text)
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
