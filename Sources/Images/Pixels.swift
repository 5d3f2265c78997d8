/// A picture as pixels: three bytes each, in rows without gaps.
struct Pixels: Sendable, Equatable {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    /// The centred square, scaled down to a side: see `square(of:width:height:side:)`.
    func square(side: Int) -> Pixels {
        bytes.withUnsafeBufferPointer { Self.square(of: $0, width: width, height: height, side: side) }
    }

    /// The centred square of a picture, scaled down to a side: see `scaled`.
    /// - Parameter side: at most the shorter side.
    static func square(of bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int, side: Int) -> Pixels {
        let shorter = min(width, height)
        let area = Area(left: (width - shorter) / 2, top: (height - shorter) / 2, width: shorter, height: shorter)
        return scaled(area, of: bytes, width: width, to: (side, side))
    }

    /// The whole picture, scaled down so that its longer side is no longer than told: see `scaled`.
    static func fitted(of bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int, longest: Int) -> Pixels {
        let longer = max(width, height)
        let side = min(longer, longest)
        func less(_ length: Int) -> Int { max(1, (length * side + longer / 2) / longer) }
        return scaled(
            Area(left: 0, top: 0, width: width, height: height), of: bytes, width: width,
            to: (less(width), less(height)))
    }

    /// A part of a picture, in pixels.
    private struct Area {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    /// A part of a picture, scaled down by averaging the area that each new pixel covers: each old one counts by how much of it lies
    /// inside.
    /// - Parameters:
    ///   - width: of the whole picture.
    ///   - size: at most that of the part, both ways.
    private static func scaled(
        _ area: Area, of bytes: UnsafeBufferPointer<UInt8>, width: Int, to size: (width: Int, height: Int)
    ) -> Pixels {
        let (across, down) = (spans(from: area.width, to: size.width), spans(from: area.height, to: size.height))
        // Two passes, lines and then columns, each with 16 bits of fraction.
        var lines = [UInt32](repeating: 0, count: area.height * size.width * 3)
        for y in 0..<area.height {
            let row = ((area.top + y) * width + area.left) * 3
            for x in 0..<size.width {
                var sums: (UInt32, UInt32, UInt32) = (0, 0, 0)
                for (offset, weight) in across[x] {
                    let place = row + offset * 3
                    sums.0 &+= UInt32(bytes[place]) &* weight
                    sums.1 &+= UInt32(bytes[place + 1]) &* weight
                    sums.2 &+= UInt32(bytes[place + 2]) &* weight
                }
                let place = (y * size.width + x) * 3
                // Eight bits of fraction are kept, so that the second pass has room.
                (lines[place], lines[place + 1], lines[place + 2]) = (sums.0 >> 8, sums.1 >> 8, sums.2 >> 8)
            }
        }
        var scaled = [UInt8](repeating: 0, count: size.width * size.height * 3)
        for y in 0..<size.height {
            for column in 0..<size.width * 3 {
                var sum: UInt64 = 1 << 23
                for (offset, weight) in down[y] {
                    sum &+= UInt64(lines[offset * size.width * 3 + column]) &* UInt64(weight)
                }
                scaled[y * size.width * 3 + column] = UInt8(min(sum >> 24, 255))
            }
        }
        return Pixels(width: size.width, height: size.height, bytes: scaled)
    }

    /// For each new place the old ones that it covers, with weights that add up to 65536.
    private static func spans(from old: Int, to new: Int) -> [[(offset: Int, weight: UInt32)]] {
        (0..<new).map { place in
            // In units of 1/new of an old pixel, so that all of it is whole numbers.
            let (start, end) = (place * old, (place + 1) * old)
            var span: [(offset: Int, weight: UInt32)] = []
            var left: UInt32 = 1 << 16
            for offset in (start / new)...((end - 1) / new) {
                let covered = min(end, (offset + 1) * new) - max(start, offset * new)
                let weight = UInt32(covered << 16) / UInt32(old)
                left -= weight
                span.append((offset, weight))
            }
            // What rounding left over belongs to the middle one.
            span[span.count / 2].weight += left
            return span
        }
    }

    /// A square, turned and mirrored so that up is up.
    func turned(_ orientation: Orientation) -> Pixels {
        guard orientation != .upright else { return self }
        var turned = self
        for y in 0..<height {
            for x in 0..<width {
                let from = orientation.source(x: x, y: y, last: width - 1)
                let (old, new) = ((from.y * width + from.x) * 3, (y * width + x) * 3)
                for colour in 0..<3 { turned.bytes[new + colour] = bytes[old + colour] }
            }
        }
        return turned
    }
}
