import Testing

@testable import Box
