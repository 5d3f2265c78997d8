import Courier
import Testing

@Suite("Addresses of the internet")
struct InternetAddressTests {
    @Test(
        "Those of others' hosts are public",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2606:4700::1111",
            "2001:200::1", "2001:4860:4860::8888", "2003::1", "2a00:1450::1", "3ffe::1", "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ])
    func isPublic(text: String) throws { #expect(try #require(InternetAddress(text)).isPublic) }

    @Test(
        "Those of the machine, of its networks, of groups and of nobody are not",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.255.255",
            "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
            "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::2", "::7f00:1", "::ffff:0:127.0.0.1",
            "100::1",
            "64:ff9b:1::1", "2001::1", "2001:1::1", "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1", "3fff:fff::1", "4000::1", "1fff::1", "fc00::1", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1",
            "ff02::1",
            "ffff::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0",
            "64:ff9b::127.0.0.1",
            "64:ff9b::192.168.1.1", "64:ff9b::169.254.169.254", "64:ff9b::1:808:808",
        ])
    func isNotPublic(text: String) throws { #expect(try !#require(InternetAddress(text)).isPublic) }

    @Test("Loopback is known in each of its forms")
    func loopback() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try #require(InternetAddress(text)).isLoopback)
        }
        for text in ["126.0.0.1", "0.0.0.0", "::", "::2", "1::1", "::ffff:10.0.0.1", "fe80::1"] {
            #expect(try !#require(InternetAddress(text)).isLoopback)
        }
    }

    @Test(
        "What is not an address alone is none",
        arguments: [
            "", "localhost", "127.1", "0x7f.0.0.1", "2130706433", "010.0.0.1", "1.2.3.4.5", "1.2.3.256", "[::1]",
            "fe80::1%eth0",
            "1.1.1.1:80", " 1.1.1.1", "::g",
        ])
    func none(text: String) { #expect(InternetAddress(text) == nil) }

    @Test("So many bytes it has", arguments: [0, 3, 5, 15, 17])
    func counts(count: Int) { #expect(InternetAddress(bytes: [UInt8](repeating: 8, count: count)) == nil) }

    @Test("Of the whole of IPv4, as much is public as the registries leave")
    func share() {
        // Each /16 by an address in its middle: 65,536 of them; the blocks below that size do not lie there.
        let isPublic = (0..<65_536).count {
            InternetAddress(bytes: [UInt8($0 >> 8), UInt8($0 & 255), 128, 1])!.isPublic
        }
        // 0/8, 10/8, 127/8, 224/3: 35 × 256; 100.64/10: 64; 172.16/12: 16; 198.18/15: 2; 169.254 and 192.168: 2.
        #expect(isPublic == 65_536 - 35 * 256 - 64 - 16 - 2 - 2)
    }
}
