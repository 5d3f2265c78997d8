import Identity
import Ledger
import System
import Testing

@testable import Home
@testable import Household

struct PicturesTests {
    @Test func `One house's cameras, however many, leave room for another's`() {
        let pictures = Pictures()
        let (loud, quiet) = (SiteID.new(at: noon), SiteID.new(at: noon))
        func admits(_ site: SiteID) -> Bool { pictures.admits(.new(at: noon), in: site, isRetained: false, at: noon) }
        let loudly = (0..<40).count { _ in admits(loud) }
        #expect(loudly == Pictures.mostOfHouse)
        #expect(admits(quiet) && admits(quiet))
        // Many houses: each that has none has one, up to a limit.
        let many = (0..<200).map { _ in SiteID.new(at: noon) }
        for site in many.prefix(7) { for _ in 0..<Pictures.mostOfHouse { _ = admits(site) } }
        #expect(!admits(quiet))
        let late = many.dropFirst(7).count { admits($0) }
        #expect(late == Pictures.mostWaiting)
    }
}
