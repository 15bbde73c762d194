import Capacitor
import NetworkExtension

/// Joins a recorder's network after iOS has asked its owner, until it is left.
///
/// Rejects with `declined` when the owner says no, `unsupported` for names and passwords that WPA2 does not know
/// and where the entitlement is missing, `failed` for anything else.
@objc(RecorderNetworkPlugin)
class RecorderNetworkPlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "RecorderNetworkPlugin"
    let jsName = "RecorderNetwork"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "join", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "leave", returnType: CAPPluginReturnPromise)
    ]

    private let manager = NEHotspotConfigurationManager.shared

    /// What was joined last; kept, so that the next start leaves what an end of the app did not.
    private var joined: String? {
        get { UserDefaults.standard.string(forKey: "recorder-network") }
        set { UserDefaults.standard.set(newValue, forKey: "recorder-network") }
    }

    override func load() {
        leaveJoined()
    }

    @objc func join(_ call: CAPPluginCall) {
        guard let ssid = call.getString("ssid"), let password = call.getString("password") else {
            call.reject("not a network that can be joined", "unsupported")
            return
        }
        leaveJoined()
        let network = NEHotspotConfiguration(ssid: ssid, passphrase: password, isWEP: false)
        // Joined once, it would be left as soon as the app is in the background for some seconds.
        network.joinOnce = false
        joined = ssid
        manager.apply(network) { error in
            guard let error = error as NSError? else {
                call.resolve()
                return
            }
            guard error.domain == NEHotspotConfigurationErrorDomain else {
                call.reject(error.localizedDescription, "failed", error)
                return
            }
            switch NEHotspotConfigurationError(rawValue: error.code) {
            case .alreadyAssociated:
                call.resolve()
            case .userDenied:
                call.reject(error.localizedDescription, "declined", error)
            case .invalidSSID, .invalidWPAPassphrase, .invalid:
                call.reject(error.localizedDescription, "unsupported", error)
            default:
                call.reject(error.localizedDescription, "failed", error)
            }
        }
    }

    /// Harmless when nothing was joined.
    @objc func leave(_ call: CAPPluginCall) {
        leaveJoined()
        call.resolve()
    }

    private func leaveJoined() {
        guard let ssid = joined else { return }
        manager.removeConfiguration(forSSID: ssid)
        joined = nil
    }
}
