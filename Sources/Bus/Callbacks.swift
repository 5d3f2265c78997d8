import CMosquitto
import Glibc

// What libmosquitto calls, on the thread of the connection. Free functions in a file of their own: a closure could inherit
// the isolation of whoever wrote it down, and would trap on this thread.

/// Once, before the first connection: setting a callback inside a callback deadlocks.
func setCallbacks(of handle: OpaquePointer) {
    mosquitto_connect_callback_set(handle, onConnect)
    mosquitto_subscribe_callback_set(handle, onSubscribe)
    mosquitto_publish_callback_set(handle, onPublish)
    mosquitto_message_callback_set(handle, onMessage)
}

/// The library's words for one of its codes.
func words(of code: Int32) -> String {
    code == Int32(MOSQ_ERR_ERRNO.rawValue)
        ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code))
}

/// For TLS 1.3 alone; who is there is asked by `setCertificateCallback`.
func makeTLSContext() -> OpaquePointer? {
    guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
    // SSL_CTX_set_min_proto_version, a macro.
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    return context
}

/// Our own judgement in the place of the library's: no authority, no names, no dates. The connection outlives the context.
func setCertificateCallback(of context: OpaquePointer, to connection: Connection) {
    SSL_CTX_set_cert_verify_callback(context, onCertificate, Unmanaged.passUnretained(connection).toOpaque())
}

private func onCertificate(_ store: OpaquePointer?, _ raw: UnsafeMutableRawPointer?) -> Int32 {
    guard let certificate = X509_STORE_CTX_get0_cert(store) else { return 0 }
    var digest = [UInt8](repeating: 0, count: 32)
    guard X509_digest(certificate, EVP_sha256(), &digest, nil) == 1 else { return 0 }
    return connection(raw).meets(digest) ? 1 : 0
}

private func connection(_ raw: UnsafeMutableRawPointer?) -> Connection {
    Unmanaged<Connection>.fromOpaque(raw!).takeUnretainedValue()
}

private func onConnect(_: OpaquePointer?, _ raw: UnsafeMutableRawPointer?, _ code: Int32) {
    connection(raw).acknowledged(code)
}

private func onSubscribe(
    _: OpaquePointer?, _ raw: UnsafeMutableRawPointer?, _ id: Int32, _ count: Int32, _ granted: UnsafePointer<Int32>?
) {
    // MQTT 5, section 3.9.3: 0x80 and above are refusals; MQTT 3.1.1 knows the first alone.
    connection(raw).subscribed(id, isGranted: count > 0 && granted.map { $0[0] < 0x80 } == true)
}

private func onPublish(_: OpaquePointer?, _ raw: UnsafeMutableRawPointer?, _ id: Int32) { connection(raw).sent(id) }

private func onMessage(
    _: OpaquePointer?, _ raw: UnsafeMutableRawPointer?, _ message: UnsafePointer<mosquitto_message>?
) {
    guard let message = message?.pointee, let topic = message.topic else { return }
    connection(raw).received(
        String(cString: topic), UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen)),
        isRetained: message.retain)
}
