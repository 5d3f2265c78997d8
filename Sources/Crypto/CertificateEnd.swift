import CCrypto
import Glibc
import System

/// When a certificate ends.
public enum CertificateEnd {
    /// The end of the first certificate in a PEM text (RFC 7468); nil when there is none that can be read.
    public static func of(pem: [UInt8]) -> Timestamp? {
        guard !pem.isEmpty, pem.count <= 1 << 20, let source = BIO_new_mem_buf(pem, Int32(pem.count)) else {
            return nil
        }
        defer { BIO_free(source) }
        guard let certificate = PEM_read_bio_X509(source, nil, nil, nil) else {
            ERR_clear_error()
            return nil
        }
        defer { X509_free(certificate) }
        var time = tm()
        guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 else { return nil }
        return Timestamp(milliseconds: Int64(timegm(&time)) * 1000)
    }
}
