import Capacitor
import Security

/// Stores short secrets in the keychain. They are excluded from backups to other phones. They can be read while the
/// phone is locked, after it has been unlocked once, because transfers continue on a locked phone.
///
/// All methods reject with `failed` if the keychain is unavailable.
@objc(SecureStoragePlugin)
class SecureStoragePlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "SecureStoragePlugin"
    let jsName = "SecureStorage"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "get", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "set", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "remove", returnType: CAPPluginReturnPromise)
    ]

    /// Resolves with `value`, which is absent if no secret has this name.
    @objc func get(_ call: CAPPluginCall) {
        var query = item(call)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecSuccess, let data = result as? Data, let value = String(data: data, encoding: .utf8) {
            call.resolve(["value": value])
        } else if status == errSecSuccess || status == errSecItemNotFound {
            call.resolve()
        } else {
            rejectCall(call, status)
        }
    }

    @objc func set(_ call: CAPPluginCall) {
        let content: [String: Any] = [
            kSecValueData as String: Data((call.getString("value") ?? "").utf8),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        ]
        var status = SecItemUpdate(item(call) as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
            let newItem = item(call).merging(content) { _, new in new }
            status = SecItemAdd(newItem as CFDictionary, nil)
        }
        finish(call, status)
    }

    /// Deletes a secret if it exists.
    @objc func remove(_ call: CAPPluginCall) {
        let status = SecItemDelete(item(call) as CFDictionary)
        finish(call, status == errSecItemNotFound ? errSecSuccess : status)
    }

    private func item(_ call: CAPPluginCall) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "secrets",
            kSecAttrAccount as String: call.getString("name") ?? ""
        ]
    }

    private func finish(_ call: CAPPluginCall, _ status: OSStatus) {
        if status == errSecSuccess { call.resolve() } else { rejectCall(call, status) }
    }

    private func rejectCall(_ call: CAPPluginCall, _ status: OSStatus) {
        call.reject("keychain: \(status)", "failed")
    }
}
