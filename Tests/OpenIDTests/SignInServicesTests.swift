import Courier
import Crypto
import HTTPServer
import System
import Testing
import Wire

@testable import OpenID

@Suite struct SignInServicesTests {
    @Test func `Somebody is sent to the service with everything that binds the answer to the question`() async throws {
        let house = House()
        let (back, fields) = try await house.begin()
        #expect(try fields.get("response_type") == "code" && fields.get("client_id") == "soglia")
        #expect(try fields.get("scope") == "openid email profile" && fields.get("redirect_uri") == House.redirect)
        #expect(try fields.get("code_challenge_method") == "S256" && fields.get("a") == "b")
        #expect(try fields.get("prompt", as: String.self) == nil)
        for name in ["state", "nonce", "code_challenge"] {
            #expect(try fields.require(name, as: String.self).utf8.count == 43)
        }
        let again = try await house.begin()
        #expect(back.state != again.back.state && back.browser != again.back.browser)

        let arrival = try await house.finish(again.back).get()
        #expect(arrival.back == "/places" && arrival.errand == .signIn)
        #expect(arrival.profile.issuer == "https://id.example.org" && arrival.profile.subject == "248289761001")
        #expect(arrival.profile.address == "Giulia@Example.com" && arrival.profile.isAddressConfirmed)
    }

    @Test func `The code is changed with the secret in the header, the verifier and the same way back`() async throws {
        let house = House()
        let (back, fields) = try await house.begin()
        _ = try await house.finish(back).get()
        let request = try #require(house.fake.state.withLock { $0.requests.first { $0.url.hasSuffix("/token") } })
        let form = try Form(urlEncoded: request.body ?? [])
        let verifier = try form.require("code_verifier", as: String.self)
        #expect(
            Base64.urlText(Digest.sha256(Array(verifier.utf8)))
                == (try fields.require("code_challenge", as: String.self)))
        #expect(try form.get("redirect_uri") == House.redirect && form.get("code") == "c-1")
        #expect(try form.get("client_secret", as: String.self) == nil)
        let pair = "soglia:two%3A%20%26%20words"
        #expect(
            request.headers.contains {
                $0.name == "Authorization" && $0.value == "Basic " + Base64.text(Array(pair.utf8))
            })
    }

    // MARK: the way back

    @Test func `A sign-in can be ended once`() async throws {
        let house = House()
        let back = try await house.begin().back
        _ = try await house.finish(back).get()
        #expect(await house.finish(back).refusal == .notBegun)
        #expect(house.fake.asked("/token") == 1)
    }

    @Test func `It ends only in the browser that began it, at its own service, and within ten minutes`() async throws {
        let house = House()
        let other = try await house.begin().back.browser
        #expect(try await house.outcome { $0.browser = other }.refusal == .notBegun)
        #expect(try await house.outcome { $0.browser = nil }.refusal == .notBegun)
        #expect(try await house.outcome { $0.state = nil }.refusal == .notBegun)
        #expect(try await house.outcome { $0.state = Token().text }.refusal == .notBegun)
        #expect(
            try await house.outcome { $0.redirect = "http://hub.example.org/sign-in/by/debian/callback" }.refusal
                == .notBegun)
        let late = try await house.begin().back
        house.pass(milliseconds: Pending.lifetime)
        #expect(await house.finish(late).refusal == .notBegun)
        // Begun at one, ended at the other.
        house.fake.tell { $0.document = FakeService.document(issuer: "https://other.example.org") }
        let mixed = try await house.begin(at: "other").back
        #expect(await house.finish(mixed).refusal == .notBegun)
        #expect(house.fake.asked("/token") == 0, "nothing of that was asked at the service")
    }

    @Test func `Whoever comes back in the name of another issuer was mixed up`() async throws {
        let house = House()
        #expect(try await house.outcome { $0.issuer = "https://other.example.org" }.fault == .returnedIssuer)
        #expect(try await house.outcome { $0.issuer = "https://id.example.org/" }.fault == .returnedIssuer)
        _ = try await house.outcome { $0.issuer = "https://id.example.org" }.get()
        let naming = House()
        naming.fake.tell { $0.named = true }
        #expect(try await naming.outcome().fault == .returnedIssuer)
        #expect(try await naming.outcome { $0.error = "access_denied" }.fault == .returnedIssuer)
        _ = try await naming.outcome { $0.issuer = "https://id.example.org" }.get()
    }

    @Test func `A no is a no, and no code is nothing`() async throws {
        let house = House()
        #expect(try await house.outcome { $0.error = "access_denied" }.refusal == .declined)
        for code in [nil, "", "a\u{e8}", String(repeating: "c", count: 4_097)] {
            #expect(try await house.outcome { $0.code = code }.fault == .returnedNothing)
        }
        #expect(house.fake.asked("/token") == 0)
    }

    @Test func `The oldest goes when too many are on their way`() {
        var pending = Pending()
        func entry(until: UInt64) -> Pending.Entry {
            .init(
                service: "a", browser: [], attempt: Attempt(redirect: "", begun: noon, isProof: false), errand: .signIn,
                back: "",
                until: until)
        }
        func state(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }
        for number in 0...Pending.capacity { pending.add(entry(until: 100), state: state(number), now: 0) }
        #expect(pending.count == Pending.capacity)
        #expect(pending.take(state: state(0), now: 0) == nil && pending.take(state: state(1), now: 0) != nil)
        #expect(pending.take(state: state(2), now: 100) == nil, "over")
        pending.add(entry(until: 200), state: state(-1), now: 100)
        #expect(pending.count == 1, "what is over takes no room")
    }

    @Test func `Strangers who begin without end make nobody begin anew who is in`() {
        var pending = Pending()
        func entry(_ errand: Errand, of holder: [UInt8]? = nil) -> Pending.Entry {
            .init(
                service: "a", browser: [], attempt: Attempt(redirect: "", begun: noon, isProof: false), errand: errand,
                holder: holder, back: "", until: 100)
        }
        pending.add(entry(.prove(session: [1]), of: [9]), state: [1], now: 0)
        pending.add(entry(.link(session: [1]), of: [9]), state: [2], now: 0)
        for number in 0...Pending.capacity {
            pending.add(entry(.signIn), state: Array("\(number)".utf8), now: 0)
            // Nor does another who is in.
            pending.add(entry(.prove(session: [2]), of: [8]), state: Array("8-\(number)".utf8), now: 0)
        }
        #expect(pending.take(state: Array("8-\(Pending.capacity - Pending.ofOne)".utf8), now: 1) == nil)
        #expect(pending.take(state: Array("8-\(Pending.capacity - Pending.ofOne + 1)".utf8), now: 1) != nil)
        #expect(pending.take(state: [1], now: 1)?.errand == .prove(session: [1]))
        #expect(pending.take(state: [2], now: 1)?.errand == .link(session: [1]))
        #expect(pending.take(state: [2], now: 1) == nil)
    }

    // MARK: what a service publishes

    @Test func `Description and keys are fetched once, and again when their time is over`() async throws {
        let house = House()
        for _ in 0..<3 { _ = try await house.outcome().get() }
        #expect(house.fake.asked("/.well-known/openid-configuration") == 1 && house.fake.asked("/keys") == 1)
        house.pass(milliseconds: 599_999)
        _ = try await house.outcome().get()
        #expect(house.fake.asked("/keys") == 1)
        house.pass(milliseconds: 1)
        _ = try await house.outcome().get()
        #expect(house.fake.asked("/.well-known/openid-configuration") == 2 && house.fake.asked("/keys") == 2)
    }

    @Test(arguments: [
        ("max-age=0", 300_000), ("no-store", 300_000), ("max-age=31536000", 86_400_000), ("public", 3_600_000),
        ("max-age=99999999999999999999", 3_600_000), ("Public, Max-Age=\"900\"", 900_000),
    ])
    func `What is kept is kept within bounds`(_ control: String, _ milliseconds: UInt64) async throws {
        let house = House()
        house.fake.tell { $0.lifetime = control }
        _ = try await house.outcome().get()
        house.pass(milliseconds: milliseconds - 1)
        _ = try await house.outcome().get()
        #expect(house.fake.asked("/keys") == 1)
        house.pass(milliseconds: 1)
        _ = try await house.outcome().get()
        #expect(house.fake.asked("/keys") == 2)
    }

    @Test func `A new key is looked for once a minute, whoever asks`() async throws {
        let house = House()
        _ = try await house.outcome().get()
        house.fake.tell { $0.key = TokenKey(name: "2") }
        _ = try await house.outcome().get()
        #expect(house.fake.asked("/keys") == 2)
        house.fake.tell { $0.key = TokenKey(name: "3") }
        for _ in 0..<20 { #expect(try await house.outcome().fault == .unknownKey) }
        #expect(house.fake.asked("/keys") == 2)
        house.pass(milliseconds: 60_000)
        _ = try await house.outcome().get()
        #expect(house.fake.asked("/keys") == 3)
    }

    @Test func `Many who come at once cause one look`() async throws {
        let house = House(patience: .zero)
        house.fake.tell { $0.isSlow = true }
        // Of whom nothing is known, they have three quarters of the lanes.
        let tasks = (0..<SignInServices.strangersAtOnce * 3 / 4).map { number in
            Task { try await house.begin(from: "192.0.2.\(number)") }
        }
        #expect(await eventually { house.fake.asked("/.well-known/openid-configuration") == 1 })
        // One more is told so when it has waited.
        #expect(await eventually { await house.refusal() == .busy })
        house.fake.tell { $0.isSlow = false }
        for task in tasks { _ = try await task.value }
        #expect(house.fake.asked("/.well-known/openid-configuration") == 1)
        _ = try await house.outcome().get()
    }

    @Test func `However much few networks ask, another one and who is in have their turn`() async throws {
        let house = House()
        let known = try await house.begin(.prove(session: [7]), of: .holder([1])).back
        let strange = try await house.begin(from: "198.51.100.1").back
        var flood: [SignInServices.Return] = []
        for number in 0..<48 { flood.append(try await house.begin(from: "192.0.2.\(number % 4)").back) }
        house.fake.tell { $0.isSlow = true }
        let tasks = flood.map { back in Task { await house.finish(back) } }
        // Two of each are asked about; the others wait for those.
        #expect(await eventually { house.fake.asked("/token") == 8 })
        let (first, second) = (Task { await house.finish(known) }, Task { await house.finish(strange) })
        #expect(await eventually { house.fake.asked("/token") == 10 })
        house.fake.tell { $0.isSlow = false }
        for task in tasks + [first, second] { #expect(await task.value.refusal != .busy) }
    }

    @Test func `All networks of one IPv6 site have their turns together`() async throws {
        func owner(_ address: String) -> Asker { Asker.network(ClientNetwork(address)).owner }
        #expect(owner("2001:db8:1:1::1") == owner("2001:db8:1:ff00::2"))
        #expect(owner("2001:db8:1:1::1") != owner("2001:db8:2:1::1"))
        #expect(owner("192.0.2.1") != owner("192.0.2.2"))
        #expect(Asker.holder([1]).owner == .holder([1]))
    }

    @Test(arguments: [CourierError.noConnection, .timedOut, .tooLarge, .noTrust])
    func `A service that is down is said to be, and is back when it is`(_ error: CourierError) async throws {
        let house = House()
        house.fake.tell { $0.failure = error }
        #expect(await house.refusal() == .unreachable(error))
        house.fake.tell { $0.failure = nil }
        let back = try await house.begin().back
        house.fake.tell { $0.failure = error }
        #expect(await house.finish(back).refusal == .unreachable(error))
        house.fake.tell { $0.failure = nil }
        _ = try await house.outcome().get()
    }

    @Test func `Answers of another status are refused`() async throws {
        let house = House()
        for (status, fault) in [(400, ServiceFault.usedCode), (401, .client), (302, .status), (500, .status)] {
            let back = try await house.begin().back
            house.fake.tell { $0.status = status }
            #expect(await house.finish(back).fault == fault)
            house.fake.tell { $0.status = 200 }
        }
    }

    // MARK: who it is

    @Test func `A token that answers another question signs nobody in`() async throws {
        let house = House()
        let back = try await house.begin().back
        _ = try await house.begin()
        #expect(await house.finish(back).fault == .nonce)
    }

    @Test func `An address counts when the service vouches for it`() async throws {
        let house = House()
        house.fake.tell { $0.claims["email_verified"] = "false" }
        let profile = try await house.outcome().get().profile
        #expect(profile.address == nil && !profile.isAddressConfirmed)
    }

    @Test func `What the token lacks is asked for, and of nobody else`() async throws {
        let house = House()
        house.fake.tell {
            ($0.claims["name"], $0.claims["email"]) = (nil, nil)
            $0.profile = #"{"sub":"248289761001","name":"Giulia","email":"g@example.com","email_verified":true}"#
        }
        let profile = try await house.outcome().get().profile
        #expect(profile.name == "Giulia" && profile.address == "g@example.com")
        house.fake.tell { $0.profile = #"{"sub":"another","name":"Anna"}"# }
        #expect(try await house.outcome().fault == .otherSubject)
        house.fake.tell { $0.profile = "<html>" }
        #expect(try await house.outcome().get().profile.name == nil)
    }

    @Test func `For a proof the service is to ask anew`() async throws {
        let house = House()
        let (back, fields) = try await house.begin(.prove(session: [7]))
        #expect(try fields.get("prompt") == "login" && fields.get("max_age") == "600")
        house.fake.tell { $0.claims["auth_time"] = "\(seconds - 3_600)" }
        #expect(await house.finish(back).fault == .stale)
        house.fake.tell { $0.claims["auth_time"] = "\(seconds)" }
        #expect(try await house.outcome(.prove(session: [7])).get().errand == .prove(session: [7]))
    }

    @Test func `Google's two names are one issuer, and nobody else has two`() async throws {
        let house = House([.sample(issuer: ProviderSettings.google)])
        house.fake.tell {
            $0.document = FakeService.document(issuer: ProviderSettings.google)
            $0.claims["iss"] = #""accounts.google.com""#
        }
        #expect(try await house.outcome().get().profile.issuer == "https://accounts.google.com")
        let other = House()
        other.fake.tell { $0.claims["iss"] = #""id.example.org""# }
        #expect(try await other.outcome().fault == .issuer)
    }

    @Test func `A service on this machine, without TLS, is none`() async {
        let services = SignInServices([.sample(issuer: "http://localhost:8081")], clock: WallClock { noon })
        #expect(services.settings.isEmpty && services.settings(of: "debian") == nil)
    }

    // MARK: Facebook

    @Test func `Facebook is asked whose a token is, by the app itself, and need not know an address`() async throws {
        let house = House([.sample(kind: .facebook, issuer: ProviderSettings.facebook)])
        house.fake.tell { $0.profile = #"{"id":"10222","name":"Giulia"}"# }
        let (back, fields) = try await house.begin()
        #expect(try fields.get("scope") == "public_profile,email")
        let profile = try await house.finish(back).get().profile
        #expect(profile == Profile(issuer: "https://www.facebook.com", subject: "10222", name: "Giulia"))
        let requests = house.fake.state.withLock { $0.requests }
        #expect(
            requests.map { $0.url.prefix { $0 != "?" } } == [
                "https://graph.facebook.com/v23.0/oauth/access_token", "https://graph.facebook.com/v23.0/me",
            ])
        let proof = Hex.text(HMACSHA256(key: Array("two: & words".utf8)).authenticate(Array("EAA".utf8)).bytes)
        #expect(requests[1].url.hasSuffix("appsecret_proof=" + proof))
        #expect(!requests.contains { $0.url.contains("two") }, "no secret stands in an address")
        house.fake.tell { $0.profile = #"{"id":"10222","email":"g@example.com"}"# }
        let told = try await house.outcome().get().profile
        #expect(told.address == "g@example.com" && !told.isAddressConfirmed)
        for wrong in ["{}", #"{"id":""}"#, #"{"id":7}"#, "[]"] {
            house.fake.tell { $0.profile = wrong }
            #expect(try await house.outcome().fault != nil)
        }
    }

    @Test func `No refusal and no fault tells what is secret`() {
        for fault in ServiceFault.allCases { #expect(!fault.rawValue.contains("two: & words")) }
        #expect(Set(ServiceFault.allCases.map(\.rawValue)).count == ServiceFault.allCases.count)
    }
}

extension House {
    /// Why a sign-in cannot even begin.
    fileprivate func refusal() async -> SignInRefusal? {
        do throws(SignInRefusal) {
            _ = try await services.begin(
                "debian", .signIn, of: .network(ClientNetwork("203.0.113.1")), redirect: Self.redirect, back: "/")
            return nil
        } catch { return error }
    }
}
