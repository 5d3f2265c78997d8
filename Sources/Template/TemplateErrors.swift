/// Why a source is not read as a template.
///
/// Names come from the source: only their letters, digits and `_` are kept, and at most 32 of them.
public enum TemplateFault: Error, Sendable, Equatable {
    /// More than 656 bytes.
    case tooLong
    /// More than 90 parts.
    case tooManyNodes
    /// Brackets or statements nested more than 10 deep.
    case tooDeep
    /// A filter outside the subset.
    case unknownFilter(String)
    /// A function or a method outside the subset, `states()` for instance.
    case unknownFunction(String)
    /// A test (`is …`) outside the subset.
    case unknownTest(String)
    /// A statement outside the subset, `for` for instance.
    case unknownStatement(String)
    /// Too few, too many or unknown arguments of the filter, function, method or test of this name.
    case wrongArguments(String)
    /// Not Jinja at this byte of the source, counted after its outer space is trimmed.
    case malformed(offset: Int)
}

/// Why a rendering gave no text. Home Assistant drops the payload then.
///
/// Names come from the source: only their letters, digits and `_` are kept, and at most 32 of them.
public enum TemplateFailure: Error, Sendable, Equatable {
    /// The variable or member of this name is missing, and the template computes with it.
    case undefined(String)
    /// A value is of a kind that the operation does not support, for instance a text that is not a number.
    case wrongKind
    /// More than 2,000 steps. Work on long texts and lists counts as several.
    case tooManySteps
    /// The result has more than 4,096 bytes, or a text on the way to it more than 65,536.
    case tooLong
    /// A division by zero, an integer beyond 64 bits, or a result that is not a finite number.
    case outOfRange
}

/// A name from a source, fit for a log or a page.
func shown(_ name: String) -> String {
    let safe = name.unicodeScalars.lazy.filter { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: safe.prefix(TemplateLimit.shownName))
    return text
}
