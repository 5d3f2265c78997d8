import HTTPServer
import JSON
import Testing

@Suite("Bodies in JSON")
struct JSONBodyTests {
    @Test("A request's body is JSON only when it says so")
    func request() throws {
        let body = Array("7".utf8)
        let right = Request(
            .post, "/", headers: Headers([("Content-Type", "application/json;charset=utf-8")]), body: body)
        #expect(try right.json(Int.self) == 7)
        for type in ["text/plain", "application/jsonx", "application/x-www-form-urlencoded", ""] {
            let wrong = Request(.post, "/", headers: Headers([("Content-Type", type)]), body: body)
            #expect(status { () throws(Problem) in _ = try wrong.json(Int.self) } == 415)
        }
        #expect(status { () throws(Problem) in _ = try Request(.post, "/", body: body).json(Int.self) } == 415)
        #expect(status { () throws(Problem) in _ = try right.json(String.self) } == 422)
    }

    @Test("What is wrong with the JSON is a refusal: too long, malformed, of another shape")
    func refusals() {
        #expect(JSONError.tooLarge(limit: 1).problem?.status == 413)
        #expect(JSONError.malformed(offset: 1).problem?.status == 400)
        #expect(JSONError.tooDeep(limit: 1).problem?.status == 400)
        #expect(JSONError.duplicateKey(offset: 1).problem?.status == 400)
        #expect(JSONError.mismatch(path: "a", "is missing").problem?.status == 422)
    }
}

/// The status of the problem that a body throws; nil when it throws none.
func status(_ body: () throws(Problem) -> Void) -> Int? {
    do throws(Problem) {
        try body()
        return nil
    } catch {
        return error.status
    }
}
