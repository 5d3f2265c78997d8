extension Rendering {
    /// `a is test`
    mutating func tested(
        _ test: ValueTest, _ operand: Expression, _ other: Expression?
    ) throws(TemplateFailure) -> Bool {
        switch test {
        case .comparison(let comparison):
            guard let other else { return false }
            let value = try value(of: operand)
            return try holds(value, comparison, try self.value(of: other), labels: (operand.label, other.label))
        case .odd, .even:
            let rest = try calculate(.modulo, try defined(operand), .integer(2))
            guard let rest = rest.real else { throw .wrongKind }
            if case .odd = test { return rest == 1 }
            return rest == 0
        case .divisibleBy:
            guard let other else { return false }
            let value = try defined(operand)
            return try calculate(.modulo, value, try defined(other)).real == 0
        case .isNumber: return try real(try defined(operand))?.isFinite == true
        default: return isOfKind(test, try value(of: operand))
        }
    }

    private func isOfKind(_ test: ValueTest, _ value: TemplateValue) -> Bool {
        switch (test, value) {
        case (.undefined, .undefined), (.none, .null), (.boolean, .truth), (.yes, .truth(true)), (.no, .truth(false)),
            (.integer, .integer), (.float, .number), (.string, .text), (.mapping, .object), (.list, .list):
            true
        case (.defined, .undefined): false
        case (.defined, _): true
        case (.number, _): value.real != nil
        default: false
        }
    }
}
