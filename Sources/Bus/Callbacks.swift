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

private func connection(_ raw: UnsafeMutableRawPointer?) -> Connection {
    Unmanaged<Connection>.fromOpaque(raw!).takeUnretainedValue()
}

private func onConnect(_: OpaquePointer?, _ raw: UnsafeMutableRawPointer?, _ code: Int32) {
    connection(raw).acknowledged(code)
}

private func onSubscribe(
    _: OpaquePointer?, _ raw: UnsafeMutableRawPointer?, _ id: Int32, _ count: Int32, _ granted: UnsafePointer<Int32>?
) {
    // MQTT 3.1.1, section 3.9.3: 0x80 is a refusal.
    connection(raw).subscribed(id, isGranted: count > 0 && granted.map { $0[0] != 0x80 } == true)
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
