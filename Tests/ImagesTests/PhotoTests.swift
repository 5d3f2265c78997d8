import Testing

@testable import Images

@Suite("Photos")
struct PhotoTests {
    /// The colours in the four corners of a made photo: above left, above right, below left, below right.
    private func corners(_ jpeg: [UInt8]) throws -> [String] {
        let pixels = try pixels(of: jpeg)
        let (near, far) = (pixels.width / 8, pixels.width * 7 / 8)
        return [(near, near), (far, near), (near, far), (far, far)].map { x, y in
            let place = (y * pixels.width + x) * 3
            let colour = pixels.bytes[place..<place + 3].map { $0 > 140 }
            switch colour {
            case [true, true, true]: return "white"
            case [true, false, false]: return "red"
            case [false, true, false]: return "green"
            case [false, false, true]: return "blue"
            default: return "\(pixels.bytes[place..<place + 3])"
            }
        }
    }

    private func pixels(of jpeg: [UInt8]) throws(PhotoError) -> Pixels {
        try Photo.decode(jpeg, .jpeg) { Pixels(width: $1, height: $2, bytes: Array($0)) }
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }

    private func refusal(_ bytes: [UInt8]) -> PhotoError? {
        do throws(PhotoError) {
            _ = try Photo.make(from: bytes)
            return nil
        } catch { return error }
    }

    @Test("A JPEG, a PNG and a WebP file become two squares of the sizes that pages ask for")
    func formats() throws {
        let picture = PictureFiles.corners(width: 900, height: 600)
        for file in [try PictureFiles.jpeg(picture), PictureFiles.png(picture), PictureFiles.webp(picture)] {
            let photo = try Photo.make(from: file)
            for (bytes, side) in [(photo.large, 512), (photo.small, 96)] {
                let pixels = try pixels(of: bytes)
                #expect((pixels.width, pixels.height) == (side, side))
                #expect(try corners(bytes) == ["red", "green", "blue", "white"])
            }
        }
    }

    @Test("A small picture is not made larger, and one without enough of it is refused")
    func small() throws {
        let photo = try Photo.make(from: PictureFiles.png(PictureFiles.corners(width: 300, height: 200)))
        #expect(try pixels(of: photo.large).width == 200)
        #expect(refusal(PictureFiles.png(PictureFiles.corners(width: 400, height: 95))) == .tooSmall)
    }

    @Test("A camera's picture stays whole, its longer side no longer than 640, and loses what is no picture")
    func still() throws {
        let wide = PictureFiles.corners(width: 1_280, height: 800)
        for file in [try PictureFiles.jpeg(wide), PictureFiles.png(wide), PictureFiles.webp(wide)] {
            let made = try Photo.still(from: file)
            let pixels = try pixels(of: made)
            #expect((pixels.width, pixels.height) == (640, 400))
            #expect(pixels.bytes[0] > 140 && pixels.bytes[pixels.bytes.count - 1] > 140)
        }
        let small = try pixels(of: Photo.still(from: PictureFiles.png(PictureFiles.corners(width: 96, height: 64))))
        #expect((small.width, small.height) == (96, 64))
        #expect(throws: PhotoError.notAPicture) { try Photo.still(from: Array("GIF89a".utf8)) }
        #expect(throws: PhotoError.broken) { try Photo.still(from: Array(try PictureFiles.jpeg(wide).prefix(3_000))) }
    }

    /// Exif says where line 0 and column 0 of what is stored stand in what was seen.
    private static let seen: [(orientation: UInt16, corners: [String])] = [
        (1, ["red", "green", "blue", "white"]),
        (2, ["green", "red", "white", "blue"]),
        (3, ["white", "blue", "green", "red"]),
        (4, ["blue", "white", "red", "green"]),
        (5, ["red", "blue", "green", "white"]),
        (6, ["blue", "red", "white", "green"]),
        (7, ["white", "green", "blue", "red"]),
        (8, ["green", "white", "red", "blue"]),
    ]

    @Test("However the camera was held, up is up", arguments: seen, [true, false])
    func orientation(_ seen: (orientation: UInt16, corners: [String]), isLittle: Bool) throws {
        let picture = PictureFiles.corners(width: 240, height: 160)
        let exif = PictureFiles.exif(seen.orientation, isLittle: isLittle)
        let jpeg = PictureFiles.jpeg(try PictureFiles.jpeg(picture), exif: exif)
        #expect(try corners(Photo.make(from: jpeg).large) == seen.corners)
        let png = PictureFiles.png(PictureFiles.png(picture), chunk: "eXIf", exif)
        #expect(try corners(Photo.make(from: png).large) == seen.corners)
    }

    @Test("An orientation that cannot be read refuses no photo")
    func wrongOrientation() throws {
        let file = try PictureFiles.jpeg(PictureFiles.corners(width: 240, height: 160))
        let whole = PictureFiles.exif(6)
        var beyond = whole
        beyond[4...7] = [0xff, 0xff, 0xff, 0xff]
        for exif in [[], Array(whole.prefix(9)), beyond, PictureFiles.exif(0), PictureFiles.exif(9)] {
            let photo = try Photo.make(from: PictureFiles.jpeg(file, exif: exif))
            #expect(try corners(photo.large) == ["red", "green", "blue", "white"])
        }
    }

    @Test("Nothing of what stood beside the picture is in the photo")
    func metadata() throws {
        let picture = PictureFiles.corners(width: 240, height: 160)
        let jpeg = PictureFiles.jpeg(try PictureFiles.jpeg(picture), exif: PictureFiles.exif(1))
        let png = PictureFiles.png(PictureFiles.png(picture), chunk: "eXIf", PictureFiles.exif(1))
        for file in [jpeg, png] {
            #expect(contains(file, "SecretCamera") && contains(file, "45.4642"))
            let photo = try Photo.make(from: file + Array("<script>behind the end</script>".utf8))
            for bytes in [photo.large, photo.small] {
                #expect(!contains(bytes, "SecretCamera") && !contains(bytes, "45.4642"))
                #expect(!contains(bytes, "Exif") && !contains(bytes, "<script>"))
            }
        }
    }

    @Test("A JPEG in several scans, and one in four inks, come out in their colours")
    func otherJPEGs() throws {
        for (file, wanted) in [(PictureFiles.progressive, [10, 120, 200]), (PictureFiles.inks, [226, 53, 34])] {
            let pixels = try pixels(of: Photo.make(from: file).large)
            let middle = (48 * 96 + 48) * 3
            let found = pixels.bytes[middle..<middle + 3].map { Int($0) }
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 12 }, "\(found) and not \(wanted)")
        }
    }

    @Test("What is no picture is refused, whatever it is called")
    func wrongMagic() {
        let gif = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 100)
        let heic = [0, 0, 0, 0x18] + Array("ftypheic".utf8)
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
        for file in [[], [0xff], gif, heic, svg, Array("<?xml version='1.0'?>".utf8), Array("RIFF\0\0\0\0WAVE".utf8)] {
            #expect(refusal(file) == .notAPicture)
        }
    }

    @Test("A file that is cut off anywhere is refused")
    func truncated() throws {
        let picture = PictureFiles.corners(width: 240, height: 160)
        let jpeg = PictureFiles.jpeg(try PictureFiles.jpeg(picture), exif: PictureFiles.exif(1))
        for file in [jpeg, PictureFiles.webp(picture), PictureFiles.progressive] {
            for share in 1..<16 { #expect(refusal(Array(file.prefix(file.count * share / 16))) != nil) }
        }
        // A PNG file ends with a chunk of 12 bytes that holds nothing.
        let png = PictureFiles.png(picture)
        for share in 1..<16 { #expect(refusal(Array(png.prefix((png.count - 24) * share / 15))) != nil) }
    }

    @Test("A file that says to be huge is refused by what its head says")
    func bombs() throws {
        #expect(refusal(PictureFiles.pngHead(width: 8_000, height: 5_001)) == .tooLarge)
        #expect(refusal(PictureFiles.pngHead(width: 900_000, height: 900_000)) == .tooLarge)
        #expect(refusal(PictureFiles.pngHead(width: 0, height: 10)) == .broken)
        #expect(refusal(PictureFiles.pngHead(width: .max >> 1, height: .max >> 1)) == .tooLarge)
        var jpeg = PictureFiles.progressive
        let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xff, 0xc2]) })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x80, 0, 0x80, 0])
        #expect(refusal(jpeg) == .tooLarge)
        let long = PictureFiles.png(PictureFiles.corners(width: 240, height: 160))
        #expect(refusal(long + [UInt8](repeating: 0, count: Photo.bytesLimit)) == .tooLarge)
    }

    @Test("A JPEG of more than 20 scans is refused before it is decoded")
    func scans() throws {
        for isProgressive in [true, false] {
            let file = PictureFiles.scans(Photo.scansLimit, isProgressive: isProgressive, side: 128)
            #expect(refusal(file) == nil)
            #expect(throws: Never.self) { try Photo.still(from: file) }
            let long = PictureFiles.scans(Photo.scansLimit + 1, isProgressive: isProgressive, side: 128)
            #expect(refusal(long) == .tooManyScans)
            #expect(throws: PhotoError.tooManyScans) { try Photo.still(from: long) }
        }
        #expect(refusal(PictureFiles.scans(255, isProgressive: true, side: 2_000)) == .tooManyScans)
    }

    @Test("A progressive JPEG has at most 16 million pixels, also where it says so by several scans alone")
    func progressiveLimit() {
        for isProgressive in [true, false] {
            let file = PictureFiles.scans(3, isProgressive: isProgressive, side: 4_000)
            #expect(refusal(file) == nil)
            #expect(refusal(PictureFiles.resized(file, width: 4_000, height: 4_001)) == .tooLargeForFormat)
            #expect(refusal(PictureFiles.resized(file, width: 8_000, height: 5_001)) == .tooLarge)
        }
        // Of one scan, which has one colour of three: the library waits for the others.
        let sequential = PictureFiles.scans(1, isProgressive: false, side: 4_000)
        #expect(refusal(PictureFiles.resized(sequential, width: 4_000, height: 4_001)) == .tooLargeForFormat)
    }

    @Test("A JPEG with arithmetic coding, or neither sequential nor progressive, is refused by what its head says")
    func otherCodings() {
        for kind in [0xc9, 0xca] as [UInt8] {
            #expect(refusal(PictureFiles.scans(3, isProgressive: true, side: 128, kind: kind)) == .unsupportedJPEG)
        }
        for kind in [0xc3, 0xc5, 0xcb, 0xcf] as [UInt8] {
            #expect(refusal(PictureFiles.scans(3, isProgressive: true, side: 128, kind: kind)) != nil)
        }
    }

    @Test("Scans are counted as the library finds them")
    func countedScans() {
        let one = PictureFiles.scans(1, isProgressive: true, side: 128).dropLast(2)
        let sos: [UInt8] = [0xff, 0xda, 0, 2]
        func count(_ bytes: [UInt8]) -> Int { JPEGLayout(of: one + bytes).scans }
        #expect(count([]) == 1)
        #expect(count([0xff, 0xff] + sos) == 2)
        #expect(count([0xff, 0xd7] + sos) == 2)
        // The library may skip a number that means nothing, without the length behind it.
        #expect(count([0xff, 0x02, 0x7f, 0xff] + sos) == 2)
        // What is data, what stands in a segment, and what comes behind the end, is none.
        #expect(count([0xff, 0x00, 0xda, 0, 2]) == 1)
        #expect(count([0xff, 0xfe, 0, 6] + sos) == 1)
        #expect(count([0xff, 0xd9] + sos) == 1)
        // One scan of one colour of three: the library waits for the others, and holds all.
        let head: [UInt8] = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 8, 0, 8, 3] + [UInt8](repeating: 1, count: 9)
        #expect(JPEGLayout(of: head + [0xff, 0xda, 0, 8, 1, 0, 0, 0, 0, 0, 0xff, 0xd9]).isInScans)
        #expect(!JPEGLayout(of: head + [0xff, 0xda, 0, 12, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd9]).isInScans)
        #expect(!JPEGLayout(of: Array(one)).isWhole)
        #expect(JPEGLayout(of: one + [0xff, 0xd9]).isWhole)
        #expect(!JPEGLayout(of: [0xff, 0xd8, 0xff, 0xd9]).isWhole)
    }

    @Test("A PNG that would unpack to more than 64 MB is refused by what its head says")
    func unpackedPNG() {
        func refused(_ width: UInt32, _ height: UInt32, _ depth: UInt8, _ colours: UInt8) -> PhotoError? {
            refusal(PictureFiles.pngHead(width: width, height: height, depth: depth, colours: colours))
        }
        // Colours with what shows through, one and two bytes each; colours alone; grey; a palette; black and white.
        for (height, depth, colours) in [(4_001, 8, 6), (2_001, 16, 6), (5_334, 8, 2), (8_001, 16, 0)]
            as [(UInt32, UInt8, UInt8)]
        {
            #expect(refused(4_000, height, depth, colours) == .tooLargeForFormat)
            #expect(refused(4_000, height - 1, depth, colours) == .broken)
        }
        #expect(refused(8_000, 5_000, 8, 3) == .broken)
        #expect(refused(8_000, 5_000, 1, 0) == .broken)
        // What is no kind of PNG counts as the largest.
        #expect(refused(4_000, 4_001, 8, 7) == .tooLargeForFormat)
    }

    @Test("A text in a PNG file that would unfold to a gigabyte is not unfolded")
    func textBomb() throws {
        // zlib (RFC 1950) of a stored block, and then what is none: whoever unfolds it fails.
        let file = PictureFiles.png(PictureFiles.corners(width: 240, height: 160))
        let text = Array("Comment\0\0".utf8) + [0x78, 0x01] + [UInt8](repeating: 0xff, count: 64 << 10)
        let photo = try Photo.make(from: PictureFiles.png(file, chunk: "zTXt", text))
        #expect(try corners(photo.large) == ["red", "green", "blue", "white"])
        let profile = Array("icc\0\0".utf8) + [0x78, 0x01] + [UInt8](repeating: 0xff, count: 64 << 10)
        _ = try Photo.make(from: PictureFiles.png(file, chunk: "iCCP", profile))
    }

    @Test func `Of a PNG file the library gets what the picture is made of, and nothing that it would unfold`() {
        let file = PictureFiles.png(PictureFiles.corners(width: 240, height: 160))
        var stuffed = file
        for name in ["zTXt", "iTXt", "tEXt", "sPLT", "eXIf", "tIME", "prVt"] {
            for _ in 0..<3 { stuffed = PictureFiles.png(stuffed, chunk: name, [1, 2, 3]) }
        }
        #expect(PNGFile.essence(of: stuffed + [4, 5, 6]) == file)
        for name in ["gAMA", "tRNS", "iCCP"] {
            let with = PictureFiles.png(file, chunk: name, [0, 0, 0, 1])
            #expect(PNGFile.essence(of: PictureFiles.png(with, chunk: "zTXt", [1])) == with)
            #expect(PNGFile.essence(of: PictureFiles.png(with, chunk: name, [2])).count == with.count - 3)
        }
        let palette = PictureFiles.png(file, chunk: "PLTE", [0, 0, 1])
        #expect(PNGFile.essence(of: palette) == palette)
        // What is cut off loses its last chunk, and is refused.
        #expect(PNGFile.essence(of: file.dropLast()) == file.dropLast(12))
        #expect(PNGFile.essence(of: Array(file.prefix(8))) == Array(file.prefix(8)))
    }

    @Test func `A lossless WebP of many bytes is refused by what its chunks say, unless it is small`() {
        let (many, few) = (Photo.losslessLimit + 1, Photo.losslessLimit)
        for (side, count, isRefused) in [(400, many, true), (400, few, false), (360, 2_000_000, false)] {
            let alone = PictureFiles.webp(lossless: side, bytes: count)
            let beside = PictureFiles.webp(chunks: [("ICCP", [1, 2, 3]), ("VP8L", alone.dropFirst(20))], side: side)
            #expect(refusal(alone) == (isRefused ? .tooMuchLossless : .broken))
            #expect(refusal(beside) == (isRefused ? .tooMuchLossless : .broken))
        }
        // What shows through a lossy picture is lossless where it is packed; the picture itself may have any length.
        let lossy = PictureFiles.webp(PictureFiles.corners(width: 400, height: 400))
        let picture = ("VP8 ", lossy.dropFirst(20))
        for (kind, isRefused) in [(1, true), (0, false)] as [(UInt8, Bool)] {
            let alpha = ("ALPH", ArraySlice([kind] + [UInt8](repeating: 255, count: 400 * 400)))
            let file = PictureFiles.webp(chunks: [alpha, picture], side: 400)
            #expect(refusal(file) == (isRefused ? .tooMuchLossless : nil))
        }
        #expect(refusal(PictureFiles.webp(chunks: [picture], side: 400)) == nil)
        #expect(refusal(PictureFiles.webp(lossless: 4_001, bytes: few)) == .tooLargeForFormat)
    }

    @Test func `Of a WebP file the library gets what its chunks hold, and nothing that follows`() throws {
        let alone = PictureFiles.webp(lossless: 400, bytes: 61)
        let picture = ("VP8L", alone[20..<81])
        let file = try #require(WebPFile(of: alone))
        #expect(file.losslessBytes == 61 && file.essence == alone)
        // The library reads a lossless picture up to the end of what it gets, whatever the chunk says.
        for said in [0, 6, 60] {
            var short = alone
            short[16] = UInt8(said)
            let file = try #require(WebPFile(of: short))
            #expect(file.losslessBytes == said)
            #expect(file.essence == PictureFiles.webp(lossless: 400, bytes: 61, kept: said))
        }
        let profile = ("ICCP", ArraySlice([1, 2, 3] as [UInt8])), exif = ("EXIF", ArraySlice([4, 5] as [UInt8]))
        let long = PictureFiles.webp(chunks: [profile, picture, exif], side: 400)
        #expect(WebPFile(of: long)?.essence == PictureFiles.webp(chunks: [picture], side: 400))
        let lossy: [(name: String, data: ArraySlice<UInt8>)] = [("ALPH", [1, 7]), ("ALPH", [0, 8]), ("VP8 ", [9])]
        #expect(
            WebPFile(of: PictureFiles.webp(chunks: lossy, side: 400))?.essence
                == PictureFiles.webp(chunks: Array(lossy.dropFirst()), side: 400))
        // What is longer than the file, what stands in no chunk, and what has no picture.
        var beyond = alone
        beyond[16] = 63
        let unnamed = alone[..<12] + alone[20...]
        for bytes in [beyond, Array(unnamed), Array(alone.prefix(19)), []] {
            #expect(WebPFile(of: bytes) == nil)
        }
        #expect(WebPFile(of: PictureFiles.webp(chunks: [profile, exif], side: 400)) == nil)
        #expect(refusal(Array(unnamed)) == .broken)
    }

    @Test func `A WebP file that says less of its picture than it has gives no more than that to the library`() {
        let whole = PictureFiles.webp(PictureFiles.corners(width: 240, height: 160))
        #expect(refusal(whole) == nil)
        var short = whole
        short.replaceSubrange(16..<20, with: [40, 0, 0, 0])
        #expect(refusal(short) == .broken)
    }

    @Test("What is two things at once comes out as one")
    func polyglot() throws {
        let page = Array("*/=alert(document.domain);/*<html><script>alert(1)</script>".utf8)
        let file = try PictureFiles.jpeg(PictureFiles.corners(width: 240, height: 160))
        let photo = try Photo.make(from: PictureFiles.jpeg(file, exif: page) + page)
        #expect(!contains(photo.large, "script") && !contains(photo.small, "script"))
        #expect(photo.large.suffix(2) == [0xff, 0xd9])
    }

    @Test("Scaling down averages all of what a pixel covers")
    func averages() {
        var bytes: [UInt8] = []
        for y in 0..<300 { for x in 0..<300 { bytes += (x + y) % 2 == 0 ? [255, 255, 255] : [0, 0, 0] } }
        let grey = Pixels(width: 300, height: 300, bytes: bytes).square(side: 100)
        #expect(grey.bytes.allSatisfy { (110...145).contains($0) })
        let white = Pixels(width: 301, height: 500, bytes: [UInt8](repeating: 255, count: 301 * 500 * 3))
        #expect(white.square(side: 97).bytes.allSatisfy { $0 == 255 })
        let same = PictureFiles.corners(width: 120, height: 120)
        #expect(same.square(side: 120) == same)
    }

    @Test("Photos are made one after another, and only a few wait")
    func desk() async throws {
        let desk = PhotoDesk()
        let file = PictureFiles.png(PictureFiles.corners(width: 240, height: 160))
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<PhotoDesk.queueLimit * 2 {
                group.addTask {
                    do throws(PhotoError) {
                        _ = try await desk.make(from: file, of: "\(number)")
                        return true
                    } catch { return error != .busy }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 }.count >= PhotoDesk.queueLimit)
        _ = try await desk.make(from: file, of: "0")
    }

    @Test("One who sends many photos at once keeps nobody else out")
    func fairDesk() async throws {
        let desk = PhotoDesk()
        let file = PictureFiles.png(PictureFiles.corners(width: 240, height: 160))
        func isMade(of owner: String) async -> Bool {
            do throws(PhotoError) {
                _ = try await desk.make(from: file, of: owner)
                return true
            } catch { return false }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<PhotoDesk.queueLimit * 4 { group.addTask { _ = await isMade(of: "greedy") } }
            for _ in 0..<PhotoDesk.queueLimit - 1 {
                let made = await isMade(of: "another")
                #expect(made)
            }
        }
        #expect(await isMade(of: "greedy"))
    }
}
